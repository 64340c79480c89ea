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


def scale(*matrices: Matrix) -> Scale:
    """Weights start at 0, signed numbers are symmetric about 0, magnitudes use what is there. Matrices of one kind can share it."""
    finite = [value for matrix in matrices for row in matrix.values for value in row if math.isfinite(value)] or [0.0]
    low, high, kind = min(finite), max(finite), matrices[0].kind
    if kind == "signed":
        reach = max(-low, high) or 1.0
        return Scale(-reach, reach)
    if kind == "weights":
        low = min(low, 0.0)
        small = all(max(len(each.values), len(each.values[0]) if each.values else 0) <= READABLE for each in matrices)
        high = max(high, 1.0) if small else high  # two small matrices of weights compare cell by cell
    return Scale(low, high if high > low else low + 1.0)


def is_blank(value: float, kind: str) -> bool:
    """A cell that nothing may reach: a forbidden score, or a weight of exactly 0, which softmax gives to no key that it may see."""
    return not math.isfinite(value) or (kind == "weights" and value == 0)


def painter(kind: str, ends: Scale, look: ChartStyle) -> Callable[[float], RGB | None]:
    """The colour of a value; None for a blank cell, or without colours."""
    ramp = look.palette.ramps.get(kind)
    if not ramp:
        return lambda value: None
    top = len(ramp) - 1
    return lambda value: None if is_blank(value, kind) else ramp[round(ends.level(value) * top)]
