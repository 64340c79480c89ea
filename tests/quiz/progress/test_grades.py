"""Grades with dates that cannot be right, and what taking them back gives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.grades import grades_with_wrong_dates, latest_grades
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review
from tests.quiz.learning import CARD, OTHER

DAY_MS = 86_400_000
EPOCH = 719_163
TODAY = 739_950  # 2026-12-03


def at(day: int) -> Moment:
    """Noon of a day."""
    return Moment((day - EPOCH) * DAY_MS + DAY_MS // 2, day)


Y1970, Y2030, Y2024 = EPOCH, TODAY + 1200, TODAY - 900


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([], []),
        ([TODAY - 5, TODAY - 5, TODAY], []),
        ([TODAY - 300, TODAY - 200, TODAY], []),
        ([TODAY, TODAY + 1, TODAY], []),  # a flight west
        ([TODAY - 1, Y2030], ["future"]),
        ([Y2030, Y2030, TODAY - 1, TODAY], ["future", "future"]),  # the clock was put right: what came after it is well
        ([TODAY - 9, TODAY + 2, TODAY], ["future"]),
        ([Y1970], ["past"]),
        ([Y1970, TODAY], ["past"]),
        ([TODAY - 9, Y1970, Y1970, TODAY], ["past", "past"]),
        ([TODAY - 9, TODAY - 400, TODAY - 399, TODAY], ["past", "past"]),  # a clock without a battery, that begins in a year of grades
        ([Y2030, TODAY - 9, TODAY - 400, TODAY], ["future"]),  # not seen: no time ahead of it can be trusted
        ([Y2024, TODAY - 9, Y2030, TODAY - 5, Y1970, TODAY], ["past", "future", "past"]),
    ],
)
def test_which_dates_cannot_be_right(progress: Progress, days: Sequence[int], expected: list[str]) -> None:
    """Dates after today, before there were any grades, and long before the grade ahead of them are found; all others are left alone."""
    for day in days:
        progress.record(Review.new(at(day), CARD, Grade.good))

    assert expected == [why for _, why in grades_with_wrong_dates(progress, TODAY)]


@pytest.mark.parametrize("wrong", [Y1970, Y2024, TODAY - 400, TODAY + 2, Y2030])
def test_taking_them_back_is_as_if_they_had_never_been(progress: Progress, wrong: int) -> None:
    """Whichever way the clock was wrong, without its grades every card is where the others have brought it."""
    clean = Progress.in_memory()
    for n, day in enumerate([TODAY - 30, TODAY - 28, wrong, wrong, TODAY - 20, TODAY - 20]):
        review = Review.new(at(day), (CARD, OTHER)[n % 2], Grade.good)
        progress.record(review)
        if day != wrong:
            clean.record(review)
    for grade, _ in grades_with_wrong_dates(progress, TODAY):
        progress.undo(grade.id, at(TODAY))

    assert clean.memories() == progress.memories()
    assert () == progress.check()
    assert [] == grades_with_wrong_dates(progress, TODAY)


def test_the_last_grades(progress: Progress) -> None:
    """The latest first, without those taken back, under the names of today; by how their ids begin, too."""
    given = [Review.new(at(TODAY), CARD, Grade.good)._replace(id=id_) for id_ in ("ab1", "ab2", "b_x", "b-x")]
    for review in given:
        progress.record(review)
    progress.undo("ab2", at(TODAY))
    progress.adopt({OTHER: [CARD]}, at(TODAY))

    assert ["b-x", "b_x", "ab1"] == [grade.id for grade in latest_grades(progress, 9)]
    assert ["b-x"] == [grade.id for grade in latest_grades(progress, 1)]
    assert {OTHER} == {grade.key for grade in latest_grades(progress, 9)}
    assert [["ab1"], ["b-x", "b_x"], ["b_x"], []] == [
        [grade.id for grade in latest_grades(progress, 9, start)] for start in ("ab", "b", "b_", "c")
    ]
