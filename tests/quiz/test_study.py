"""A session with its store: what a grade writes, and what undo takes back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from content.cards import Card
from quiz import session as table
from quiz.days import Moment
from quiz.progress import Progress
from quiz.scheduler import Grade
from quiz.study import Study
from quiz.turns import Confidence, Item

START = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> Moment:
        return Moment.of(self.at)


def items(*names: str) -> tuple[Item, ...]:
    return tuple(
        Item("d", Card.model_validate({"id": name, "question": "Why?", "answer": "So.", "key_points": ["p", "q"]})) for name in names
    )


def study(store: Progress | None, clock: Clock, *names: str) -> Study:
    made = Study(table.begin(items(*names)), store, clock)
    made.start_clock()
    return made


def reveal(study: Study, confidence: Confidence | None = None) -> None:
    study.session = table.reveal(study.session, confidence)


@pytest.mark.parametrize("grade", list(Grade))
def test_the_interval_on_the_button_is_the_interval_given(grade: Grade) -> None:
    """What intervals() promises is what the store holds after the grade."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a")
    reveal(one)
    promised = one.intervals()[grade]
    one.grade(grade)
    memory = store.memories()["d", "a"]

    assert promised.days == memory.due_day - clock().day
    assert promised.minutes == (0 if memory.due_at is None else round((memory.due_at - START).total_seconds() / 60))


def test_a_grade_is_written_with_what_was_said() -> None:
    """The log holds grade, confidence, ticked points and the seconds it took."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a")
    reveal(one, 3)
    one.session = table.tick(one.session, 1)
    clock.at += timedelta(seconds=42)
    one.grade(Grade.hard)
    (review,) = store.reviews()

    assert ("d", "a", Grade.hard, 3, (1,), 42.0) == (
        review.deck,
        review.card,
        review.grade,
        review.confidence,
        review.points,
        review.seconds,
    )


def test_undo_takes_the_grade_out_of_the_store() -> None:
    """After undo the store knows nothing of the grade, and the same grade gives the same memory again."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a")
    reveal(one)
    one.grade(Grade.good)
    first = store.memories()
    undone = one.undo()
    between = store.memories()
    one.grade(Grade.good)

    assert (True, {}, first) == (undone, between, store.memories())


def test_undo_with_nothing_to_undo_says_so() -> None:
    """It is not an error to press undo first."""
    assert not study(Progress.in_memory(), Clock(), "a").undo()


def test_practice_writes_nothing() -> None:
    """Without a store grades move the session on and leave no row; a failed card still comes back."""
    clock = Clock()
    one = study(None, clock, "a", "b")
    reveal(one)
    one.grade(Grade.again)
    reveal(one)
    one.grade(Grade.good)

    assert one.session.turn is None
    assert timedelta(minutes=10) == one.wait()


def test_a_card_returns_after_ten_minutes() -> None:
    """advance() does nothing early and deals the card when its time has come."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a")
    reveal(one)
    one.grade(Grade.again)
    one.advance()
    early = one.session.turn
    clock.at += timedelta(minutes=10)
    one.advance()

    assert early is None
    assert one.session.turn is not None


def test_grading_twice_counts_once() -> None:
    """A second grade for a card that is gone changes nothing: the next card has not been revealed."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a", "b")
    reveal(one)
    one.grade(Grade.good)
    one.grade(Grade.good)

    assert 1 == len(list(store.reviews()))
