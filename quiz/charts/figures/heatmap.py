"""Matrices beside each other where there is room, on one scale; under them what the colours mean, or the cell under the cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rich.segment import Segment

from engine.result import Matrix
from quiz.charts.colour_scale import Scale, scale
from quiz.charts.downsample import Cell
from quiz.charts.figures.panel import Panel
from quiz.charts.figures.subject import Cursor, Subject, named_in
from quiz.charts.flow import FlowPlace, side_by_side
from quiz.charts.heatmap import Plan, heatmap, plan
from quiz.charts.legend import legend, shrunk_text, titles, under_cursor
from quiz.charts.opened_cell import can_open, opened_cell, operand_cells
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import clip, cut, paragraph

GAP = 3  # between two matrices
USUAL = 17  # rows that a lab gives
LOW = 10  # rows of a picture that has its width for itself, on a card
NARROWEST = 22  # characters for a matrix, so that its title is read


@dataclass(frozen=True)
class Placed:
    """A matrix in its place: its title from (x, y), its cells below."""

    matrix: Matrix
    plan: Plan
    x: int
    y: int
    width: int
    height: int  # for the cells
    title: tuple[str, ...]


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    return matrices_rows(subject, subject.matrices, width, height, pen, cursor)


def panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    return panels_of(placed(subject, subject.matrices, width, height, pen))


def wish(subject: Subject, width: int, pen: Pen) -> int:
    """The width at which nothing is left out and nothing is stretched."""
    return max((one.x + max(one.width, NARROWEST) for one in placed(subject, subject.matrices, width, USUAL, pen)), default=width)


def placed(subject: Subject, matrices: Sequence[Matrix], width: int, height: int, pen: Pen) -> list[Placed]:
    """Where matrices of a run are in a figure of it."""
    key = (tuple(matrix.name for matrix in matrices), width, height, id(pen.look), pen.words)
    if key not in subject.places:
        subject.places[key] = _placed(matrices, width, height, pen)
    found: list[Placed] = subject.places[key]
    return found


def _placed(matrices: Sequence[Matrix], width: int, height: int, pen: Pen) -> list[Placed]:
    """As many on a shelf as can be read there as well as alone."""
    shown = [named_in(matrix, pen.words) for matrix in matrices]
    ends = shared_scales(shown)
    each = max(len(shown), 1)
    while each > 1 and not _all_readable(shown, ends, (width - GAP * (each - 1)) // each, width, height, pen):
        each -= 1
    room = (width - GAP * (each - 1)) // each
    drawn, y = [], 0
    for start in range(0, len(shown), each):
        shelf = shown[start : start + each]
        plans = [plan(matrix, room, height, pen.look, ends[matrix.kind]) for matrix in shelf]
        share = [room if height <= LOW else min(max(found.width, NARROWEST), room) for found in plans]
        said = [_title(one, found, wide, height, pen) for one, found, wide in zip(shelf, plans, share, strict=True)]
        above, x = max(map(len, said)), 0
        for matrix, found, wide, title in zip(shelf, plans, share, said, strict=True):
            drawn.append(Placed(matrix, found, x, y + above, wide, height, tuple(title)))
            x += wide + GAP
        y += above + max(found.height for found in plans) + (1 if start + each < len(shown) else 0)
    return drawn


def _title(matrix: Matrix, found: Plan, width: int, height: int, pen: Pen) -> list[str]:
    """In as many lines as it takes; in a low picture in as many as its cells and their legend leave, and one at least."""
    lines = titles(pen.words.label(matrix.label), matrix.arm, width, pen.look)
    most = max(height - found.height - 1, 1) if height <= LOW else len(lines)
    return lines if len(lines) <= most else [*lines[: most - 1], cut(f"{lines[most - 1]} {lines[most].strip()}", width, pen.look)]


def shared_scales(matrices: Sequence[Matrix]) -> dict[str, Scale]:
    """One for the matrices of a kind: ±.03 is faint beside ±2."""
    return {kind: scale(*(one for one in matrices if one.kind == kind)) for kind in dict.fromkeys(one.kind for one in matrices)}


def _all_readable(matrices: Sequence[Matrix], ends: Mapping[str, Scale], room: int, width: int, height: int, pen: Pen) -> bool:
    if room < NARROWEST:
        return False
    for matrix in matrices:
        alone, beside = (plan(matrix, each, height, pen.look, ends[matrix.kind]) for each in (width, room))
        if (alone.draw, alone.pool, bool(alone.labels)) != (beside.draw, beside.pool, bool(beside.labels)):
            return False
    return True


def panels_of(drawn: Sequence[Placed]) -> list[Panel]:
    return [Panel(p.plan.pool.height, p.plan.pool.width, p.x, p.y, p.plan.width, p.plan.height, p.plan.cell_at) for p in drawn]


def matrices_rows(subject: Subject, matrices: Sequence[Matrix], width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    """Matrices of a run, with the cell under the cursor told and opened below."""
    drawn, known = placed(subject, matrices, width, height, pen), subject.every_matrix
    chosen = drawn[cursor.part] if cursor and cursor.focused and cursor.part < len(drawn) else None
    cell = _cell(chosen, cursor)
    lit = operand_cells(chosen.matrix, known, cell) if chosen and cell and cursor and cursor.opened else {}
    rows: list[Row] = []
    for y in dict.fromkeys(one.y for one in drawn):
        shelf = [(i, one) for i, one in enumerate(drawn) if one.y == y]
        figures = [_one(one, pen, cursor.within(i) if cursor else None, lit.get(one.matrix.name, frozenset())) for i, one in shelf]
        above = max(len(one.title) for _, one in shelf)
        figures = [[[]] * (above - len(one.title)) + figure for (_, one), figure in zip(shelf, figures, strict=True)]
        rows += [[]] * (y - above - len(rows)) + side_by_side(figures, [FlowPlace(i, one.x, one.width) for i, one in shelf])
    if chosen and cell and cursor:
        rows.append(clip(under_cursor(chosen.matrix, cell, pen.look, pen.words), width))
        opened = opened_cell(chosen.matrix, known, cell, width, pen) if cursor.opened else []
        return rows + (opened or _hint([chosen.matrix], known, width, pen))
    if subject.covered:
        return rows
    return rows + _legends(drawn, width, pen) + (_hint([one.matrix for one in drawn], known, width, pen) if cursor else [])


def _cell(chosen: Placed | None, cursor: Cursor | None) -> Cell | None:
    if chosen is None or cursor is None or cursor.row >= chosen.plan.pool.height or cursor.column >= chosen.plan.pool.width:
        return None
    return chosen.plan.pool.cell(cursor.row, cursor.column)


def _one(one: Placed, pen: Pen, cursor: Cell | None, lit: frozenset[Cell]) -> list[Row]:
    colour = pen.look.of_arm(one.matrix.arm)
    title: list[Row] = [[Segment(line, STRONG if colour is None else colour + STRONG)] for line in one.title]
    return [*title, *heatmap(one.matrix, one.width, one.height, pen.look, cursor, one.plan.ends, lit)]


def _legends(drawn: Sequence[Placed], width: int, pen: Pen) -> list[Row]:
    """A ramp for every kind, and what was left out."""
    row: Row = []
    for one in {one.matrix.kind: one for one in drawn if one.plan.pool.height}.values():
        row += [*([Segment("   ")] if row else []), *legend(one.matrix, one.plan, pen.look)]
    pooled = dict.fromkeys(shrunk_text(one.plan, pen.look, pen.words) for one in drawn)
    below = [line for text in pooled if text for line in paragraph(text, width, pen.look, QUIET)]
    return [*([clip(row, width)] if row else []), *below]


def _hint(matrices: Sequence[Matrix], known: Mapping[str, Matrix], width: int, pen: Pen) -> list[Row]:
    """That a cell opens, where one does."""
    return paragraph(pen.words("figure.opens"), width, pen.look, QUIET) if any(map(partial(can_open, matrices=known), matrices)) else []
