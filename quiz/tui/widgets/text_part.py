"""Lines of typeset text on the screen, drawn one by one. Text of a deck arrives here as data and never as markup."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from quiz.card.card_parts import Part
from quiz.card.typeset import Line, Span, cells, cut, text_of
from quiz.tui.widgets.text_styles import text_styles


class TextPart(Widget):
    """One part of a card; it sets its lines anew for each width."""

    DEFAULT_CSS = "TextPart { height: auto; width: 1fr; padding-right: 1; }"
    selectable = True

    def __init__(self, part: Part, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self.part = part
        self._set: tuple[int, list[Line]] = (-1, [])
        self.most: int | None = None  # rows, where there is no room for all: the last ends with an ellipsis

    def show(self, part: Part) -> None:
        """Shows another part in the same place; the layout is only asked again when its lines become more or fewer."""
        before, self.part = self._set, part
        self._set = (-1, [])
        if before[0] < 0 or len(self.rows(before[0])) != len(before[1]):
            self.refresh(layout=True)
        elif self.rows(before[0]) != before[1]:
            self.refresh()

    def rows(self, width: int) -> list[Line]:
        """The part's lines at a width; the last width's are kept."""
        if self._set[0] != width:
            self._set = (width, self.part.lines(width) if width > 0 else [])
        return self._set[1]

    def shorten(self, most: int | None) -> None:
        """Shows at most so many rows; None shows all."""
        if most != self.most:
            self.most = most
            self.refresh(layout=True)

    def shown(self, width: int) -> list[Line]:
        """The lines that there is room for."""
        rows = self.rows(width)
        if self.most is None or len(rows) <= self.most:
            return rows
        *kept, last = rows[: self.most]
        return (
            [*kept, (*cut((*last, Span("  ")), width)[:-1], Span("…", "dim"))]
            if cells(last) + 2 > width
            else [*kept, (*last, Span(" …", "dim"))]
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.shown(width))

    def render_line(self, y: int) -> Strip:
        base, width = self.rich_style, self.content_size.width
        rows = self.shown(width)
        if y >= len(rows):
            return Strip.blank(width, base)
        styles = text_styles(self.app)
        segments = [Segment(span.text, base + styles.get(span.style, Style.null())) for span in rows[y]]
        return self._selected(Strip(segments), y).adjust_cell_length(width, base).apply_offsets(0, y)

    def _selected(self, strip: Strip, y: int) -> Strip:
        """A line with what is selected of it in another colour."""
        span = self.text_selection.get_span(y) if self.text_selection else None
        if span is None:
            return strip
        start = cell_len(strip.text[: span[0]])
        end = strip.cell_length if span[1] < 0 else min(cell_len(strip.text[: span[1]]), strip.cell_length)
        chosen = self.selection_style
        return Strip.join([strip.crop(0, start), strip.crop(start, end).apply_style(chosen), strip.crop(end)]) if end > start else strip

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What is selected, as text."""
        return selection.extract("\n".join(map(text_of, self.shown(self.content_size.width)))), "\n"


class Pick(TextPart):
    """A part that is chosen by its letter or by a click."""

    DEFAULT_CSS = """
    Pick:hover { background: $panel; }
    """

    class Picked(Message):
        """The part with this index was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def on_click(self, event: Click) -> None:
        event.stop()
        if self.part.index is not None and not self.screen.selections:  # who has dragged over it has selected, and picked nothing
            self.post_message(self.Picked(self.part.index))
