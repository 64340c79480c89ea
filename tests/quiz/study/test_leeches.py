"""Cards in trouble: who is, until when, and what it does to the day on which they are asked."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, is_due
from quiz.memory.study_day import Moment
from quiz.progress.reviews import Review, replay
from quiz.study.leeches import LEECH_LAPSES, MATURE, WEEK, confident_error_after, confident_errors, effective_due, effective_dues, is_leech

DAY = datetime(2026, 11, 29).toordinal()
CARD: Key = ("d", "a")
KNOWN = Memory(stability=10.0, difficulty=5.0, first_day=DAY - 30, last_day=DAY, due_day=DAY + 10, due_at=None, repetitions=5, lapses=0)


def on(day: int, hour: int = 12) -> Moment:
    return Moment.of(datetime.fromordinal(DAY + day).replace(hour=hour, tzinfo=UTC))


def said(day: int, grade: Grade, confidence: int | None = None, correct: bool | None = None, key: Key = CARD) -> Review:
    return Review.new(on(day), key, grade, confidence=confidence, correct=correct)


@pytest.mark.parametrize(
    ("lapses", "stability", "expected"),
    [(LEECH_LAPSES, 1.0, True), (LEECH_LAPSES - 1, 1.0, False), (LEECH_LAPSES + 9, MATURE - 0.1, True), (LEECH_LAPSES, MATURE, False)],
)
def test_a_leech_failed_often_and_was_not_learned_since(lapses: int, stability: float, expected: bool) -> None:
    """Four lapses make a leech, and three weeks of stability end it."""
    assert expected is is_leech(KNOWN._replace(lapses=lapses, stability=stability))


def test_a_leech_is_made_by_grades() -> None:
    """A card that is failed again each time that it had been passed is a leech after the fourth time, not before."""
    reviews, seen = [], []
    for n in range(5):
        reviews += [said(4 * n, Grade.good), said(4 * n + 2, Grade.again)]
        seen.append(is_leech(replay(reviews, {})[CARD]))

    assert [False, False, False, True, True] == seen


@pytest.mark.parametrize(
    ("reviews", "expected"),
    [
        ([said(0, Grade.good, 3, False)], {CARD: DAY}),
        ([said(0, Grade.again, 3)], {CARD: DAY}),
        ([said(0, Grade.again, 2, False)], {}),
        ([said(0, Grade.again)], {}),
        ([said(0, Grade.good, 3, True)], {}),
        ([said(0, Grade.good, 3, False), said(5, Grade.again, 3, False)], {CARD: DAY + 5}),
        ([said(0, Grade.good, 3, False), said(5, Grade.good, 2, True)], {CARD: DAY}),
        ([said(0, Grade.good, 3, False), said(5, Grade.hard, 3, True)], {CARD: DAY}),
        ([said(0, Grade.good, 3, False), said(5, Grade.good, 3, True)], {}),
        ([said(0, Grade.good, 3, False), said(5, Grade.easy, None, True)], {}),
        ([said(0, Grade.again, 3, False), said(0, Grade.good, 3, True)], {CARD: DAY}),
        ([said(0, Grade.good, 3, True), said(5, Grade.again, 3, False)], {CARD: DAY + 5}),
    ],
)
def test_sure_but_wrong(reviews: list[Review], expected: dict[Key, int]) -> None:
    """Wrong with full confidence counts from its day on, until the card is passed surely on a later day."""
    assert expected == confident_errors(reviews)
    assert expected.get(CARD) == reduce(confident_error_after, reviews, None)


answers = st.builds(
    said, st.integers(0, 20), st.sampled_from(Grade), st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, True, False]),
    st.sampled_from([CARD, ("d", "b")]),
)  # fmt: skip


@given(st.lists(answers, max_size=12).flatmap(lambda log: st.tuples(st.just(log), st.permutations(log))))
def test_two_machines_agree(logs: tuple[list[Review], list[Review]]) -> None:
    """The order in which a merged log is read makes no difference."""
    assert confident_errors(logs[0]) == confident_errors(logs[1])


@given(st.lists(answers, max_size=12))
def test_one_review_after_the_other(log: list[Review]) -> None:
    """Following a card's reviews day by day gives what the whole log gives."""
    log = [review for review in sorted(log, key=lambda review: review.when.day) if review.key == CARD]

    assert confident_errors(log).get(CARD) == reduce(confident_error_after, log, None)


@given(st.integers(0, 400), st.integers(0, 9), st.booleans())
def test_asked_never_later(days: int, lapses: int, confident_errors: bool) -> None:
    """Trouble brings a passed card nearer or leaves it, at most a week away where one was sure, and changes nothing but the day."""
    memory = KNOWN._replace(due_day=DAY + days, lapses=lapses)
    real = effective_due(memory, within_a_week=confident_errors)

    assert memory == real._replace(due_day=memory.due_day)
    assert real.due_day <= memory.due_day
    assert not confident_errors or real.due_day <= DAY + WEEK


def test_a_failed_leech_rests_until_tomorrow() -> None:
    """A leech is not asked ten minutes after an Again, nor on the same evening, but on the next study day."""
    failed = KNOWN._replace(lapses=LEECH_LAPSES, due_day=DAY, due_at=on(0).at_utc)
    real = effective_dues({CARD: failed}, {})[CARD]

    assert [False, False, True] == [is_due(real, moment) for moment in (on(0, 13), on(0, 23), on(1))]


def test_a_failed_card_that_is_no_leech_comes_back() -> None:
    """Trouble leaves the ten minutes of an ordinary card alone."""
    failed = KNOWN._replace(lapses=LEECH_LAPSES - 1, due_day=DAY, due_at=on(0).at_utc)

    assert failed == effective_due(failed, within_a_week=True)
