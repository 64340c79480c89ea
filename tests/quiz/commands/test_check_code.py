"""`qkv check --code`: a listing is wrong as its card says, or a sentence at its place says why it is not."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from content.deck.cards import Code
from content.deck.library import Given, LoadedDeck, load
from content.messages.sentence import in_language
from engine import Worker
from engine.label import Label
from engine.listing.request import Failure, Ran, Request, overdue
from quiz.card.card_run import run_of
from quiz.card.card_runs import CardRuns
from quiz.cli import qkv
from quiz.commands import check_code as commands
from quiz.commands.check_agreement import agreement_faults
from quiz.commands.check_code import corrected, differ
from quiz.commands.check_report import CodeReport, Report, summary
from quiz.words.i18n import Words
from tests.quiz.commands.listings import check_code

ROOT = Path(__file__).parents[3]

CARD = """\
deck: d
title: T
cards:
  - id: a
    kind: code
    question: Which line is wrong?
    code:
      listing: |
        def scores(query, key):
            d_k = query.shape[-1]
            return query @ key.transpose(-2, -1)
      wrong_line: 3
      right: return query @ key.transpose(-2, -1) / math.sqrt(d_k)
      inputs: {q: "randn(400, d_k, 1)", k: "randn(400, d_k, 2)"}
      compare: scores(q, k).std()
      agrees: close(wrong, raw_std, 0.1) and close(right, scaled_std, 0.1)
    answer: The third.
    verify: {experiment: softmax_saturation, set: {d_k: 64}}
