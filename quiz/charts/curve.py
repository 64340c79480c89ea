"""Curves in braille: lines that differ by colour, without colours by dashes, by the words at their ends, and where the slider stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from engine.result import Series
from quiz.charts.axes import Axis, levels, percent_axis, rounded, shared, ticks, x_axis, y_axis
from quiz.charts.style import QUIET, STRONG, Arm, ChartStyle, Row
from quiz.charts.text import clip, cut
from quiz.words.i18n import Words

Dot = tuple[int, int]  # x to the right, y downwards
DASHES: tuple[tuple[int, int], ...] = ((1, 1), (4, 6), (1, 3), (8, 12))  # drawn dots, of each period: solid, dashed, dotted, long dashes
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Unicode braille patterns, by row and column


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


Mark = tuple[str, Style | None]  # a character and its style
PATTERN: dict[Arm, int] = {"right": 0, "wrong": 1}  # of braille.DASHES
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


def curve(
    series: Sequence[Series],
    width: int,
    height: int,
    look: ChartStyle,
    words: Words,
    marker: float | None = None,
    value: float | None = None,
    *,
    percent: bool = False,
    names: Sequence[str] | None = None,
    guess: float | None = None,
    covered: bool = False,
    ghosts: Sequence[Series] = (),
) -> list[Row]:
    """Series that share their axes, in `width` x `height` characters; the last row is the x axis. `marker` is an x to point out, `value`
    what was measured there, `guess` what somebody expected; `names` stand at the lines' ends, without them what tells the labels apart.
    `covered` leaves out all that was measured: the axes alone. `ghosts` are lines of another run, faint and behind."""
    if not series or width < 1 or height < 1:
        return []
    across, up = x_axis([*series, *ghosts]), y_axis([*series, *ghosts])
    up = percent_axis(up) if percent else rounded(up)
    beside = {row: significant(level, 3) for row, level in levels(up, height - 1).items()} if height > 1 else {}
    margin = max(map(len, beside.values()), default=0) + 1
    if names is None:
        names = shared([words.label(line.label) for line in series])[1]
    names = [look.text(end) for end in names]
    axis = cell_len(look.text(words.label(series[0].x_label)))
    room = min(max(axis + 2, *(cell_len(name) + 1 for name in names)), width // 3) if width >= 24 else 0
    plot = Plot(across, up, width - margin - room, height - 1)
    if plot.width < 2 or plot.height < 2:
        return [[Segment(cut(f"{significant(up.low, 3)}..{significant(up.high, 3)}", width, look))]]
    cells = _marker_cells(plot, look, marker)
    if not covered:
        cells |= {at: (text, QUIET) for at, (text, _) in _CANVAS[look.glyphs.dots](ghosts, plot, look).items()}
        cells |= _CANVAS[look.glyphs.dots](series, plot, look)
    cells |= _value_cells(plot, look, marker, guess, look.glyphs.guess)
    if not covered:
        cells |= _value_cells(plot, look, marker, value, look.glyphs.thumb)
    ends = _ends(series, names, plot, look) if room and not covered else {}
    marks = _by_rows(cells)
    rows = []
    for y in range(plot.height):
        row, end = _row(marks.get(y, {}), beside.get(y, "").rjust(margin - 1), look), ends.get(y)
        gap = Segment(" " * (margin + plot.width - sum(segment.cell_length for segment in row)))
        rows.append([*row, gap, *_end(end, room, look)] if end else row)
    return [clip(row, width) for row in [*rows, _floor(series, plot, margin, width, look, words, marker)]]


def _row(marks: Mapping[int, Mark], level: str, look: ChartStyle) -> Row:
    """What stands in one row, by its columns; neighbours of one style become one segment."""
    row, end = [Segment(level + look.glyphs.axis, QUIET)], 0
    for column in sorted(marks):
        text, style = marks[column]
        if column > end:
            row.append(Segment(" " * (column - end)))
        elif len(row) > 1 and row[-1].style is style:
            text = row.pop().text + text
        row.append(Segment(text, style))
        end = column + 1
    return row


def _by_rows(cells: Mapping[Dot, Mark]) -> dict[int, dict[int, Mark]]:
    rows: dict[int, dict[int, Mark]] = {}
    for (column, row), mark in cells.items():
        rows.setdefault(row, {})[column] = mark
    return rows


def style_of(series: Sequence[Series], index: int, look: ChartStyle) -> tuple[int, Style | None]:
    """The dashes and the colour of a line: its arm's, or its own by order where there are no arms."""
    arm = series[index].arm
    if arm:
        return PATTERN[arm], look.of_arm(arm)
    return index, look.palette.lines[index % len(look.palette.lines)]


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


