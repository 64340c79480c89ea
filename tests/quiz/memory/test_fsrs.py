"""Our formulas against py-fsrs, which is the reference, to the last bit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory import fsrs as ours

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
ORACLE = fsrs.Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 400)), min_size=1, max_size=30))
def test_equals_fsrs(history: list[tuple[int, int]]) -> None:
    """Over any history of grades and waits, stability, difficulty and the days to wait are py-fsrs's own."""
    card, at, state = fsrs.Card(card_id=1), START, (0.0, 0.0)
    for n, (grade, days) in enumerate(history):
        at += timedelta(days=days)
        card, _ = ORACLE.review_card(card, fsrs.Rating(grade), at)
        state = ours.next_state(*state, grade, days) if n else ours.initial(grade)

        assert (card.stability, card.difficulty) == state
        assert (card.due - at).days == ours.next_interval(state[0], 0.9, 365)


@given(st.floats(0.001, 5_000), st.integers(-10, 5_000))
def test_forgetting_curve(stability: float, days: int) -> None:
    """The probability of recall is py-fsrs's own, also for a day before the last review."""
    card = fsrs.Card(card_id=1, state=fsrs.State.Review, stability=stability, last_review=START)

    assert ORACLE.get_card_retrievability(card, START + timedelta(days=days)) == ours.retrievability(stability, days)


def test_nine_in_ten_after_the_stability() -> None:
    """Stability is the number of days after which nine in ten are still recalled."""
    assert [1.0, pytest.approx(0.9)] == [ours.retrievability(10.0, days) for days in (0, 10)]


def test_stability_never_vanishes() -> None:
    """Failing again and again leaves a memory that can still be computed with."""
    stability, difficulty = ours.initial(ours.AGAIN)
    for _ in range(200):
        stability, difficulty = ours.next_state(stability, difficulty, ours.AGAIN, 0)

    assert stability == ours.LEAST
    assert difficulty <= 10
