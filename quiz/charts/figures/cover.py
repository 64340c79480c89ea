"""A figure before its answer: axes, names and the slider's place, and nothing that was measured."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from string import ascii_uppercase
from typing import TypeVar

from engine.label import Label
from engine.result import Matrix, Quantity, Result, Series
from quiz.charts.figures import bars, curve, heatmap
from quiz.charts.figures.subject import Subject
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph

Part = TypeVar("Part", Quantity, Series, Matrix)
COLON = re.compile(r":\s|：")


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


def without_findings(subject: Subject) -> Subject:
    """No way is right or wrong, and of a matrix's name what stands after a colon is left out: it says what is to be seen in it."""
    result = _without_arms(subject.result)
    matrices = tuple(replace(matrix, label=_before_the_colon(matrix.label)) for matrix in result.matrices)
    return replace(subject, result=replace(result, matrices=matrices))


def without_names(subject: Subject, asked: str | None) -> Subject:
    """A, B and so on in the place of what its parts are called, but for the number that is asked for; rows and columns are counted."""
    parts: list[Quantity | Series | Matrix] = [*subject.quantities, *subject.series, *subject.matrices]
    letters = dict(zip(dict.fromkeys(part.name for part in parts if part.name != asked), ascii_uppercase, strict=False))

    def lettered(part: Part) -> Part:
        return replace(part, label=Label(letters[part.name], letters[part.name])) if part.name in letters else part

    result = _without_arms(subject.result)
    quantities, series = tuple(map(lettered, result.quantities)), tuple(map(lettered, result.series))
    matrices = tuple(_counted(lettered(matrix)) if matrix.name in letters else matrix for matrix in result.matrices)
    return replace(subject, result=replace(result, quantities=quantities, matrices=matrices, series=series))


def _without_arms(result: Result) -> Result:
    return replace(
        result,
        quantities=tuple(replace(one, arm="") for one in result.quantities),
        matrices=tuple(replace(one, arm="") for one in result.matrices),
        series=tuple(replace(one, arm="") for one in result.series),
    )


def _before_the_colon(label: Label) -> Label:
    return Label(*(COLON.split(said)[0] for said in (label.en, label.zh)))


def _counted(matrix: Matrix) -> Matrix:
    """1, 2 and so on for its rows and columns."""
    rows, columns = (tuple(map(str, range(1, len(names) + 1))) for names in (matrix.rows, matrix.columns))
    return replace(matrix, rows=rows, columns=columns)


def _blank(subject: Subject) -> Subject:
    """Without values; what stands in it as a row may be a series of the run."""
    matrices = tuple(map(_without_values, subject.matrices))
    return replace(subject, result=replace(subject.result, matrices=matrices, series=()))


def _without_values(matrix: Matrix) -> Matrix:
    """Signed: what is blank has no sum."""
    return replace(matrix, values=tuple((-math.inf,) * len(row) for row in matrix.values), kind="signed", product_of=None)
