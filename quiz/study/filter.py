"""Which cards are asked for: by topic, level and kind."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from content.deck.cards import Card, Deck
from content.format import Kind
from quiz.memory.card_ids import Key
from quiz.study.turn import Item


@dataclass(frozen=True)
class Filter:
    """What the learner asked for; None means any. `new` is how many new cards a day; `weak` is only the cards in trouble, due or not."""

    tag: str | None = None
    level: int | None = None
    kind: Kind | None = None
    limit: int | None = None
    new: int | None = None
    weak: bool = False

    def admitted(self, cards: Iterable[Card]) -> Iterable[Card]:
        """The cards that fit, in their order; `limit`, `new` and `weak` are not about a card alone."""
        if self.tag is not None:
            cards = [card for card in cards if self.tag in card.tags]
        if self.level is not None:
            cards = [card for card in cards if card.level == self.level]
        return cards if self.kind is None else [card for card in cards if card.kind == self.kind]


ANY = Filter()


def admitted_items(decks: Iterable[Deck], wanted: Filter = ANY) -> tuple[Item, ...]:
    """Every card of the decks that the filter admits, in the decks' order."""
    return tuple([Item(deck.deck, card) for deck in decks for card in wanted.admitted(deck.cards)])


def admitted_cards(decks: Iterable[Deck], wanted: Filter = ANY, away: Set[Key] = frozenset()) -> dict[Key, Card]:
    """The cards of the decks that the filter admits, in the decks' order, without those that are away."""
    return {key: card for deck in decks for card in wanted.admitted(deck.cards) if (key := (deck.deck, card.id)) not in away}
