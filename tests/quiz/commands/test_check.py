"""`qkv check`: from files and from a pipe, for people, programs and GitHub, with one seed and with many."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from content.claims.parser import parse
from content.deck.library import Given, load
from content.yaml.problems import Problem
from quiz.card.luck import lucky_sentence
from quiz.cli import qkv
from quiz.commands.check import _by_their_runs
from quiz.commands.check_report import CodeReport, Report, as_annotations, summary
from quiz.words.i18n import Words
from tests.quiz.driving import FAKE

ROOT = Path(__file__).parents[3]

LUCKY = """\
deck: lucky
title: Lucky
cards:
  - id: by-luck
    question: {en: Why?, zh: 为什么？}
    answer: {en: So., zh: 所以。}
    verify:
      experiment: softmax_saturation
      set: {d_k: 4, seed: 3}
      claims:
        - {says: The draw is a little wide., check: raw_std > 2}
        - {says: It is about two., check: "close(raw_std, 2, 0.3)"}
"""


def invoke(*arguments: str, given: str = "", code: int = 0) -> Result:
    """A command with something on its stdin; its exit code must be the one expected."""
    done = CliRunner().invoke(qkv, arguments, input=given)

    assert code == done.exit_code, done.output
    return done


def test_stdin_is_a_deck() -> None:
    """`-` reads a deck from stdin; its problems say <stdin>."""
    told = invoke("check", "-", "--no-run", given="deck: a\ntitle: A\ncards: [{id: b, question: Q}]\n", code=1).stdout

    assert told.startswith("<stdin>:3:9: error: an explain card needs an answer")


OLD_NAMES = """\
deck: old
title: Old
cards:
  - id: spans
    question: Why?
    answer: So.
    verify:
      experiment: span_corruption
      set: {share: 0.3, span: 2}
      claims: [{says: It is shorter., check: span_input < mlm_positions}]
  - id: waiting
    question: Why?
    answer: So.
    verify:
      experiment: sequential_vs_parallel
      set: {tokens: 64}
      claims: [{says: It waits., check: rnn_chain > 100}]
"""


def test_names_that_experiments_had_go_on_working() -> None:
    """A deck that asks for an experiment by a name that it had is checked and run; a name that none ever had is unknown."""
    invoke("check", "-", given=OLD_NAMES)

    assert (
        "span_corruptiom" in invoke("check", "-", "--no-run", given=OLD_NAMES.replace("span_corruption", "span_corruptiom"), code=1).stdout
    )


def test_stdin_stands_beside_files(tmp_path: Path) -> None:
    """A pipe's deck and a file's are checked in one run; two decks with one id are told apart by their names."""
    path = tmp_path / "lucky.yaml"
    path.write_text(LUCKY, encoding="utf-8")
    told = invoke("check", str(path), "-", "--no-run", given=LUCKY, code=1).stdout

    assert f"<stdin>:1:7: error: the deck id lucky is already that of {path}" in told


def test_annotations(tmp_path: Path) -> None:
    """`--format github`: one workflow command a problem, with file, line and column, then the summary."""
    path = tmp_path / "lucky.yaml"
    path.write_text(LUCKY.replace("cards:", "card:"), encoding="utf-8")
    first, *_, last = invoke("check", str(path), "--no-run", "--format", "github", code=1).stdout.splitlines()

    assert re.fullmatch(rf"::error file={re.escape(str(path))},line=\d+,col=\d+::.+", first)
    assert last.startswith("1 deck, 0 cards")


def test_nothing_in_a_deck_becomes_a_command() -> None:
    """A file's name and a deck's words cannot end an annotation or begin another."""
    problem = Problem("a,b:c%.yaml", 0, 0, "50 %\n::error::no\r\x1b", "so", "warning", "::add-mask::x")
    first, last = as_annotations(Report(1, 1, 0, None, 0, (problem,))).splitlines()

    assert r"::warning file=a%2Cb%3Ac%25.yaml::50 %25 ::error::no\x0d\x1b (so)" == first
    assert "1 deck, 1 card, 0 claims not run; 0 errors, 1 warning." == last


def test_a_refused_deck_is_looked_through(tmp_path: Path) -> None:
    """A card with an error in its form runs no claim, the others of its deck do, and the last line says so."""
    path = tmp_path / "lucky.yaml"
    two = LUCKY.partition("cards:\n")[2].replace("by-luck", "two").replace("    answer", "    level: 9\n    answer")
    path.write_text(LUCKY.replace("raw_std > 2}", "raw_std > 99}") + two, encoding="utf-8")
    found = invoke("check", str(path), code=1).stdout
    *_, last = found.splitlines()

    assert "1 deck, 1 card, 1 of 2 claims hold; 1 deck refused, whose wrong cards wait; 2 errors, 0 warnings." == last
    assert (1, 1) == (found.count("the claim is false: "), found.count("level is 9"))


ALL_AT_ONCE = """\
deck: all-at-once
title: All
cards:
  - id: a
    question: Why?
    level: 9
    verify:
      experiment: grouped_query_attention
      set: {heads: 5, groups: 2}
      claims: [{check: "nonsense > 1"}, {says: So., check: "1 < 2"}]
  - id: b
    question: Why?
    answer: So.
    verify: {experiment: softmax_saturation, set: {d_k: 1e9, sead: 1}, claims: [{says: So., check: raw_sdt > 1}]}
