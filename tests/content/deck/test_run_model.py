"""What stands behind an answer: one run, or several by their names, over seeds, set for each language."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from content.deck.cards import Run, Text, Verification
from content.deck.library import Given, load
from content.deck.model import parse_card

TWO = "{short: {experiment: e, set: {n: 1}}, long: {experiment: f, set: {n: 2, m: 3}, seeds: 20}}"


def verified(**verify: Any) -> Verification:
    found = parse_card({"id": "a", "question": "Why?", "answer": "So.", "verify": verify}).verify
    assert found
    return found


def told(verify: str) -> list[tuple[int, str]]:
    """Column and sentence of each problem of a card with this verify."""
    text = f"deck: d\ntitle: T\ncards:\n  - id: a\n    question: q\n    answer: a\n    verify: {verify}\n"
    return [(problem.column, problem.message) for problem in load([Given("a.yaml", text.encode())]).problems]


def test_several_runs() -> None:
    """The first is the card's own: its settings stand alone, too; those of each stand behind its name."""
    verify = verified(runs={"short": {"experiment": "e", "set": {"n": "1"}}, "long": {"experiment": "f", "set": {"n": "2"}, "seeds": "20"}})

    assert {"short": Run("e", {"n": "1"}), "long": Run("f", {"n": "2"}, 20)} == verify.every_run
    assert Run("e", {"n": "1"}) == verify.own
    assert {"n": "1", "short.n": "1", "long.n": "2"} == verify.settings("en")


def test_one_run() -> None:
    """It has no name, and its parameters have none before them."""
    verify = verified(experiment="e", set={"n": "1"}, seeds="5")

    assert {"": Run("e", {"n": "1"}, 5)} == verify.every_run
    assert {"n": "1"} == verify.settings("zh")


def test_a_setting_for_each_language() -> None:
    """A reader's language decides; a language that is missing falls back as texts do."""
    verify = verified(experiment="e", set={"sentence": {"en": "a cat", "zh": "一只猫"}, "only": {"zh": "猫"}, "n": "1"})

    assert Text({"en": "a cat", "zh": "一只猫"}) == verify.set["sentence"]
    assert {"sentence": "a cat", "only": "猫", "n": "1"} == verify.settings("en")
    assert {"sentence": "一只猫", "only": "猫", "n": "1"} == verify.settings("zh")


@pytest.mark.parametrize(
    ("verify", "expected"),
    [
        (f"{{runs: {TWO}}}", []),
        ("{claims: []}", [(13, "verify needs experiment, or runs with an experiment in each")]),
        ("{runs: {}}", [(13, "verify needs experiment, or runs with an experiment in each")]),
        (f"{{experiment: e, runs: {TWO}}}", [(14, "experiment stands in each of the runs, not beside them")]),
        (f"{{set: {{n: 1}}, runs: {TWO}}}", [(14, "set stands in each of the runs, not beside them")]),
        (f"{{runs: {TWO}, seeds: 3}}", [(len(TWO) + 22, "seeds stands in each of the runs, not beside them")]),
        ("{experiment: e, seeds: 0}", [(36, "seeds is 0; it must be a whole number, 1 to 100")]),
        ("{experiment: e, seeds: 101}", [(36, "seeds is 101; it must be a whole number, 1 to 100")]),
        ("{experiment: e, set: {s: {}}}", [(38, "s: there is no value; write one, or one for each language")]),
        ("{experiment: e, set: {s: {fr: x}}}", [(39, "fr is not a language")]),
        ("{runs: {a-b: {experiment: e}}}", [(21, "the name is a-b; it must be letters, digits and _, and no digit first")]),
        ("{runs: {if: {experiment: e}}}", [(21, "the name: if is a word of the language of claims; choose another name")]),
        ("{runs: 7}", [(20, "runs is 7; it must be names with values")]),
        ("{runs: {a: 7}}", [(24, "a is 7; it must be keys with values")]),
        ("{runs: {a: {set: {n: 1}}}}", [(24, "a run needs experiment")]),
        ("{runs: {a: {experiment: e, sets: {n: 1}}}}", [(40, "sets is not a key of a run; did you mean set?")]),
    ],
)
def test_the_form_is_told_at_its_place(verify: str, expected: list[tuple[int, str]]) -> None:
    """Each mistake in the form of runs is one sentence where it stands."""
    assert expected == told(verify)


def test_there_are_not_too_many_runs() -> None:
    with pytest.raises(ValidationError, match="at most 9"):
        verified(runs={f"r{n}": {"experiment": "e"} for n in range(10)})
