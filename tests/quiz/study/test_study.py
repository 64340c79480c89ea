"""A session with its store: what a grade writes, and what undo takes back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from quiz.memory.scheduler import Grade, next_memory, promised_interval
from quiz.progress.progress import Progress
from quiz.progress.reviews import LEFT_OPEN
from quiz.study import card_steps
from quiz.study.filter import ANY
from quiz.study.study import begin_study
from tests.quiz.learning import FORGETFUL, fitted
from tests.quiz.study.studies import DECK, START, Clock, reveal, study


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
    one.session = card_steps.tick(one.session, 1)
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


@pytest.mark.parametrize("grade", list(Grade))
@pytest.mark.parametrize("hours", [16, 24, 24 * 40, -24])
def test_a_button_left_open_over_night(grade: Grade, hours: int) -> None:
    """A card whose answer was shown in the evening and that is graded another day gets what its buttons had shown."""
    store, clock = Progress.in_memory(), Clock()
    for day in (0, 2):  # so that the interval depends on how long the card was away
        one = study(store, clock, "a")
        one.memories = store.memories()
        reveal(one)
        promised, shown = one.intervals()[grade if day else Grade.good], clock().day
        if day:
            clock.at += timedelta(hours=hours)
            assert promised == one.intervals()[grade]  # also where they are drawn anew
        one.grade(grade if day else Grade.good)
        clock.at += timedelta(days=2 - day)

    memory = store.memories()["d", "a"]
    assert promised == promised_interval(memory)
    assert shown == memory.last_day


def test_the_next_card_has_the_day_that_it_is_answered_on() -> None:
    """A card left open over night says nothing of the one after it, nor of itself when its grade is taken back."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a", "b")
    reveal(one)
    one.intervals()
    clock.at += timedelta(days=1)
    one.grade(Grade.good)
    reveal(one)
    one.grade(Grade.good)
    one.undo()
    one.undo()
    one.grade(Grade.good)
    today = clock().day

    assert [today] == [review.when.day for review in store.reviews()]


def test_a_card_left_open_takes_no_month() -> None:
    """What the summary says of the time is what the statistics count: a card left open counts as five minutes."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a", "b")
    reveal(one)
    clock.at += timedelta(days=32)
    one.grade(Grade.good)
    reveal(one)
    clock.at += timedelta(seconds=60)
    one.grade(Grade.good)

    assert LEFT_OPEN + 60 == one.spent


def test_a_flag_is_a_note_of_the_store() -> None:
    """What is wrong with a card is kept, the latest note counts, an empty one says that nothing is; undo takes it back exactly."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a")
    said = []
    for note in ("Wrong.", "Very wrong.", " "):
        one.flag(note)
        said.append(one.note())
    one.undo()

    assert ["Wrong.", "Very wrong.", ""] == said
    assert "Very wrong." == one.note()
    assert 2 == len(one.session.steps)


def test_a_card_is_flagged_in_practice_too() -> None:
    """Practice writes no grade; that a card is wrong is no matter of the schedule. It is undone there, too."""
    store, clock = Progress.in_memory(), Clock()
    one = begin_study([DECK], store, clock, ANY, practise=True)
    assert one is not None
    one.flag("Wrong.")

    assert {("d", "pick"): "Wrong."} == {key: flag.note for key, flag in store.decisions().flagged.items()}
    one.undo()
    assert {} == store.decisions().flagged


def test_a_flag_stops_no_clock() -> None:
    """Undoing it does not begin the card's time anew."""
    store, clock = Progress.in_memory(), Clock()
    one = study(store, clock, "a")
    one.flag("Wrong.")
    clock.at += timedelta(seconds=30)
    one.undo()
    reveal(one)
    one.grade(Grade.good)

    assert [30.0] == [review.seconds for review in store.reviews()]


def test_practice_promises_nothing() -> None:
    """No grade moves a date there, so that no button has an interval."""
    one = begin_study([DECK], Progress.in_memory(), Clock(), ANY, practise=True)
    assert one is not None
    reveal(one)

    assert {} == one.promises()
