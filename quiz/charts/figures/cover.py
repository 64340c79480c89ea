"""A figure before its answer: axes, names and the slider's place, and nothing that was measured."""

from __future__ import annotations

import math
from dataclasses import replace
from string import ascii_uppercase
from typing import TypeVar

from engine.label import Label
from engine.result import Matrix, Quantity, Series
from quiz.charts.figures import bars, curve, heatmap
from quiz.charts.figures.subject import Subject
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph

Part = TypeVar("Part", Quantity, Series, Matrix)


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


def without_names(subject: Subject) -> Subject:
    """A, B and so on in the place of what its parts are called, but for the number that is asked for; and no way is right or wrong."""
    parts: list[Quantity | Series | Matrix] = [*subject.quantities, *subject.series, *subject.matrices]
    hidden = [part.name for part in parts if subject.guess is None or part.name != subject.guess.quantity]
    letters = dict(zip(dict.fromkeys(hidden), ascii_uppercase, strict=False))

    def named(part: Part) -> Part:
        return replace(part, label=Label(letters[part.name], letters[part.name]), arm="") if part.name in letters else part

    result = subject.result
    found = tuple(map(named, result.quantities)), tuple(map(named, result.matrices)), tuple(map(named, result.series))
    return replace(subject, result=replace(result, quantities=found[0], matrices=found[1], series=found[2]))


def _blank(subject: Subject) -> Subject:
    shown = {matrix.name: _without_values(matrix) for matrix in subject.matrices}
    matrices = tuple(shown.get(matrix.name, matrix) for matrix in subject.result.matrices)
    return replace(subject, result=replace(subject.result, matrices=matrices))


def _without_values(matrix: Matrix) -> Matrix:
    """Signed: what is blank has no sum."""
    return replace(matrix, values=tuple((-math.inf,) * len(row) for row in matrix.values), kind="signed", product_of=None)
