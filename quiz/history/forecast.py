"""What comes back when: the cards due on each of the next days, as the schedule stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from quiz.scheduler import Memory


@dataclass(frozen=True)
class Forecast:
    """Cards due by study day, today first; `overdue` are those of today's that were due on an earlier day, `later` come after."""

    first: int
    days: tuple[int, ...]
    overdue: int
    later: int

    @property
    def cards(self) -> int:
        """How many come back within the days."""
        return sum(self.days)


def forecast(memories: Iterable[Memory], today: int, span: int) -> Forecast:
    """The next `span` study days; every card is counted once, on the day it is due or today."""
    due = [memory.due_day for memory in memories]
    counts = Counter(max(day, today) for day in due)
    days = tuple(counts[day] for day in range(today, today + span))
    return Forecast(today, days, sum(day < today for day in due), len(due) - sum(days))
