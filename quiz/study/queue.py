"""Which cards a session has: what is due, topics mixed and siblings kept apart, then new ones up to the day's limit, from easy to hard."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from content.deck.cards import Card, Deck
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import is_due
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan
from quiz.settings.options import DEFAULTS
from quiz.study.filter import ANY, Filter, admitted_cards
from quiz.study.learner import LearnerState
from quiz.study.new_cards import DayBefore, NewCardAllowance, new_cards_to_meet
from quiz.study.plan import DailyShare, daily_share, final_reviews
from quiz.study.siblings import Relations, find_relations, find_siblings, interleave_topics
from quiz.study.turn import Item

NEW_A_DAY = DEFAULTS.new  # where nothing else was chosen


@dataclass(frozen=True)
class DeckCounts:
    """How a deck stands: cards that may be asked, due now, new, and learner so far."""

    cards: int
    due: int
    new: int

    def __add__(self, other: DeckCounts) -> DeckCounts:
        return DeckCounts(self.cards + other.cards, self.due + other.due, self.new + other.new)

    @property
    def seen(self) -> int:
        return self.cards - self.new


def choose_cards(decks: Sequence[Deck], learner: LearnerState, now: Moment, wanted: Filter = ANY) -> tuple[Item, ...]:
    """The session's cards: due ones, longest due first; in the last days before an aim, cards to be asked once more; then new ones.

    At most `wanted.limit` in all. Cards that are set aside are never among them.
    """
    cards, relations = admitted_cards(decks, wanted, learner.decisions.away(now.day)), find_relations(decks)
    if wanted.weak:
        return interleave_topics(_items(_weak(cards, learner, now.day)[: wanted.limit], cards), relations.siblings)
    part, due = todays_share(decks, learner, now.day), _due(cards, learner, now)
    again = [*due, *_once_more(cards, learner, now.day, part)][: wanted.limit]
    seen = interleave_topics(_items(again, cards), relations.siblings)
    if wanted.path is not None:
        return (*seen, *_next_of_the_path(cards, learner, now.day, wanted, len(seen)))
    buried = admitted_cards(decks, wanted, learner.decisions.suspended).keys() - cards.keys() - learner.memories.keys()
    return (*seen, *_new(cards, learner, now.day, wanted, part, seen, relations, buried))


def practice_cards(decks: Sequence[Deck], learner: LearnerState, wanted: Filter = ANY) -> tuple[Item, ...]:
    """Every admitted card that is not suspended, those that were failed most often first; the schedule is not touched."""
    cards, kin = admitted_cards(decks, wanted, learner.decisions.suspended), find_siblings(decks)

    def lapses(key: Key) -> int:
        return learner.memories[key].lapses if key in learner.memories else 0

    keys = [key for key in cards if key in learner.weak] if wanted.weak else cards
    alike = (_items(some, cards) for _, some in groupby(sorted(keys, key=lapses, reverse=True), lapses))
    mixed = ((some if wanted.path is not None else interleave_topics(some, kin)) for some in alike)
    return tuple([item for some in mixed for item in some][: wanted.limit])


def plan_scope(decks: Iterable[Deck], learner: LearnerState, aim: Plan) -> list[Key]:
    """The cards that an aim is about; those that are suspended are not."""
    return list(admitted_cards(decks, Filter(tag=aim.tag), learner.decisions.suspended))


def todays_share(decks: Iterable[Deck], learner: LearnerState, day: int) -> DailyShare | None:
    """What a study day still owes to the aim; None without one, and when it is over."""
    aim = learner.decisions.aim
    return daily_share(aim, plan_scope(decks, learner, aim), learner.effective, day) if aim and day <= aim.until else None


def count_deck(deck: Deck, learner: LearnerState, now: Moment) -> DeckCounts:
    """How many cards of a deck may be asked, and are due and new."""
    keys = admitted_cards([deck], away=learner.decisions.away(now.day))
    met = [memory for key in keys if (memory := learner.effective.get(key))]
    return DeckCounts(cards=len(keys), due=sum(is_due(memory, now) for memory in met), new=len(keys) - len(met))


def next_day(cards: Iterable[Key], learner: LearnerState, now: Moment, *, new: bool = True) -> int | None:
    """The first study day on which one of the cards will be asked, when none is now: today for one that was failed just now.

    None where all are suspended. A card that was never met can be asked tomorrow; without `new` it never is.
    """
    away, tomorrow = learner.decisions.away(now.day), now.day + 1

    def asked(key: Key) -> int | None:
        earliest = tomorrow if key in away else now.day
        if key in learner.effective:
            return max(learner.effective[key].due_day, earliest)
        return tomorrow if new else None

    days = [asked(key) for key in cards if key not in learner.decisions.suspended]
    if (aim := learner.decisions.aim) and aim.final < aim.until > tomorrow and days:
        days.append(max(aim.final, tomorrow))  # in the last days cards come before they are due
    return min((day for day in days if day is not None), default=None)


def _items(keys: Iterable[Key], cards: Mapping[Key, Card]) -> list[Item]:
    return [Item(key[0], cards[key]) for key in keys]


def _due(keys: Iterable[Key], learner: LearnerState, now: Moment) -> list[Key]:
    """Those that wait longest first, as many as the day's limit of reviews leaves; one that was failed today comes back all the same."""
    waiting = [(memory.due_day, key) for key in keys if (memory := learner.effective.get(key)) and is_due(memory, now)]
    due, limit = [key for _, key in sorted(waiting, key=itemgetter(0))], learner.limits.reviews
    if limit is None:
        return due
    returning = {key for key in due if learner.memories[key].last_day == now.day}
    first = [key for key in due if key not in returning][: max(limit - learner.reviewed(now.day), 0)]
    return [key for key in due if key in returning.union(first)]


