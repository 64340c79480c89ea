"""Rows that no version ever wrote: in the memories they cost nothing, in the log they are found by all who copy and restore."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from quiz.card.progress_sentences import error_advice
from quiz.memory.scheduler import Grade, Memory
from quiz.progress import backups
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from quiz.progress.restore import restore_backup
from quiz.study.learner import LearnerState
from quiz.words.i18n import Words
from tests.quiz.learning import CARD, NEW, OTHER, graded, on

NOW = datetime(2026, 11, 29, 21, 30)


@pytest.fixture
def expected(progress: Progress) -> dict[tuple[str, str], Memory]:
    """Two cards, of which one has had another name."""
    progress.record(graded(Grade.good))
    progress.record(graded(Grade.again, 1, OTHER))
    progress.adopt({NEW: [CARD]}, on(2))
    return progress.memories()


def spoil(path: Path, *statements: str) -> None:
    """Writes what SQLite's own rules for the tables forbid."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("DROP TRIGGER review_stays")
        for statement in statements:
            connection.execute(statement)
        connection.execute("CREATE TRIGGER review_stays BEFORE UPDATE ON review BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END")


BAD_MEMORIES = [
    "UPDATE memory SET stability = 9e999, difficulty = -5",
    "UPDATE memory SET stability = 9e999",
    "UPDATE memory SET stability = -1",
    "UPDATE memory SET stability = 0",
    "UPDATE memory SET difficulty = 11",
    "UPDATE memory SET first_day = -7",
    "UPDATE memory SET first_day = last_day + 1",
    "UPDATE memory SET last_day = due_day + 1",
    "UPDATE memory SET due_day = 9000000000000",
    "UPDATE memory SET due_at_ms = 9000000000000000000",
    "UPDATE memory SET repetitions = -1",
    "UPDATE memory SET lapses = repetitions + 1",
    f"UPDATE memory SET card = CAST(x'ff' AS TEXT) WHERE card = '{OTHER[1]}'",
    "UPDATE renamed SET to_card = CAST(x'c3' AS TEXT)",
    "UPDATE meta SET value = CAST(x'fe' AS TEXT)",
    "DELETE FROM meta",
]


@pytest.mark.parametrize("statement", BAD_MEMORIES)
def test_bad_memories_cost_nothing(expected: dict[tuple[str, str], Memory], progress: Progress, path: Path, statement: str) -> None:
    """Whatever stands in a row of what the log adds up to: it is computed anew when the file is opened, and a session begins."""
    progress.close()
    spoil(path, statement)

    with closing(open_progress(path)) as opened:
        assert expected == LearnerState.of(opened).memories
        assert () == opened.check()


@pytest.mark.parametrize("statement", BAD_MEMORIES[:12])
def test_bad_memories_in_the_middle(expected: dict[tuple[str, str], Memory], progress: Progress, path: Path, statement: str) -> None:
    """A window that is open goes on, too, whether it reads or grades next."""
    spoil(path, statement)
    assert expected[OTHER] == progress.memory(OTHER)

    spoil(path, statement)
    assert 2 == progress.record(graded(Grade.good, 9, OTHER)).repetitions
    assert () == progress.check()


def test_bad_memories_in_a_backup(expected: dict[tuple[str, str], Memory], progress: Progress, path: Path) -> None:
    """A backup made of such a file is as good as any: restored and opened it holds everything."""
    progress.close()
    spoil(path, BAD_MEMORIES[0])
    made = backups.make_backup(path, backups.backup_folder(path) / NOW.strftime(backups.STAMP))
    restore_backup(made, path, NOW)

    with closing(open_progress(path)) as opened:
        assert expected == opened.memories()


BAD_ROWS = [
    "UPDATE review SET points = '{not json' WHERE kind = 'grade'",
    "UPDATE review SET points = '5' WHERE kind = 'grade'",
    "UPDATE review SET points = CAST(x'ff' AS TEXT) WHERE kind = 'grade'",
    "UPDATE review SET grade = 7 WHERE kind = 'grade'",
    "UPDATE review SET day = 0",
    "UPDATE review SET day = 9000000000",
    "UPDATE review SET at_ms = 9000000000000000000",
    "UPDATE review SET offset_minutes = 100000",
    "UPDATE review SET deck = CAST(x'c328' AS TEXT)",
    "UPDATE review SET version = CAST(x'ff' AS TEXT)",
    "UPDATE review SET points = '[1, 2]' WHERE kind = 'rename'",
]


@pytest.mark.parametrize("statement", BAD_ROWS)
def test_bad_rows_are_not_copied(expected: object, progress: Progress, path: Path, statement: str) -> None:
    """A row of the log that cannot be read: no backup is made of it, and none that holds one is restored or recommended."""
    good = backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-27-090000.sqlite3")
    bad = backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-090000.sqlite3")
    progress.close()
    for file in (bad, path):
        spoil(file, statement)

    with pytest.raises(ProgressError) as unmade:
        backups.make_backup(path, backups.backup_folder(path) / NOW.strftime(backups.STAMP))
    with pytest.raises(ProgressError) as unrestored:
        restore_backup(bad, path, NOW)
    assert [("damaged", str(path)), ("damaged", str(bad))] == [(error.value.reason, error.value.path) for error in (unmade, unrestored)]
    assert f"`qkv restore {good}`" in error_advice(str(path), Words("en"))

    restore_backup(good, path, NOW)
    with closing(open_progress(path)) as opened:
        assert () == opened.check()
