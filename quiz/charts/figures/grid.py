"""Layer x head as cells, each a choice of both sliders; the one that is chosen is framed."""

from __future__ import annotations

from dataclasses import replace

from engine.experiment import Description
from engine.parameter import Parameter, Value
from quiz.charts.downsample import Cell
from quiz.charts.figures.heatmap import Placed, panels_of, placed
from quiz.charts.figures.panel import Panel
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.heatmap import draw_plan
from quiz.charts.legend import legend, under_cursor
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import clip, paragraph

AXES = ("layer", "head")  # the parameters that rows and columns stand for


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    (one,) = placed(subject, subject.matrices[:1], width, height, pen)
    at = cursor.within(0) if cursor else None
    rows: list[Row] = [*paragraph(pen.words.label(one.matrix.label), width, pen.look, STRONG)]
    rows += draw_plan(replace(one.plan, sums=0), one.matrix, width, pen.look, at or chosen_cell(subject, one))
    said = under_cursor(one.matrix, one.plan.pool.cell(*at), pen.look, pen.words) if at else legend(one.matrix, one.plan, pen.look)
    rows.append(clip(said, width))
    if cursor and choice(subject, cursor):
        rows += paragraph(pen.words("figure.chooses"), width, pen.look, QUIET)
    return rows


def panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    return panels_of(placed(subject, subject.matrices[:1], width, height, pen))


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return width


def choice(subject: Subject, cursor: Cursor) -> dict[str, Value]:
    """What the sliders would be set to by opening the cell under the cursor: nothing where no parameters are named so."""
    found = zip(_axes(subject.description), (cursor.row, cursor.column), strict=False)
    return {one.name: one.accept(int(one.low) + step) for one, step in found if one.low + step <= one.high}


def chosen_cell(subject: Subject, one: Placed) -> Cell | None:
    """The cell of the sliders' values, where no cells were pooled."""
    found = _axes(subject.description)
    if not found or one.plan.pool.rows * one.plan.pool.columns != 1:
        return None
    row, column = (int(float(subject.values.get(each.name, each.default)) - each.low) for each in found)
    return (row, column) if row < one.plan.pool.height and column < one.plan.pool.width else None


def _axes(description: Description | None) -> tuple[Parameter, ...]:
    found = tuple(one for name in AXES if description and (one := description.parameter(name)) and one.scale == "linear")
    return found if len(found) == len(AXES) else ()