"""
ALL_OF_THEM = (
    "an explain card needs an answer",
    "level is 9; it must be a whole number, 1 to 5",
    "groups = 2 does not divide heads = 5; a divisor is 1, 5",
    "a claim needs says",
    "the claim is false: there is no parameter or result nonsense",
    "the claim cannot fail: it names none of the experiment's results",
    "d_k is a whole number in 1..4096; not 1e9",
    "softmax_saturation has no parameter sead; it has d_k, keys, sigma_q, sigma_k, seed",
    "the claim is false: there is no parameter or result raw_sdt; did you mean raw_std?",
)


def test_no_card_needs_to_be_right() -> None:
    """Also where every card of all decks is refused, their experiments' names and ranges are known."""
    first, _, _ = ALL_AT_ONCE.partition("  - id: b")
    told = json.loads(invoke("check", "-", "--json", "--no-run", given=first, code=1).stdout)

    assert sorted(ALL_OF_THEM[:6]) == sorted(problem["message"] for problem in told["problems"])


@pytest.mark.parametrize("mode", [("--no-run",), ()])
def test_all_problems_of_a_file_in_one_run(mode: tuple[str, ...]) -> None:
    """What its form, its experiments' ranges and their names refuse is told together, without a run and with one."""
    told = json.loads(invoke("check", "-", "--json", *mode, given=ALL_AT_ONCE, code=1).stdout)

    assert sorted(ALL_OF_THEM) == sorted(problem["message"] for problem in told["problems"])


def test_json_is_a_format(tmp_path: Path) -> None:
    """`--format json` is `--json`."""
    path = tmp_path / "lucky.yaml"
    path.write_text(LUCKY, encoding="utf-8")
    told = [invoke("check", str(path), "--no-run", *form).stdout for form in (("--json",), ("--format", "json"))]

    assert told[0] == told[1]
    assert 1 == json.loads(told[0])["decks"]


def test_seeds_find_luck(tmp_path: Path) -> None:
    """With its own seed a lucky claim holds; `--seeds` names the seeds with which it is false, and one run's numbers."""
    path = tmp_path / "lucky.yaml"
    path.write_text(LUCKY, encoding="utf-8")
    invoke("check", str(path), "--seeds", "1")
    told = json.loads(invoke("check", str(path), "--seeds", "12", "--json", code=1).stdout)
    (problem,) = told["problems"]

    assert (11, "error") == (problem["line"], problem["severity"])
    assert re.fullmatch(
        r"the claim holds only by luck: it is false with \d+ of 12 seeds \(\d+(, (\d+|\.\.\.))*\); with seed \d+: 1\.\d+ > 2",
        problem["message"],
    )


