"""What a card says against what its experiment declares, in the words of a run, without one."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from content.deck.checks import deck_problems
from content.deck.known_experiments import KnownExperiment, declared_problems
from content.deck.library import Draft, LoadedDeck, load
from content.yaml.problems import Problem

KNOWN = {
    "sat": KnownExperiment(
        "sat",
        {"d_k": 64, "sigma": 1.0, "mask": "none"},
        {"raw_std": (0, math.inf), "raw_percent": (0, 100), "row_error": (0, 0.001)},
        ("curve", "head_1", "head_2"),
    )
}
RANGES = "`qkv lab sat --names` lists what each number can be"
NAMES = "`qkv lab sat --names` lists parameters and results"

DECK = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: {answer}
    {more}
    verify: {{experiment: {experiment}, set: {{{given}}}, claims: [{{says: So., check: "{check}"}}]}}
"""


def problems(
    tmp_path: Path, *, answer: str = "So.", more: str = "level: 2", experiment: str = "sat", given: str = "", check: str = "raw_std > 1"
) -> list[Problem]:
    path = tmp_path / "deck.yaml"
    path.write_text(DECK.format(answer=answer, more=more, experiment=experiment, given=given, check=check), encoding="utf-8")
    library = load((path,))
    files: list[LoadedDeck | Draft] = [*library.decks, *library.drafts]
    return [problem for loaded in files for problem in declared_problems(loaded, KNOWN)]


@pytest.mark.parametrize(
    "check",
    [
        "raw_std > 1",
        "curve[-1] > curve[0]",
        "head_2[0][0] < 1 and mean(curve) > 0",
        "raw_std > d_k",
        "row_error < 0.01",  # what was found of a number may be claimed
        "close(raw_percent, 58, 0.1)",
        "raw_percent <= 99",
        "max(raw_std, d_k) > 1",
        "max(curve) > 1 and all(abs(curve) < raw_std)",
        "sum(raw_std * curve) > 1",
        "max(head_1[0][1], raw_std) > 1",
    ],
)
def test_a_sound_claim_has_no_problem(tmp_path: Path, check: str) -> None:
    """Names that are declared, numbers that can be so or otherwise: the run decides."""
    assert [] == problems(tmp_path, check=check)


@pytest.mark.parametrize(
    ("check", "message", "hint"),
    [
        ("raw_sdt > 1", "the claim is false: there is no parameter or result raw_sdt; did you mean raw_std?", NAMES),
        ("nonsense > 1", "the claim is false: there is no parameter or result nonsense", NAMES),
        ("raw_percent > 150", "the claim can never hold: raw_percent is always in 0..100", RANGES),
        ("row_error > 1", "the claim can never hold: row_error is always in 0..0.001", RANGES),
        ("raw_percent <= 100", "the claim cannot fail: raw_percent is always in 0..100", "let it compare"),
        ("raw_std >= 0 and d_k < 100", "the claim cannot fail: d_k is 64, raw_std is always ≥ 0", "let it compare"),
        ("raw_std[0] > 1", "the claim is false: raw_std[0] has no elements there: it is one number", NAMES),
        ("d_k[0] > 1", "the claim is false: d_k[0] has no elements there: it is one number", NAMES),
        ("sum(raw_std) > 1", "the claim is false: sum(raw_std) needs many values, and raw_std is one", NAMES),
        ("max(raw_std + d_k) > 1", "the claim is false: max(raw_std + d_k) needs many values, and raw_std + d_k is one", NAMES),
        ("all(raw_std > 1)", "the claim is false: all(raw_std > 1) needs many values, and raw_std > 1 is one", NAMES),
        ("len(abs(raw_std)) > 1", "the claim is false: len(abs(raw_std)) needs many values, and abs(raw_std) is one", NAMES),
        ("d_k == 64", "the claim cannot fail: it names none of the experiment's results", "let it compare"),
        ("d_k == 65", "the claim is false: 64 = 65", "the run used d_k=64, sigma=1.0, mask=none"),
    ],
)  # fmt: skip
def test_a_claim_that_no_run_can_decide(tmp_path: Path, check: str, message: str, hint: str) -> None:
    """One error at the claim, in the words that a run would use, or with the range that decides it."""
    (problem,) = problems(tmp_path, check=check)

    assert ("error", 8, message) == (problem.severity, problem.line, problem.message)
    assert problem.hint.startswith(hint)


@pytest.mark.parametrize(("given", "expected"), [("d_k: 4", []), ("d_k: 9.0", ["9"]), ("d_k: many", []), ("sigma: 2", ["64"])])
def test_a_parameter_is_what_the_card_sets(tmp_path: Path, given: str, expected: list[str]) -> None:
    """Not what a parameter can be counts, but what the card gives it; a value that is none is told where settings are."""
    found = problems(tmp_path, given=given, check="raw_percent / 1 > 0 and d_k < 9")

    messages = [f"the claim can never hold: d_k is {value}, raw_percent is always in 0..100" for value in expected]

    assert messages == [problem.message for problem in found]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"answer": "'{{raw_sdt}}'"}, "{{raw_sdt}} is not a number of this experiment"),
        ({"answer": "'{{curve}}'"}, "{{curve}} is not a number of this experiment"),
        ({"answer": "'{{mask}}'"}, "{{mask}} is not a number of this experiment"),
        ({"more": "predict: {ask: How many?, quantity: raw_sdt}"}, "the experiment does not measure raw_sdt"),
        ({"more": "predict: {ask: How many?, quantity: head_1}"}, "the experiment does not measure head_1"),
        ({"more": "key_points: ['{{none}}']"}, "{{none}} is not a number of this experiment"),
    ],
)
def test_numbers_that_no_run_gives(tmp_path: Path, where: dict[str, str], message: str) -> None:
    """A live number and a guess take quantities and numeric parameters, no series, no matrix and no text."""
    (problem,) = problems(tmp_path, **where)

    assert message == problem.message
    assert problem.hint.endswith(NAMES)


