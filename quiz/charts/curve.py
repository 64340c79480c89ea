"""Curves: lines between their axes, the words at their ends, and where the slider stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from content.text.numbers import significant
from engine.result import Series
from quiz.charts.axes import levels, percent_axis, rounded, shared, ticks, x_axis, y_axis
from quiz.charts.curve_lines import Dot, Mark, Plot, last_dot, line_cells, style_of
from quiz.charts.style import QUIET, STRONG, ChartStyle, Row
from quiz.charts.text import clip, cut
from quiz.words.i18n import Words


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
        cells |= {at: (text, QUIET) for at, (text, _) in line_cells(ghosts, plot, look).items()}
        cells |= line_cells(series, plot, look)
    cells |= _value_cells(plot, look, marker, [*([] if covered else [(value, look.glyphs.thumb)]), (guess, look.glyphs.guess)])
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


def _marker_cells(plot: Plot, look: ChartStyle, marker: float | None) -> dict[Dot, Mark]:
    column = _column(plot, marker)
    return {} if column is None else {(column, row): (look.glyphs.marker, QUIET) for row in range(plot.height)}


def _value_cells(plot: Plot, look: ChartStyle, marker: float | None, values: Sequence[tuple[float | None, str]]) -> dict[Dot, Mark]:
    """Dots where the slider stands, at what was measured and at what was expected there, with their numbers on the side that has room; in
    one row one after the other."""
    column, rows, cells = _column(plot, marker), dict[int, list[tuple[str, str]]](), dict[Dot, Mark]()
    if marker is None or column is None:
        return {}
    for value, glyph in values:
        if value is not None and (dot := plot.at(marker, value, 1, 1)):
            rows.setdefault(dot[1], []).append((glyph, significant(value, 3)))
    for row, said in rows.items():
        text, start = " ".join(glyph + number for glyph, number in said) + " ", column
        if column + len(text) - 1 > plot.width:
            text = " ".join(f"{number} {glyph}" for glyph, number in reversed(said))
            start = column - len(text) + 1
        if start < 0:
            text, start = said[0][0], column
        cells |= {(start + i, row): (character, STRONG + look.palette.accent) for i, character in enumerate(text)}
    return cells


def _column(plot: Plot, x: float | None) -> int | None:
    place = None if x is None else plot.x.place(x)
    return None if place is None else round(place * (plot.width - 1))


def _ends(series: Sequence[Series], words: Sequence[str], plot: Plot, look: ChartStyle) -> dict[int, Mark]:
    """The row of each line's words: where the line ends or, where others stand there, below them, in the order of the lines' ends.

    Of lines that end at one dot the first has its row."""
    ends = [(last[1], index) for index, line in enumerate(series) if (last := last_dot(line, plot))][: plot.height]
    ends.sort(key=lambda end: (end[0], end[1] if end[0] < 2 * plot.height else -end[1]))
    rows: dict[int, Mark] = {}
    for place, (y, index) in enumerate(ends):
        lowest = plot.height - len(ends) + place  # leaves a row for each of those below
        rows[min(max(y // 4, max(rows, default=-1) + 1), lowest)] = (words[index], style_of(series, index, look)[1])
    return rows


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
