"""A cache that fills: a row a step, what is held in it, and what was new."""

from __future__ import annotations

from rich.segment import Segment

from engine.result import Matrix
from quiz.charts.colour_scale import is_blank
from quiz.charts.figures.subject import Cursor, Subject, named_in
from quiz.charts.matrix_labels import column_names, row_name
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import clip, left, paragraph

WIDEST = 4  # characters for a place of the cache


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    """A cell that is not zero is held."""
    rows: list[Row] = []
    for matrix in subject.matrices:
        rows += [
            *paragraph(pen.words.label(matrix.label), width, pen.look, STRONG),
            *_fills(named_in(matrix, pen.words), width, height, pen),
        ]
    return rows


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return min(56, width)


def _fills(matrix: Matrix, width: int, height: int, pen: Pen) -> list[Row]:
    before = max(len(pen.look.text(name)) for name in matrix.rows) + 1
    across = min(max((width - before) // max(len(matrix.columns), 1), 1), WIDEST)
    full, rows = "█" if pen.look.glyphs.half else "#", []
    rows.append(clip([Segment(" " * before), *column_names(matrix.columns, across, pen.look, None, False)], width))
    earlier = [0.0] * len(matrix.columns)
    for i, values in enumerate(matrix.values[: max(height - 1, 1)]):
        row = [row_name(matrix, i, before, pen.look, None)]
        for value, old in zip(values, earlier, strict=True):
            held, new = value != 0 and not is_blank(value, matrix.kind), value != 0 and old == 0
            style = pen.look.palette.accent + STRONG if new else QUIET
            row.append(Segment(left((full if held else pen.look.glyphs.masked) * max(across - 1, 1), across, pen.look), style))
        rows.append(clip(row, width))
        earlier = list(values)
    return rows
