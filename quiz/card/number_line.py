"""A guess and what was measured on one line, with what counts as near: the gap is the lesson. The marks are those of the figures."""

from __future__ import annotations

import math
from collections.abc import Callable

from content.deck.cards import Tolerance
from content.text.numbers import significant
from quiz.card.typeset import Line, Span, cells

GUESS, MEASURED, BOTH = "◆", "●", "◈"
LONGEST = 64  # cells
WIDE = 50  # times: numbers farther apart stand on a scale of powers of ten
EDGE = 0.12  # of the distance, beyond the outermost number
LEAST = 1e-300  # apart: below, floats have no digits left
SHORTEST = 8  # cells between the two ends


def number_line(guess: float, measured: float, within: Tolerance, unit: str, width: int) -> list[Line]:
    """`0 ─────◆────[──●──]───── 100`; nothing where there is no room, or a number that no line has."""
    allowed = within.allowed(measured)
    numbers = (guess, measured, measured - allowed, measured + allowed)
    if not all(map(math.isfinite, (*numbers, 2 * (max(numbers) - min(numbers))))):
        return []
    low, high, place = _scale(numbers, unit)
    ends = (Span(f" {significant(low, 3)} ", "dim"), Span(f" {significant(high, 3)}", "dim"))
    size = min(width, LONGEST) - cells(ends)
    if size < SHORTEST:
        return []
    at = [min(max(round(place(number) * (size - 1)), 0), size - 1) for number in numbers]
    return [(ends[0], *_drawn(at, size, near=allowed > 0), ends[1])]


def _scale(numbers: tuple[float, ...], unit: str) -> tuple[float, float, Callable[[float], float]]:
    """The ends of the line, and where a number stands on it, from 0 to 1."""
    first, last = min(numbers), max(numbers)
    two = sorted(numbers[:2])
    if two[0] > 0 and two[1] / two[0] > WIDE:
        low, high = math.floor(math.log10(two[0])), math.ceil(math.log10(max(last, two[1])))
        return 10.0**low, 10.0**high, lambda number: (math.log10(max(number, 10.0**low)) - low) / (high - low)
    if unit.strip() == "%" and first >= 0 and last <= 100:
        first, last = 0.0, 100.0
    else:
        apart = max((last - first) or abs(last) or 1.0, LEAST)
        step = 10.0 ** math.floor(math.log10(apart)) / 2
        first = 0.0 if 0 <= first <= apart else math.floor((first - EDGE * apart) / step) * step
        last = math.ceil((last + EDGE * apart) / step) * step
    return first, last, lambda number: (number - first) / (last - first)


def _drawn(at: list[int], size: int, *, near: bool) -> Line:
    """The line with its marks: guess, measured value and the ends of what is near, by their places."""
    guess, measured, low, high = at
    marks = {place: Span("─", "dim") for place in range(size)}
    if near:
        low, high = min(low, measured - 1), max(high, measured + 1)
        marks |= {place: Span("─", "good") for place in range(max(low, 0), min(high, size - 1) + 1)}
        marks |= {place: Span(sign, "good") for place, sign in ((low, "["), (high, "]")) if place in marks}
    marks |= {guess: Span(GUESS, "picked"), measured: Span(MEASURED, "measured")}
    if guess == measured:
        marks[guess] = Span(BOTH, "measured")
    return tuple(marks[place] for place in range(size))
