"""Cards that give each other away, and an order of a session that keeps them and cards of one topic apart."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from content.deck.cards import Deck
from content.deck.links import linked
from quiz.memory.card_ids import Key, earlier_names
from quiz.study.turn import Item, asked_quantity

GAP = 3  # cards between two siblings, where there are others to put there
BLOCK = 100  # cards that are mixed with each other: where more are waiting than anybody does in a day, the longest due still come first
NEAR = 4  # new cards within which one of another topic is looked for
AHEAD = 24  # cards within which another one is looked for; more would move cards far from where their day has put them

Siblings = Mapping[Key, frozenset[Key]]


def find_siblings(decks: Iterable[Deck]) -> dict[Key, frozenset[Key]]:
    """The siblings of every card that has some: what it names in `follow_ups`, what names it there, and the cards that ask for
    the same quantity of the same experiment. Chains of follow-ups are not closed: a deck's cards are all connected somehow."""
    decks = tuple(decks)
    kin: dict[Key, set[Key]] = defaultdict(set)
    asking: dict[tuple[str, str], list[Key]] = defaultdict(list)
    today = {old: new for new, olds in earlier_names(decks).items() for old in olds}
    for deck in decks:
        for card in deck.cards:
            for link in card.follow_ups:
                key = linked(link, deck.deck)
                other = today.get(key, key)
                kin[deck.deck, card.id].add(other)
                kin[other].add((deck.deck, card.id))
            if card.verify and (quantity := asked_quantity(card)):
                asking[card.verify.own.experiment, quantity].append((deck.deck, card.id))
    for alike in asking.values():
        for key in alike:
            kin[key].update(alike)
    return {key: others for key, family in kin.items() if (others := frozenset(family - {key}))}


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


def keep_authors_order(items: Iterable[Item], kin: Siblings, before: Sequence[Item] = ()) -> tuple[Item, ...]:
    """The items nearly in the order given, which is how an author leads from one to the next: each time the first of the next NEAR that
    has another topic than the card before it and no sibling among the GAP before, or only no sibling, or simply the first."""
    waiting, recent, laid = deque(items), deque(before, maxlen=GAP), list[Item]()
    while waiting:
        keys = [item.key for item in recent]
        apart = [place for place, item in enumerate(islice(waiting, NEAR)) if kin.get(item.key, _NOBODY).isdisjoint(keys)]
        other = [place for place in apart if not recent or topic_of(waiting[place]) != topic_of(recent[-1])]
        place = (other or apart or [0])[0]
        laid.append(waiting[place])
        recent.append(waiting[place])
        del waiting[place]
    return tuple(laid)


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
