"""Cards that give each other away, and an order of cards that were met before, which keeps them and cards of one topic apart."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from content.deck.cards import Deck
from content.deck.links import linked
from quiz.memory.card_ids import Key, earlier_names
from quiz.study.turn import Item, asked_quantity

GAP = 3  # cards between two siblings, where there are others to put there
BLOCK = 100  # cards that are mixed with each other: where more are waiting than anybody does in a day, the longest due still come first
AHEAD = 24  # cards within which another one is looked for; more would move cards far from where their day has put them

Siblings = Mapping[Key, frozenset[Key]]


@dataclass(frozen=True)
class Relations:
    """How cards belong together: `follow_ups` of each, in their order, and those that ask for the same `quantity` of the same experiment.

    Only cards that are there, under their names of today. Chains of follow-ups are not closed: a deck's cards are all connected somehow.
    """

    follow_ups: Mapping[Key, tuple[Key, ...]] = field(default_factory=dict)
    quantity: Siblings = field(default_factory=dict)

    @cached_property
    def siblings(self) -> Siblings:
        """The siblings of every card that has some, of both kinds and in both directions."""
        kin: dict[Key, set[Key]] = defaultdict(set, {key: set(others) for key, others in self.quantity.items()})
        for parent, children in self.follow_ups.items():
            kin[parent].update(children)
            for child in children:
                kin[child].add(parent)
        return {key: others for key, family in kin.items() if (others := frozenset(family - {key}))}


def find_relations(decks: Iterable[Deck]) -> Relations:
    """The relations of the decks' cards; a link leads to what its card is called today."""
    decks = tuple(decks)
    here = {(deck.deck, card.id) for deck in decks for card in deck.cards}
    today = {old: new for new, olds in earlier_names(decks).items() for old in olds if old not in here}
    links: dict[Key, tuple[Key, ...]] = {}
    asking: dict[tuple[str, str], list[Key]] = defaultdict(list)
    for deck in decks:
        for card in deck.cards:
            named = [today.get(key, key) for key in (linked(link, deck.deck) for link in card.follow_ups)]
            if children := tuple(dict.fromkeys(key for key in named if key in here and key != (deck.deck, card.id))):
                links[deck.deck, card.id] = children
            if card.verify and (quantity := asked_quantity(card)):
                asking[card.verify.own.experiment, quantity].append((deck.deck, card.id))
    alike = [frozenset(keys) for keys in asking.values() if len(keys) > 1]
    return Relations(links, {key: keys - {key} for keys in alike for key in keys})


def find_siblings(decks: Iterable[Deck]) -> Siblings:
    """The siblings of every card that has some: what it names in `follow_ups`, what names it there, and what asks for the same quantity."""
    return find_relations(decks).siblings


def topic_of(item: Item) -> str:
    """What a card is about: its first tag, or its deck."""
    return item.card.tags[0] if item.card.tags else item.deck


def interleave_topics(items: Sequence[Item], kin: Siblings, before: Sequence[Item] = ()) -> tuple[Item, ...]:
    """The items with every topic spread evenly over them, each topic in the order given, and siblings at least GAP cards apart where
    that can be had. `before` are the cards that come ahead of them."""
    laid: list[Item] = []
    for start in range(0, len(items), BLOCK):
        recent = [*before[-GAP:], *laid[-GAP:]][-GAP:]
        laid += _apart(spread_evenly(items[start : start + BLOCK], topic_of), kin, [item.key for item in recent])
    tail = _apart(reversed(laid[-2 * AHEAD :]), kin, ())  # the last cards have nobody behind them to change places with
    return (*laid[: -2 * AHEAD], *reversed(tail))


def spread_evenly(items: Sequence[Item], kind: Callable[[Item], str]) -> list[Item]:
    """The items with every kind spread evenly over them, each kind in the order given.

    Kinds with the same number of items take turns; then those rows are laid into each other, from the rare kinds to the frequent ones.
    """
    kinds: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        kinds[kind(item)].append(item)
    sizes: dict[int, list[list[Item]]] = defaultdict(list)
    for alike in kinds.values():
        sizes[len(alike)].append(alike)
    laid: list[Item] = []
    for size in sorted(sizes):
        laid = _merged([item for row in zip(*sizes[size], strict=True) for item in row], laid)
    return laid


def _merged(one: Sequence[Item], other: Sequence[Item]) -> list[Item]:
    """Both lists over the same length: the i-th of n items belongs at (i + 1/2) / n of the way."""
    places = [*((2 * i + 1) * len(other) for i in range(len(one))), *((2 * j + 1) * len(one) for j in range(len(other)))]
    both = [*one, *other]
    return [both[i] for i in sorted(range(len(both)), key=places.__getitem__)]


def _apart(items: Iterable[Item], kin: Siblings, before: Iterable[Key]) -> list[Item]:
    """Takes the first of the next AHEAD items that is no sibling of the GAP cards before it; the first where all are."""
    waiting, recent, laid = deque(items), deque(before, maxlen=GAP), list[Item]()
    while waiting:
        place = _first_free(waiting, kin, recent)
        laid.append(waiting[place])
        recent.append(laid[-1].key)
        del waiting[place]
    return laid


def _first_free(waiting: Iterable[Item], kin: Siblings, recent: Iterable[Key]) -> int:
    for place, item in enumerate(islice(waiting, AHEAD)):
        if kin.get(item.key, _NOBODY).isdisjoint(recent):
            return place
    return 0


_NOBODY: frozenset[Key] = frozenset()