"""


def deck(old: str = "", new: str = "") -> LoadedDeck:
    assert old in CARD
    (loaded,) = load([Given("a.yaml", CARD.replace(old, new, 1).encode())]).decks
    return loaded


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.fixture(scope="module")
def runs(worker: Worker) -> CardRuns:
    return CardRuns(run_of(deck().deck.cards[0], worker, None, "en"))


IDLE = "no change of scaled_std makes the claim false; tried: ×0, ×-1, ×0.5, ×2, +1"


@pytest.mark.parametrize(
    ("wrong", "right", "expected"),
    [
        (1.0, 1.0 + 1e-6, False),
        (1.0, 1.001, True),
        (0.0, 3e-17, False),
        (1e-8, 2e-8, True),
        ((1e3, 0.0), (1e3, 1e-3), False),
        ((1.0, 2.0), (1.0, 2.0), False),
        ((1.0, 2.0), (2.0, 1.0), True),
        ((1.0, 2.0), (1.0, 2.0, 3.0), True),
        (1.0, (1.0,), True),
        ((), (), False),
        (math.nan, math.nan, False),
        (math.nan, 1.0, True),
        ((1.0, math.nan), (1.0, math.nan), False),
        (math.inf, math.inf, False),
        (math.inf, -math.inf, True),
        (math.inf, 1.0, True),
    ],
)
def test_what_differs(wrong: object, right: object, expected: bool) -> None:
    """More than rounding, another shape, a NaN or an infinity on one side."""
    assert expected == differ(wrong, right) == differ(right, wrong)


def told(loaded: LoadedDeck, worker: Worker | None, ran: Ran) -> list[tuple[int, int, str]]:
    report = check_code(loaded, worker, lambda request: ran)
    assert (1, not report.problems) == (report.cards, report.proved)
    return [(problem.line, problem.column, problem.message) for problem in report.problems]


def failed(message: str, part: str = "listing", line: int = 0, name: str = "", column: int = 0, raises: bool = False) -> Failure:
    return Failure(Label(message, ""), part, line, name, column, raises=raises)  # type: ignore[arg-type]  # one of the parts


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        (Ran(1.0, 8.0), []),
        (Ran(8.0, 8.0), [(11, 13, "the wrong line changes nothing: compare is 8 with it and without")]),
        (
            Ran((8.0, 1.0, 2.0, 3.0), (8.0, 1.0, 2.0, 3.0)),
            [(11, 13, "the wrong line changes nothing: compare is [8, 1, 2, ...] with it and without")],
        ),
        (Ran(1.0, failed("runs for more than 20 s", line=2)), [(10, 13, "the listing runs for more than 20 s")]),
        (
            Ran(1.0, failed("ends the process that runs it (exit code 3)", "")),
            [(9, 9, "the listing ends the process that runs it (exit code 3)")],
        ),
        (Ran(1.0, failed("is no Python: so", line=99)), [(9, 9, "the listing is no Python: so")]),
        (Ran(1.0, failed("raises E: so", line=3, raises=True)), [(16, 15, "wrong has no value: the listing raises E: so")]),
        (Ran(failed("raises E: so", line=3, raises=True), 1.0), [(13, 14, "the corrected listing raises E: so")]),
        (Ran(failed("raises E: so", line=2, raises=True), 1.0), [(10, 13, "the corrected listing raises E: so")]),
        (Ran(failed("is None", "compare"), 1.0), [(15, 16, "compare is None, with the corrected listing")]),
        (Ran(1.0, failed("is None", "compare")), [(15, 16, "compare is None, with the listing")]),
        (Ran(failed("there is no foo", "inputs", name="k", column=6), 1.0), [(14, 51, "there is no foo")]),
        (Ran(failed("needs more", "inputs"), 1.0), [(14, 15, "computing the inputs needs more")]),
    ],
)
def test_each_is_told_at_its_place(worker: Worker, ran: Ran, expected: list[tuple[int, int, str]]) -> None:
    """The line of the listing, its correction, an input, or what is compared."""
    loaded = deck("close(wrong, raw_std, 0.1) and close(right, scaled_std, 0.1)", "close(wrong, raw_std, 0.1)")

    assert expected == told(loaded, worker, ran)


@pytest.mark.parametrize(
    ("agrees", "ran", "expected"),
    [
        ("close(wrong, raw_std, 0.1) and close(right, scaled_std, 0.1)", Ran(1.0, 8.0), []),
        ("close(wrong / right, raw_std / scaled_std, 0.1)", Ran(1.0, 8.0), []),
        ("close(wrong[0], raw_std, 0.1)", Ran((1.0, 2.0), (8.0, 2.0)), []),
        ("close(wrong, raw_std, 0.1)", Ran(1.0, 5.0), ["the listing is not the mistake that was run: 5 ≠ "]),
        (
            "close(wrong, raw_stdd, 0.1)",
            Ran(1.0, 8.0),
            ["there is no parameter or result raw_stdd; did you mean raw_std?"],
        ),
        ("close(wrong, raw_std, 0.1)", Ran(1.0, math.nan), ["the listing is not the mistake that was run: wrong is not a number (NaN)"]),
        ("close(wrong, 8, 0.1)", Ran(1.0, 8.0), ["agrees names nothing that the run measures"]),
        ("close(wrong, sqrt(d_k), 0.1)", Ran(1.0, 8.0), ["agrees names nothing that the run measures"]),
        ("close(right, scaled_std, 0.1)", Ran(1.0, 8.0), ["agrees says nothing of the wrong listing"]),
        ("close(wrong, raw_std, 0.1)", Ran(7.8, 8.0), ["agrees holds as well with the corrected listing in the place of the wrong one"]),
        (
            "close(wrong, raw_std, 0.1) and right < 2 + 0 * scaled_std",
            Ran(1.0, 8.0),
            [f"agrees says nothing of scaled_std: {IDLE}"],
        ),
        ("close(wrong, raw_std, 0.6)", Ran(1.0, 8.0), ["agrees says little: a tolerance of 60 % lets twice the value pass"]),
        ("close(wrong, raw_std, 0.1)", Ran(1.0, failed("raises E", raises=True)), ["wrong has no value: the listing raises E"]),
        ("close(right, scaled_std, 0.1)", Ran(1.0, failed("raises E", raises=True)), []),
        ("close(wrong, raw_std, 0.1", Ran(1.0, 8.0), []),  # content.deck.listings says so
    ],
)
def test_agreement(runs: CardRuns, agrees: str, ran: Ran, expected: list[str]) -> None:
    """It is true, of the wrong listing, about a result, and could not be if the listing or the run were another one."""
    found = [message for message, hint in agreement_faults(agrees, runs, ran) if hint]

    assert len(expected) == len(found)
    assert all(message.startswith(start) for start, message in zip(expected, found, strict=True))


@pytest.mark.parametrize(("measured", "near"), [(6.5, True), (2.0, False)])
def test_a_near_miss_may_be_a_matter_of_draws(runs: CardRuns, measured: float, near: bool) -> None:
    """How far apart the two are, how far they may be, and what to do; of numbers far apart no such thing."""
    ((message, hint),) = agreement_faults("close(wrong, raw_std, 0.1)", runs, Ran(1.0, measured))

    assert near == message.endswith(" % apart, and 10 % are allowed")
    assert near == hint.startswith("if only the draws differ")


def test_a_run_with_names_of_the_same_spelling(worker: Worker) -> None:
    """What `wrong` would be cannot be told, so the run has to call its result otherwise."""
    own = "experiments: {ours: {title: T, compute: {wrong: 2 * 4, half: wrong / 2}}}\ncards:"
    loaded = deck("verify: {experiment: softmax_saturation, set: {d_k: 64}}", "verify: {experiment: ours}")
    text = loaded.tree.source.text.replace("cards:", own).replace("raw_std", "half").replace("scaled_std", "half").replace("d_k,", "8,")
    (loaded,) = load([Given("a.yaml", text.encode())]).decks

    assert [(17, 15, "wrong is a result of the run as well as the listing's value")] == told(loaded, worker, Ran(1.0, 8.0))


def test_what_a_card_has_to_add(worker: Worker) -> None:
    """Without compare nothing is run; without agrees nothing says that it is the right mistake."""
    start, end = CARD.index("      inputs"), CARD.index("    answer")
    bare = deck(CARD[start:end])
    alone = deck(CARD[CARD.index("      agrees") : end])
    unproved = load(
        [Given("a.yaml", CARD.replace(CARD[CARD.index("      agrees") : end], "").replace(CARD[CARD.index("    verify") :], "").encode())]
    ).decks[0]

    assert [(9, 9, "the listing is not run: the card does not say what to compare")] == told(bare, worker, Ran(1.0, 8.0))
    assert [(12, 19, "nothing says that the wrong line is the mistake of which the claims speak")] == told(alone, worker, Ran(1.0, 8.0))
    assert [] == told(unproved, None, Ran(1.0, 8.0))


@pytest.mark.parametrize(
    ("listing", "line", "right", "expected"),
    [
        ("def f(x):\n    return x\n", 2, "return 2 * x", "def f(x):\n    return 2 * x\n"),
        ("def f(x):\nreturn x\n", 2, "    return x", "def f(x):\n    return x\n"),
        ("a = 1\nb = 2", 1, "a = 2", "a = 2\nb = 2\n"),
        ("a = 1\n\nb = 2", 3, "b = 3", "a = 1\n\nb = 3\n"),
        ("for x in y:\n\tz = x\n", 2, "z = 2", "for x in y:\n\tz = 2\n"),
    ],
)
def test_the_corrected_listing(listing: str, line: int, right: str, expected: str) -> None:
    """The correction stands where the wrong line stood, under its indentation unless it brings its own."""
    assert expected == corrected(Code(listing, line, right))


@pytest.mark.parametrize(
    ("old", "new"), [("{d_k: 64}", "{d_k: -1}"), ('k: "randn(400', 'k: "randn((400'), ("softmax_saturation", "no_such_experiment")]
)
def test_a_listing_that_cannot_be_run(worker: Worker, old: str, new: str) -> None:
    """What is told elsewhere is not told again, and nothing is proved."""
    report = check_code(deck(old, new), worker, lambda request: pytest.fail("it was run"))

    assert CodeReport(cards=1, proved=0, unrun=1) == report


def test_what_is_run(worker: Worker) -> None:
    """The listing, and the listing with its line corrected under the same indentation; inputs may use the run's parameters."""
    asked: list[Request] = []

    def run_listing(request: Request) -> Ran:
        asked.append(request)
        return Ran(1.0, 8.0)

    check_code(deck(), worker, run_listing)
    (request,) = asked

    assert [(3, "    return query @ key.transpose(-2, -1)", "    return query @ key.transpose(-2, -1) / math.sqrt(d_k)")] == [
        (line, wrong, right)
        for line, (wrong, right) in enumerate(zip(request.wrong.splitlines(), request.right.splitlines(), strict=True), start=1)
        if wrong != right
    ]
    assert (["q", "k"], 64) == ([name for name, _ in request.inputs], (request.given or {})["d_k"])
    assert "raw_std" not in (request.given or {})


