"""Text in terminal cells: a Chinese character takes two, so nothing here counts characters."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style

from quiz.card import typeset
from quiz.charts.style import ChartStyle, Row


def cut(text: str, width: int, look: ChartStyle) -> str:
    """The text, shortened to `width` cells with a sign that something is missing."""
    if cell_len(text) <= width:
        return text
    more = look.glyphs.more
    return set_cell_size(text, width - 1).rstrip() + more if width > 1 else more[:width]


def left(text: str, width: int, look: ChartStyle) -> str:
    """Exactly `width` cells, text at the left."""
    return set_cell_size(cut(text, width, look), width)


def right(text: str, width: int, look: ChartStyle) -> str:
    """Exactly `width` cells, text at the right."""
    text = cut(text, width, look)
    return " " * (width - cell_len(text)) + text


def centre(text: str, width: int, look: ChartStyle) -> str:
    """Exactly `width` cells, text in the middle; an odd cell goes to the left."""
    text = cut(text, width, look)
    return set_cell_size(" " * ((width - cell_len(text) + 1) // 2) + text, width)


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` cells (2 at least: one Chinese character), broken by the rules of the cards' text."""
    return [typeset.text_of(line).rstrip() for line in typeset.wrap([typeset.Span(text)], width)]


def paragraph(text: str, width: int, look: ChartStyle, style: Style | None = None) -> list[Row]:
    """A text as rows."""
    return [[Segment(line, style)] for line in wrap(look.text(text), width)]


def clip(row: Row, width: int) -> Row:
    """A row without what would not fit."""
    return list(Segment.adjust_line_length(row, width, pad=False))