def test_luck_is_silent_where_a_claim_holds() -> None:
    """Seeds with which the claim is true are not worth a word."""
    assert "" == lucky_sentence(parse("x > 1"), {1: {"x": 2.0}, 2: {"x": 3.0}})
    assert "it is false with 1 of 3 seeds (2); with seed 2: 0.5 > 1" in lucky_sentence(parse("x > 1"), {1: {"x": 2.0}, 2: {"x": 0.5}})


def test_the_hooks_name_a_command_that_exists() -> None:
    """Each hook is complete, calls a command of ours, and looks at decks and at nothing else."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

    assert ["qkv-check", "qkv-check-installed"] == [hook["id"] for hook in hooks]
    for hook in hooks:
        program, command = hook["entry"].split()
        assert ("qkv", True) == (program, command in qkv.commands)
        assert {"id", "name", "description", "entry", "language", "types", "files", "require_serial"} == set(hook)
        assert re.search(hook["files"], "my/decks/attention.yaml")
        assert not re.search(hook["files"], ".github/workflows/check.yaml")


def test_a_result_that_does_not_matter_is_refused(tmp_path: Path) -> None:
    """A claim may be false by one of its results and say nothing by the other: that one is named."""
    path = tmp_path / "lucky.yaml"
    path.write_text(LUCKY.replace("raw_std > 2}", "raw_std > 1 or scaled_std > 9}"), encoding="utf-8")
    told = json.loads(invoke("check", str(path), "--json", code=1).stdout)

    assert ["no change of scaled_std makes the claim false; tried: ×0, ×-1, ×0.5, ×2, +1"] == [
        problem["message"] for problem in told["problems"]
    ]


def test_strict_makes_warnings_errors_and_holds_to_the_house_rules(tmp_path: Path) -> None:
    """What is legal in a deck of anybody's is refused in one of ours: rules of the house, and warnings."""
    path = tmp_path / "lucky.yaml"
    path.write_text(LUCKY.replace("raw_std > 2}", "raw_std > 1}"), encoding="utf-8")
    invoke("check", str(path))
    told = json.loads(invoke("check", str(path), "--strict", "--json", code=1).stdout)

    assert {"error"} == {problem["severity"] for problem in told["problems"]}
    assert {
        "strict asks for both languages; title is one text", "by-luck has no asked",
    } <= {problem["message"] for problem in told["problems"]}  # fmt: skip


