"""Matrices as images of half blocks, smooth from row to row, beside each other where there is room."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment

from engine.result import Matrix
from quiz.charts.colour_scale import Scale, painter
from quiz.charts.figures.heatmap import matrices_rows, shared_scales
from quiz.charts.figures.subject import Cursor, Subject, named_in
from quiz.charts.flow import FlowPlace, side_by_side
from quiz.charts.heatmap import merge_halves, plan
from quiz.charts.legend import legend
from quiz.charts.matrix_labels import column_names, row_name
from quiz.charts.style import STRONG, Pen, Row
from quiz.charts.text import clip, paragraph

WIDEST = 64  # characters of an image
GAP = 3


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    shown = [named_in(matrix, pen.words) for matrix in subject.matrices]
    if not pen.look.glyphs.half or not pen.look.palette.ramps:
        return matrices_rows(subject, subject.matrices, width, height, pen, None)
    ends, each = shared_scales(shown), _beside(shown, width, pen)
    room = (width - GAP * (each - 1)) // each
    rows: list[Row] = []
    for start in range(0, len(shown), each):
        images = [_image(matrix, ends[matrix.kind], room, height, pen) for matrix in shown[start : start + each]]
        wide = [max(sum(segment.cell_length for segment in row) for row in image) for image in images]
        places = [FlowPlace(i, sum(wide[:i]) + GAP * i, wide[i]) for i in range(len(images))]
        rows += side_by_side(images, places)
    last = shown[-1]
    return [*rows, clip(legend(last, plan(last, width, height, pen.look, ends[last.kind]), pen.look), width)]


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return width


def _beside(shown: list[Matrix], width: int, pen: Pen) -> int:
    """How many images stand beside each other with a character at least for every cell."""
    needed = max(_before(matrix, pen) + len(matrix.columns) for matrix in shown) + GAP
    return max(min((width + GAP) // needed, len(shown)), 1)


def _before(matrix: Matrix, pen: Pen) -> int:
    return max(cell_len(pen.look.text(name)) for name in matrix.rows) + 1


def _image(matrix: Matrix, ends: Scale, width: int, height: int, pen: Pen) -> list[Row]:
    """Its title, its columns' names, and half a row of characters for a row of cells, or more where cells are few."""
    before, high, wide = _before(matrix, pen), len(matrix.values), len(matrix.values[0])
    before = before if before + wide <= width else 0
    room = min(width - before, max(WIDEST, wide))
    across = room // wide * wide if room >= wide else room
    most = 2 * max(height - 2, 1)
    down = most // high * high if high <= most else most
    down += down % 2
    paint = painter(matrix.kind, ends, pen.look)
    colours = [[paint(_between(matrix, y, x, down, across)) for x in range(across)] for y in range(down)]
    rows: list[Row] = [*paragraph(pen.words.label(matrix.label), max(before + across, 2), pen.look, STRONG)]
    if across >= wide:
        rows.append([Segment(" " * before), *column_names(matrix.columns, across // wide, pen.look, None, across // wide > 3)])
    for y, (above, below) in enumerate(zip(colours[::2], colours[1::2], strict=True)):
        row, earlier = 2 * y * high // down, 2 * (y - 1) * high // down
        name = [row_name(matrix, row if y == 0 or row != earlier else high, before, pen.look, None)] if before else []
        rows.append([*name, *merge_halves(zip(above, below, strict=True), pen.look)])
    return rows


def _between(matrix: Matrix, y: int, x: int, down: int, across: int) -> float:
    """The value at a place of the image: along the rows between the cells, so that a wave is seen as one."""
    values = matrix.values
    place = min(max((y + 0.5) * len(values) / down - 0.5, 0.0), len(values) - 1.0)
    column = min(x * len(values[0]) // across, len(values[0]) - 1)
    above = min(int(place), len(values) - 1)
    below, part = min(above + 1, len(values) - 1), place - above
    return values[above][column] * (1 - part) + values[below][column] * part
