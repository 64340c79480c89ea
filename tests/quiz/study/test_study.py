"""A session with its store: what a grade writes, and what undo takes back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.deck.model import parse_card, parse_deck
from quiz.memory.scheduler import Grade, Interval, is_due, next_memory, promised_interval
from quiz.memory.study_day import Moment
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review
from quiz.study import session as sessions
from quiz.study.learner import LearnerState
from quiz.study.leeches import LEECH_LAPSES
from quiz.study.queue import ANY, Filter
from quiz.study.study import Study, begin_study
from quiz.study.turn import Confidence, Item, Response
from tests.quiz.learning import FORGETFUL, fitted

START = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> Moment:
        return Moment.of(self.at)


def items(*names: str) -> tuple[Item, ...]:
    return tuple(Item("d", parse_card({"id": name, "question": "Why?", "answer": "So.", "key_points": ["p", "q"]})) for name in names)


def study(store: Progress | None, clock: Clock, *names: str) -> Study:
    made = Study(sessions.begin_session(items(*names)), store, clock)
    made.start_clock()
    return made


def reveal(study: Study, confidence: Confidence | None = None) -> None:
    study.session = sessions.reveal(study.session, confidence)


@pytest.mark.parametrize("grade", list(Grade))
def test_the_button_knows_what_another_window_has_graded(grade: Grade) -> None:
    """A card that was graded in another window meanwhile shows the interval that it will get now."""
    store, clock = Progress.in_memory(), Clock()
    here, there = study(store, clock, "a", "b"), study(store, clock, "b")
    reveal(there)
    there.grade(Grade.good)
    reveal(here)
    here.grade(Grade.good)
    reveal(here)
    promised = here.intervals()[grade]
    here.grade(grade)

    assert promised == promised_interval(store.memories()["d", "b"])


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
    one.session = sessions.tick(one.session, 1)
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


# --- cards in trouble --------------------------------------------------------------------------------------------------

CHOICE = {"id": "pick", "kind": "choice", "question": "Which?", "options": [{"text": "right", "right": True}, {"text": "wrong"}]}
DECK = parse_deck({"deck": "d", "title": "D", "cards": [CHOICE]})


def opened(store: Progress, clock: Clock, wanted: Filter = ANY) -> Study | None:
    return begin_study([DECK], store, clock, wanted, practise=False)


def answer(study: Study, right: bool, confidence: Confidence | None) -> None:
    study.session = sessions.respond(study.session, Response(chosen=frozenset({0 if right else 1})))
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


# --- set aside ---------------------------------------------------------------------------------------------------------


def test_setting_aside_is_durable_and_undone() -> None:
    """A suspended card is gone from the session and from the next one; undo puts it back on the table, and the mark is no more."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a", "b")
    before = one.session
    done = one.set_aside("suspend")
    assert one.session.turn is not None
    assert (True, "b", frozenset({("d", "a")})) == (done, one.session.turn.card.id, store.decisions().suspended)

    undone = one.undo()

    assert (True, before, frozenset()) == (undone, one.session, store.decisions().suspended)


def test_undo_walks_back_over_grades_and_marks() -> None:
    """Each undo takes back one step, whichever it was."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a", "b", "c")
    states = [one.session]
    one.set_aside("bury")
    reveal(one)
    states.append(one.session)
    one.grade(Grade.good)
    states.append(one.session)
    one.set_aside("suspend")

    for state in reversed(states):
        assert one.undo()
        assert state == one.session
    assert not one.undo()
    assert ({}, frozenset(), {}) == (store.memories(), store.decisions().suspended, store.decisions().buried)


def test_practice_sets_nothing_aside() -> None:
    """Practice writes nothing, marks included."""
    assert not study(None, Clock(), "a").set_aside("suspend")


def test_a_card_set_aside_is_no_card_done() -> None:
    """It counts neither as graded nor in the session's total."""
    one = study(Progress.in_memory(), Clock(), "a", "b")
    one.set_aside("bury")

    assert (1, 1, ()) == (one.session.position, one.session.total, one.session.past)


@pytest.mark.parametrize("practise", [False, True])
def test_the_buttons_go_by_a_fit(practise: bool) -> None:
    """A session shows the intervals of the parameters in use, also in practice."""
    store, clock = Progress.in_memory(), Clock()
    store.decide(fitted())
    one = begin_study([DECK], store, clock, ANY, practise=practise)
    assert one is not None
    expected = {grade: promised_interval(next_memory(None, grade, clock(), "d/pick", FORGETFUL)) for grade in Grade}

    assert expected == one.intervals()
    assert expected[Grade.easy].days < 7  # FSRS's own parameters give 8


@pytest.mark.parametrize("grade", list(Grade))
def test_the_buttons_know_of_a_fit_in_another_window(grade: Grade) -> None:
    """From the next card on, a session that was there before the fit shows what will be given by it."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a", "b")
    reveal(one)
    store.decide(fitted())
    one.grade(Grade.good)
    reveal(one)
    promised = one.intervals()[grade]
    one.grade(grade)

    assert promised == promised_interval(store.memories()["d", "b"])
    assert FORGETFUL == one.parameters
