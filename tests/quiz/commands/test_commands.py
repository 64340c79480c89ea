"""What the commands print: JSON whose shape others build on, figures for people, sentences for mistakes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from content.deck.deck_files import bundled
from content.deck.learning_paths import read_path
from content.deck.library import load
from content.yaml.problems import width
from engine import names
from quiz.cli import qkv

BAD = """\
deck: bad
title: Bad
cards:
  - id: false-claim
    question: Why?
    answer: So.
    verify: {experiment: softmax_saturation, claims: [{says: Tiny., check: raw_std < 1}]}
  - id: loose-claim
    question: Why?
    answer: So.
    verify: {experiment: softmax_saturation, claims: [{says: Anything., check: raw_std > -1e9}]}
  - id: unknown-names
    question: Why?
    answer: "{{nothing}}"
    predict: {ask: How many?, quantity: nowhere}
    verify: {experiment: softmax_saturation, set: {d_k: 8}}
  - id: out-of-range
    question: Why?
    answer: So.
    verify: {experiment: softmax_saturation, set: {d_k: 5000}}
"""


def run(*arguments: str, code: int = 0) -> str:
    """A command's stdout; its exit code must be the one expected."""
    done = CliRunner().invoke(qkv, arguments)

    assert code == done.exit_code, done.output
    return done.stdout


def shape(value: Any) -> Any:
    """A JSON value with its leaves as type names, and lists by their first element."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def test_lab_json_lists_every_experiment() -> None:
    """`qkv lab --json`: name, title and parameters with their ranges."""
    listed = json.loads(run("lab", "--json"))
    saturation = next(one for one in listed if one["name"] == "softmax_saturation")

    assert list(names()) == [one["name"] for one in listed]
    assert {"en", "zh"} == set(saturation["title"])
    assert {
        "name": "d_k", "label": {"en": "d_k", "zh": "d_k"}, "default": 64, "scale": "log", "unit": "", "low": 1, "high": 4096, "step": 2,
    } == saturation["parameters"][0]  # fmt: skip


def test_lab_json_of_a_run() -> None:
    """`qkv lab NAME --json`: parameters, quantities, series, matrices, tables; masked cells are null, since JSON has no infinity."""
    told = json.loads(run("lab", "attention_steps", "--set", "mask=causal", "--json"))

    assert ["experiment", "parameters", "quantities", "series", "matrices", "tables"] == list(told)
    assert "causal" == told["parameters"]["mask"]
    assert isinstance(told["quantities"]["row_sum_error"], float)
    assert {"rows": ["str"], "columns": ["str"], "values": [["float"]]} == shape(told["matrices"]["weights"])
    assert any(cell is None for row in told["matrices"]["masked"]["values"] for cell in row)


def test_lab_json_tells_measured_times_apart() -> None:
    """What a clock said stands under `timings`, not among the quantities that are the same everywhere."""
    told = json.loads(run("lab", "sequential_vs_parallel", "--json"))

    assert {"rnn_microseconds", "attention_microseconds", "rnn_over_attention"} == set(told["timings"])
    assert set() == set(told["timings"]) & set(told["quantities"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_lab_names_what_a_card_can_use(language: str) -> None:
    """`qkv lab NAME --names`: parameters with their ranges, then each name with its value, unit and range, in 80 columns."""
    printed = run("lab", "softmax_saturation", "--names", "--set", "d_k=256", "--lang", language)
    words = {line.split()[0]: line for line in printed.splitlines() if line.startswith("  ")}
    told = json.loads(run("lab", "softmax_saturation", "--set", "d_k=256", "--json"))
    named = {name for kind in ("parameters", "quantities", "series", "matrices") for name in told[kind]}

    assert set() == named - set(words)
    assert ["d_k", "256", "1..4096"] == words["d_k"].split()
    assert words["raw_std"].split()[1].startswith("1")
    assert " ≥ 0 · " in words["raw_std"]
    assert " 0..100 % · " in words["raw_saturated_percent"]
    assert {"en": "always 0 %", "zh": "总是 0 %"}[language] in run("lab", "masking_rule", "--names", "--lang", language)
    assert max(map(width, printed.splitlines())) <= 80


def test_lab_prints_figures_without_colour_codes() -> None:
    """In a pipe: titles, axes and numbers, and not one escape."""
    printed = run("lab", "softmax_saturation", "--lang", "zh")

    assert "softmax 饱和" in printed
    assert "4096 d_k" in printed
    assert "\x1b" not in printed


def test_lab_writes_a_picture(tmp_path: Path) -> None:
    """`--svg FILE` writes an SVG."""
    run("lab", "attention_steps", "--svg", str(tmp_path / "lab.svg"))

    assert (tmp_path / "lab.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing_like_it",),
        ("nothing_like_it", "--names"),
        ("softmax_saturation", "--set", "d_k=0"),
        ("softmax_saturation", "--set", "d_k"),
    ],
)
def test_lab_mistakes_are_usage(arguments: tuple[str, ...]) -> None:
    """An unknown experiment, a value outside its range, a pair without a sign: exit 2."""
    run("lab", *arguments, code=2)


def test_cards_json() -> None:
    """`qkv cards --json` pins what others build on."""
    cards = json.loads(run("cards", "--json"))
    total = sum(len(loaded.deck.cards) for loaded in load(bundled()).decks)

    assert total == len(cards)
    assert {
        "deck": "str", "id": "str", "kind": "str", "level": "int", "asked": "int", "tags": ["str"], "languages": ["str"],
        "experiment": "str", "claims": "int", "predict": "bool", "trap": "bool",
    } == shape(cards[0])  # fmt: skip


def test_cards_are_listed_as_they_are_asked() -> None:
    """A live number in a question is the one that the card's `set` gives."""
    assert "{{" not in run("cards", "--lang", "en")