@pytest.mark.parametrize(
    ("ran", "message", "hint"),
    [
        (Ran(8.0, 8.0), "出错的这一行不起作用：改正前后 compare 都是 8", "请选择让这一行起作用的输入，或者比较它所改变的东西"),
        (Ran(1.0, overdue(20)), "代码运行超过 20 秒", "请减小输入，或者让循环结束"),
        (Ran(overdue(20), 1.0), "改正后的代码运行超过 20 秒", "请减小输入，或者让循环结束"),
        (Ran(Failure(Label("is None", "是 None"), "compare"), 1.0), "compare 是 None（用改正后的代码时）", ""),
        (Ran(Failure(Label("needs more", "需要更多内存"), "inputs"), 1.0), "计算 inputs 时需要更多内存", ""),
        (Ran(1.0, Failure(Label("raises E: so", "抛出 E: so"), raises=True)), "wrong 没有值：代码抛出 E: so",
         "请比较两者都能给出的值，或者让 agrees 只提 right"),
        (Ran(1.0, 5.0), "代码里的错误与运行的错误不是同一个：5 ≠ ", "wrong 是 5，right 是 1"),
    ],
)  # fmt: skip
def test_in_chinese(worker: Worker, ran: Ran, message: str, hint: str) -> None:
    """What the listing did and what to do, as a Chinese author reads it."""
    (problem,) = check_code(deck(), worker, lambda request: ran).problems

    assert in_language(problem.message, "zh").startswith(message)
    assert hint == in_language(problem.hint, "zh")


