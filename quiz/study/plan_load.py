"""What an aim takes: the days to come with their cards and minutes, when cards are passed whenever scheduler.next_memory has them due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from quiz.memory import fsrs
from quiz.memory.card_ids import Key
from quiz.memory.fsrs import Parameters
from quiz.memory.scheduler import RETENTION, Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan
from quiz.progress.reviews import Review, fuzz_key, seconds_over
from quiz.study.plan import first_part, learning_days, remaining_study_days
from quiz.study.queue import NEW_A_DAY

ENOUGH = 20  # timed answers from which on the person's own pace counts


@dataclass(frozen=True)
class Pace:
    """Seconds for a card met for the first time and for one met before; `timed` answers stand behind them (0 is the default)."""

    new: float = 90.0
    review: float = 45.0
    timed: int = 0


DEFAULT = Pace()


def measure_pace(reviews: Iterable[Review]) -> Pace:
    """The median seconds of first and of later answers, each where ENOUGH were timed."""
    met: set[Key] = set()
    first: list[float] = []
    later: list[float] = []
    for answer in reviews:
        if answer.seconds is not None:
            (later if answer.key in met else first).append(seconds_over(answer.seconds))
        met.add(answer.key)
    return Pace(
        new=median(first) if len(first) >= ENOUGH else DEFAULT.new,
        review=median(later) if len(later) >= ENOUGH else DEFAULT.review,
        timed=sum(len(kept) for kept in (first, later) if len(kept) >= ENOUGH),
    )


LAST_DAYS = 14  # at most so many for the final pass
TWO_ROUNDS = 3  # days that it takes to see a card and see it again
LONG_DAY = 240  # minutes that nobody learns longer than, where the person has not said how many there are
SAMPLE = 400  # cards already met whose days are followed one by one; where there are more, these stand for all


@dataclass(frozen=True)
class DayLoad:
    """A study day (ordinal) to come: cards met for the first time, cards met before, and the minutes for both."""

    day: int
    new: int
    reviews: float
    minutes: float


@dataclass(frozen=True)
class LoadForecast:
    """All that a plan is computed from: `unmet` new cards and `met` ones on a study day, the reviews that the met ones will need a day,
    the days after its first one on which a new card comes back, and how long cards take."""

    day: int
    unmet: int
    met: int
    coming: Mapping[int, float]
    returns: tuple[int, ...]
    pace: Pace


def forecast_load(
    scope: Collection[Key], memories: Mapping[Key, Memory], day: int, until: int, pace: Pace, parameters: Parameters = fsrs.DEFAULT
) -> LoadForecast:
    """How things stand on a study day for the cards of an aim that ends on `until`."""
    known = sorted(key for key in scope if key in memories)
    taken = known[:: max(first_part(len(known), SAMPLE), 1)]
    coming: Counter[int] = Counter()
    for key in taken:
        coming.update(_comes(memories[key], day, until, fuzz_key(key), parameters))
    weight = len(known) / len(taken) if taken else 1.0
    first = next_memory(None, Grade.good, _noon(day), "", parameters)
    returns = tuple(when - day for when in _comes(first, day, until, "", parameters))
    return LoadForecast(day, len(scope) - len(known), len(known), {when: count * weight for when, count in coming.items()}, returns, pace)


def _comes(memory: Memory, day: int, until: int, key: str, parameters: Parameters) -> Iterator[int]:
    """The study days before `until` on which a card is due when it is passed every time."""
    while (day := max(memory.due_day, day)) < until:
        yield day
        memory = next_memory(memory, Grade.good, _noon(day), key, parameters)


def _noon(day: int) -> Moment:
    return Moment(0, day)


def daily_loads(aim: Plan, seen: LoadForecast) -> tuple[DayLoad, ...]:
    """A load a day until the eve of the aim. Raises ValueError when the aim is over."""
    days = range(seen.day, seen.day + remaining_study_days(aim, seen.day))
    if not days:
        raise ValueError("the aim is over")
    new = dict(zip(days, _parts(seen.unmet, learning_days(aim, seen.day)), strict=False))
    returning: Counter[int] = Counter()
    for day, cards in new.items():
        returning.update({day + after: cards for after in seen.returns})
    last = len([day for day in days if day >= aim.final])
    again = (seen.met + sum(cards for day, cards in new.items() if day < aim.final)) / last if last else 0.0
    return tuple(
        _load(day, new.get(day, 0), again if day >= aim.final else seen.coming.get(day, 0.0) + returning[day], seen.pace) for day in days
    )


def _parts(cards: int, days: int) -> Iterator[int]:
    """What share() gives day after day to whoever does it: nearly equal parts."""
    while days:
        yield (today := first_part(cards, days))
        cards, days = cards - today, days - 1


def _load(day: int, new: int, reviews: float, pace: Pace) -> DayLoad:
    """One review in ten is failed and comes again on the same day: that is the retention which the schedule aims at."""
    return DayLoad(day, new, reviews, (new * pace.new + reviews * pace.review * (2 - RETENTION)) / 60)


def start_of_last_days(until: int, seen: LoadForecast) -> int:
    """Where the last days begin so that the busiest day is as short as can be; `until`, which is none, where time is too short."""
    days = remaining_study_days(Plan(until, until), seen.day)
    longest = min(days - (seen.unmet > 0), LAST_DAYS) if days >= TWO_ROUNDS else 0
    return min(
        range(until - 1, until - longest - 1, -1),
        key=lambda final: busiest_day(daily_loads(Plan(until, final), seen)).minutes,
        default=until,
    )


def busiest_day(days: tuple[DayLoad, ...]) -> DayLoad:
    """The day that takes longest."""
    return max(days, key=lambda load: load.minutes)


Doubt = Literal["too_many", "too_long", "one_round"]


def plan_doubts(aim: Plan, seen: LoadForecast, days: tuple[DayLoad, ...], most: int) -> tuple[Doubt, ...]:
    """Why it can hardly be done; `most` is how many new cards the person has met on one day at most."""
    new = max(load.new for load in days)
    found: list[tuple[Doubt, bool]] = [
        ("too_many", new > max(most, NEW_A_DAY)),
        ("too_long", busiest_day(days).minutes > (aim.minutes or LONG_DAY)),
        ("one_round", aim.final == aim.until and seen.unmet > 0),
    ]
    return tuple(doubt for doubt, there in found if there)


def new_cards_that_fit(aim: Plan, seen: LoadForecast, minutes: float) -> int:
    """How many of the new cards fit when no day may take longer than `minutes`."""
    low, high = 0, seen.unmet
    while low < high:
        middle = (low + high + 1) // 2
        if busiest_day(daily_loads(aim, replace(seen, unmet=middle))).minutes <= minutes:
            low = middle
        else:
            high = middle - 1
    return low
