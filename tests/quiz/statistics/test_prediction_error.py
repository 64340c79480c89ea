"""Predicted numbers against measured ones."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.scheduler import Grade
from quiz.progress.reviews import Review
from quiz.statistics.prediction_error import PredictionError, prediction_errors, relative_error
from tests.quiz.learner import at

TODAY = 739_950
A, B = ("d", "a"), ("d", "b")


def guess(prediction: float | None, measured: float | None, day: int = TODAY, key: tuple[str, str] = A) -> Review:
    return Review.new(at(day), key, Grade.good, prediction=prediction, measured=measured)


@pytest.mark.parametrize(
    ("prediction", "measured", "error"),
    [(50, 100, 0.5), (300, 100, 2.0), (-100, 100, 2.0), (-5, -10, 0.5), (0, 7, 1.0), (0, 0, 0.0), (3, 0, 1.0), (-1e-9, 0, 1.0)],
)
def test_the_relative_error(prediction: float, measured: float, error: float) -> None:
    """|guess - measured| / |measured|; where 0 was measured, 0 for a guess of 0 and 1 for any other."""
    assert error == relative_error(prediction, measured)


def test_medians_by_week_and_by_card() -> None:
    """Weeks end today; the card that was farthest off leads."""
    log = [guess(150, 100, TODAY - 7), guess(112.5, 100, TODAY - 6), guess(125, 100), guess(400, 100, key=B)]
    found = prediction_errors(log, TODAY)

    assert PredictionError(4, 0.375) == found.all
    assert ((TODAY - 13, PredictionError(1, 0.5)), (TODAY - 6, PredictionError(3, 0.25))) == found.weeks
    assert ((B, PredictionError(1, 3.0)), (A, PredictionError(3, 0.25))) == found.cards


@pytest.mark.parametrize(("prediction", "measured"), [(None, 5), (5, None), (nan, 5), (5, inf), (inf, 5)])
def test_what_is_no_number_is_no_estimate(prediction: float | None, measured: float | None) -> None:
    """A guess that was not made, a run that failed, a number that is none: nothing is counted."""
    assert None is prediction_errors([guess(prediction, measured)], TODAY).all


def test_nothing() -> None:
    """An empty log has no estimates."""
    assert (None, (), ()) == (prediction_errors([], TODAY).all, prediction_errors([], TODAY).weeks, prediction_errors([], TODAY).cards)


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(-10, 10), st.integers(TODAY - 40, TODAY + 3), st.sampled_from([A, B]))))
def test_nothing_is_counted_twice(given_: list[tuple[float, float, int, tuple[str, str]]]) -> None:
    """Weeks and cards add up to all estimates, a clock set back included, and no week begins after today."""
    found = prediction_errors([guess(*one) for one in given_], TODAY)

    assert len(given_) == (found.all.count if found.all else 0)
    assert len(given_) == sum(week.count for _, week in found.weeks) == sum(card.count for _, card in found.cards)
    assert all(start <= TODAY for start, _ in found.weeks)
