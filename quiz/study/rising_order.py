"""The order in which new cards are met: easy ones first, parents before their follow-ups, relatives and cards of one topic apart."""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from quiz.memory.card_ids import Key
from quiz.study.parents import Links
from quiz.study.siblings import GAP, Relations, topic_of
from quiz.study.turn import Item

NEAR = 4  # equally good cards within which one of another topic is looked for
AHEAD = 48  # cards within which the best one is looked for
NARROW = 0.5  # of a level that each card counts which is missing between two relatives: a harder one may come first for their sake

Place = tuple[int, int]  # level, and the place in the order given


def rising_order(
    items: Sequence[Item], relations: Relations, before: Sequence[Item] = (), least: int = 1
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The items from easy to hard, otherwise nearly in the order given, which is how an author leads from one to the next; and the rest.

    Relatives have GAP cards between them where that costs no more than a level, and `least` always: what cannot have them is left.
    `before` are the cards that come ahead; the first of the items comes whatever they are. Where nothing comes ahead, it is of the
    easiest the one that is most quickly read and answered.
    """
    released = _Released(items, relations.follow_ups)
    recent, laid = deque(before, maxlen=GAP), list[Item]()
    while ready := list(islice(released.ready(), AHEAD)):
        costs = [(_cost(items[place], relations, recent, min(least, len(laid))), place) for _, place in ready]
        allowed = [(cost, place) for cost, place in costs if cost is not None]
        if not allowed:
            break
        lowest = min(cost for cost, _ in allowed)
        alike = [place for cost, place in allowed if cost == lowest]
        if not recent:  # the first of all is quickly read and answered: on it one learns how a card goes
            place = min((place for place in alike if _is_quick(items[place])), key=lambda place: _length(items[place]), default=alike[0])
        else:
            place = next((place for place in alike[:NEAR] if topic_of(items[place]) != topic_of(recent[-1])), alike[0])
        released.take(place)
        laid.append(items[place])
        recent.append(items[place])
    there = {item.key for item in laid}
    return tuple(laid), tuple(item for item in items if item.key not in there)


def _is_quick(item: Item) -> bool:
    """Whether one key or one number answers a card, and nothing else is asked."""
    return item.card.kind == "number" or (item.card.kind == "choice" and item.card.predict is None)


def _length(item: Item) -> int:
    return len(item.card.question.said("en"))


def _cost(item: Item, relations: Relations, recent: Sequence[Item], least: int) -> float | None:
    """The level of a card, and more where a relative came shortly before; None where it came too shortly."""
    kin = relations.siblings.get(item.key, frozenset())
    between = next((cards for cards, other in enumerate(reversed(recent)) if other.key in kin), GAP)
    return None if between < least else item.card.level + NARROW * (GAP - between)


class _Released:
    """Which cards may come: those whose parents among the items came; of several, those that are not harder than the card itself.

    Of a circle, or behind one, the first whose turn it is.
    """

    def __init__(self, items: Sequence[Item], links: Links) -> None:
        place_of = {item.key: place for place, item in enumerate(items)}
        self._children = {p: [place_of[key] for key in links.get(item.key, ()) if key in place_of] for p, item in enumerate(items)}
        parents: dict[int, list[int]] = {place: [] for place in range(len(items))}
        for parent, children in self._children.items():
            for child in children:
                parents[child].append(parent)
        level = [item.card.level for item in items]
        easier = {child: [p for p in above if level[p] <= level[child]] for child, above in parents.items()}
        self._waits = {child: set(easier[child] or above) for child, above in parents.items()}
        self._order: Callable[[int], Place] = lambda place: (items[place].card.level, place)
        self._reached: set[int] = set()
        self._ready: list[Place] = []
        self._release([place for place, above in self._waits.items() if not above])

    def ready(self) -> Iterable[Place]:
        """The cards that may come now, easy ones first."""
        if not self._ready and self._waits:
            self._release([min(self._reached & self._waits.keys() or self._waits, key=self._order)])
        return self._ready

    def take(self, place: int) -> None:
        """A card comes: its follow-ups may be next."""
        self._ready.remove(self._order(place))
        for child in self._children[place]:
            self._reached.add(child)
            self._waits.get(child, set()).discard(place)
        self._release([child for child in self._children[place] if self._waits.get(child) == set()])

    def _release(self, places: Iterable[int]) -> None:
        for place in places:
            del self._waits[place]
            insort(self._ready, self._order(place))


def keys_of(items: Iterable[Item]) -> set[Key]:
    """The names of some items."""
    return {item.key for item in items}
