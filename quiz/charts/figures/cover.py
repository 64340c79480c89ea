"""A figure before its answer: axes, names and the slider's place, and nothing that was measured."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.result import Matrix
from quiz.charts.figures import bars, curve, heatmap
from quiz.charts.figures.subject import Subject
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph


def draw_covered(subject: Subject, width: int, height: int, pen: Pen) -> list[Row]:
    """Matrices without a value, curves without lines, bars without length; of what is read as a story, that it comes later."""
    hidden = replace(subject, covered=True)
    match subject.figure.kind:
        case "curve":
            return curve.draw(hidden, width, height, pen, None)
        case "bars" if subject.quantities:
            return bars.draw(hidden, width, height, pen, None)
        case "bars" | "heatmap" | "strip" | "grid" | "waves" if subject.matrices:
            return heatmap.draw(_blank(hidden), width, height, pen, None)
    return paragraph(pen.words("figure.covered"), width, pen.look, QUIET)


def _blank(subject: Subject) -> Subject:
    shown = {matrix.name: _without_values(matrix) for matrix in subject.matrices}
    matrices = tuple(shown.get(matrix.name, matrix) for matrix in subject.result.matrices)
    return replace(subject, result=replace(subject.result, matrices=matrices))


def _without_values(matrix: Matrix) -> Matrix:
    """Signed: what is blank has no sum."""
    return replace(matrix, values=tuple((-math.inf,) * len(row) for row in matrix.values), kind="signed", product_of=None)
