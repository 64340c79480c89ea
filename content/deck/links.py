"""Where `follow_ups` lead: to a card of the same deck, or as deck/card to one of another; earlier ids lead to what took their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from content.deck.cards import Card, Deck

Key = tuple[str, str]  # deck id, card id


def linked(link: str, deck: str) -> Key:
    """The deck and the card that a link of a deck's card names."""
    other, slash, card = link.partition("/")
    return (other, card) if slash else (deck, link)


def linked_card(link: str, deck: str, decks: Iterable[Deck]) -> tuple[Deck, Card] | None:
    """The card that a link of a deck's card leads to. What is called so now comes before what was; None where its deck is not there."""
    name, id = linked(link, deck)
    decks = tuple(decks)
    for home in (*(each for each in decks if each.deck == name), *(each for each in decks if name in each.formerly)):
        found = next((card for card in home.cards if card.id == id), None) or next(
            (card for card in home.cards if id in card.formerly), None
        )
        if found:
            return home, found
    return None