def test_cards_by_tag() -> None:
    """`--tag` narrows the list."""
    cards = json.loads(run("cards", "--tag", "masks", "--json"))

    assert cards
    assert all("masks" in card["tags"] for card in cards)


def test_cards_along_a_path() -> None:
    """`--path` lists its cards in its order."""
    path = read_path("first-week")
    assert path

    assert [*path.cards] == [(card["deck"], card["id"]) for card in json.loads(run("cards", "--path", "first-week", "--json"))]


def test_show_prints_a_card_with_its_run() -> None:
    """Question, claims with both sides' numbers, and the live numbers filled in."""
    printed = run("show", "attention/why-divide-by-sqrt-dk", "--lang", "en")

    assert "Why are attention scores divided by √d_k?" in printed
    assert "≈ 22.63" in printed
    assert "{{" not in printed


def test_show_of_an_unknown_card_is_usage() -> None:
    """A card that does not exist: exit 2."""
    run("show", "nothing-like-it", code=2)


def test_check_json_of_a_bad_deck(tmp_path: Path) -> None:
    """False claims, claims that cannot fail, unknown names and values out of range are errors at their places; exit 1."""
    deck = tmp_path / "bad.yaml"
    deck.write_text(BAD, encoding="utf-8")
    report = json.loads(run("check", str(deck), "--json", code=1))
    told = [(problem["line"], problem["message"].partition(":")[0]) for problem in report["problems"] if problem["severity"] == "error"]

    assert ["decks", "cards", "claims", "held", "survivors", "problems"] == list(report)
    assert (1, 4, 2, 1, 1) == tuple(report[key] for key in ("decks", "cards", "claims", "held", "survivors"))
    assert [
        (7, "the claim is false"),
        (11, "the claim cannot fail"),
        (14, "{{nothing}} is not a number of this experiment"),
        (15, "the experiment does not measure nowhere"),
        (20, "d_k is a whole number in 1..4096; not 5000"),
    ] == told


SLIPS = """\
deck: slips
title: Slips
cards:
  - id: slips
    kind: choice
    question: Which?
    options: [{text: one, right: true, why: "{{none_a}}"}, {text: two}]
    key_points: ["{{none_b}}"]
    answer: "{{raw_sdt}}"
    verify:
      experiment: softmax_saturation
      claims:
        - {says: "{{none_c}}", check: raw_sdt > 1}
  - id: sets
    question: Why?
    answer: So.
    verify:
      experiment: softmax_saturation
      set:
        kd: 4
        d_k: 5000
"""


def test_check_tells_which_names_there_are(tmp_path: Path) -> None:
    """Unknown names in every text that the run fills in, in claims and in set: are told at their places, with the way to the names."""
    deck = tmp_path / "slips.yaml"
    deck.write_text(SLIPS, encoding="utf-8")
    told = run("check", str(deck), code=1)
    places = re.findall(r"slips\.yaml:(\d+:\d+): error", told)

    assert ["7:46", "8:19", "9:14", "13:19", "13:39", "20:9", "21:9"] == places
    assert len(places) == told.count("`qkv lab softmax_saturation --names` lists parameters and results")
    assert "did you mean raw_std" in told
    assert "softmax_saturation has no parameter kd; it has" in told


@pytest.mark.parametrize("deck", [BAD, SLIPS])
def test_check_without_running(deck: str, tmp_path: Path) -> None:
    """`--no-run` tries no claim, and tells everything else in the words of a run: unknown names, values out of range, idle ranges."""
    path = tmp_path / "deck.yaml"
    path.write_text(deck, encoding="utf-8")
    told = json.loads(run("check", "--no-run", "--json", str(path), code=1))
    ran = json.loads(run("check", "--json", str(path), code=1))

    assert (0, 0) == (told["held"], told["survivors"])
    assert [one for one in ran["problems"] if not one["message"].startswith("the claim is false: 8.057")] == told["problems"]


@pytest.mark.usefixtures("own_engine")
def test_check_without_an_engine_says_what_it_could_not_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the process that knows the experiments does not start, `--no-run` says so on stderr, and the rest all the same."""
    monkeypatch.setattr("engine.worker.process.sys.executable", "/nowhere/python")
    path = tmp_path / "slips.yaml"
    path.write_text(SLIPS.replace("softmax_saturation", "softmax_saturatoin"), encoding="utf-8")
    done = CliRunner().invoke(qkv, ["check", "--no-run", str(path)])

    assert done.stderr.startswith("What decks say of experiments was not checked: ")
    assert 2 == done.stdout.count("there is no experiment softmax_saturatoin")
    assert "1 deck, 2 cards, 1 claims not run; 2 errors, 1 warning." in done.stdout


def test_check_of_a_missing_file_is_a_problem() -> None:
    """A path that does not exist is told like any other problem."""
    assert "there is no such file or folder" in run("check", "/nowhere/deck.yaml", code=1)
