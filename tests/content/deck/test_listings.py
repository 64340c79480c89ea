"""How a code card's listing is to be run: what its text says wrongly is told without running anything."""

from __future__ import annotations

import pytest

from content.deck.checks import deck_problems
from content.deck.library import Given, load

CARD = """\
deck: d
title: T
cards:
  - id: a
    kind: code
    question: Which?
    code:
      listing: |
        y = x + 1
      wrong_line: 1
      right: y = x - 1
      inputs:
        x: randn(4, 0)
        z: x > n
      compare: y
      agrees: wrong > raw_std and right > 0
    verify: {experiment: softmax_saturation}
"""


def told(old: str = "", new: str = "") -> list[tuple[int, int, str]]:
    assert old in CARD
    library = load([Given("a.yaml", CARD.replace(old, new, 1).encode())])
    found = [*library.problems, *(problem for loaded in library.files for problem in deck_problems(loaded, {"softmax_saturation"}))]
    return [(problem.line, problem.column, problem.message) for problem in found]


def test_a_listing_that_can_be_run() -> None:
    """Inputs may use those above them, and the parameters of the card's run, which are not known yet."""
    assert [] == told()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("randn(4, 0)", "randn(4, 0", (13, 17, "this is not a complete expression")),
        ("randn(4, 0)", "torch.randn(4)", (13, 12, "only a function by its name can be called")),
        ("z: x > n", "exp: x > n", (14, 14, "exp is a word of the language")),
        ("    verify: {experiment: softmax_saturation}\n", "", (14, 16, "n is no parameter, and no line above makes it")),
        ("wrong > raw_std and right > 0", "wrong >", (16, 15, "this is not a complete expression")),
        ("wrong > raw_std and right > 0", "raw_std > 7", (16, 15, "agrees says nothing of the listing")),
        ("      compare: y\n", "", (8, 7, "inputs needs compare beside it: the name or the call whose value is compared")),
        ("      inputs:", "      input:", (12, 7, "input is not a key of code; did you mean inputs?")),
        ("z: x > n", "2z: x > n", (14, 9, "the name is 2z; it must be letters, digits and _")),
    ],
)
def test_each_mistake(old: str, new: str, expected: tuple[int, int, str]) -> None:
    """It is told where it stands."""
    found = told(old, new)

    assert any(message.startswith(expected[2]) for _, _, message in found), found
    assert expected in [(line, column, message[: len(expected[2])]) for line, column, message in found]


def test_an_agreement_without_a_run() -> None:
    """There is nothing to agree with."""
    assert (16, 15, "agrees compares with a run, and this card has none") in told("    verify: {experiment: softmax_saturation}\n")
