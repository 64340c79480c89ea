"""Grades, and taking them back: what is in the file, and what it adds up to."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.card_ids import Key, renamings
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress import cache
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review, fuzz_key, replay
from quiz.study.leeches import confident_errors
from tests.quiz.learning import CARD, DAY, OTHER, graded, intervals, on, rows


def test_durable(progress: Progress, path: Path) -> None:
    """A grade is in the file when record() returns, and so is the memory that it gave."""
    review = graded(Grade.good)

    memory = progress.record(review)

    assert [(review.id,)] == rows(path, "SELECT id FROM review")
    with closing(open_progress(path)) as other:
        assert {CARD: memory} == other.memories()


def test_memories_are_those_of_now(progress: Progress, path: Path) -> None:
    """What was read before is only given again as long as neither this program nor another one has changed the file."""
    first = progress.record(graded(Grade.good))
    progress.memories().clear()
    before = progress.memories()
    with closing(open_progress(path)) as other:
        second = other.record(graded(Grade.good, 0, OTHER))
    between = progress.memories()
    third = progress.record(graded(Grade.again, 1))

    assert ({CARD: first}, {CARD: first, OTHER: second}) == (before, between)
    assert {CARD: third, OTHER: second} == progress.memories()


def test_everything_is_kept(progress: Progress) -> None:
    """A review comes back as it was written, with all that was measured, and with nothing where nothing was."""
    full = Review.new(on(3), CARD, Grade.hard, confidence=2, prediction=30.0, measured=58.6, correct=False, points=(0, 2), seconds=41.5)
    bare = graded(Grade.again, 4, OTHER)

    for review in (full, bare):
        progress.record(review)

    assert [full, bare] == list(progress.reviews())
    assert [bare] == list(progress.reviews(since=DAY + 4))


def test_again_comes_back_exactly(progress: Progress) -> None:
    """The ten-minute wait is the same from record() and from the file, to the millisecond."""
    memory = progress.record(Review.new(Moment(1_795_985_752_363, DAY), CARD, Grade.again))

    assert memory.due_at is not None
    assert {CARD: memory} == progress.memories()


def test_button_is_promise(progress: Progress) -> None:
    """What the button showed before the grade is what the stored memory says after it."""
    memory = progress.record(graded(Grade.easy))
    shown = intervals(memory, on(8), fuzz_key(CARD))[Grade.good]

    after = progress.record(graded(Grade.good, 8))

    assert shown.days == after.due_day - after.last_day


def test_a_grade_that_is_saved_twice(progress: Progress) -> None:
    """A grade whose commit reported an error although it reached the disk can be tried again: it counts once."""
    review = graded(Grade.good)

    assert progress.record(review) == progress.record(review)
    assert 1 == len(list(progress.reviews()))
    assert () == progress.check()


@pytest.mark.parametrize("wrong", [{"confidence": 4}, {"confidence": 0}])
def test_refused_whole(progress: Progress, wrong: dict[str, int]) -> None:
    """A review that the table refuses leaves nothing behind, and the next one works."""
    with pytest.raises(sqlite3.IntegrityError):
        progress.record(graded(Grade.good)._replace(**wrong))  # type: ignore[arg-type]

    assert {} == progress.memories()
    assert 1 == progress.record(graded(Grade.good)).repetitions


@pytest.mark.parametrize("change", ["UPDATE review SET grade = 4", "DELETE FROM review"])
def test_append_only(progress: Progress, path: Path, change: str) -> None:
    """The log refuses to be changed, whoever asks."""
    progress.record(graded(Grade.good))

    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        rows(path, change)


def test_undo_is_exact(progress: Progress) -> None:
    """Grade, undo is the state before; grade, undo, the same grade is the state after."""
    progress.record(graded(Grade.good, 0))
    before = progress.memories()
    first, second = graded(Grade.easy, 2), graded(Grade.easy, 2)

    after = progress.record(first)
    taken_back = progress.undo(first.id, on(2))

    assert first == taken_back
    assert before == progress.memories()
    assert after == progress.record(second)


def test_undo_walks_back(progress: Progress) -> None:
    """Several undos in a row walk back to a card never seen."""
    reviews = [graded(grade, n) for n, grade in enumerate((Grade.good, Grade.again, Grade.good))]
    states = []
    for review in reviews:
        states.append(progress.memories())
        progress.record(review)

    for review, state in zip(reversed(reviews), reversed(states), strict=True):
        progress.undo(review.id, on(3))
        assert state == progress.memories()

    assert [] == list(progress.reviews())


def test_undo_is_a_row(progress: Progress, path: Path) -> None:
    """Nothing is deleted: the log holds the grade and the undo that names it."""
    review = graded(Grade.good)
    progress.record(review)
    progress.undo(review.id, on(0, 1))

    assert [("grade", None), ("undo", review.id)] == rows(path, "SELECT kind, undoes FROM review ORDER BY clock")


def test_undo_of_nothing(progress: Progress) -> None:
    """A grade that does not exist, or was taken back already, cannot be taken back."""
    review = graded(Grade.good)
    progress.record(review)
    progress.undo(review.id, on(0))

    assert [None, None] == [progress.undo(review.id, on(0)), progress.undo("no such id", on(0))]


def test_undo_leaves_others(progress: Progress) -> None:
    """Taking back an earlier grade of a card keeps the later one, as if it had been the first."""
    first, second = graded(Grade.again, 0), graded(Grade.good, 1)
    for review in (first, second):
        progress.record(review)

    progress.undo(first.id, on(1))

    assert replay([second], {}) == progress.memories()


NAMES: list[Key] = [("a", "x"), ("a", "y"), ("b", "x")]
steps = st.one_of(
    st.tuples(st.just("grade"), st.sampled_from(NAMES), st.sampled_from(Grade), st.integers(-3, 30), st.integers(-3_000, 3_000)),
    st.tuples(st.just("undo"), st.integers(0, 30)),
    st.tuples(st.just("adopt"), st.permutations(NAMES), st.integers(0, 2)),
)


@given(st.lists(steps, max_size=25))
@settings(deadline=None)
def test_cache_is_replay(script: list[tuple[Any, ...]]) -> None:
    """After any grades, undos, renames and clock jumps, the memories are those of the grades that stand, in their order."""
    with closing(Progress.in_memory()) as progress:
        day, standing, renamed, logged = 0, list[Review](), dict[Key, Key](), set[Key]()
        for step in script:
            match step:
                case ("grade", key, grade, int(days), int(minute)):
                    day += days
                    review = graded(grade, day, key, minute)
                    standing.append(review)
                    logged.add(key)
                    memory = progress.record(review)
                    assert memory == progress.memories()[renamed.get(review.key, review.key)]
                case ("undo", int(n)) if standing:
                    review = standing.pop(-1 - n % len(standing))
                    assert progress.undo(review.id, on(day)) is not None
                case ("adopt", [current, *old], int(count)):
                    names = {current: old[:count]}
                    renamed = {old: new for old, new in renamings(renamed, names).items() if old in logged}
                    progress.adopt(names, on(day))

        assert replay(standing, renamed) == progress.memories()
        assert [review.id for review in standing] == [review.id for review in progress.reviews()]
        assert () == progress.check()


def test_check_finds_a_wrong_memory(progress: Progress, path: Path) -> None:
    """A memory that the log does not add up to is named, and replay() puts it right."""
    memory = progress.record(graded(Grade.good))
    progress.record(graded(Grade.good, 0, OTHER))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memory SET due_day = due_day + 1 WHERE card = ?", (CARD[1],))
        connection.execute("DELETE FROM memory WHERE card = ?", (OTHER[1],))

    wrong = progress.check()
    progress.replay()

    assert 2 == len(wrong)
    assert "attention/why-divide-by-sqrt-dk" in " ".join(wrong)
    assert memory == progress.memories()[CARD]
    assert () == progress.check()


def test_other_rules(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories computed by an older scheduler are computed anew when the file is opened."""
    memory = progress.record(graded(Grade.good))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memory SET due_day = 0")
    monkeypatch.setattr(cache, "RULES", 1_000)

    with closing(open_progress(path)) as opened:
        assert {CARD: memory} == opened.memories()


