"""A walk-through: on paper every step with the matrix that it makes, on a screen one stage at a time with what the matrix was made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.segment import Segment

from engine.result import Matrix, Step
from quiz.charts.figures.heatmap import matrices_rows, panels_of, placed
from quiz.charts.figures.panel import Panel
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.opened_cell import operand
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.table import code_rows, shape_of, steps
from quiz.charts.text import clip, paragraph


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    walk = subject.result.steps
    if cursor is None:
        return _on_paper(subject, width, height, pen)
    if not any(step.matrix for step in walk):
        return steps(walk, width, pen.look, pen.words, pen.typeset)
    stage = min(cursor.stage, len(walk) - 1)
    rows = _head(walk, stage, width, pen)
    made = _matrices(subject, walk[stage])
    return rows + (matrices_rows(subject, made, width, height, pen, cursor) if made else [])


def panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    """The matrices of the present stage."""
    walk = subject.result.steps
    if cursor is None or not any(step.matrix for step in walk):
        return []
    stage = min(cursor.stage, len(walk) - 1)
    made, above = _matrices(subject, walk[stage]), len(_head(walk, stage, width, pen))
    if not made:
        return [Panel(1, 1, 0, 0, width, above, lambda x, y: (0, 0))]
    return [replace(panel, y=panel.y + above) for panel in panels_of(placed(subject, made, width, height, pen))]


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return width


def stages(subject: Subject) -> int:
    """How many a reader can turn through."""
    walk = subject.result.steps
    return len(walk) if any(step.matrix for step in walk) else 1


def _on_paper(subject: Subject, width: int, height: int, pen: Pen) -> list[Row]:
    rows: list[Row] = []
    walk = subject.result.steps
    shown: set[str] = set()
    for number, step in enumerate(walk, 1):
        rows += steps((step,), width, pen.look, pen.words, pen.typeset, first=number)
        own = [one for one in subject.matrices if one.name == step.matrix and one.name not in shown]
        shown.update(one.name for one in own)
        if own:
            rows += [[Segment("    "), *row] for row in matrices_rows(subject, own, max(width - 4, 1), height, pen, None)]
    return rows


def _head(walk: Sequence[Step], stage: int, width: int, pen: Pen) -> list[Row]:
    """Where one is, what happens there, and its formula."""
    step = walk[stage]
    dots = "".join(pen.look.glyphs.thumb if i == stage else pen.look.glyphs.masked for i in range(len(walk)))
    keys = pen.words("figure.stages", stage=stage + 1, stages=len(walk))
    rows: list[Row] = [clip([Segment(dots, pen.look.palette.accent), Segment("  " + keys, QUIET)], width)]
    said = f"{pen.words.label(step.label)}  {shape_of(step)}".rstrip()
    rows += paragraph(said, width, pen.look, STRONG)
    if step.formula:
        rows += [clip([Segment("    " + pen.look.text(line))], width) for line in pen.typeset(step.formula)]
    return rows + code_rows(step, width, pen.look)


def _matrices(subject: Subject, step: Step) -> list[Matrix]:
    """What the step was made of, and what it makes."""
    known = subject.every_matrix
    made = known.get(step.matrix)
    if made is None:
        return []
    of = operand(made, known)
    before = [known[name] for name in made.product_of or () if name in known] or ([of] if of else [])
    return list({one.name: one for one in (*before, made)}.values())
