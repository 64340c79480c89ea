"""Words, each on its weight: a row of a matrix over tokens as the sentence that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from engine.result import Matrix
from quiz.charts.cell_numbers import cell_texts
from quiz.charts.colour_scale import Scale, painter, scale
from quiz.charts.downsample import Cell
from quiz.charts.figures.arcs import MOST, arcs
from quiz.charts.figures.panel import Panel
from quiz.charts.figures.subject import Cursor, Subject, named_in
from quiz.charts.heatmap import plan
from quiz.charts.legend import legend
from quiz.charts.opened_cell import can_open, opened_cell
from quiz.charts.palette import DENSITY, ground
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import centre, clip, cut, left, paragraph, right

NAMED = 12  # characters for a row's name at most
NARROWEST = 5  # for a word and the number below it


@dataclass(frozen=True)
class _Lines:
    """The words of a row, so many on a line as fit; `before` characters for the row's name."""

    before: int
    widths: list[int]
    lines: list[range]


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    rows: list[Row] = []
    for part, each in enumerate(subject.matrices):
        matrix, ends = named_in(each, pen.words), scale(each)
        lines, chosen = _lines(matrix, width, pen), _chosen(subject, matrix, cursor, part)
        rows += paragraph(pen.words.label(matrix.label), width, pen.look, STRONG)
        shown = _rows_shown(matrix, lines, chosen, height)
        for row in shown:
            if row == chosen and _has_arcs(matrix, lines, shown, height):
                drawn = arcs(_centres(lines), chosen, matrix.values[chosen], width, pen)
                rows += [[] for _ in range(MOST - len(drawn) if cursor else 0)]  # as high whatever the row: nothing jumps below a cursor
                rows += drawn
            rows += _row(matrix, row, ends, lines, pen, row == chosen, _column(cursor, part))
        rows.append(clip(legend(matrix, plan(matrix, width, height, pen.look), pen.look), width))
        if cursor and cursor.focused and cursor.part == part and cursor.opened:
            rows += opened_cell(matrix, subject.every_matrix, (chosen, cursor.column), width, pen)
        elif cursor and can_open(matrix, subject.every_matrix):
            rows += paragraph(pen.words("figure.opens"), width, pen.look, QUIET)
    return rows


def panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    """A row a word that reads, a column a word that is read."""
    found, y = [], 0
    for part, each in enumerate(subject.matrices):
        matrix = named_in(each, pen.words)
        lines, chosen = _lines(matrix, width, pen), _chosen(subject, matrix, cursor, part)
        y += len(paragraph(pen.words.label(matrix.label), width, pen.look))
        shown = _rows_shown(matrix, lines, chosen, height)
        above = MOST if _has_arcs(matrix, lines, shown, height) else 0
        where = [row for row in shown for _ in range(above * (row == chosen) + len(lines.lines) * (2 if row == chosen else 1))]

        def cell_at(
            x: int, y: int, where: list[int] = where, lines: _Lines = lines, chosen: int = chosen, above: int = above
        ) -> Cell | None:
            if y >= len(where):
                return None
            line = max(y - where.index(where[y]) - above * (where[y] == chosen), 0) // (2 if where[y] == chosen else 1)
            at = lines.before
            for column in lines.lines[line]:
                at += lines.widths[column]
                if lines.before <= x < at:
                    return where[y], column
            return None

        found.append(Panel(len(matrix.values), len(matrix.columns), 0, y, width, len(where), cell_at))
        y += len(where) + 1
    return found


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return width


def _lines(matrix: Matrix, width: int, pen: Pen) -> _Lines:
    before = min(max((cell_len(pen.look.text(name)) for name in matrix.rows), default=0), NAMED, max(width // 3, 1)) + 1
    widths = [min(max(cell_len(pen.look.text(name)) + 2, NARROWEST), max(width - before, 1)) for name in matrix.columns]
    lines, start, used = [], 0, 0
    for column, wide in enumerate(widths):
        if used and used + wide > width - before:
            lines.append(range(start, column))
            start, used = column, 0
        used += wide
    return _Lines(before, widths, [*lines, range(start, len(widths))])


def _rows_shown(matrix: Matrix, lines: _Lines, chosen: int, height: int) -> Sequence[int]:
    """All of them while each is a line and there is room; otherwise the chosen one."""
    count = len(matrix.values)
    return range(count) if (len(lines.lines) == 1 and count + 3 <= height) or count * len(lines.lines) <= 8 else [chosen]


def _has_arcs(matrix: Matrix, lines: _Lines, shown: Sequence[int], height: int) -> bool:
    """Where the words that read are those that are read, on one line, and there is room for them."""
    rows = 1 + len(shown) + 1 + MOST + 1  # title, rows, the numbers, arcs, legend
    return matrix.kind == "weights" and matrix.rows == matrix.columns and len(lines.lines) == 1 and rows <= height


def _centres(lines: _Lines) -> list[int]:
    """The column above the middle of each word."""
    starts = accumulate(lines.widths, initial=lines.before)
    return [start + wide // 2 for start, wide in zip(starts, lines.widths, strict=False)]


def _chosen(subject: Subject, matrix: Matrix, cursor: Cursor | None, part: int) -> int:
    """The row under the cursor; before anybody points at one that which a slider names, or the one that is surest of its word."""
    if cursor and (cursor.focused or cursor.row) and cursor.part == part:
        return min(cursor.row, len(matrix.values) - 1)
    asked = [value for value in subject.values.values() if isinstance(value, str)]
    named = [row for value in asked for row, name in enumerate(matrix.rows) if name == value]
    surest = max(range(len(matrix.values)), key=lambda row: max(matrix.values[row], default=0.0))
    return named[0] if named else surest


def _column(cursor: Cursor | None, part: int) -> int | None:
    return cursor.column if cursor and cursor.focused and cursor.part == part else None


def _row(matrix: Matrix, row: int, ends: Scale, lines: _Lines, pen: Pen, chosen: bool, column: int | None) -> list[Row]:
    paint, rows = painter(matrix.kind, ends, pen.look), []
    name, show = pen.look.text(matrix.rows[row]), cell_texts(matrix.values[row])
    for number, line in enumerate(lines.lines):
        start = left(cut(name if number == 0 else "", lines.before - 1, pen.look), lines.before, pen.look)
        words: Row = [Segment(start, STRONG if chosen else QUIET)]
        for at in line:
            below = paint(matrix.values[row][at])
            style = ground(below) if below else QUIET
            marked = style + STRONG + Style(underline=True) if chosen and at == column else style
            words.append(Segment(_word(matrix, row, at, lines, ends, pen), marked))
        rows.append(words)
        if chosen:
            values = [right(show(matrix.values[row][at]), lines.widths[at] - 1, pen.look) + " " for at in line]
            styles = [STRONG if at == column else QUIET for at in line]
            rows.append([Segment(" " * lines.before), *map(Segment, values, styles)])
    return rows


def _word(matrix: Matrix, row: int, column: int, lines: _Lines, ends: Scale, pen: Pen) -> str:
    """Without colours the weight is a density before the word."""
    text, wide = pen.look.text(matrix.columns[column]), lines.widths[column]
    if pen.look.palette.ramps:
        return centre(text, wide, pen.look)
    return left(DENSITY[round(ends.level(matrix.values[row][column]) * (len(DENSITY) - 1))] + text, wide, pen.look)
