"""The picture of the card: covered while it is asked, its number marked where it is typed; uncovered with the answer."""

from __future__ import annotations

from quiz.charts.card_picture import LEAST, MOST, ROWS, compact
from quiz.charts.figures.kinds import draw_figure
from quiz.charts.figures.subject import Subject
from quiz.charts.result_figures import TALLEST
from quiz.charts.style import Pen, Row
from quiz.tui.widgets.figure import FigureWidget, Pens


class Hero(FigureWidget):
    """While it is `coming`, and while it is covered, it keeps its rows: nothing below it jumps. `room` is how many it may take."""

    def __init__(self, pens: Pens, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(pens, id=id, classes=classes)
        self.subject: Subject | None = None
        self.coming = True
        self.room = ROWS

    def update(self, subject: Subject | None, coming: bool = True) -> None:
        """Another picture, or none yet; where none is coming, its rows are free."""
        if (subject, coming) != (self.subject, self.coming):
            self.subject, self.coming = subject, coming
            self.redraw()

    def fit(self, room: int) -> None:
        """It has this many rows, its sentence not among them."""
        room = min(max(room, LEAST), MOST)
        if room != self.room:
            self.room = room
            self.redraw()

    def draw(self, width: int, pen: Pen) -> list[Row]:
        if self.subject is None:
            return [[]] * self.room if self.coming else []
        rows = compact(self.subject, width, self.room, pen)
        return rows + [[]] * (self.room - len(rows)) if self.subject.covered else rows


class HeroBeside(Hero):
    """Where the lab will stand: as high as there."""

    DEFAULT_CSS = "HeroBeside { margin: 0 2; }"

    def draw(self, width: int, pen: Pen) -> list[Row]:
        return draw_figure(self.subject, width, TALLEST, pen) if self.subject else []
