"""What a matrix's colours stand for: the numbers at the ends of its ramp, and the colour of each value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from engine.result import Matrix
from quiz.charts.palette import RGB
from quiz.charts.style import ChartStyle

READABLE = 8  # rows and columns whose numbers a person reads one by one


@dataclass(frozen=True)
class Scale:
    """What the ends of a matrix's colours stand for."""

    low: float
    high: float

    def level(self, value: float) -> float:
        """0 at the low end, 1 at the high end."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


def scale(matrix: Matrix) -> Scale:
    """Weights start at 0, signed numbers are symmetric about 0, magnitudes use what is there."""
    finite = [value for row in matrix.values for value in row if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    if matrix.kind == "signed":
        reach = max(-low, high) or 1.0
        return Scale(-reach, reach)
    if matrix.kind == "weights":
        low = min(low, 0.0)
        small = max(len(matrix.values), len(matrix.values[0])) <= READABLE if matrix.values else True
        high = max(high, 1.0) if small else high  # two small matrices of weights compare cell by cell
    return Scale(low, high if high > low else low + 1.0)


def painter(matrix: Matrix, look: ChartStyle) -> Callable[[float], RGB | None]:
    """The colour of a value; None for a masked cell, or without colours."""
    ramp, ends = look.palette.ramps.get(matrix.kind), scale(matrix)
    if not ramp:
        return lambda value: None
    top = len(ramp) - 1
    return lambda value: ramp[round(ends.level(value) * top)] if math.isfinite(value) else None
