"""Lines of typeset text on the screen, drawn one by one. Text of a deck arrives here as data and never as markup."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from quiz.page import Part
from quiz.typeset import Line

STYLES = (
    *("strong", "emphasis", "code", "math", "dim", "letter", "picked", "good", "bad", "measured"),
    *("heading-query", "heading-key", "heading-value", "heading-trap", "heading-detail", "heading-quiet"),
)


class Prose(Widget):
    """One part of a card; it sets its lines anew for each width."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"prose--{style}" for style in STYLES}
    DEFAULT_CSS = """
    Prose { height: auto; width: 1fr; }
    Prose > .prose--strong { text-style: bold; }
    Prose > .prose--emphasis { text-style: italic; }
    Prose > .prose--code { color: $attention; }
    Prose > .prose--math { color: $attention; }
    Prose > .prose--dim { color: $quiet; }
    Prose > .prose--letter { color: $query; text-style: bold; }
    Prose > .prose--picked { color: $attention; text-style: bold; }
    Prose > .prose--good { color: $value; text-style: bold; }
    Prose > .prose--bad { color: $key; text-style: bold; }
    Prose > .prose--measured { color: $value; }
    Prose > .prose--heading-query { color: $query; text-style: bold; }
    Prose > .prose--heading-key { color: $key; text-style: bold; }
    Prose > .prose--heading-value { color: $value; text-style: bold; }
    Prose > .prose--heading-trap { color: $warning; text-style: bold; }
    Prose > .prose--heading-detail { color: $attention; text-style: bold; }
    Prose > .prose--heading-quiet { color: $quiet; text-style: bold; }
    """

    def __init__(self, part: Part, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self.part = part
        self._set: tuple[int, list[Line]] = (-1, [])

    def show(self, part: Part) -> None:
        """Shows another part in the same place."""
        self.part = part
        self._set = (-1, [])
        self.refresh(layout=True)

    def rows(self, width: int) -> list[Line]:
        """The part's lines at a width; the last width's are kept."""
        if self._set[0] != width:
            self._set = (width, self.part.lines(width) if width > 0 else [])
        return self._set[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows(width))

    def render_line(self, y: int) -> Strip:
        base, width = self.rich_style, self.content_size.width
        rows = self.rows(width)
        if y >= len(rows):
            return Strip.blank(width, base)
        segments = [Segment(span.text, base + self._style(span.style)) for span in rows[y]]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        if name not in STYLES:
            return Style.null()
        color = self.get_component_styles(f"prose--{name}")
        return color.partial_rich_style


class Pick(Prose):
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
        if self.part.index is not None:
            self.post_message(self.Picked(self.part.index))
