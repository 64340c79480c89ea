"""Axes: where a number is between two ends, which numbers are written below, what the lines of a figure have in common."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.result import Series

PARTS = re.compile(r"(?:,(?!\d{3}\b)|[，:：])\s*(?![^()（）]*[)）])")  # no thousands' comma, and none between brackets
PERCENT = 100.0
NEAR = 0.15  # of an axis
FAR = 40.0  # percent, from where on an axis goes to 100
TICKS_ON_LOG = 32  # x values of a log axis that may be labels themselves


@dataclass(frozen=True)
class Axis:
    """A range of numbers, placed from 0 at `low` to 1 at `high`."""

    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float | None:
        """Where a value is; None outside the range and for what is no number."""
        if not (self.low <= value <= self.high):
            return None
        if self.low == self.high:
            return 0.5
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def x_axis(series: Sequence[Series]) -> Axis:
    """The x values of all series; logarithmic if they ask for it and are positive."""
    log = all(line.log_x for line in series)
    values = _finite(x for line in series for x in line.x if not log or x > 0)
    return Axis(min(values), max(values), log) if values else Axis(0, 1)


def y_axis(series: Sequence[Series]) -> Axis:
    """The y values of all series; from zero unless the numbers are far from it."""
    values = _finite(y for line in series for y in line.y)
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if 0 < low < high / 2:
        low = 0.0
    return Axis(low, high) if high > low else Axis(low - 0.5, low + 0.5)


def percent_axis(axis: Axis) -> Axis:
    """From 0 to 100, unless all of it is small."""
    return Axis(0.0, PERCENT) if axis.low >= 0 and FAR < axis.high <= PERCENT * (1 + 1e-9) else axis


def rounded(axis: Axis) -> Axis:
    """Up to the next round number, where that is near."""
    numbers = ticks(axis, (), 3)
    if len(numbers) < 2:
        return axis
    step = numbers[1] - numbers[0]
    high = numbers[-1] + step
    return Axis(axis.low, high) if 0 < high - axis.high <= NEAR * (axis.high - axis.low) else axis


def levels(axis: Axis, rows: int) -> dict[int, float]:
    """The rows, counted from the top, that have a number beside them: three or four round ones, fewer where there is no room."""
    wanted = min(4, max((rows + 1) // 2, 1))
    for count in (*range(wanted, 0, -1), *range(wanted + 1, 3 * wanted)):  # closer ones, where the others leave a single number
        numbers = ticks(axis, (), count) if axis.low < axis.high else [axis.low]
        found = {round((1 - (axis.place(each) or 0.0)) * (rows - 1)): each for each in numbers}
        if 1 < len(found) == len(numbers) <= 4:
            return found
    return {0: axis.high, rows - 1: axis.low}


def _finite(values: Iterable[float]) -> list[float]:
    return [value for value in values if math.isfinite(value)]


def ticks(axis: Axis, xs: Sequence[float], room: int) -> list[float]:
    """About `room` numbers worth writing: the x values themselves on a log axis, otherwise multiples of 1, 2 or 5 times a power of ten."""
    if axis.low == axis.high or room < 1:
        return [axis.low]
    if axis.log and len(xs) <= TICKS_ON_LOG:
        return list(xs[:: max(-(-len(xs) // room), 1)])
    raw = (axis.high - axis.low) / room
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first, last = math.ceil(axis.low / step - 1e-9), math.floor(axis.high / step + 1e-9)
    return [min(max(round(i * step, 12), axis.low), axis.high) for i in range(first, last + 1)]


def shared(labels: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What the labels of one figure have in common (its title), and what tells them apart (written at the lines' ends).

    ("saturated rows, unscaled", "saturated rows, scaled") -> ("saturated rows", ("unscaled", "scaled"))
    """
    if len(labels) == 1:
        return labels[0], ("",)
    split = [PARTS.split(label) for label in labels]
    common = [part for part in split[0] if all(part in parts for parts in split)]
    if not common:
        return "", tuple(labels)
    return ", ".join(common), tuple(", ".join(part for part in parts if part not in common) for parts in split)