def test_unknown_kind(progress: Progress, path: Path) -> None:
    """A kind of row that a later version writes is passed over, not an error."""
    with closing(sqlite3.connect(path)) as connection, connection:
        columns = "id, clock, at_ms, offset_minutes, day, deck, card, kind, version"
        connection.execute(f"INSERT INTO review ({columns}) VALUES ('x', 1, 1, 0, 1, 'a', 'b', 'bury', '9')")

    assert [] == list(progress.reviews())
    assert () == progress.check()


surely = st.tuples(
    st.sampled_from(NAMES), st.sampled_from(Grade), st.integers(0, 9), st.sampled_from([None, 1, 3]), st.sampled_from([None, True, False])
)


@given(st.lists(surely, max_size=12), st.lists(st.integers(0, 11), max_size=3), st.permutations(NAMES), st.integers(0, 2))
@settings(deadline=None)
def test_erred_is_sure_but_wrong(answers: list[tuple[Any, ...]], undone: list[int], names: list[Key], count: int) -> None:
    """The cards that one was sure of and had wrong are the same from the tables and from all the reviews."""
    with closing(Progress.in_memory()) as progress:
        reviews = [Review.new(on(day), key, grade, confidence=sure, correct=right) for key, grade, day, sure, right in answers]
        for review in reviews:
            progress.record(review)
        for n in undone:
            if n < len(reviews):
                progress.undo(reviews[n].id, on(9))
        progress.adopt({names[0]: names[1 : 1 + count]}, on(9))

        assert confident_errors(progress.reviews()) == progress.confident_errors()
