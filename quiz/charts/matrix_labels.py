"""The names beside a matrix: of its rows, of its columns, and the sums of its rows in the margin."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment

from content.text.numbers import significant
from engine.label import Label
from engine.result import Matrix
from quiz.charts.downsample import Cell
from quiz.charts.style import QUIET, STRONG, ChartStyle, Row
from quiz.charts.text import centre, cut, left, right

SUM = 6  # characters: ` 0.998`


def column_names(names: Sequence[Label | str], across: int, look: ChartStyle, chosen: int | None, each: bool) -> Row:
    """`each` in the middle of its own cell, cut where it must be; otherwise those that find room, each from its cell to the right."""
    said = [look.text(name) for name in names]
    if each or all(cell_len(name) <= across for name in said):
        short = [cut(name, max(across - 1, 1), look) for name in said]
        return [Segment(centre(name, across, look), STRONG if j == chosen else QUIET) for j, name in enumerate(short)]
    row, end = "", len(said) * across
    for j, name in enumerate(said):
        start, used = j * across, cell_len(row)
        if (not row or start > used) and start + cell_len(name) <= end:
            row += " " * (start - used) + name
    return [Segment(row.ljust(end - cell_len(row) + len(row)), QUIET)]


def row_name(matrix: Matrix, row: int, width: int, look: ChartStyle, cursor: Cell | None, block: int | None = None) -> Segment:
    """`block` is the row of the cursor's that stands there, where rows were pooled."""
    name = look.text(matrix.rows[row]) if row < len(matrix.rows) else ""
    here = cursor is not None and cursor[0] == (row if block is None else block)
    return Segment(left(name, width - 1, look) + " ", STRONG if here else QUIET)


def row_sum(values: Sequence[float], width: int) -> Segment:
    """Of what is finite."""
    total = sum(value for value in values if math.isfinite(value))
    return Segment(significant(0.0 if abs(total) < 1e-12 else total, 3).rjust(width)[:width], QUIET)


def sum_header(width: int, look: ChartStyle) -> Segment:
    return Segment(right(look.text("Σ").strip(), width, look), QUIET)
