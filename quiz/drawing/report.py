"""All figures of the statistics in their order; and as one thing that a rich console prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment

from quiz.drawing import judged, known, studied
from quiz.drawing.look import Row
from quiz.drawing.picture import Pen
from quiz.drawing.shelf import beside, shelve
from quiz.drawing.told import Told

WISH = 64  # characters for a figure

Figure = Callable[[Told, int, Pen], list[Row]]
FIGURES: Mapping[str, Figure] = {
    "reviews": studied.reviews,
    "coming": studied.coming,
    "remembered": known.remembered,
    "topics": known.topics,
    "again": known.again,
    "confidence": judged.confidence,
    "numbers": judged.numbers,
    "time": studied.time,
}


@dataclass(frozen=True)
class Report:
    """Every figure, a blank line between two."""

    told: Told
    pen: Pen

    def rows(self, width: int) -> list[Row]:
        """The rows, none wider than `width`."""
        figures = list(FIGURES.values())
        rows: list[Row] = []
        for shelf in shelve([("", min(WISH, width))] * len(figures), width):
            drawn = [figures[spot.index](self.told, spot.width, self.pen) for spot in shelf]
            rows += [[], *beside(drawn, shelf)] if rows else beside(drawn, shelf)
        return rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for drawn in self.rows(options.max_width):
            yield from drawn
            yield Segment.line()
