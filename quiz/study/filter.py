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
    """What the learner asked for; None means any. `new` is how many new cards a day; `weak` is only the cards in trouble, due or not.

    `path` are the only cards that are asked, in the order in which they are met for the first time.
    """

    tag: str | None = None
    level: int | None = None
    kind: Kind | None = None
    limit: int | None = None
    new: int | None = None
    weak: bool = False
    path: tuple[Key, ...] | None = None

    def admitted(self, cards: Iterable[Card]) -> Iterable[Card]:
        """The cards that fit, in their order; `limit`, `new`, `weak` and `path` are not about a card alone."""
        if self.tag is not None:
            cards = [card for card in cards if self.tag in card.tags]
        if self.level is not None:
            cards = [card for card in cards if card.level == self.level]
        return cards if self.kind is None else [card for card in cards if card.kind == self.kind]

    def along_the_path(self, cards: dict[Key, Card]) -> dict[Key, Card]:
        """The cards of the path, in its order; all of them where there is none."""
        return cards if self.path is None else {key: cards[key] for key in self.path if key in cards}


ANY = Filter()


def admitted_items(decks: Iterable[Deck], wanted: Filter = ANY) -> tuple[Item, ...]:
    """Every card of the decks that the filter admits, in the decks' order, or in that of the path."""
    if wanted.path is not None:
        return tuple([Item(key[0], card) for key, card in admitted_cards(decks, wanted).items()])
    return tuple([Item(deck.deck, card) for deck in decks for card in wanted.admitted(deck.cards)])


def admitted_cards(decks: Iterable[Deck], wanted: Filter = ANY, away: Set[Key] = frozenset()) -> dict[Key, Card]:
    """The cards of the decks that the filter admits, in the decks' order or that of the path, without those that are away."""
    found = {key: card for deck in decks for card in wanted.admitted(deck.cards) if (key := (deck.deck, card.id)) not in away}
    return wanted.along_the_path(found)
