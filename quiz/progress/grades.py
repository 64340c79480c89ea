"""Grades one by one, with their dates: the last ones, and those that were given while the computer's clock was wrong.

A grade is dated by the clock. One dated years ahead keeps its card away until then, and one dated in 1970 makes a long memory of the first
look at a card. Nothing but the clock knows better, so such grades are shown to the person, who takes them back (Progress.undo).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import FIRST_DAY, LEEWAY, Moment
from quiz.progress import cache, log, row_mapping
from quiz.progress.progress import Progress

A_DAY_MS = 24 * 3600 * 1000
Wrong = Literal["future", "past"]


class DatedGrade(NamedTuple):
    """A grade that was not taken back, with its card's current name and its place in the log's order."""

    id: str
    key: Key
    grade: Grade
    when: Moment
    clock: int


def latest_grades(progress: Progress, count: int, start: str = "") -> list[DatedGrade]:
    """The last grades, the latest first; `start` is how their ids begin. Raises ProgressError."""
    with progress.reading() as connection:
        renamed = cache.current_names(connection)
        return list(_named(log.latest_grades(connection, count, start), renamed))


def grades_with_wrong_dates(progress: Progress, today: int) -> list[tuple[DatedGrade, Wrong]]:
    """The grades whose date cannot be right, as seen from a study day, in the log's order. Raises ProgressError."""
    with progress.reading() as connection:
        renamed = cache.current_names(connection)
        return list(wrong_dates(_named(log.dated_grades(connection), renamed), today))


def wrong_dates(grades: Iterable[DatedGrade], today: int) -> Iterator[tuple[DatedGrade, Wrong]]:
    """Those of the grades, in the log's order, that are dated after today, before there were any, or long before the one ahead of them.

    A row's clock is its time, or one more than the clock before it. So a clock far from its time says that the computer's clock had gone
    back: this date is wrong, or the one ahead is. If that is in the future, it is the wrong one.
    """
    ahead: DatedGrade | None = None
    for grade in grades:
        if grade.when.day > today + LEEWAY:
            yield grade, "future"
        elif grade.when.day < FIRST_DAY:
            yield grade, "past"
        elif grade.clock - grade.when.at_ms > A_DAY_MS and ahead is not None and ahead.when.day <= today + LEEWAY:
            if grade.when.day < ahead.when.day - LEEWAY:
                yield grade, "past"
            continue
        if grade.clock - grade.when.at_ms <= A_DAY_MS:
            ahead = grade


def _named(rows: Iterable[tuple[Any, ...]], renamed: Mapping[Key, Key]) -> Iterator[DatedGrade]:
    for row in rows:
        grade = DatedGrade(*row_mapping.to_dated(row))
        yield grade if grade.key not in renamed else grade._replace(key=renamed[grade.key])
