"""A session goes on when its file fails in the middle of it, and catches up when the file is well again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quiz.memory.scheduler import Grade
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError
from quiz.progress.progress import open_progress
from quiz.progress.resilient import ResilientProgress
from tests.quiz.learning import OTHER, graded, on

Told = list[ProgressError | None]


@pytest.fixture
def heard() -> Told:
    return []


@pytest.fixture
def store(path: Path, heard: Told) -> Iterator[ResilientProgress]:
    with closing(ResilientProgress.open(str(path), heard.append)) as made:
        yield made


def connection_of(store: ResilientProgress) -> sqlite3.Connection:
    """The one to the file."""
    assert store._file is not None
    return store._file


def fail(store: ResilientProgress) -> None:
    """The file cannot be written from now on."""
    connection_of(store).execute("PRAGMA query_only = ON")


def heal(store: ResilientProgress) -> None:
    connection_of(store).execute("PRAGMA query_only = OFF")


def in_file(path: Path) -> list[str]:
    with closing(open_progress(path)) as file:
        assert () == file.check()
        return [review.id for review in file.reviews()]


def test_goes_on_in_memory(store: ResilientProgress, path: Path, heard: Told) -> None:
    """When the file fails, grades go on from what it held; that is said once, and the file is as it was."""
    first, second, third = graded(Grade.good), graded(Grade.good, 2), graded(Grade.good, 9)
    store.record(first)
    fail(store)

    assert [2, 3] == [store.record(review).repetitions for review in (second, third)]
    assert [first, second, third] == list(store.reviews())
    assert (2, False) == (store.waiting, store.keeps)
    assert ["read-only"] == [error.reason for error in heard if error]
    assert [first.id] == in_file(path)


def test_catches_up(store: ResilientProgress, path: Path, heard: Told) -> None:
    """When the file works again, everything that waited is in it, in its order, and that is said."""
    fail(store)
    first, second = graded(Grade.good), graded(Grade.again, 2)
    store.record(first)
    store.record(second)
    store.undo(second.id, on(2))
    store.decide(Decision.new("suspend", OTHER, on(3)))
    heal(store)
    third = graded(Grade.good, 4)

    assert 2 == store.record(third).repetitions
    assert [first.id, third.id] == in_file(path)
    assert (0, True) == (store.waiting, store.keeps)
    assert heard[-1] is None
    assert frozenset({OTHER}) == store.decisions().suspended


def test_undo_of_what_is_in_the_file(store: ResilientProgress, path: Path) -> None:
    """A grade from before the failure can be taken back during it, and is taken back in the file later."""
    first = graded(Grade.good)
    store.record(first)
    fail(store)

    assert first == store.undo(first.id, on(1))
    assert {} == store.memories()
    assert [first.id] == in_file(path)
    heal(store)
    store.close()
    assert [] == in_file(path)


def test_a_mark_taken_back(store: ResilientProgress, path: Path) -> None:
    """Marks wait like grades."""
    mark = Decision.new("suspend", OTHER, on(0))
    store.decide(mark)
    fail(store)

    assert store.undo_decision(mark.id, on(0))
    assert frozenset() == store.decisions().suspended
    assert 1 == store.waiting


class Misreporting(sqlite3.Connection):
    """A disk that reports an error for a commit which it has carried out."""

    failing = True

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        done = super().execute(statement, *values)
        if self.failing and statement == "COMMIT":
            self.failing = False
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return done


@pytest.mark.parametrize("kind", ["grade", "mark"])
def test_a_commit_that_failed_and_reached_the_disk(path: Path, heard: Told, kind: str) -> None:
    """A grade or a mark that is in the file although its commit reported an error is not added again, and the session goes on."""
    open_progress(path).close()
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Misreporting)
    connection.failing = False
    store, first, mark = (
        ResilientProgress(connection, str(path), heard.append, connection),
        graded(Grade.good),
        Decision.new("suspend", OTHER, on(0)),
    )
    connection.failing = True
    if kind == "grade":
        assert 1 == store.record(first).repetitions
    else:
        store.decide(mark)

    second = graded(Grade.good, 3)
    store.record(second)
    store.close()

    assert ["unreachable", None] == [error and error.reason for error in heard]
    assert ([first.id, second.id] if kind == "grade" else [second.id]) == in_file(path)
    assert store.keeps


def test_the_last_chance(store: ResilientProgress, path: Path, heard: Told) -> None:
    """Closing tries once more; what then still waits is lost, and known to be."""
    fail(store)
    review = graded(Grade.good)
    store.record(review)
    store.close()

    assert (1, False) == (store.waiting, store.keeps)
    assert [] == in_file(path)
    assert None not in heard


def test_healed_at_the_end(store: ResilientProgress, path: Path) -> None:
    """A file that works again when the session ends gets everything."""
    fail(store)
    review = graded(Grade.good)
    store.record(review)
    heal(store)
    store.close()

    assert (0, True) == (store.waiting, store.keeps)
    assert [review.id] == in_file(path)


def test_a_full_disk_in_the_middle(store: ResilientProgress, path: Path) -> None:
    """On a full disk no grade is lost; when there is room, all are in the file."""
    pages = connection_of(store).execute("PRAGMA page_count").fetchone()[0]
    connection_of(store).execute(f"PRAGMA max_page_count = {pages + 1}")
    given = [graded(Grade.good, n, ("deck", f"card-{n}")) for n in range(60)]
    for review in given:
        store.record(review)
    assert 0 < store.waiting < 60
    connection_of(store).execute("PRAGMA max_page_count = 1000000")
    store.record(graded(Grade.good))

    assert [review.id for review in given] == in_file(path)[:-1]
