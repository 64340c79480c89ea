"""Which cards a session has: what is due, oldest first, then new ones up to the day's limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from content.cards import Deck, Kind
from quiz.days import Moment
from quiz.names import Key
from quiz.scheduler import Memory, due
from quiz.turns import Item

NEW_A_DAY = 20


@dataclass(frozen=True)
class Filter:
    """What the learner asked for; None means any."""

    tag: str | None = None
    level: int | None = None
    kind: Kind | None = None
    limit: int | None = None

    def admits(self, item: Item) -> bool:
        card = item.card
        return (
            (self.tag is None or self.tag in card.tags)
            and (self.level is None or card.level == self.level)
            and (self.kind is None or card.kind == self.kind)
        )


ANY = Filter()


@dataclass(frozen=True)
class Tally:
    """How a deck stands: cards in all, due now, new, and known so far."""

    cards: int
    due: int
    new: int

    @property
    def seen(self) -> int:
        return self.cards - self.new


def items_of(decks: Iterable[Deck], wanted: Filter = ANY) -> tuple[Item, ...]:
    """Every card of the decks that the filter admits, in the decks' order."""
    items = (Item(deck.deck, card) for deck in decks for card in deck.cards)
    return tuple(item for item in items if wanted.admits(item))


def choose(
    decks: Iterable[Deck], memories: Mapping[Key, Memory], now: Moment, new_left: int = NEW_A_DAY, wanted: Filter = ANY
) -> tuple[Item, ...]:
    """The session's cards: due ones by due day, then up to `new_left` new ones in deck order, at most `wanted.limit` in all."""
    items = items_of(decks, wanted)
    waiting = [item for item in items if item.key in memories and due(memories[item.key], now)]
    waiting.sort(key=lambda item: memories[item.key].due_day)
    new = [item for item in items if item.key not in memories][: max(new_left, 0)]
    return tuple([*waiting, *new][: wanted.limit])


def practice(decks: Iterable[Deck], memories: Mapping[Key, Memory], wanted: Filter = ANY) -> tuple[Item, ...]:
    """Every admitted card, those that were failed most often first; the schedule is not touched."""
    items = items_of(decks, wanted)
    ranked = sorted(items, key=lambda item: -memories[item.key].lapses if item.key in memories else 0)
    return tuple(ranked[: wanted.limit])


def tally(deck: Deck, memories: Mapping[Key, Memory], now: Moment) -> Tally:
    """How many cards of a deck are due and new."""
    keys = [(deck.deck, card.id) for card in deck.cards]
    known = [memories[key] for key in keys if key in memories]
    return Tally(cards=len(keys), due=sum(due(memory, now) for memory in known), new=len(keys) - len(known))
