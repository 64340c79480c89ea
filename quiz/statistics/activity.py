"""How much was studied, and when: reviews and seconds by study day, and by card."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from statistics import median

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Memory
from quiz.progress.reviews import Review, seconds_over


@dataclass(frozen=True)
class Day:
    """A study day (ordinal) with its reviews and the seconds over them."""

    day: int
    reviews: int
    seconds: float


@dataclass(frozen=True)
class CardTime:
    """One card's reviews that were timed, and the seconds over them."""

    key: Key
    reviews: int
    seconds: float


@dataclass(frozen=True)
class Activity:
    """Every day of the window, oldest first, today last. `typical` is the median of the seconds over a review; None if none was timed."""

    days: tuple[Day, ...]
    cards: tuple[CardTime, ...]
    typical: float | None

    @property
    def reviews(self) -> int:
        return sum(day.reviews for day in self.days)

    @property
    def seconds(self) -> float:
        return sum(day.seconds for day in self.days)

    @property
    def studied(self) -> int:
        """How many days had a review."""
        return sum(day.reviews > 0 for day in self.days)


def activity(reviews: Iterable[Review], today: int, span: int) -> Activity:
    """The last `span` study days. A review dated later than today (a clock set back, a flight west) counts as today's."""
    first = today - span + 1
    counts: Counter[int] = Counter()
    seconds: defaultdict[int, float] = defaultdict(float)
    by_card: defaultdict[Key, array[float]] = defaultdict(lambda: array("d"))
    for review in reviews:
        day = min(review.when.day, today)
        if day < first:
            continue
        counts[day] += 1
        if review.seconds is not None:
            spent = seconds_over(review.seconds)
            seconds[day] += spent
            by_card[review.key].append(spent)
    cards = sorted((CardTime(key, len(times), sum(times)) for key, times in by_card.items()), key=lambda card: (-card.seconds, card.key))
    typical = median(chain.from_iterable(by_card.values())) if by_card else None
    return Activity(tuple(Day(day, counts[day], seconds[day]) for day in range(first, today + 1)), tuple(cards), typical)


@dataclass(frozen=True)
class ReviewForecast:
    """Cards due by study day, today first; `overdue` are those of today's that were due on an earlier day, `later` come after."""

    first: int
    days: tuple[int, ...]
    overdue: int
    later: int

    @property
    def cards(self) -> int:
        """How many come back within the days."""
        return sum(self.days)


def forecast_reviews(memories: Iterable[Memory], today: int, span: int) -> ReviewForecast:
    """The next `span` study days; every card is counted once, on the day it is due or today."""
    due = [memory.due_day for memory in memories]
    counts = Counter(max(day, today) for day in due)
    days = tuple(counts[day] for day in range(today, today + span))
    return ReviewForecast(today, days, sum(day < today for day in due), len(due) - sum(days))
