"""A fit learns from the reviews as the scheduler counts them, finds the same for the same, and predicts them better."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, retrievability
from quiz.memory.optimizer import LONGEST_HISTORY, NEEDED, accuracy, fitted, predictable_reviews, usable
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from tests.quiz.learner import learner

CARD: Key = ("d", "a")
TODAY = 740_000
LEARNER = [(review.key, review.grade, review.when.day) for review in learner([("d", f"c{n}") for n in range(300)], 150, TODAY)]


@given(st.lists(st.tuples(st.sampled_from(Grade), st.integers(-2, 60)), min_size=1, max_size=12))
@settings(deadline=None)
def test_counts_like_the_scheduler(history: list[tuple[Grade, int]]) -> None:
    """A history leads the library to the memory that the scheduler has, whatever was passed twice on a day and however clocks went."""
    memory: Memory | None = None
    day, days, expected = TODAY, [], []
    for grade, wait in history:
        day += wait
        days.append(day)
        later = memory is not None and day > memory.last_day
        memory = next_memory(memory, grade, Moment(0, day), "d/a")
        expected += [(memory.stability, memory.difficulty)] if later else []

    items = predictable_reviews((CARD, grade, day) for (grade, _), day in zip(history, days, strict=True))

    states = [DEFAULT.model.memory_state(item) for item in items]
    assert [pytest.approx(state, rel=1e-4) for state in expected] == [(state.stability, state.difficulty) for state in states]


def test_a_later_day() -> None:
    """A first review and one on the same day predict nothing; each card has its own history."""
    other: Key = ("d", "b")
    reviews = [(CARD, Grade.again, 5), (CARD, Grade.good, 5), (other, Grade.good, 6), (CARD, Grade.again, 7), (other, Grade.easy, 9)]

    assert [3, 2] == [len(item.reviews) for item in predictable_reviews(reviews)]


def test_a_card_without_end() -> None:
    """A card that has been reviewed for ever counts until the library would look no further."""
    assert LONGEST_HISTORY - 1 == len(predictable_reviews((CARD, Grade.good, day) for day in range(1, 1_000)))


def test_accuracy() -> None:
    """The log loss is the mean surprise: of one review that was passed, -log(the probability that FSRS gave it)."""
    first = next_memory(None, Grade.good, Moment(0, TODAY), "d/a")
    items = predictable_reviews([(CARD, Grade.good, TODAY), (CARD, Grade.hard, TODAY + 9)])
    chance = retrievability(first.stability, 9)

    found = accuracy(items, DEFAULT)

    assert pytest.approx(-math.log(chance), rel=1e-4) == found.log_loss
    assert pytest.approx(1 - chance, rel=1e-4) == found.rmse_bins


def test_a_fit_predicts_better() -> None:
    """A learner who forgets otherwise than FSRS expects is predicted better after a fit, which is the same every time."""
    items = predictable_reviews(LEARNER)
    fit = fitted(items)

    assert NEEDED <= usable(items)
    assert fit.sound
    assert fit != DEFAULT
    assert accuracy(items, fit).log_loss < accuracy(items, DEFAULT).log_loss
    assert fit == fitted(items)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_nothing_to_fit(count: int) -> None:
    """Too little to learn from gives FSRS's own parameters."""
    items = predictable_reviews(LEARNER)[:count]

    assert fitted(items) == DEFAULT
    assert usable(items) < NEEDED


def test_usable() -> None:
    """Cards that nobody else's first wait compares with are nothing to learn from, however many their reviews."""
    alike = [(("d", f"c{card}"), Grade.good, day) for day in (1, 3, 9) for card in range(300)]
    unlike = [(("d", f"c{card}"), Grade.good, day) for card in range(300) for day in (1, 2 + card, 900)]

    assert [600, 0] == [usable(predictable_reviews(reviews)) for reviews in (alike, unlike)]
