"""Blocks that light up in turn: a row a block, with what is kept after it; below it the matrices whose blocks they are."""

from __future__ import annotations

from dataclasses import replace

from rich.segment import Segment

from content.text.numbers import significant
from engine.label import Label
from engine.result import Matrix, Table
from quiz.charts.cell_numbers import cell_texts
from quiz.charts.colour_scale import painter, scale
from quiz.charts.figures.heatmap import matrices_rows, panels_of, placed
from quiz.charts.figures.panel import Panel
from quiz.charts.figures.subject import Cursor, Subject, named_in
from quiz.charts.palette import ground
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import left, paragraph, right, wrap
from quiz.words.numbers import group_thousands

CELL = 5  # characters
NAMED = 4  # for a block's name
NUMBER = 13  # for a number that is kept
GAP = 2


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    """The first matrix' first row is cut into as many blocks as the table has rows."""
    above = _turns(subject, width, pen)
    return above + matrices_rows(subject, subject.matrices, width, height, pen, cursor)


def panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    above = len(_turns(subject, width, pen))
    return [replace(panel, y=panel.y + above) for panel in panels_of(placed(subject, subject.matrices, width, height, pen))]


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return width


def _turns(subject: Subject, width: int, pen: Pen) -> list[Row]:
    if not subject.tables or not subject.matrices:
        return []
    data, matrix = subject.tables[0], named_in(subject.matrices[0], pen.words)
    columns, size = len(matrix.columns), -(-len(matrix.columns) // len(data.rows))
    names = [pen.look.text(pen.words.label(column)) for column in data.columns[1:]]
    cell = CELL if NAMED + columns * CELL + len(names) * NUMBER <= width else 2
    start = NAMED + columns * cell + GAP
    rows: list[Row] = [*paragraph(pen.words.label(data.label), width, pen.look, STRONG)]
    beside = start + len(names) * NUMBER <= width
    if beside:
        said = [wrap(name, NUMBER - 2) for name in names]
        high = max(map(len, said), default=0)
        for line in zip(*([""] * (high - len(each)) + each for each in said), strict=True):
            rows.append([Segment(" " * start + "".join(right(text, NUMBER, pen.look) for text in line), QUIET)])
    for turn, row in enumerate(data.rows):
        drawn = _turn(data, matrix, turn, size, cell, pen)
        values = [significant(float(each), 3) if isinstance(each, int | float) else "" for each in row[1:]]
        if beside:
            rows.append([*drawn, Segment(" " * GAP + "".join(value.rjust(NUMBER) for value in values), STRONG)])
            continue
        rows.append(drawn)
        for name, value in zip(names, values, strict=True):
            rows += paragraph(f"{' ' * NAMED}{name}  {value}", width, pen.look, QUIET)
    return [*rows, []]


def _turn(data: Table, matrix: Matrix, turn: int, size: int, cell: int, pen: Pen) -> Row:
    """The cells of the blocks so far, the present one bright, the others not yet seen."""
    first = data.rows[turn][0]
    name = pen.words.label(first) if isinstance(first, Label) else group_thousands(first) if isinstance(first, int | float) else first
    row: Row = [Segment(left(pen.look.text(name), NAMED, pen.look), STRONG)]
    paint = painter(matrix.kind, scale(matrix), pen.look)
    show = cell_texts(matrix.values[0])
    for column, value in enumerate(matrix.values[0]):
        block = column // size
        if block > turn:
            row.append(Segment(right(pen.look.glyphs.masked, cell - 1, pen.look) + " ", QUIET))
            continue
        text, below = show(value) if cell >= CELL else "" if pen.look.palette.ramps else "#" if block == turn else "-", paint(value)
        lit = ground(below) + STRONG if below else STRONG
        row.append(Segment(right(text, cell - 1, pen.look) + " ", lit if block == turn else QUIET))
    return row