def test_in_chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the letter what a Chinese author reads, of the file and of the run; `--lang` says so, or QKV_LANG."""
    monkeypatch.chdir(tmp_path)
    Path("deck.yaml").write_text(ALL_AT_ONCE, encoding="utf-8")
    page = (ROOT / "tests/quiz/golden/check.zh.txt").read_text(encoding="utf-8")

    assert page == invoke("check", "deck.yaml", "--lang", "zh", code=1).stdout
    monkeypatch.setenv("QKV_LANG", "zh")
    assert page.splitlines()[-1] == invoke("check", "deck.yaml", "--format", "github", code=1).stdout.splitlines()[-1]


def test_programs_read_the_same_in_every_language(tmp_path: Path) -> None:
    """What is data stays: places and severities; only the sentence is another one."""
    path = tmp_path / "deck.yaml"
    path.write_text(ALL_AT_ONCE, encoding="utf-8")
    both = [json.loads(invoke("check", str(path), "--json", "--no-run", "--lang", language, code=1).stdout) for language in ("en", "zh")]
    sentences = [[problem.pop("message") for problem in found["problems"]] for found in both]

    assert both[0] == both[1]
    assert ("level is 9; it must be a whole number, 1 to 5", "level 是 9；它必须是整数，1 到 5") in list(zip(*sentences, strict=True))


def test_slow_cards_are_run_first_and_shared_runs_after_each_other() -> None:
    """The last card is waited for alone; and what two cards of an experiment share is remembered for a while."""
    names = ["softmax", "coreference", "softmax_saturation", "softmax"]
    cards = "".join(f"  - {{id: c{n}, question: Q, answer: A, verify: {{experiment: {name}}}}}\n" for n, name in enumerate(names))
    library = load([Given("a.yaml", f"deck: a\ntitle: A\ncards:\n{cards}".encode())])
    described = {name: replace(FAKE, name=name, deadline=20.0 if name == "coreference" else 3.0) for name in names}

    assert ["c1", "c0", "c3", "c2"] == [card.id for _, _, card in _by_their_runs(library, described, {})]


@pytest.mark.parametrize(
    ("counts", "english", "chinese"),
    [
        ({"claims": 21, "held": 21}, "21 of 21 claims hold", "21 条断言中 21 条成立"),
        ({"claims": 21, "held": 10, "unrun": 9}, "10 of 12 claims hold, 9 not run", "12 条断言中 10 条成立，9 条没有运行"),
        ({"claims": 21, "held": 0, "unrun": 21}, "21 claims not run", "21 条断言没有运行"),
        ({"claims": 21, "held": None}, "21 claims not run", "21 条断言没有运行"),
        (
            {"claims": 2, "held": 2, "code": CodeReport(cards=2, proved=0, unrun=2)},
            "2 of 2 claims hold, 0 of 2 listings wrong as the card says, 2 not run",
            "2 条断言中 2 条成立，2 段改错代码：0 段已证实，2 段没有运行",
        ),
    ],
)
def test_what_was_not_run_has_not_failed(counts: dict[str, Any], english: str, chinese: str) -> None:
    """The last line counts apart what is false and what could not be looked at; a refused deck is a deck."""
    report = Report(decks=0, cards=3, survivors=0, problems=(), refused=1, **counts)

    assert f"1 deck, 3 cards, {english}; 1 deck refused, whose wrong cards wait; no problems." == summary(report)
    assert f"1 个题库，3 张卡片，{chinese}；1 个题库有错，其中出错的卡片没有运行；没有问题。" == summary(report, Words("zh"))


TWO = """\
deck: two
title: Two
cards:
  - id: wide
    question: Why?
    answer: So.
    verify:
      experiment: softmax_saturation
      set: {d_k: 512}
      claims: [{says: The draw is wide., check: raw_std < 20}]
  - id: narrow
    question: Why?
    verify:
      experiment: softmax_saturation
      claims: [{says: The draw is wide., check: raw_std < 3}]
    answer: So.
author: 3
experiments: 5
"""


class TestOneCard:
    def test_what_is_wrong_with_it(self, tmp_path: Path) -> None:
        """`--card` runs that card, and tells what is not another's; the counts are of what was looked at."""
        deck = tmp_path / "two.yaml"
        deck.write_text(TWO.partition("author")[0])
        told = [invoke("check", str(deck), "--seeds", "1", "--card", id, code=1).stdout for id in ("wide", "two/narrow")]

        assert [("raw_std < 20" in one, "raw_std < 3" in one) for one in told] == [(True, False), (False, True)]
        assert all("1 deck, 1 card, 0 of 1 claims hold; 1 error" in one for one in told)

    def test_in_a_refused_deck(self, tmp_path: Path) -> None:
        """What is wrong with the deck itself stays, also where it stands behind its cards."""
        deck = tmp_path / "two.yaml"
        deck.write_text(TWO)
        told = json.loads(invoke("check", str(deck), "--no-run", "--json", "--card", "wide", code=1).stdout)

        assert (1, [17, 18]) == (told["cards"], sorted(problem["line"] for problem in told["problems"]))

    def test_that_is_not_there(self, tmp_path: Path) -> None:
        """An id that no card has is an error, with the nearest one."""
        deck = tmp_path / "two.yaml"
        deck.write_text(TWO.partition("author")[0])
        told = invoke("check", str(deck), "--no-run", "--card", "wid", code=1).stdout

        assert "there is no card wid\n  hint: did you mean wide?" in told
