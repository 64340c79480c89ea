"""Settings that an experiment refuses are refused before it runs, each at its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from content.deck.library import Given, load
from engine import Description, Label, Parameter, Worker
from engine.parameter import Divides
from quiz.card.declared import unrun_problems
from quiz.card.recipes import describe_own
from tests.content.deck.test_computations import OWN
from tests.quiz.driving import FAKE

HEADS, GROUPS = (Parameter(name, Label(name, name), 2, 1, 9) for name in ("heads", "groups"))
SHARED = replace(FAKE, parameters=(*FAKE.parameters, HEADS, GROUPS), rules=(Divides("groups", "heads"),))
DECK = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: So.
    verify: {{experiment: fake, set: {{{given}}}, claims: [{{says: So., check: raw_std > 1}}]}}
"""


def problems(given: str) -> list[tuple[int, str]]:
    library = load((Given("a.yaml", DECK.format(given=given).encode()),))
    return [(problem.column, problem.message) for problem in unrun_problems(library, {"fake": SHARED})]


FIRST = len("    verify: {experiment: fake, set: {") + 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("d_k: 1000000000", "d_k is a whole number in 1..256; not 1000000000"),
        ("d_k: 1.5", "d_k is a whole number in 1..256; not 1.5"),
        ("d_k: many", "d_k is a whole number in 1..256; not many"),
        ("dk: 2", "fake has no parameter dk; it has d_k, heads, groups"),
        ("heads: 5", "groups = 2 does not divide heads = 5; a divisor is 1, 5"),
        ("heads: 9, groups: 6", "groups = 6 does not divide heads = 9; a divisor is 1, 3, 9"),
        ("groups: 6, heads: 9", "groups = 6 does not divide heads = 9; a divisor is 1, 3, 9"),
    ],
)
def test_a_refused_setting(given: str, message: str) -> None:
    """A value out of range, a name that there is not, and two values that do not belong together, in the words of a run."""
    assert [(FIRST, message)] == problems(given)


def test_every_refused_setting() -> None:
    """All of them are told, each at its own key; a rule between two waits until both are values."""
    found = problems("d_k: 0, heads: 5, dk: 2")

    assert [FIRST, FIRST + len("d_k: 0, heads: 5, ")] == [column for column, _ in found]


def test_settings_that_belong_together() -> None:
    """Each alone would not go with the other's default."""
    assert [] == problems("heads: 9, groups: 3")


def test_a_default_out_of_range_is_a_sentence() -> None:
    """Where nothing that is set is at fault, and no rule either, the run is told of all the same."""
    library = load((Given("a.yaml", DECK.format(given="").encode()),))
    broken = replace(FAKE, parameters=(*FAKE.parameters, replace(HEADS, default=1000)))

    found = [problem.message for problem in unrun_problems(library, {"fake": broken})]

    assert ["heads is a whole number in 1..9; not 1000"] == found


def test_a_slider_of_the_deck_s_own_takes_fractions_where_it_is_written_so(worker: Worker) -> None:
    """The hint says how; where else the names are, it says with the deck's file."""
    text = OWN.replace("T: {default: 1.0, low: 0.1, high: 10, scale: log}", "T: {default: 1, low: 1, high: 10, scale: log}")
    hints = []
    for given in ("T: 1.5", "T: 11"):
        set_so = text.replace("{experiment: nucleus}", f"{{experiment: nucleus, set: {{{given}}}}}")
        library = load((Given("own.yaml", set_so.encode()),))
        own: dict[Path | str, Mapping[str, Description]] = {library.decks[0].path: describe_own(library.decks[0], worker)[0]}
        hints += [problem.hint for problem in unrun_problems(library, {}, own)]

    assert [
        "write its default as 1.0: a slider whose numbers are all whole has no others",
        "`qkv lab own.yaml nucleus --names` lists parameters and results",
    ] == hints