def _marker_cells(plot: Plot, look: ChartStyle, marker: float | None) -> dict[Dot, Mark]:
    column = _column(plot, marker)
    return {} if column is None else {(column, row): (look.glyphs.marker, QUIET) for row in range(plot.height)}


def _value_cells(plot: Plot, look: ChartStyle, marker: float | None, value: float | None, glyph: str) -> dict[Dot, Mark]:
    """A dot where the slider stands at what was measured or expected there, and the number on the side that has room."""
    dot = None if marker is None or value is None else plot.at(marker, value, 1, 1)
    if dot is None or value is None:
        return {}
    (column, row), text, style = dot, significant(value, 3) + " ", STRONG + look.palette.accent
    start = column + 1 if column + len(text) <= plot.width else column - len(text)
    written: dict[Dot, Mark] = {(start + i, row): (character, style) for i, character in enumerate(text)} if start >= 0 else {}
    return written | {(column, row): (glyph, style)}


def _column(plot: Plot, x: float | None) -> int | None:
    place = None if x is None else plot.x.place(x)
    return None if place is None else round(place * (plot.width - 1))


def _ends(series: Sequence[Series], words: Sequence[str], plot: Plot, look: ChartStyle) -> dict[int, Mark]:
    """The row of each line's words: where the line ends or, where others stand there, below them, in the order of the lines' ends.

    Of lines that end at one dot the first has its row."""
    ends = [(last[1], index) for index, line in enumerate(series) if (last := _last_dot(line, plot))][: plot.height]
    ends.sort(key=lambda end: (end[0], end[1] if end[0] < 2 * plot.height else -end[1]))
    rows: dict[int, Mark] = {}
    for place, (y, index) in enumerate(ends):
        lowest = plot.height - len(ends) + place  # leaves a row for each of those below
        rows[min(max(y // 4, max(rows, default=-1) + 1), lowest)] = (words[index], style_of(series, index, look)[1])
    return rows


def _last_dot(line: Series, plot: Plot) -> Dot | None:
    """Where a line ends, in dots of braille."""
    return next((dot for piece in reversed(list(_points(line, plot, 2, 4))) for dot in piece[-1:]), None)


def _end(end: Mark | None, room: int, look: ChartStyle) -> Row:
    return [Segment(" " + cut(end[0], room - 1, look), end[1])] if end else []


def _floor(series: Sequence[Series], plot: Plot, margin: int, width: int, look: ChartStyle, words: Words, marker: float | None) -> Row:
    """The x axis: numbers under their places, the marker's first, then the ends'; the axis' label at the right."""
    label = look.text(words.label(series[0].x_label))
    taken = [" "] * min(plot.width + 1, width - margin)
    at = _column(plot, marker)
    strong = _write(taken, at, significant(marker)) if at is not None and marker is not None else None
    for tick in (plot.x.low, plot.x.high, *ticks(plot.x, max((line.x for line in series), key=len), plot.width // 8)):
        _write(taken, _column(plot, tick), significant(tick, 2))
    text = "".join(taken)
    first, last = strong or (0, 0)
    row = [
        Segment(" " * margin),
        Segment(text[:first], QUIET),
        Segment(text[first:last], STRONG + look.palette.accent),
        Segment(text[last:], QUIET),
    ]
    room = width - margin - len(text)
    return [*row, Segment(" " + cut(label, room - 1, look), QUIET)] if room > 3 else row


def _write(taken: list[str], column: int | None, text: str) -> tuple[int, int] | None:
    """Writes a number centred on a column where nothing else is written; where it is then."""
    if column is None:
        return None
    start = min(max(column - len(text) // 2, 0), len(taken) - len(text))
    span = (start, start + len(text))
    around = taken[max(start - 1, 0) : span[1] + 1]
    if start < 0 or any(mark != " " for mark in around):
        return None
    taken[start : span[1]] = text
    return span
