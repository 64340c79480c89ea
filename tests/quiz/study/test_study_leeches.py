"""A session with cards in trouble: what their buttons promise is what they get, and they rest when they failed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.scheduler import Grade, Interval, is_due
from quiz.memory.study_day import Moment
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review
from quiz.study import card_steps
from quiz.study.filter import ANY, Filter
from quiz.study.learner import LearnerState
from quiz.study.leeches import LEECH_LAPSES
from quiz.study.study import Study, begin_study
from quiz.study.turn import Confidence, Response
from tests.quiz.study.studies import DECK, Clock, reveal


def opened(store: Progress, clock: Clock, wanted: Filter = ANY) -> Study | None:
    return begin_study([DECK], store, clock, wanted, practise=False)


def answer(study: Study, right: bool, confidence: Confidence | None) -> None:
    study.session = card_steps.respond(study.session, Response(chosen=frozenset({0 if right else 1})))
    reveal(study, confidence)


answers = st.tuples(st.integers(0, 12), st.booleans(), st.sampled_from([None, 1, 2, 3]), st.sampled_from(Grade), st.booleans())


@given(st.lists(answers, min_size=1, max_size=14))
@settings(deadline=None, max_examples=60)
def test_the_interval_given_is_the_one_shown_in_trouble_too(script: list[tuple[int, bool, Confidence | None, Grade, bool]]) -> None:
    """Whatever was answered before, failed often or sure but wrong, with undos between: a card is due when its button said, not before."""
    store, clock = Progress.in_memory(), Clock()
    for days, right, confidence, grade, undo in script:
        clock.at += timedelta(days=days)
        one = opened(store, clock)
        if one is None:
            continue
        answer(one, right, confidence)
        shown = one.intervals()[grade]
        if undo:
            one.grade(Grade.easy)
            one.undo()
        one.grade(grade)
        kept, day = LearnerState.of(store).effective["d", "pick"], clock().day
        wait = timedelta(days=shown.days) if shown.days else timedelta(minutes=shown.minutes)

        assert shown == Interval(kept.due_day - kept.last_day, 10 if kept.due_at else 0)
        assert not is_due(kept, clock())
        assert is_due(kept, Moment.of(clock.at + wait))
        assert not shown.days or not is_due(kept, Moment.of(clock.at + wait - timedelta(days=1)))
        assert dict(LearnerState.of(store).confident_errors) == one.confident_errors
        assert day == kept.last_day


def test_sure_but_wrong_promises_a_week() -> None:
    """The button itself says seven days at most, until the card was passed surely on another day."""
    store, clock = Progress.in_memory(), Clock()
    seen: list[int] = []
    for right, confidence in ((True, None), (True, None), (False, 3), (True, 2), (True, 3)):
        one = opened(store, clock)
        assert one is not None
        answer(one, right, confidence)  # type: ignore[arg-type]
        seen.append(one.intervals()[Grade.good].days)
        one.grade(Grade.good)
        clock.at += timedelta(days=seen[-1])

    assert [7, 7] == seen[2:4]
    assert seen[1] > 7
    assert seen[4] > 7


def leech(store: Progress, clock: Clock) -> None:
    """Makes the card one that keeps failing: passed and failed four times."""
    while True:
        one = opened(store, clock)
        assert one is not None
        if one.failed:
            return
        answer(one, True, None)
        one.grade(Grade.good)
        clock.at += timedelta(days=30)
        again = opened(store, clock)
        assert again is not None
        answer(again, False, None)
        again.grade(Grade.again)
        clock.at += timedelta(days=1)


def test_a_leech_does_not_return_within_the_session() -> None:
    """After another Again it rests until tomorrow, its button says so, and a new session of the same day has it not."""
    store, clock = Progress.in_memory(), Clock()
    leech(store, clock)
    one = opened(store, clock)
    assert one is not None
    answer(one, False, 3)
    shown = one.intervals()[Grade.again]
    one.grade(Grade.again)

    assert Interval(1, 0) == shown
    assert ((), None) == (one.session.returning, one.session.turn)
    clock.at += timedelta(hours=2)
    assert [None, None] == [opened(store, clock), opened(store, clock, Filter(weak=True))]
    clock.at += timedelta(days=1)
    assert opened(store, clock) is not None


def test_a_leech_does_not_return_in_practice() -> None:
    """Practice repeats nothing blindly, either."""
    store, clock = Progress.in_memory(), Clock()
    leech(store, clock)
    one = begin_study([DECK], store, clock, ANY, practise=True)
    assert one is not None
    answer(one, False, None)
    one.grade(Grade.again)

    assert ((), None) == (one.session.returning, one.session.turn)


@pytest.mark.parametrize("lapses", range(LEECH_LAPSES + 2))
def test_practice_gives_what_its_button_shows(lapses: int) -> None:
    """Also where this very Again makes the card one that keeps failing: ten minutes on the button bring it back, a day does not."""
    store, clock = Progress.in_memory(), Clock()
    for grade in (Grade.good, *[Grade.again, Grade.good] * lapses):
        store.record(Review.new(clock(), ("d", "pick"), grade))
        clock.at += timedelta(days=1)
    one = begin_study([DECK], store, clock, ANY, practise=True)
    assert one is not None
    answer(one, False, None)
    minutes = one.intervals()[Grade.again].minutes
    one.grade(Grade.again)

    assert bool(minutes) == bool(one.session.returning)


def test_an_answer_beside_the_open_lab_says_nothing_of_confidence() -> None:
    """A leech is answered with its detail open: neither confidence nor right and wrong go into the log."""
    store, clock = Progress.in_memory(), Clock()
    leech(store, clock)
    one = opened(store, clock)
    assert one is not None
    answer(one, True, 3)
    one.grade(Grade.good)
    *_, last = store.reviews()

    assert (None, None) == (last.confidence, last.correct)
