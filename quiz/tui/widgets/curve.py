"""The curves of one figure, with a mark where the slider stands."""

from __future__ import annotations

from engine.result import Series
from quiz.charts.result_figures import CURVE_WISH, curve_rows
from quiz.charts.style import Pen, Row
from quiz.tui.widgets.figure import FigureWidget, Pens


class Curve(FigureWidget):
    """`marker` is an x value to point out, or None."""

    def __init__(self, pens: Pens, series: tuple[Series, ...], marker: float | None = None) -> None:
        super().__init__(pens)
        self.series = series
        self.marker = marker

    def update(self, series: tuple[Series, ...], marker: float | None) -> None:
        if (series, marker) != (self.series, self.marker):
            self.series, self.marker = series, marker
            self.redraw()

    def wish(self, width: int) -> int:
        return min(CURVE_WISH, width)

    def draw(self, width: int, pen: Pen) -> list[Row]:
        return curve_rows(self.series, self.marker, width, pen)
