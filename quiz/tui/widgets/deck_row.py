"""A deck as a row of the home screen's list."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from content.yaml.clean import clean
from quiz.card.home_view import DeckStanding
from quiz.charts.style import Glyphs
from quiz.words.i18n import Words

TITLE, BAR = 28, 20  # cells at most
LEAST_TITLE, LEAST_BAR = 10, 6
BETWEEN = " · "

Part = tuple[str, str]  # a text and its style


def deck_title(stands: DeckStanding, words: Words) -> str:
    """The deck's title; of several what they are together."""
    return clean(stands.decks[0].title.said(words.language)) if len(stands.decks) == 1 else words("home.all")


def deck_rows(all_stand: Sequence[DeckStanding], width: int, words: Words, glyphs: Glyphs) -> list[Content]:
    """Of each its title, how much of it is known and being learned, what is due, what was never met, and its cards where there is room."""
    longest = max((cell_len(deck_title(stands, words)) for stands in all_stand), default=0)
    titles = min(longest, TITLE, max(width // 3, LEAST_TITLE))
    room = width - titles - 3
    said = [_said(stands, room, words) for stands in all_stand]
    bar = min(room - max(map(_cells, said), default=0) - 2, BAR)
    return [_row(stands, parts, titles, bar, words, glyphs) for stands, parts in zip(all_stand, said, strict=True)]


def _said(stands: DeckStanding, room: int, words: Words) -> list[Part]:
    counts = stands.counts
    due = (words("home.due", count=counts.due), "bold $key" if counts.due else "$quiet")
    unmet = (words("home.unmet", count=counts.new), "$query" if counts.new else "$quiet")
    parts = [(words("home.cards", count=counts.cards), "$quiet"), due, unmet]
    while len(parts) > 1 and _cells(parts) > room - (LEAST_BAR + 2 if len(parts) > 2 else 0):
        del parts[0 if len(parts) > 2 else -1]
    return parts


def _row(stands: DeckStanding, parts: Sequence[Part], titles: int, bar: int, words: Words, glyphs: Glyphs) -> Content:
    known, learning = _shares(stands, bar)
    full, half, none = glyphs.arms["right"], glyphs.arms["wrong"], glyphs.masked
    drawn: list[Part] = [(full * known, "$value"), (half * learning, "$query"), (none * (bar - known - learning), "$quiet"), ("  ", "")]
    said: list[Part] = [part for place, each in enumerate(parts) for part in ((BETWEEN if place else "", "$quiet"), each)]
    return Content.assemble((f" {_fitted(deck_title(stands, words), titles)}  ", "bold"), *(drawn if bar >= LEAST_BAR else []), *said)


def _cells(parts: Sequence[Part]) -> int:
    return sum(cell_len(text) for text, _ in parts) + len(BETWEEN) * (len(parts) - 1)


def _shares(stands: DeckStanding, bar: int) -> tuple[int, int]:
    """The cells of what is known, and of what is being learned; what is not nothing has one."""
    cards = max(stands.counts.cards, stands.known + stands.learning, 1)
    known = round(bar * stands.known / cards)
    seen = max(round(bar * (stands.known + stands.learning) / cards), int(stands.known + stands.learning > 0))
    return min(known, seen), seen - min(known, seen)


def _fitted(title: str, width: int) -> str:
    return set_cell_size(title, width) if cell_len(title) <= width else f"{set_cell_size(title, width - 1)}…"
