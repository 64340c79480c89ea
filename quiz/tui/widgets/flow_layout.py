"""The figures of a lab on shelves: beside each other where they fit, below each other where they do not."""

from __future__ import annotations

from textual.containers import Vertical
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from quiz.charts.flow import flow
from quiz.tui.widgets.figure import FigureWidget


class FlowLayout(Layout):
    """Children are figures: they say how wide they want to be, and how high they are then."""

    name = "shelves"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        parent.pre_layout(self)
        figures = [child for child in children if isinstance(child, FigureWidget)]
        placements, y = [], 0
        for shelf in flow([(figure.shelf, figure.wish(size.width)) for figure in figures], size.width):
            y += 1  # a blank row above every shelf
            heights = [len(figures[spot.index].rows(spot.width)) for spot in shelf]
            for spot, height in zip(shelf, heights, strict=True):
                region = Region(spot.x, y, spot.width, height)
                placements.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, figures[spot.index]))
            y += max(heights, default=0)
        return placements


class FlowContainer(Vertical):
    """Textual's styles only take its own layouts by name, so this one is given directly."""

    SHELVES = FlowLayout()

    @property
    def layout(self) -> Layout:
        return self.SHELVES
