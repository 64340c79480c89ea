"""A figure held against another run: what is read cell by cell shows by how much it differs."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.label import Label
from engine.result import Matrix
from quiz.charts.figures.subject import Subject
from quiz.words.i18n import Words

BY_CELL = ("heatmap", "waves", "grid", "strip")


def against(subject: Subject) -> Subject:
    """Matrices less those of the ghost; lines and bars are drawn beside its own."""
    if subject.ghost is None or subject.ghost == subject.result:
        return replace(subject, ghost=None)
    if subject.figure.kind not in BY_CELL:
        return subject
    before = {matrix.name: matrix for matrix in subject.ghost.matrices}
    shown = {matrix.name for matrix in subject.matrices}
    matrices = tuple(
        _less(matrix, before[matrix.name]) if matrix.name in shown & set(before) else matrix for matrix in subject.result.matrices
    )
    return replace(subject, result=replace(subject.result, matrices=matrices))


def _less(matrix: Matrix, before: Matrix) -> Matrix:
    """As it is where the two are of other words or sizes: what one cell has to do with the other nobody knows."""
    if (matrix.rows, matrix.columns) != (before.rows, before.columns):
        return matrix
    values = tuple(tuple(map(_difference, *rows)) for rows in zip(matrix.values, before.values, strict=True))
    label = Label(*(Words(language)("lab.less_pinned", name=Words(language).label(matrix.label)) for language in ("en", "zh")))
    return replace(matrix, values=values, label=label, kind="signed", product_of=None, made_of=())


def _difference(now: float, before: float) -> float:
    return now - before if math.isfinite(now) and math.isfinite(before) else -math.inf
