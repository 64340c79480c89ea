"""The browser's filters in words: what a value is called, and the rows from which one is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from content.deck.cards import Deck
from quiz.card.card_index import CardIndex, Facet, Wanted, choices, found_cards
from quiz.words.i18n import Words


@dataclass(frozen=True)
class FacetRow:
    """A value to choose, None for any, with how many cards it leaves."""

    value: str | None
    said: str
    count: int


def facet_rows(index: CardIndex, wanted: Wanted, facet: Facet, decks: Iterable[Deck], words: Words) -> list[FacetRow]:
    """The values of a facet beside everything else that is wanted; any comes first."""
    counted, decks = choices(index, wanted, facet), tuple(decks)
    whole = FacetRow(None, words("browse.any"), len(found_cards(index, wanted.choose(facet, None))))
    return [whole, *(FacetRow(value, said_value(facet, value, decks, words), count) for value, count in counted.items())]


def said_value(facet: Facet, value: str, decks: Iterable[Deck], words: Words) -> str:
    """A facet's value in the interface's language."""
    match facet:
        case "deck":
            return next((deck.title.said(words.language) for deck in decks if deck.deck == value), value)
        case "level":
            return words(f"session.level.{value}")
        case "asked":
            return words(f"session.asked.{value}")
        case "kind":
            return words(f"browse.kind.{value}")
        case "state":
            return words(f"browse.state.{value}")
        case "tag":
            return value
