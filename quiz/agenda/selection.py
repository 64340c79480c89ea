"""Which cards a session has: what is due, then new ones up to the day's limit, topics mixed and siblings kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from content.cards import Deck, Kind
from quiz.agenda.fresh import NEW_A_DAY, Allowance, meet
from quiz.agenda.known import Known
from quiz.agenda.plan import Share, once_more, share
from quiz.agenda.siblings import Kin, mixed, siblings, spread
from quiz.days import Moment
from quiz.scheduler import due
from quiz.store.marks import Aim
from quiz.store.names import Key
from quiz.turns import Item


@dataclass(frozen=True)
class Filter:
    """What the learner asked for; None means any. `new` is how many new cards a day; `weak` is only the cards in trouble, due or not."""

    tag: str | None = None
    level: int | None = None
    kind: Kind | None = None
    limit: int | None = None
    new: int | None = None
    weak: bool = False

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
    """How a deck stands: cards that may be asked, due now, new, and known so far."""

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


def choose(decks: Sequence[Deck], known: Known, now: Moment, wanted: Filter = ANY) -> tuple[Item, ...]:
    """The session's cards: due ones, longest due first; in the last days before an aim, cards to be asked once more; then new ones.

    At most `wanted.limit` in all. Cards that are set aside are never among them.
    """
    away, kin = known.marks.away(now.day), siblings(decks)
    items = [item for item in items_of(decks, wanted) if item.key not in away]
    if wanted.weak:
        return mixed(_weak(items, known, now.day)[: wanted.limit], kin)
    part = todays_share(decks, known, now.day)
    seen = mixed([*_due(items, known, now), *_once_more(items, known, now.day, part)][: wanted.limit], kin)
    new = mixed(_new(items, known, now.day, wanted, part, seen, kin), kin, seen)
    return (*seen, *new)


def practice(decks: Sequence[Deck], known: Known, wanted: Filter = ANY) -> tuple[Item, ...]:
    """Every admitted card that is not suspended, those that were failed most often first; the schedule is not touched."""
    kin = siblings(decks)
    items = [item for item in items_of(decks, wanted) if item.key not in known.marks.suspended]
    if wanted.weak:
        items = [item for item in items if item.key in known.weak]

    def lapses(item: Item) -> int:
        return known.memories[item.key].lapses if item.key in known.memories else 0

    alike = groupby(sorted(items, key=lapses, reverse=True), lapses)
    return tuple([item for _, some in alike for item in mixed(list(some), kin)][: wanted.limit])


def scope(decks: Iterable[Deck], known: Known, aim: Aim) -> list[Key]:
    """The cards that an aim is about; those that are suspended are not."""
    return [item.key for item in items_of(decks, Filter(tag=aim.tag)) if item.key not in known.marks.suspended]


def todays_share(decks: Iterable[Deck], known: Known, day: int) -> Share | None:
    """What a study day still owes to the aim; None without one, and when it is over."""
    aim = known.marks.aim
    return share(aim, scope(decks, known, aim), known.asked, day) if aim and day <= aim.until else None


def tally(deck: Deck, known: Known, now: Moment) -> Tally:
    """How many cards of a deck may be asked, and are due and new."""
    away = known.marks.away(now.day)
    keys = [key for card in deck.cards if (key := (deck.deck, card.id)) not in away]
    met = [known.asked[key] for key in keys if key in known.asked]
    return Tally(cards=len(keys), due=sum(due(memory, now) for memory in met), new=len(keys) - len(met))


def _due(items: Iterable[Item], known: Known, now: Moment) -> list[Item]:
    waiting = [item for item in items if item.key in known.asked and due(known.asked[item.key], now)]
    return sorted(waiting, key=lambda item: known.asked[item.key].due_day)


def _once_more(items: Iterable[Item], known: Known, day: int, part: Share | None) -> list[Item]:
    aim = known.marks.aim
    if aim is None or part is None or not part.again:
        return []
    by_key = {item.key: item for item in items if Filter(tag=aim.tag).admits(item)}
    return [by_key[key] for key in once_more(aim, by_key.keys(), known.asked, day)[: part.again]]


def _weak(items: Iterable[Item], known: Known, day: int) -> list[Item]:
    """The cards in trouble that were not asked today; first those that one was sure of."""
    weak = [item for item in items if item.key in known.weak and known.memories[item.key].last_day < day]
    return sorted(weak, key=lambda item: (item.key not in known.erred, -known.memories[item.key].lapses))


def _new(items: Iterable[Item], known: Known, day: int, wanted: Filter, part: Share | None, seen: Sequence[Item], kin: Kin) -> list[Item]:
    """The new cards to meet, every deck in its own order; while a plan has new cards, only those, as many as its share says.

    Whoever asks for a number of new cards gets that many: then no sibling waits until tomorrow.
    """
    new = [item for item in items if item.key not in known.memories]
    aim, met = known.marks.aim, known.met(day)
    aimed = [item for item in new if Filter(tag=aim.tag).admits(item)] if aim and part else []
    limit = (NEW_A_DAY if wanted.new is None else wanted.new) - len(met)
    room = part.new if part and aimed and wanted.new is None else max(limit, 0)
    room = room if wanted.limit is None else min(room, wanted.limit - len(seen))
    needed = room if wanted.new is not None else min(part.new, room) if part and aimed else 0
    asked = {key for key, memory in known.memories.items() if memory.last_day == day} | {item.key for item in seen}
    return meet(spread(aimed or new, lambda item: item.deck), Allowance(room, needed), asked, met, kin)
