"""Progress in a test: days counted from one date, a card or two, and an independent look at the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Grade, Interval, Memory, next_memory, promised_interval
from quiz.memory.study_day import Moment
from quiz.progress import cache, log
from quiz.progress.decisions import Decision, Fit
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review

DAY = datetime(2026, 11, 29).toordinal()
CARD: Key = ("attention", "why-divide-by-sqrt-dk")
OTHER: Key = ("attention", "causal-mask")
NEW: Key = ("attention", "sqrt-dk")
FORGETFUL = Parameters((0.1, 0.6, 1.2, 4.1, *DEFAULT.w[4:8], 1.5, *DEFAULT.w[9:]))  # first impressions fade, and memories grow slowly


def on(day: int, minute: int = 0) -> Moment:
    """A moment, so many days after DAY."""
    return Moment((day * 1440 + minute) * 60_000, DAY + day, 60)


def graded(grade: Grade, day: int = 0, key: Key = CARD, minute: int = 0) -> Review:
    """A review with an id of its own."""
    return Review.new(on(day, minute), key, grade)


def record_all(progress: Progress, reviews: Iterable[Review]) -> None:
    """Many reviews at once, which is quicker than one by one."""
    with progress.writing() as connection:
        for review in reviews:
            log.add_grade(connection, review)
        cache.rebuild(connection)


def fitted(day: int = 1, parameters: Parameters = FORGETFUL) -> Decision:
    """A fit on a day after DAY."""
    return Decision.fitted(Fit(parameters, DAY + day, 500), on(day))


def intervals(memory: Memory | None, now: Moment, key: str) -> dict[Grade, Interval]:
    """What each button promises."""
    return {grade: promised_interval(next_memory(memory, grade, now, key)) for grade in Grade}


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """What an independent connection sees."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def a_database(path: Path, *statements: str) -> None:
    """Does things to a file that qkv would not."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
