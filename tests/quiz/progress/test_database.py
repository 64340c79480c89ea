"""The file: whose it is, what is refused, and that nothing is ever lost with an error."""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Literal

import platformdirs
import pytest

from quiz.memory.scheduler import Grade
from quiz.progress import database
from quiz.progress.database import APPLICATION_ID, SCHEMA_VERSION
from quiz.progress.errors import ProgressError, sqlite_errors_explained
from quiz.progress.progress import Progress, default_path, open_progress
from tests.quiz.learning import CARD, a_database, graded, rows


def test_default_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """QKV_DATA names the folder; without it, or empty, it is the system's place for a person's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("QKV_DATA", str(tmp_path))
    chosen = default_path()
    monkeypatch.setenv("QKV_DATA", "")
    system = default_path()

    assert tmp_path / "progress.sqlite3" == chosen
    assert platformdirs.user_data_path("qkv", appauthor=False) / "progress.sqlite3" == system


def test_header(progress: Progress, path: Path) -> None:
    """The file says whose it is and which version, and is a single file without a write-ahead log."""
    progress.record(graded(Grade.good))

    assert [(APPLICATION_ID,)] == rows(path, "PRAGMA application_id")
    assert [(SCHEMA_VERSION,)] == rows(path, "PRAGMA user_version")
    assert [path.name] == [file.name for file in path.parent.iterdir()]
    assert {"journal_mode": "delete", "synchronous": 3, "foreign_keys": 1, "busy_timeout": 5000} == {
        name: progress._connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    }


def refused(path: Path, reason: str) -> None:
    """Opening gives the reason in a sentence with the path, and leaves every byte as it was."""
    before = path.read_bytes()

    with pytest.raises(ProgressError) as caught:
        open_progress(path)

    assert reason == caught.value.reason
    assert str(path) in str(caught.value)
    assert before == path.read_bytes()
    assert [path.name] == [file.name for file in path.parent.iterdir()]


@pytest.mark.parametrize("content", [b"deck: attention\n" * 100, random.Random(0).randbytes(5_000)])
def test_not_a_database(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is refused and kept."""
    (tmp_path / "p.sqlite3").write_bytes(content)

    refused(tmp_path / "p.sqlite3", "not-a-database")


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE theirs (x)", "CREATE VIEW theirs AS SELECT 1", "PRAGMA user_version = 1", "PRAGMA application_id = 7"]
)
def test_foreign(tmp_path: Path, statement: str) -> None:
    """A database of another program is refused and kept, also one without an application id."""
    a_database(tmp_path / "p.sqlite3", statement)

    refused(tmp_path / "p.sqlite3", "foreign")


