"""A cell that is a dot product, opened: `scores[它, 小猫] = 1·2 + 0·1 + 1·2 = 4 → ×1/2 = 2`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from content.text.numbers import significant
from engine.result import Matrix
from quiz.charts.downsample import Cell
from quiz.charts.style import ChartStyle, Row
from quiz.charts.text import paragraph

SHOWN = 8  # terms; more are counted


def product_terms(matrix: Matrix, matrices: Mapping[str, Matrix], cell: Cell, width: int, look: ChartStyle) -> list[Row]:
    """The sum behind a cell, or no rows where the cell is not the product that `product_of` promises (a masked one, say)."""
    both = factors(matrix, matrices, cell)
    if both is None:
        return []
    glyphs = look.glyphs
    pairs = [f"{_in_product(a)}{glyphs.dot}{_in_product(b)}" for a, b in zip(*both, strict=True)]
    if len(pairs) > SHOWN:
        pairs = [*pairs[: SHOWN - 1], f"{glyphs.more} ({len(pairs) - SHOWN + 1})"]
    total = sum(a * b for a, b in zip(*both, strict=True))
    made = significant(total * matrix.factor)
    scaled = "" if matrix.factor == 1 else f" {glyphs.arrow} {glyphs.times}{_fraction(matrix.factor)} = {made}"
    return paragraph(f"{matrix.name}[{cell_name(matrix, cell, look)}] = {' + '.join(pairs)} = {significant(total)}{scaled}", width, look)


def cell_name(matrix: Matrix, cell: Cell, look: ChartStyle) -> str:
    """`it, kitten`"""
    return ", ".join(look.text(names[at]) for names, at in zip((matrix.rows, matrix.columns), cell, strict=True) if at < len(names))


def factors(matrix: Matrix, matrices: Mapping[str, Matrix], cell: Cell) -> tuple[Sequence[float], Sequence[float]] | None:
    """The row of A and the column of B; of a B that was given untransposed, its row. Only if they really make the cell."""
    names = matrix.product_of
    if names is None or names[0] not in matrices or names[1] not in matrices:
        return None
    (row, column), left, right = cell, matrices[names[0]].values, matrices[names[1]].values
    columns = tuple(zip(*right, strict=True))
    for candidates in (columns, right):
        if row < len(left) and column < len(candidates) and len(left[row]) == len(candidates[column]):
            made = matrix.factor * sum(a * b for a, b in zip(left[row], candidates[column], strict=True))
            if math.isclose(made, matrix.values[row][column], rel_tol=1e-6, abs_tol=1e-9):
                return left[row], candidates[column]
    return None


def _in_product(value: float) -> str:
    return f"({significant(value)})" if value < 0 else significant(value)


def _fraction(factor: float) -> str:
    """1/2 rather than 0.5 where it is one over a whole number."""
    inverse = round(1 / factor) if factor else 0
    return f"1/{inverse}" if inverse > 1 and math.isclose(factor * inverse, 1) else significant(factor)
