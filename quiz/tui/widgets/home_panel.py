"""The half of the home screen that is drawn: what was learned and what comes, or a live figure before anything was."""

from __future__ import annotations

from quiz.card.home_view import HomeView
from quiz.charts.figures.subject import Subject
from quiz.charts.home_figures import home_rows, live_rows
from quiz.charts.style import Pen, Row
from quiz.tui.base import BaseApp
from quiz.tui.widgets.figure import FigureWidget, Pens, style_of_app


class HomePanel(FigureWidget):
    """It fills its place, and shows what fits."""

    DEFAULT_CSS = "HomePanel { height: 1fr; }"

    def __init__(self, pens: Pens) -> None:
        super().__init__(pens)
        self._shown: tuple[HomeView | None, Subject | None] = (None, None)
        self._height = 0

    @classmethod
    def of(cls, app: BaseApp) -> HomePanel:
        """With the app's look and language of the moment."""
        return cls(lambda: Pen(style_of_app(app), app.words))

    def show(self, view: HomeView, live: Subject | None) -> None:
        """What was counted; `live` is shown where there is one."""
        self._shown = (view, live)
        self.redraw()

    def rows(self, width: int) -> list[Row]:
        if self._height != self.content_size.height:
            self._height, self._drawn = self.content_size.height, None
        return super().rows(width)

    def draw(self, width: int, pen: Pen) -> list[Row]:
        view, live = self._shown
        if live:
            return live_rows(live, width, self._height, pen)
        return home_rows(view, width, self._height, pen) if view and view.begun else []