def test_numbers_that_a_run_gives(tmp_path: Path) -> None:
    """Parameters count as numbers where they are some."""
    assert [] == problems(tmp_path, answer="'{{raw_std:.1f}} at {{d_k}}'", more="predict: {ask: How many?, quantity: raw_percent}")


def test_an_experiment_that_is_not_known_is_left_to_others(tmp_path: Path) -> None:
    """Nothing is guessed about experiments that could not be described, nor said twice of claims that cannot be read."""
    assert [] == problems(tmp_path, experiment="other", check="nonsense > 1")
    assert [] == problems(tmp_path, check="raw_std = 1")


def test_a_refused_deck_is_looked_at_too(tmp_path: Path) -> None:
    """The cards of a deck with an error in its form are checked in the same run, where they are right in themselves."""
    path = tmp_path / "deck.yaml"
    text = DECK.format(answer="So.", more="level: 2", experiment="sat", given="", check="raw_sdt > 1")
    path.write_text(text + "  - {id: two, question: Why?, answer: So., level: 9}\n", encoding="utf-8")
    (draft,) = load((path,)).drafts

    assert [8] == [problem.line for problem in declared_problems(draft, KNOWN)]


@pytest.mark.parametrize(
    ("within", "told"),
    [
        ("100", ["within: 100 takes every guess for right: raw_percent is always in 0..100"]),
        ("900", ["within: 900 takes every guess for right: raw_percent is always in 0..100"]),
        ("99", []),
        ("20%", []),
    ],
)
def test_a_tolerance_as_wide_as_the_range_is_told(tmp_path: Path, within: str, told: list[str]) -> None:
    """No guess would be wrong."""
    found = problems(tmp_path, more=f"predict: {{ask: Q, quantity: raw_percent, within: {within}}}")
    assert told == [problem.message for problem in found]


def test_a_value_in_another_spelling_is_left_to_the_engine(tmp_path: Path) -> None:
    """1_000 and １２ are no numbers for claims either: what the engine refuses decides nothing."""
    assert [] == problems(tmp_path, given="d_k: 1_000", check="raw_std > d_k")


RUNS = """\
deck: sample
title: Sample
cards:
  - id: one
    question: "{{{{d_k}}}} and {{{{long.d_k}}}}?"
    answer: "{answer}"
    verify:
      runs: {{short: {{experiment: sat, set: {{d_k: 4}}}}, long: {{experiment: sat, set: {{d_k: {{en: 16, zh: 8}}}}, seeds: 5}}}}
      claims: [{{says: So., check: "{check}"}}]
"""


@pytest.mark.parametrize(
    ("answer", "check", "expected"),
    [
        ("{{long.raw_std}} {{long.raw_std_low}} {{short.raw_std}} {{raw_std}}", "long.raw_std > short.raw_std", ""),
        ("{{long.raw_std / raw_std:.1f}}", "long.raw_std_high > 2 and max(long.curve) > 1", ""),
        ("{{long.raw_stb}}", "raw_std > 1", "{{long.raw_stb}} is not a number of this experiment"),
        ("{{long.curve}}", "raw_std > 1", "{{long.curve}} is not a number of this experiment"),
        ("{{raw_std_low}}", "raw_std > 1", "{{raw_std_low}} is not a number of this experiment"),
        ("So.", "wide.raw_std > 1", "the claim is false: there is no parameter or result wide.raw_std; did you mean raw_std?"),
        ("So.", "long.raw_percent <= 100", "the claim cannot fail: long.raw_percent is always in 0..100"),
        ("So.", "long.raw_percent_low >= 0", "the claim cannot fail: long.raw_percent_low is always in 0..100"),
        ("So.", "long.d_k == 8", "the claim is false: 16 = 8"),
        ("So.", "long.raw_std[0] > 1", "the claim is false: long.raw_std[0] has no elements there: it is one number"),
    ],
)
def test_names_of_several_runs(tmp_path: Path, answer: str, check: str, expected: str) -> None:
    """A run's names stand behind its own, the first run's alone, too; over seeds there are both ends of a range."""
    path = tmp_path / "deck.yaml"
    path.write_text(RUNS.format(answer=answer, check=check), encoding="utf-8")
    library = load((path,))
    (loaded,) = library.decks

    assert [expected] * bool(expected) == [problem.message for problem in declared_problems(loaded, KNOWN)]
    assert [] == list(deck_problems(loaded, KNOWN))


def test_a_run_of_an_unknown_experiment(tmp_path: Path) -> None:
    """It is told where the run names it, and nothing is guessed of the card's numbers."""
    path = tmp_path / "deck.yaml"
    path.write_text(RUNS.format(answer="So.", check="x > 1").replace("long: {experiment: sat", "long: {experiment: sad"), encoding="utf-8")
    (loaded,) = load((path,)).decks
    (problem,) = deck_problems(loaded, KNOWN)

    assert [] == list(declared_problems(loaded, KNOWN))
    assert (8, 74, "there is no experiment sad") == (problem.line, problem.column, problem.message)


def test_before_the_reveal_only_what_runs_set(tmp_path: Path) -> None:
    """A run's parameters that the card does not set have no value in a question, as those of one run."""
    path = tmp_path / "deck.yaml"
    path.write_text(RUNS.format(answer="So.", check="raw_std > 1").replace("{{long.d_k}}", "{{long.sigma}}"), encoding="utf-8")
    (loaded,) = load((path,)).decks

    assert ["{{long.sigma}} has no value here"] == [problem.message for problem in deck_problems(loaded, KNOWN)]
