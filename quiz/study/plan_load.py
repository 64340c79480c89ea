"""What an aim takes: the days to come with their cards and minutes, lapses and what follows from them included (see review_paths)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Literal

from quiz.memory import fsrs
from quiz.memory.card_ids import Key
from quiz.memory.fsrs import Parameters
from quiz.memory.scheduler import Grade, Memory
from quiz.progress.decisions import Plan
from quiz.progress.reviews import Review, fuzz_key, seconds_over
from quiz.study.plan import first_part, learning_days, remaining_study_days
from quiz.study.queue import NEW_A_DAY
from quiz.study.review_paths import Looks, looks_at_a_new_card, looks_at_an_old_card, looks_at_known_cards, spread

ENOUGH = 20  # answers from which on the person's own pace counts
LEAST = 0.1  # passed at first sight: with fewer the days to come would be a guess


@dataclass(frozen=True)
class Pace:
    """Seconds for a card met for the first time and for one met before; `timed` answers stand behind them (0 is the default).

    `first_sight` is the share of the cards that were passed when they were met.
    """

    new: float = 90.0
    review: float = 45.0
    timed: int = 0
    first_sight: float = 0.8


DEFAULT = Pace()


def measure_pace(reviews: Iterable[Review]) -> Pace:
    """The median seconds of first and of later answers, and the share passed at first sight, each where there were ENOUGH."""
    met: set[Key] = set()
    passed: list[bool] = []
    first: list[float] = []
    later: list[float] = []
    for answer in reviews:
        if answer.seconds is not None:
            (later if answer.key in met else first).append(seconds_over(answer.seconds))
        if answer.key not in met:
            passed.append(answer.grade is not Grade.again)
        met.add(answer.key)
    return Pace(
        new=median(first) if len(first) >= ENOUGH else DEFAULT.new,
        review=median(later) if len(later) >= ENOUGH else DEFAULT.review,
        timed=sum(len(kept) for kept in (first, later) if len(kept) >= ENOUGH),
        first_sight=max(fmean(passed), LEAST) if len(passed) >= ENOUGH else DEFAULT.first_sight,
    )


LAST_DAYS = 14  # at most so many for the final pass
TWO_ROUNDS = 3  # days that it takes to see a card and see it again
LONG_DAY = 240  # minutes that nobody learns longer than, where the person has not said how many there are
SAMPLE = 400  # cards already met whose days are followed one by one; where there are more, these stand for all


@dataclass(frozen=True)
class DayLoad:
    """A study day (ordinal) to come: cards met for the first time, other looks at cards, and the minutes for both.

    `once_more` of the cards are asked because these are the last days; their looks are among the reviews.
    """

    day: int
    new: int
    reviews: float
    minutes: float
    once_more: float = 0.0


@dataclass(frozen=True)
class LoadForecast:
    """All that a plan is computed from: `unmet` new cards and `met` ones on a study day, the looks that the met ones will need a day, those
    at a new card (beside the first) and at one asked once more by the days after it, and how long cards take."""

    day: int
    unmet: int
    met: int
    coming: Mapping[int, float]
    returns: Looks
    once_more: Looks
    pace: Pace


def forecast_load(
    scope: Collection[Key], memories: Mapping[Key, Memory], day: int, until: int, pace: Pace, parameters: Parameters = fsrs.DEFAULT
) -> LoadForecast:
    """How things stand on a study day for the cards of an aim that ends on `until`."""
    known = sorted(key for key in scope if key in memories)
    taken = [(fuzz_key(key), memories[key]) for key in known[:: max(first_part(len(known), SAMPLE), 1)]]
    coming, weight = looks_at_known_cards(taken, day, until, parameters), len(known) / max(len(taken), 1)
    days = max(until - day, 1)
    return LoadForecast(
        day=day,
        unmet=len(scope) - len(known),
        met=len(known),
        coming={when: looks * weight for when, looks in coming.items()},
        returns=looks_at_a_new_card(days, pace.first_sight, parameters),
        once_more=looks_at_an_old_card(days, pace.first_sight, parameters),
        pace=pace,
    )


def daily_loads(aim: Plan, seen: LoadForecast) -> tuple[DayLoad, ...]:
    """A load a day until the eve of the aim. Raises ValueError when the aim is over."""
    days = range(seen.day, seen.day + remaining_study_days(aim, seen.day))
    if not days:
        raise ValueError("the aim is over")
    new = dict(zip(days, _parts(aim, seen), strict=False))
    last = [day for day in days if day >= aim.final]
    once_more = (seen.met + sum(cards for day, cards in new.items() if day < aim.final)) / len(last) if last else 0.0
    earlier = spread({day: cards for day, cards in new.items() if day < aim.final}, seen.returns, days.stop)
    later = spread({day: cards for day, cards in new.items() if day >= aim.final}, seen.returns, days.stop)
    again = spread(dict.fromkeys(last, once_more), seen.once_more, days.stop)
    return tuple(
        _load(day, new.get(day, 0), later.get(day, 0.0) + again.get(day, 0.0), seen.pace, once_more)
        if day >= aim.final
        else _load(day, new.get(day, 0), seen.coming.get(day, 0.0) + earlier.get(day, 0.0), seen.pace)
        for day in days
    )


def _parts(aim: Plan, seen: LoadForecast) -> Iterator[int]:
    """What daily_share() gives day after day to whoever does it."""
    cards = seen.unmet
    for day in range(seen.day, seen.day + remaining_study_days(aim, seen.day)):
        yield (today := first_part(cards, learning_days(aim, cards, day)))
        cards -= today


def _load(day: int, new: int, reviews: float, pace: Pace, once_more: float = 0.0) -> DayLoad:
    return DayLoad(day, new, reviews, (new * pace.new + reviews * pace.review) / 60, once_more)


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