def _aimed(cards: Mapping[Key, Card], aim: Plan) -> list[Key]:
    return [key for key, card in cards.items() if aim.tag is None or aim.tag in card.tags]


def _once_more(cards: Mapping[Key, Card], learner: LearnerState, day: int, part: DailyShare | None) -> list[Key]:
    aim = learner.decisions.aim
    if aim is None or part is None or not part.again:
        return []
    return final_reviews(aim, _aimed(cards, aim), learner.effective, day)[: part.again]


def _weak(keys: Iterable[Key], learner: LearnerState, day: int) -> list[Key]:
    """The cards in trouble that were not asked today; first those that one was sure of."""
    weak = [key for key in keys if key in learner.weak and learner.memories[key].last_day < day]
    return sorted(weak, key=lambda key: (key not in learner.confident_errors, -learner.memories[key].lapses))


def _next_of_the_path(cards: Mapping[Key, Card], learner: LearnerState, day: int, wanted: Filter, seen: int) -> list[Item]:
    """The cards of a path that were never met, as it is written, as many as the day has room for."""
    room = (learner.limits.new if wanted.new is None else wanted.new) - len(learner.met(day))
    room = room if wanted.limit is None else min(room, wanted.limit - seen)
    return _items([key for key in cards if key not in learner.memories][: max(room, 0)], cards)


def _new(
    cards: Mapping[Key, Card],
    learner: LearnerState,
    day: int,
    wanted: Filter,
    part: DailyShare | None,
    seen: Sequence[Item],
    relations: Relations,
    buried: Collection[Key],
) -> tuple[Item, ...]:
    """The new cards to meet; while a plan has new cards, only those, as many as its share says.

    Whoever asks for a number of new cards gets that many: then no sibling waits until tomorrow.
    """
    aim, met = learner.decisions.aim, learner.met(day)
    earlier = learner.memories.keys() - met
    aimed = [key for key in _aimed(cards, aim) if key not in earlier] if aim and part else []
    unmet = any(key not in learner.memories for key in aimed)
    limit = (learner.limits.new if wanted.new is None else wanted.new) - len(met)
    room = part.new if part and unmet and wanted.new is None else max(limit, 0)
    room = room if wanted.limit is None else min(room, wanted.limit - len(seen))
    needed = room if wanted.new is not None else min(part.new, room) if part and unmet else 0
    again = {key for key in earlier if learner.memories[key].last_day == day} | {item.key for item in seen}
    new = _items(aimed if unmet else [key for key in cards if key not in earlier], cards)
    kinds = frozenset(cards[key].kind for key in cards if key in earlier)
    stands = DayBefore(relations, earlier, met, again - met, seen, kinds)
    return new_cards_to_meet(new, NewCardAllowance(room, needed), stands, buried)