def test_newer(progress: Progress, path: Path) -> None:
    """A file of a newer version is refused and kept."""
    progress.close()
    a_database(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")

    refused(path, "newer")


def test_missing_table(progress: Progress, path: Path) -> None:
    """A file of ours without one of its tables is damaged, not new."""
    progress.close()
    a_database(path, "DROP TABLE memory")

    refused(path, "damaged")


def complaint(path: Path) -> str:
    """What a person is told who opens the file and checks it."""
    try:
        with closing(open_progress(path)) as opened:
            return " ".join(opened.check())
    except ProgressError as error:
        return str(error)


def test_damaged_pages(progress: Progress, path: Path) -> None:
    """Pages overwritten with noise are an error in a sentence, or found by check(); never silence."""
    for n in range(60):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))
    progress.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = random.Random(0).randbytes(len(content) - len(content) // 2)
    path.write_bytes(content)

    assert "damaged" in complaint(path) or "malformed" in complaint(path)
    assert content == path.read_bytes()


def test_folder_in_the_way(tmp_path: Path) -> None:
    """A folder where the file should be, or a file where the folder should be, is a sentence."""
    (tmp_path / "file").touch()

    for path in (tmp_path, tmp_path / "file" / "progress.sqlite3"):
        with pytest.raises(ProgressError) as caught:
            open_progress(path)
        assert "unreachable" == caught.value.reason


def test_empty_file(tmp_path: Path) -> None:
    """A file of no bytes, as a crash at the first start leaves it, is a new file."""
    (tmp_path / "p.sqlite3").touch()

    with closing(open_progress(tmp_path / "p.sqlite3")) as opened:
        opened.record(graded(Grade.good))
        assert () == opened.check()


def test_made_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When another process makes the file between our look and our lock, it is used, not made again."""
    original = database.transaction

    def late(connection: sqlite3.Connection, mode: Literal["IMMEDIATE", "DEFERRED"]) -> AbstractContextManager[None]:
        monkeypatch.undo()
        with closing(open_progress(path)) as faster:
            faster.record(graded(Grade.good))
        return original(connection, mode)

    monkeypatch.setattr(database, "transaction", late)

    with closing(open_progress(path)) as progress:
        assert [CARD] == list(progress.memories())


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_not_writable(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch, locked: str) -> None:
    """A file or folder that may only be read is refused at the start, not at the first grade."""
    progress.close()
    closed = path if locked == "file" else path.parent
    monkeypatch.setattr(os, "access", lambda asked, _: Path(asked) != closed)  # root may write everything

    refused(path, "read-only")


def test_read_only_later(progress: Progress) -> None:
    """A disk that becomes read-only is a sentence, and what was learned can still be read."""
    memory = progress.record(graded(Grade.good))
    progress._connection.execute("PRAGMA query_only = ON")

    with pytest.raises(ProgressError) as caught:
        progress.record(graded(Grade.good, 1))

    assert "read-only" == caught.value.reason
    assert {CARD: memory} == progress.memories()


def fill(progress: Progress) -> None:
    for n in range(10_000):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))


def test_full_disk(progress: Progress) -> None:
    """A full disk saves nothing of the grade that did not fit, says so, and grading goes on when there is room."""
    pages = progress._connection.execute("PRAGMA page_count").fetchone()[0]
    progress._connection.execute(f"PRAGMA max_page_count = {pages + 1}")

    with pytest.raises(ProgressError) as caught:
        fill(progress)

    kept = [review.key for review in progress.reviews()]
    assert "full" == caught.value.reason
    assert kept
    assert set(kept) == set(progress.memories())
    assert () == progress.check()
    progress._connection.execute("PRAGMA max_page_count = 1000000")
    assert 1 == progress.record(graded(Grade.good)).repetitions


def test_locked(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program holds the file, opening and grading are sentences; afterwards grading works."""
    monkeypatch.setattr(database, "PATIENCE", 0.0)
    progress._patience = 0.0
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        for attempt in (lambda: progress.record(graded(Grade.good)), lambda: open_progress(path)):
            with pytest.raises(ProgressError) as caught:
                attempt()
            assert "locked" == caught.value.reason

    assert 1 == progress.record(graded(Grade.good)).repetitions


def test_reader_in_the_way(progress: Progress, path: Path) -> None:
    """A reader that lasts longer than our patience makes the commit fail whole, and the next one works."""
    progress._patience = 0.0
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM review").fetchone()
        with pytest.raises(ProgressError) as caught:
            progress.record(graded(Grade.good))

    assert "locked" == caught.value.reason
    assert {} == progress.memories()
    assert 1 == progress.record(graded(Grade.good)).repetitions


@pytest.mark.parametrize(("code", "reason"), [(sqlite3.SQLITE_IOERR_FSYNC, "unreachable"), (sqlite3.SQLITE_READONLY_DBMOVED, "moved")])
def test_detailed_codes(code: int, reason: str) -> None:
    """SQLite's more detailed codes count as the plain ones, unless they mean something else to a person."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code

    with pytest.raises(ProgressError) as caught, sqlite_errors_explained("p.sqlite3"):
        raise error

    assert reason == caught.value.reason


def test_in_memory() -> None:
    """Without a file everything works, and nothing is written."""
    with closing(Progress.in_memory()) as progress:
        memory = progress.record(graded(Grade.good))
        assert {CARD: memory} == progress.memories()


def test_the_tables_of_version_1() -> None:
    """A file is recognised by the text of its tables: who changes one needs a new version, and a way from this one."""
    text = repr(sorted(database._expected()))

    assert (1, "f3f207874f010ce6") == (SCHEMA_VERSION, hashlib.sha256(text.encode()).hexdigest()[:16])