def test_nothing_is_said_in_english_only(runs: CardRuns, worker: Worker) -> None:
    """Every sentence of an agreement has its Chinese."""
    agreements = ("close(wrong, raw_stdd, 1)", "close(wrong, 8, 0.1)", "close(right, scaled_std, 0.1)", "close(wrong, raw_std, 0.6)",
                  "close(wrong, raw_std, 0.1)", "close(wrong, raw_std, 0.1) and right < 2 + 0 * scaled_std")  # fmt: skip
    faults = [fault for agrees in agreements for ran in (Ran(1.0, 8.0), Ran(7.8, 8.0)) for fault in agreement_faults(agrees, runs, ran)]
    said = [text for fault in faults for text in fault]

    assert said
    assert [] == [text for text in said if not re.search("[\u4e00-\u9fff]|wrong 是", in_language(text, "zh"))]


def test_examples_in_the_readers_language(worker: Worker) -> None:
    """Where a run is set for each language, the listing is run with each, and a fault says whose it is."""
    spoken = deck("set: {d_k: 64}", "set: {d_k: {en: 64, zh: 256}}")
    report = check_code(spoken, worker, lambda request: Ran(1.0, (request.given or {})["d_k"] ** 0.5))
    assert () == report.problems
    (problem,) = check_code(spoken, worker, lambda request: Ran(1.0, 8.0)).problems

    assert problem.message.endswith(" (with the values for zh)")


def test_the_command(tmp_path: Path) -> None:
    """With the flag the last line and the JSON count listings; a wrong line that changes nothing is an error at its place."""
    good, idle = tmp_path / "good.yaml", tmp_path / "idle.yaml"
    good.write_text(CARD, encoding="utf-8")
    idle.write_text(CARD.replace("deck: d", "deck: e").replace("/ math.sqrt(d_k)", "/ 1.0"), encoding="utf-8")
    done = CliRunner().invoke(qkv, ["check", "--code", "--seeds", "1", str(good), str(idle), "--json"])
    report = json.loads(done.stdout)
    (error,) = (problem for problem in report["problems"] if problem["severity"] == "error")

    assert (1, 2, 1) == (done.exit_code, report["listings"], report["proved"])
    assert (str(idle), 11, 13) == (error["path"], error["line"], error["column"])
    assert error["message"].startswith("the wrong line changes nothing: compare is ")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "2 decks, 3 cards, 4 of 4 claims hold, 1 of 2 listings wrong as the card says; no problems.\n"),
        ("zh", "2 个题库，3 张卡片，4 条断言中 4 条成立，2 段改错代码：1 段已证实；没有问题。\n"),
    ],
)
def test_the_last_line_counts_listings(language: str, line: str) -> None:
    """Only where they were run."""
    report = Report(decks=2, cards=3, claims=4, held=4, survivors=0, problems=(), code=CodeReport(cards=2, proved=1))

    assert line == f"{summary(report, Words.of(language))}\n"


def test_never_by_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the flag no listing is run, and nothing is said of any; with --no-run it is refused."""
    path = tmp_path / "a.yaml"
    path.write_text(CARD, encoding="utf-8")
    monkeypatch.setattr(commands, "code_cards", lambda *_: pytest.fail("a listing was run"))
    report = json.loads(CliRunner().invoke(qkv, ["check", "--no-run", "--json", str(path)]).stdout)
    with pytest.raises(pytest.fail.Exception):
        CliRunner().invoke(qkv, ["check", "--code", "--seeds", "1", str(path)])
    refused = CliRunner().invoke(qkv, ["check", "--no-run", "--code", str(path)])

    assert {"listings", "proved"} & report.keys() == set()
    assert (2, True) == (refused.exit_code, "--code runs listings, and --no-run runs nothing" in refused.output)


def test_nobody_else_can_run_a_listing() -> None:
    """Only `qkv check --code` knows what runs a deck's code; a person who studies is nowhere near it."""
    importers: dict[str, set[str]] = {"engine.listing": set(), "quiz.commands.check_code": set()}
    for path in [*ROOT.glob("quiz/**/*.py"), *ROOT.glob("content/**/*.py"), *ROOT.glob("engine/**/*.py")]:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            names += [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            for known, found in importers.items():
                if any(name == known or name.startswith(f"{known}.") for name in names) and not module.startswith(known):
                    found.add(module)

    assert {"quiz.commands.check_code", "quiz.commands.check_agreement"} == importers["engine.listing"]
    assert {"quiz.commands.check", "quiz.commands.check_agreement"} >= importers["quiz.commands.check_code"]
