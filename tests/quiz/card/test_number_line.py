"""A guess and what was measured on one line."""

from __future__ import annotations

import math

import pytest

from content.deck.cards import Tolerance
from quiz.card.number_line import number_line
from quiz.card.typeset import cells, text_of


def line(guess: float, measured: float, within: str, unit: str = "", width: int = 40) -> str:
    (found,) = number_line(guess, measured, Tolerance(within), unit, width)
    return text_of(found)


def test_shares_stand_between_0_and_100() -> None:
    """The guess, the measured value between the brackets of what is near, and the ends of the scale."""
    assert " 0 ──────────◆─────[───●───]────────── 100" == line(30, 58.6, "20%", "%", 42)


@pytest.mark.parametrize(
    ("guess", "measured", "within", "expected"),
    [
        (8, 8, "5%", " 7.5 ───[───────────◈───────────]─── 8.5"),
        (9, 4, "5%", " 0 ────────────[●]───────────────◆─── 10"),
        (5, 4, "0", " 3.5 ────────●─────────────◆──────── 5.5"),
        (-3, 5, "1", " -4.5 ────◆────────────────[─●─]──── 7.5"),
        (1, 1000, "10%", " 1 ◆────────────────────[●]─────── 10000"),
    ],
    ids=["hit", "near-nothing", "no-tolerance", "signs", "far-apart"],
)
def test_scales(guess: float, measured: float, within: str, expected: str) -> None:
    """From 0 where that is near, a little beyond the outermost number, and in powers of ten where the numbers are far apart."""
    assert expected == line(guess, measured, within)


@pytest.mark.parametrize("width", range(12, 90, 7))
@pytest.mark.parametrize(("guess", "measured"), [(1e-300, 1e300), (0, 0), (-1, 1), (5, 5), (1e9, 1), (-7, 0), (5e-324, 0)])
def test_it_fits(width: int, guess: float, measured: float) -> None:
    """No line is wider than there is room, whatever the numbers."""
    assert [] == [found for found in number_line(guess, measured, Tolerance("20%"), "", width) if cells(found) > width]


@pytest.mark.parametrize("number", [math.inf, math.nan, -math.inf])
def test_what_no_line_has(number: float) -> None:
    """Infinity has no place, and in a few cells nothing is to be seen."""
    assert [] == number_line(1, number, Tolerance("20%"), "", 40)
    assert [] == number_line(1, 2, Tolerance("20%"), "", 9)
