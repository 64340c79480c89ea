"""All figures of the statistics in their order; and as one thing that a rich console prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment

from quiz.charts import activity_figures, judgement_figures, memory_figures
from quiz.charts.flow import flow, side_by_side
from quiz.charts.stats_view import StatsView
from quiz.charts.style import Pen, Row

WISH = 64  # characters for a figure

Figure = Callable[[StatsView, int, Pen], list[Row]]
FIGURES: Mapping[str, Figure] = {
    "reviews": activity_figures.reviews_figure,
    "coming": activity_figures.coming_figure,
    "remembered": memory_figures.retention_figure,
    "topics": memory_figures.topics_figure,
    "again": memory_figures.weak_cards_figure,
    "confidence": judgement_figures.confidence_figure,
    "numbers": judgement_figures.predictions_figure,
    "time": activity_figures.time_figure,
}


@dataclass(frozen=True)
class StatsReport:
    """Every figure, a blank line between two."""

    told: StatsView
    pen: Pen

    def rows(self, width: int) -> list[Row]:
        """The rows, none wider than `width`."""
        figures = list(FIGURES.values())
        rows: list[Row] = []
        for shelf in flow([("", min(WISH, width))] * len(figures), width):
            drawn = [figures[spot.index](self.told, spot.width, self.pen) for spot in shelf]
            rows += [[], *side_by_side(drawn, shelf)] if rows else side_by_side(drawn, shelf)
        return rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for drawn in self.rows(options.max_width):
            yield from drawn
            yield Segment.line()
