"""Lying bars with an end that is finer than a character, on an axis that may go below zero."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from quiz.charts.style import QUIET, STRONG, ChartStyle, Row

EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class BarAxis:
    """`low` is 0 or below, `high` 0 or above; `width` characters for all of it."""

    low: float
    high: float
    width: int

    @property
    def zero(self) -> int:
        """Characters before zero."""
        return min(round(-self.low / (self.high - self.low) * self.width), self.width - (self.high > 0)) if self.low < 0 else 0

    def length(self, value: float) -> float:
        """Of a bar, in characters; what is not zero can be seen."""
        length = abs(value) / (self.high - self.low) * self.width
        return max(length, 1 / 8) if value else 0.0


def bar_axis(values: list[float], width: int) -> BarAxis:
    """From zero to the largest, and below zero as far as there are numbers."""
    low, high = min([0.0, *values]), max([0.0, *values])
    return BarAxis(low, high if high > low else low + 1.0, max(width, 1))


def level_bar(value: float, axis: BarAxis, look: ChartStyle, style: Style | None, mark: float | None = None) -> Row:
    """`axis.width` characters: a bar from zero, and a mark where another number is."""
    length, zero = axis.length(value), axis.zero
    if value < 0:
        full = min(max(round(length), 1), zero)
        text = " " * (zero - full) + _block(look) * full
    else:
        text = " " * zero + _filled(min(length, axis.width - zero), look)
    row = [Segment(character, style) for character in text.ljust(axis.width)[: axis.width]]
    if mark is not None and axis.low <= mark <= axis.high:
        at = min(round((mark - axis.low) / (axis.high - axis.low) * axis.width), axis.width - 1)
        row[at] = Segment(look.glyphs.marker if text[at : at + 1] in ("", " ") else look.glyphs.axis, STRONG + (look.palette.accent))
    elif 0 < zero < axis.width and text[zero : zero + 1] in ("", " "):
        row[zero] = Segment(look.glyphs.axis, QUIET)
    return list(Segment.simplify(row))


def with_mark(bar: Row, value: float, axis: BarAxis, look: ChartStyle, glyph: str) -> Row:
    """The same with what somebody expected, at its place on the axis or at the end that it lies beyond."""
    at = min(max(round((value - axis.low) / (axis.high - axis.low) * axis.width), 0), axis.width - 1)
    cells = [Segment(character, segment.style) for segment in bar for character in segment.text]
    cells[at] = Segment(glyph, STRONG + look.palette.accent)
    return list(Segment.simplify(cells))


def _block(look: ChartStyle) -> str:
    return "█" if look.glyphs.half else "#"


def _filled(length: float, look: ChartStyle) -> str:
    if not look.glyphs.half:
        return "#" * (max(round(length), 1) if length else 0)
    eighths = round(length * 8)
    return EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
