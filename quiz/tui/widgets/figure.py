"""A widget whose rows come from quiz.charts: drawn once for a width, then shown line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from quiz.charts.result_figures import Draw
from quiz.charts.style import ChartStyle, Pen, Row, chart_style

Pens = Callable[[], Pen]  # the pen of this moment: theme and language may change under a widget


def style_of_app(app: App[Any]) -> ChartStyle:
    """The look that suits an app's theme; an app with a true `ascii_only` gets no glyph beyond ASCII."""
    return chart_style(dark=app.current_theme.dark, colour=not app.no_color, ascii_only=bool(getattr(app, "ascii_only", False)))


class FigureWidget(Widget):
    """Subclasses say what their rows are; `redraw` when that has changed."""

    DEFAULT_CSS = "FigureWidget { width: 1fr; max-width: 84; height: auto; }"

    def __init__(self, pens: Pens, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.pens = pens
        self._drawn: tuple[int, list[Row]] | None = None

    def draw(self, width: int, pen: Pen) -> list[Row]:
        """The rows, none wider than `width`."""
        raise NotImplementedError

    shelf = ""  # figures of one shelf stand beside each other

    def wish(self, width: int) -> int:
        """How wide it wants to be, of at most `width`; another figure may then stand beside it."""
        return width

    def update(self, *content: Any) -> None:
        """Other content for the same figure."""
        raise NotImplementedError

    def rows(self, width: int) -> list[Row]:
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = width, self.draw(width, self.pens()) if width > 0 else []
        return self._drawn[1]

    def redraw(self) -> None:
        """Forgets the rows; the layout is only asked again when their number changes."""
        before, self._drawn = self._drawn, None
        if self.is_mounted:
            width = self.content_size.width
            same = before is not None and before[0] == width and len(before[1]) == len(self.rows(width))
            self.refresh(layout=not same)

    def notify_style_update(self) -> None:
        self._drawn = None  # another theme, other colours
        super().notify_style_update()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows(width))

    def render_line(self, y: int) -> Strip:
        width, base = self.content_size.width, self.visual_style.rich_style
        rows = self.rows(width)
        row = rows[y] if y < len(rows) else []
        return Strip(row).adjust_cell_length(width).apply_style(base)


class Block(FigureWidget):
    """Rows from a function: what needs no cursor."""

    def __init__(self, pens: Pens, draw: Draw, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(pens, id=id, classes=classes)
        self._draw = draw

    def update(self, draw: Draw) -> None:
        self._draw = draw
        self.redraw()

    def draw(self, width: int, pen: Pen) -> list[Row]:
        return self._draw(width, pen)
