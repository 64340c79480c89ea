"""The lines of a curve, told apart by colour or by dashes: as dots of braille, or as characters where the terminal has no braille."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.style import Style

from engine.result import Series
from quiz.charts.axes import Axis
from quiz.charts.style import Arm, ChartStyle

Dot = tuple[int, int]  # x to the right, y downwards
Mark = tuple[str, Style | None]  # a character and its style
DASHES: tuple[tuple[int, int], ...] = ((1, 1), (4, 6), (1, 3), (8, 12))  # drawn dots, of each period: solid, dashed, dotted, long dashes
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Unicode braille patterns, by row and column
PATTERN: dict[Arm, int] = {"right": 0, "wrong": 1}  # of DASHES
DRAWN_WITH: dict[Arm, str] = {"right": "*", "wrong": "o"}
OTHERS = "*o+x"


@dataclass(frozen=True)
class Plot:
    """The characters between the axis and the words at the lines' ends."""

    x: Axis
    y: Axis
    width: int
    height: int

    def at(self, x: float, y: float, across: int, down: int) -> Dot | None:
        """The dot of a point on a canvas with `across` x `down` dots a character."""
        right, up = self.x.place(x), self.y.place(y)
        if right is None or up is None:
            return None
        return round(right * (self.width * across - 1)), round((1 - up) * (self.height * down - 1))


def line_cells(series: Sequence[Series], plot: Plot, look: ChartStyle) -> dict[Dot, Mark]:
    """What the lines leave on the canvas, by column and row."""
    return _CANVAS[look.glyphs.dots](series, plot, look)


def style_of(series: Sequence[Series], index: int, look: ChartStyle) -> tuple[int, Style | None]:
    """The dashes and the colour of a line: its arm's, or its own by order where there are no arms."""
    arm = series[index].arm
    if arm:
        return PATTERN[arm], look.of_arm(arm)
    return index, look.palette.lines[index % len(look.palette.lines)]


def last_dot(line: Series, plot: Plot) -> Dot | None:
    """Where a line ends, in dots of braille."""
    return next((dot for piece in reversed(list(_points(line, plot, 2, 4))) for dot in piece[-1:]), None)


def _points(line: Series, plot: Plot, across: int, down: int) -> Iterator[list[Dot]]:
    """The unbroken pieces of a line: a value that is no number breaks it."""
    piece: list[Dot] = []
    for x, y in zip(line.x, line.y, strict=False):
        dot = plot.at(x, y, across, down)
        if dot is not None:
            piece.append(dot)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _in_braille(series: Sequence[Series], plot: Plot, look: ChartStyle) -> dict[Dot, Mark]:
    """A character that lines share has the colour of the one with more dots in it, of the later one where they have as many."""
    bits: dict[Dot, int] = {}
    most: dict[Dot, tuple[int, Style | None]] = {}
    for index, line in enumerate(series):
        dashes, colour = style_of(series, index, look)
        own: dict[Dot, int] = {}
        for piece in _points(line, plot, 2, 4):
            path = dot_path(piece)
            for at, drawn in braille(path if look.palette.ramps else dashed(path, dashes)).items():
                own[at] = own.get(at, 0) | drawn
        for at, drawn in own.items():
            bits[at] = bits.get(at, 0) | drawn
            if drawn.bit_count() >= most.get(at, (0, None))[0]:
                most[at] = drawn.bit_count(), colour
    return {at: (chr(0x2800 + drawn), most[at][1]) for at, drawn in bits.items()}


def _in_characters(series: Sequence[Series], plot: Plot, look: ChartStyle) -> dict[Dot, Mark]:
    cells: dict[Dot, Mark] = {}
    for index, line in enumerate(series):
        mark = DRAWN_WITH.get(line.arm, OTHERS[index % len(OTHERS)])
        for piece in _points(line, plot, 1, 1):
            cells.update(dict.fromkeys(dot_path(piece), (mark, style_of(series, index, look)[1])))
    return cells


_CANVAS = {"braille": _in_braille, "characters": _in_characters}


def dot_path(points: Sequence[Dot]) -> list[Dot]:
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
