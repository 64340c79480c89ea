"""A matrix that is larger than its place: every block shows its largest cell, and remembers which one that was."""

from __future__ import annotations

import math
from dataclasses import dataclass

Cell = tuple[int, int]
Values = tuple[tuple[float, ...], ...]


def _weight(value: float) -> float:
    """Large is far from zero; a masked cell (-inf) or a nan never hides a number."""
    return abs(value) if math.isfinite(value) else -1.0


@dataclass(frozen=True)
class Downsampled:
    """Blocks of `rows` x `columns` cells of `values`."""

    values: Values
    rows: int
    columns: int

    @property
    def height(self) -> int:
        return -(-len(self.values) // self.rows)

    @property
    def width(self) -> int:
        return -(-len(self.values[0]) // self.columns) if self.values else 0

    def cell(self, row: int, column: int) -> Cell:
        """The cell of the matrix that a block shows: the one farthest from zero."""
        if self.rows == self.columns == 1:
            return row, column
        top, left = row * self.rows, column * self.columns
        down = range(top, min(top + self.rows, len(self.values)))
        across = range(left, min(left + self.columns, len(self.values[0])))
        return max(((i, j) for i in down for j in across), key=lambda at: _weight(self.values[at[0]][at[1]]))

    def shown(self) -> Values:
        """The blocks' values, row by row."""
        if self.rows == self.columns == 1:
            return self.values
        cells = ((self.cell(row, column) for column in range(self.width)) for row in range(self.height))
        return tuple(tuple(self.values[i][j] for i, j in line) for line in cells)


def fit_matrix(values: Values, width: int, height: int) -> Downsampled:
    """The smallest blocks with which the matrix is at most `width` x `height` blocks; a square matrix stays square."""
    rows, columns = len(values), len(values[0]) if values else 0
    down, across = max(-(-rows // max(height, 1)), 1), max(-(-columns // max(width, 1)), 1)
    if rows == columns:
        down = across = max(down, across)
    return Downsampled(values, down, across)
