"""What is wrong with a whole card is told beside what is wrong with its values."""

from __future__ import annotations

import pytest

from content.deck.validation import validate
from content.yaml.reader import read

CARD = "deck: d\ntitle: T\ncards:\n  - {{id: a, question: q, {rest}}}\n"


def messages(rest: str) -> list[str]:
    tree, problems = read("a.yaml", CARD.format(rest=rest).encode())
    assert tree is not None
    assert [] == problems
    return sorted(problem.message for problem in validate(tree)[1])


LEVEL = "level is 9; it must be a whole number, 1 to 5"


@pytest.mark.parametrize(
    ("rest", "whole"),
    [
        ("kind: explain", "an explain card needs an answer"),
        ("kind: choice", "a choice card needs at least two options, and right: true on one"),
        ("kind: choice, options: [{text: a}, {text: b}]", "a choice card needs at least two options, and right: true on one"),
        ("kind: number", "a number card needs number: with a quantity or a value"),
        ("kind: order, order: [a, b]", "an order card needs order: with at least three items"),
        ("kind: code", "a code card needs code: with listing, wrong_line and right"),
        ("answer: a, order: [a, b, c]", "order belongs to a card of kind order, and this one is explain"),
    ],
)
def test_of_a_card(rest: str, whole: str) -> None:
    """A wrong level does not hide that the card has no answer, or one of another kind."""
    assert sorted([LEVEL, whole]) == messages(f"level: 9, {rest}")


@pytest.mark.parametrize(
    ("rest", "whole"),
    [
        ("number: {quantity: a, value: 1, within: x}", "give either quantity (measured by the run) or value (a fixed number)"),
        ("number: {within: x}", "give either quantity (measured by the run) or value (a fixed number)"),
    ],
)
def test_of_a_number(rest: str, whole: str) -> None:
    """Nor does a wrong tolerance hide that there are two answers, or none."""
    assert sorted(["within: x is not a tolerance; write 5 or 10%", whole]) == messages(f"kind: number, {rest}")


def test_of_a_listing() -> None:
    """Nor a key that there is not, that the wrong line is not there."""
    found = messages("kind: code, code: {listing: a, wrong_line: 7, right: b, left: c}")

    assert sorted(["left is not a key of code", "wrong_line is 7, but the listing has 1 line"]) == found


@pytest.mark.parametrize(
    "rest",
    [
        "level: 9, answer: a",
        "kind: essay",  # what a card of no kind needs is not known
        "answr: a",
        "kind: order, ordr: [a, b, c]",
        "answer: a, order: [a, b, c, d, e, f, g, h, i, j]",
        "answer: [a]",
        "kind: choice, options: 7",
        "kind: number, number: {value: x}",
        "kind: order, order: [[a], b, c]",
        "kind: code, code: {listing: [a], wrong_line: 7, right: b}",
        "kind: code, code: {listing: a, wrong_line: 1, right: b, inputs: {x: 1}, compare: [a]}",
    ],
)
def test_nothing_is_told_twice(rest: str) -> None:
    """A value that is wrong is not missing as well."""
    assert 1 == len(messages(rest))
