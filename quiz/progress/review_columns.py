"""A long log in little memory: the reviews that stand, as columns of numbers. A review is made of them when it is looked at.

A million reviews as objects take 900 MB, as columns 35 bytes each.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress import cache, log, row_mapping
from quiz.progress.errors import Unreadable
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review

_GRADES = (Grade.again, *Grade)  # by their numbers
_RIGHT = (False, True, None)
NONE = 2  # in the column of what was right
NAN = math.nan


class ReviewColumns:
    """Reviews in the log's order, without what no figure is made of: ids, times of the day, ticked points, versions."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self._places: dict[Key, int] = {}
        self._key, self.days = array("L"), array("l")
        self._grade, self._confidence, self._right = array("b"), array("b"), array("b")
        self._prediction, self._measured, self._seconds = array("d"), array("d"), array("d")

    @classmethod
    def of(cls, reviews: Iterable[Review] | ReviewColumns) -> ReviewColumns:
        """Reviews as columns; columns as they are."""
        if isinstance(reviews, ReviewColumns):
            return reviews
        columns = cls()
        for review in reviews:
            told = (review.prediction, review.measured, review.correct, review.seconds)
            columns.append(review.key, int(review.grade), review.when.day, review.confidence, *told)
        return columns

    def append(
        self,
        key: Key,
        grade: int,
        day: int,
        confidence: int | None,
        prediction: float | None,
        measured: float | None,
        correct: int | None,
        seconds: float | None,
    ) -> None:
        """One more review, later than those before it."""
        place = self._places.setdefault(key, len(self.keys))
        if place == len(self.keys):
            self.keys.append(key)
        self._key.append(place)
        self.days.append(day)
        self._grade.append(grade)
        self._confidence.append(confidence or 0)
        self._right.append(NONE if correct is None else correct)
        self._prediction.append(NAN if prediction is None else prediction)
        self._measured.append(NAN if measured is None else measured)
        self._seconds.append(NAN if seconds is None else seconds)

    def __len__(self) -> int:
        return len(self.days)

    def __iter__(self) -> Iterator[Review]:
        return map(self._review, range(len(self)))

    def chosen(self, *, since: int = 0, cards: Callable[[Key], bool] | None = None) -> Chosen:
        """The reviews from a study day on, and of some cards, to look at as often as one likes."""
        return Chosen(self, since, None if cards is None else [cards(key) for key in self.keys])

    def _review(self, at: int) -> Review:
        key = self.keys[self._key[at]]
        prediction, measured, seconds = self._prediction[at], self._measured[at], self._seconds[at]
        return Review(
            "",
            *key,
            _GRADES[self._grade[at]],
            Moment(0, self.days[at]),
            self._confidence[at] or None,
            None if prediction != prediction else prediction,
            None if measured != measured else measured,
            _RIGHT[self._right[at]],
            (),
            None if seconds != seconds else seconds,
            "",
        )


class Chosen:
    """Some of the reviews, without a copy of them."""

    def __init__(self, columns: ReviewColumns, since: int, cards: list[bool] | None) -> None:
        self._columns, self._since, self._cards = columns, since, cards

    def __iter__(self) -> Iterator[Review]:
        columns, cards = self._columns, self._cards
        for at, day in enumerate(columns.days):
            if day >= self._since and (cards is None or cards[columns._key[at]]):
                yield columns._review(at)


def read_columns(progress: Progress) -> ReviewColumns:
    """The reviews that stand, under the cards' current names. Blocks on the disk; raises ProgressError."""
    columns = ReviewColumns()
    with progress.reading() as connection:
        renamed = cache.current_names(connection)
        _fill(columns, log.figures(connection), renamed)
    return columns


def _fill(columns: ReviewColumns, rows: Iterable[tuple[Any, ...]], renamed: Mapping[Key, Key]) -> None:
    try:
        for row in rows:
            key, *told = row_mapping.to_figures(row)
            columns.append(renamed.get(key, key), *told)
    except (TypeError, OverflowError) as error:  # what no column holds
        raise Unreadable from error
