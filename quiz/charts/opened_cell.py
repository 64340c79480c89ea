"""A cell opened: the product, the softmax or the mask that made it, with its numbers. Only where the numbers agree that it did."""

from __future__ import annotations

import math
from collections.abc import Mapping

from content.text.numbers import significant
from engine.result import Matrix
from quiz.charts.colour_scale import is_blank
from quiz.charts.dot_product import SHOWN, cell_name, factors, product_terms
from quiz.charts.downsample import Cell
from quiz.charts.style import Pen, Row
from quiz.charts.text import paragraph

Matrices = Mapping[str, Matrix]


def can_open(matrix: Matrix, matrices: Matrices) -> bool:
    """Whether it is declared from what its cells were made, and that is there."""
    product = matrix.product_of is not None and all(name in matrices for name in matrix.product_of)
    return product or operand(matrix, matrices) is not None or matrix.forbidden is not None


def operand(matrix: Matrix, matrices: Matrices) -> Matrix | None:
    """The matrix that a softmax or a mask was applied to."""
    return next((matrices[name] for name in matrix.made_of[1:] if name in matrices), None)


def opened_cell(matrix: Matrix, matrices: Matrices, cell: Cell, width: int, pen: Pen) -> list[Row]:
    """The sentences and sums below a matrix; no rows where nothing is known of the cell."""
    row, column = cell
    value, of = matrix.values[row][column], operand(matrix, matrices)
    name = f"{matrix.name}[{cell_name(matrix, cell, pen.look)}]"
    if matrix.forbidden and is_blank(value, matrix.kind):
        return paragraph(f"{name} = {significant(value)}: {pen.words.label(matrix.forbidden)}", width, pen.look)
    if of and matrix.made_of[0] == "softmax":
        return _softmax(matrix, of, cell, name, width, pen)
    if of and matrix.made_of[0] == "mask" and _same(value, of.values[row][column]):
        return paragraph(f"{name} = {of.name}[{cell_name(matrix, cell, pen.look)}] = {significant(value)}", width, pen.look)
    return product_terms(matrix, matrices, cell, width, pen.look)


def operand_cells(matrix: Matrix, matrices: Matrices, cell: Cell) -> dict[str, frozenset[Cell]]:
    """Of which cells of which other matrices a cell was made: those that light up."""
    (row, column), of = cell, operand(matrix, matrices)
    if of and matrix.made_of[0] == "softmax":
        return {of.name: frozenset((row, each) for each in range(len(of.values[row])))} if row < len(of.values) else {}
    if of:
        return {of.name: frozenset({cell})}
    found = factors(matrix, matrices, cell)
    if found is None or matrix.product_of is None:
        return {}
    left, right = matrix.product_of
    transposed = len(matrices[right].values) != len(found[1]) or tuple(each[column] for each in matrices[right].values) != tuple(found[1])
    other = frozenset((column, i) if transposed else (i, column) for i in range(len(found[1])))
    return {left: frozenset((row, i) for i in range(len(found[0])))} | ({right: other} if left != right else {})


def _softmax(matrix: Matrix, of: Matrix, cell: Cell, name: str, width: int, pen: Pen) -> list[Row]:
    row, column = cell
    if row >= len(of.values) or len(of.values[row]) != len(matrix.values[row]):
        return []
    scores = [value * matrix.factor for value in of.values[row]]
    powers = [math.exp(value) if value < 700 else math.inf for value in scores]
    total = sum(powers)
    if not 0 < total < math.inf or not _same(powers[column] / total, matrix.values[row][column]):
        return []
    shown = list(range(len(scores))) if len(scores) <= SHOWN else sorted({*range(SHOWN - 1), column})
    left_out = [pen.look.glyphs.more] if len(shown) < len(scores) else []
    said = ", ".join([*(significant(scores[i]) for i in shown), *left_out])
    terms = " + ".join([*(significant(powers[i]) for i in shown), *left_out])
    known, made = cell_name(matrix, cell, pen.look).rpartition(", ")[0], significant(matrix.values[row][column])
    lines = (
        f"s = {of.name}[{known}]{_times(matrix.factor, pen)} = {said}",
        f"Σ e^s = {terms} = {significant(total)}",
        f"{name} = e^{significant(scores[column])} / {significant(total)} = {significant(powers[column])} / {significant(total)} = {made}",
    )
    return [each for line in lines for each in paragraph(line, width, pen.look)]


def _times(factor: float, pen: Pen) -> str:
    return "" if factor == 1 else f" {pen.look.glyphs.times} {significant(factor)}"


def _same(made: float, value: float) -> bool:
    return made == value or math.isclose(made, value, rel_tol=1e-6, abs_tol=1e-9)
