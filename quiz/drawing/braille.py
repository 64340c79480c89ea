"""A line as dots: the dots of a path, the dashes of its style, and the characters that dots make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

Dot = tuple[int, int]  # x to the right, y downwards
DASHES: tuple[tuple[int, int], ...] = ((1, 1), (4, 6), (1, 3), (8, 12))  # drawn dots, of each period: solid, dashed, dotted, long dashes
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Unicode braille patterns, by row and column


def path(points: Sequence[Dot]) -> list[Dot]:
    """The dots of a line through points, each once, in the order of drawing."""
    dots = dict.fromkeys(points[:1])
    for (x0, y0), (x1, y1) in pairwise(points):
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        dots.update(dict.fromkeys((x0 + round((x1 - x0) * i / steps), y0 + round((y1 - y0) * i / steps)) for i in range(1, steps + 1)))
    return list(dots)


def dashed(dots: Sequence[Dot], style: int) -> list[Dot]:
    """The dots that a line style leaves; counted along x, so that noise does not break the dashes up."""
    drawn, period = DASHES[style % len(DASHES)]
    return [(x, y) for x, y in dots if x % period < drawn]


def braille(dots: Iterable[Dot]) -> dict[Dot, int]:
    """Characters (column, row) with the bits of the dots in them; a character holds 2 x 4 dots."""
    cells: dict[Dot, int] = {}
    for x, y in dots:
        at = (x // 2, y // 4)
        cells[at] = cells.get(at, 0) | BITS[y % 4][x % 2]
    return cells
