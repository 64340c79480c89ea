"""Reviews as columns: the same figures as from the reviews themselves, in a tenth of the memory."""

from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from quiz.progress.review_columns import ReviewColumns, read_columns
from quiz.progress.reviews import Review
from quiz.statistics.statistics import LearningLog, statistics
from tests.quiz.learner import learner
from tests.quiz.learning import CARD, OTHER, graded, on, record_all

TODAY = 739_949
KEYS = [("d", f"c{n}") for n in range(40)]


def bare(review: Review) -> Review:
    """A review without what no figure is made of."""
    return review._replace(id="", when=Moment(0, review.when.day), points=(), version="")


def test_columns_are_the_reviews(progress: Progress) -> None:
    """Every value that a figure is made of is there, in the log's order, with nothing where there was nothing."""
    given = learner(KEYS, 90, TODAY)
    record_all(progress, given)
    columns = read_columns(progress)

    assert list(map(bare, given)) == list(columns) == list(ReviewColumns.of(given))
    assert len(given) == len(columns)
    assert [bare(review) for review in given if review.when.day >= TODAY - 20 and review.card == "c3"] == list(
        columns.chosen(since=TODAY - 20, cards=lambda key: key[1] == "c3")
    )


def test_names_and_undo(progress: Progress) -> None:
    """As everywhere: what was taken back is not there, and cards have the names of today."""
    review = graded(Grade.again)
    for one in (review, graded(Grade.good, 1), graded(Grade.easy, 2, OTHER)):
        progress.record(one)
    progress.undo(review.id, on(3))
    progress.adopt({OTHER: [CARD]}, on(3))

    assert [(OTHER, Grade.good), (OTHER, Grade.easy)] == [(review.key, review.grade) for review in read_columns(progress)]


def test_the_figures_are_the_same() -> None:
    """Statistics from columns are those from reviews."""
    given = learner(KEYS, 200, TODAY)
    tags = dict.fromkeys(KEYS, ("t",))

    assert statistics(LearningLog(given), tags, TODAY) == statistics(LearningLog(ReviewColumns.of(given)), tags, TODAY)


def test_a_long_log_takes_little_memory(path: Path) -> None:
    """Less than a hundred bytes a review, at the most; as objects they took nine hundred."""
    with closing(open_progress(path)) as progress:
        record_all(progress, [Review.new(on(n // 100), KEYS[n % 40], Grade.good, seconds=9.0, confidence=2) for n in range(20_000)])
        tracemalloc.start()
        columns = read_columns(progress)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert 20_000 == len(columns)
    assert most < 100 * 20_000


@pytest.mark.parametrize("change", ["confidence = 900", "day = -4", "grade = 9", "day = 4000000"])
def test_a_row_that_no_version_wrote(progress: Progress, path: Path, change: str) -> None:
    """A value where a bit has flipped is a damaged file, as for everything else that reads the log."""
    progress.record(graded(Grade.good))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("DROP TRIGGER review_stays")
        connection.execute(f"UPDATE review SET {change}")

    with pytest.raises(ProgressError) as caught:
        read_columns(progress)

    assert "damaged" == caught.value.reason
