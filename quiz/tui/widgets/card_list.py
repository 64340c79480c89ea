"""The cards that were found, a line each: only the lines on the screen are ever set, so ten thousand cost what twenty cost."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from quiz.card.card_index import IndexedCard
from quiz.card.listed_card import question_line
from quiz.card.text_search import matches
from quiz.card.typeset import Span, cells, cut
from quiz.memory.card_ids import Key
from quiz.tui.base import BaseApp
from quiz.tui.widgets.text_styles import text_styles

STATE_STYLES = {
    "due": "heading-key",
    "new": "letter",
    "leech": "heading-trap",
    "flagged": "heading-trap",
    "suspended": "dim",
    "known": "measured",
}


class CardList(ScrollView, can_focus=False):
    """A cursor over the cards. The keys are the screen's: they work while one types, too."""

    app: BaseApp
    DEFAULT_CSS = """
    CardList { height: 1fr; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    """

    class Moved(Message):
        """The cursor stands on another card."""

    class Opened(Message):
        """The card under the cursor was clicked again."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.cards: Sequence[IndexedCard] = ()
        self.query_text = ""
        self.cursor = 0
        self._questions: dict[tuple[Key, str], str] = {}

    @property
    def chosen(self) -> IndexedCard | None:
        """The card under the cursor."""
        return self.cards[self.cursor] if self.cursor < len(self.cards) else None

    def show(self, cards: Sequence[IndexedCard], query: str = "", *, top: bool = False) -> None:
        """Shows other cards. The cursor stays on its card, or where that stood; with `top` it goes to the first."""
        before = self.chosen.item.key if self.chosen else None
        self.cards, self.query_text = cards, query
        places = (place for place, card in enumerate(cards) if card.item.key == before)
        self.cursor = 0 if top else next(places, min(self.cursor, max(len(cards) - 1, 0)))
        self.virtual_size = Size(0, len(cards))
        self.refresh()
        self._into_view()

    def move(self, by: int) -> None:
        """The cursor up or down, to the ends at most."""
        self.go_to(self.cursor + by)

    def go_to(self, place: int) -> None:
        place = min(max(place, 0), max(len(self.cards) - 1, 0))
        if place != self.cursor:
            self.cursor = place
            self._into_view()
            self.refresh()
            self.post_message(self.Moved())

    def forget_words(self) -> None:
        """The language was switched, or a deck was read anew."""
        self._questions.clear()
        self.refresh()

    @property
    def page(self) -> int:
        return max(self.scrollable_content_region.height - 1, 1)

    def _into_view(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)

    def on_click(self, event: Click) -> None:
        event.stop()
        place = event.y + self.scroll_offset.y
        if place >= len(self.cards):
            return
        if place == self.cursor:
            self.post_message(self.Opened())
        self.go_to(place)

    def render_line(self, y: int) -> Strip:
        place, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        base = self.rich_style
        if place >= len(self.cards):
            return Strip.blank(width, base)
        card = self.cards[place]
        if place == self.cursor:
            cursor = self.app.theme_variables
            base += Style(bgcolor=cursor["block-cursor-background"])
        styles = text_styles(self.app)
        state = Span(self.app.words(f"browse.state.{card.states[0]}"), STATE_STYLES.get(card.states[0], "dim"))
        room = max(width - cells((state,)) - 3, 4)
        line = cut(self._marked(self._question(card), "dim" if "suspended" in card.states else "plain"), room)
        gap = Span(" " * max(width - cells(line) - cells((state,)) - 2, 1))
        row = (Span(" "), *line, gap, state, Span(" "))
        return Strip([Segment(text, base + styles.get(style, Style.null())) for text, style in row]).adjust_cell_length(width, base)

    def _question(self, card: IndexedCard) -> str:
        key = (card.item.key, self.app.language)
        if key not in self._questions:
            self._questions[key] = question_line(card.item.card, self.app.language)
        return self._questions[key]

    def _marked(self, text: str, style: str) -> tuple[Span, ...]:
        """The question with the words of the search in another colour."""
        spans, end = [], 0
        for start, stop in matches(text, self.query_text):
            spans += [Span(text[end:start], style), Span(text[start:stop], "picked")]
            end = stop
        return tuple(span for span in (*spans, Span(text[end:], style)) if span.text)
