"""One card on the table: which it is, what was said of it, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from content.deck.cards import Card
from quiz.store.names import Key

Confidence = Literal[1, 2, 3]  # guess, think so, sure
Stage = Literal["ask", "reveal"]


class Item(NamedTuple):
    """A card with the deck it belongs to."""

    deck: str
    card: Card

    @property
    def key(self) -> Key:
        return self.deck, self.card.id


@dataclass(frozen=True)
class Response:
    """What was said before the reveal: a number, options, an order (as indices into the card), or a line."""

    number: float | None = None
    chosen: frozenset[int] = frozenset()
    arranged: tuple[int, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class Turn:
    """One card on the table. `shown` is the order in which its options or items are laid out."""

    item: Item
    shown: tuple[int, ...] = ()
    stage: Stage = "ask"
    response: Response = field(default_factory=Response)
    confidence: Confidence | None = None
    ticked: frozenset[int] = frozenset()
    measured: float | None = None  # the run's value of the quantity that was asked for

    @property
    def card(self) -> Card:
        return self.item.card
