"""Which cards a day meets for the first time: the most asked ones with the parents they wait for, every kind that was never met once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from quiz.memory.card_ids import Key
from quiz.study.parents import shortest_ways, way_to
from quiz.study.rising_order import keys_of, rising_order
from quiz.study.siblings import Relations, spread_evenly
from quiz.study.turn import Item

MOST_ASKED = 5  # also of a card that does not say: whoever adds a deck of their own wants to learn it
ROUNDS = 6  # in which cards are looked for in the place of those that wait until tomorrow


@dataclass(frozen=True)
class NewCardAllowance:
    """How many new cards today has room for; `needed` of them are met even where a sibling was: a plan's date does not wait."""

    room: int
    needed: int = 0


@dataclass(frozen=True)
class DayBefore:
    """What a day's new cards stand in: cards `seen` on earlier days, those `met` today for the first time, those `asked` today again.

    `before` are the cards that come ahead of the new ones, `kinds` those that were met on earlier days.
    """

    relations: Relations = field(default_factory=Relations)
    seen: Set[Key] = frozenset()
    met: Set[Key] = frozenset()
    asked: Set[Key] = frozenset()
    before: Sequence[Item] = ()
    kinds: Set[str] = frozenset()


def new_cards_to_meet(new: Iterable[Item], allowed: NewCardAllowance, day: DayBefore, blocked: Collection[Key] = ()) -> tuple[Item, ...]:
    """The new cards to meet, in their order. `new` has those met today, too: the day is laid out as in the morning, whenever it goes on.

    A follow-up shares a day with its parent some cards apart, else it waits until tomorrow; so does a card that asks for what another
    of today's asks for. One of a card that is merely asked again today comes when there is room left: else it might wait for ever.
    `blocked` are new cards that do not come today; what follows them waits, too.
    """
    pool = _Pool.of(spread_evenly(list(new), lambda item: item.deck), day, blocked)
    laid = _day(pool, allowed.room + len(day.met & pool.items.keys()), day)
    today = [item for item in laid if item.key not in day.met][: allowed.room]
    if len(today) >= allowed.needed:
        return tuple(today)
    wanted = dict.fromkeys(item.key for item in today)
    for item in pool.ranked:
        if item.key not in day.met:
            way = [key for key in way_to(item.key, pool.ways, wanted.keys() | day.met) if key in pool.items]
            wanted.update(dict.fromkeys(way[: allowed.needed - len(wanted)]))
    return rising_order([item for item in pool.ranked if item.key in wanted], day.relations, day.before, least=0)[0]


@dataclass(frozen=True)
class _Pool:
    """Cards to choose from, the best first, each with those that it waits for ahead of it; and for which it waits."""

    ranked: Sequence[Item]
    ways: Mapping[Key, Key | None]

    @classmethod
    def of(cls, new: Sequence[Item], day: DayBefore, blocked: Collection[Key]) -> _Pool:
        ways = shortest_ways([*(item.key for item in new), *sorted(blocked)], day.seen, day.relations.follow_ups)
        kin = day.relations.siblings

        def rank(item: Item) -> tuple[bool, int, int]:
            near = not kin.get(item.key, frozenset()).isdisjoint(day.asked)
            return near, -(item.card.asked or MOST_ASKED), item.card.level

        items, placed = {item.key: item for item in new}, dict[Key, None]()
        for item in sorted(new, key=rank):
            if item.key not in placed:
                placed.update(dict.fromkeys(way_to(item.key, ways, placed)))
        return cls([items[key] for key in placed if key in items], ways)

    @cached_property
    def items(self) -> Mapping[Key, Item]:
        return {item.key: item for item in self.ranked}

    def has(self, keys: Iterable[Key]) -> bool:
        return all(key in self.items for key in keys)


def _day(pool: _Pool, room: int, day: DayBefore) -> tuple[Item, ...]:
    """The day as it was laid out in the morning. Parents of what would come too shortly come early; what still does waits."""
    early: set[Key] = set()
    late: set[Key] = set()
    for _ in range(ROUNDS):
        chosen = sorted(_chosen(pool, room, day, late), key=lambda item: item.key not in early)
        laid, rest = rising_order(chosen, day.relations, day.before)
        if not (waiting := keys_of(rest) - day.met):
            break
        ways = [way_to(key, pool.ways, ()) for key in waiting]
        late |= {way[-1] for way in ways if early.issuperset(way)}
        early.update(*ways)
    return laid


def _chosen(pool: _Pool, room: int, day: DayBefore, late: Set[Key]) -> list[Item]:
    """The best cards, of every kind that was never met the best one that can be had, each with those that it waits for."""
    taken = {key: item for key, item in pool.items.items() if key in day.met}
    alike = day.relations.quantity

    def take(item: Item) -> bool:
        way = way_to(item.key, pool.ways, taken)
        free = pool.has(way) and late.isdisjoint(way) and len(taken.keys() | way) <= room
        if free and all(alike.get(key, frozenset()).isdisjoint(taken.keys() | day.met | set(way)) for key in way):
            taken.update({key: pool.items[key] for key in way})
        return item.key in taken

    any(take(item) for item in pool.ranked)
    for kind in dict.fromkeys(item.card.kind for item in pool.ranked if item.card.kind not in day.kinds):
        if all(item.card.kind != kind for item in taken.values()):
            any(take(item) for item in pool.ranked if item.card.kind == kind)
    for item in pool.ranked:
        if len(taken) >= room:
            break
        take(item)
    return [item for item in pool.ranked if item.key in taken]
