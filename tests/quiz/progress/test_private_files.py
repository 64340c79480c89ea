"""Progress is its owner's business, and needs nothing of a machine but a disk that can lock files."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.model_files import LARGEST
from quiz.cli import qkv
from quiz.commands import schema, trust
from quiz.memory.scheduler import Grade
from quiz.progress import backups, database
from quiz.progress.errors import ProgressError, sqlite_errors_explained
from quiz.progress.private_files import has_locks
from quiz.progress.progress import Progress, default_path, open_progress
from quiz.progress.restore import restore_backup
from tests.quiz.learning import CARD, graded

NOW = datetime(2026, 11, 29, 21, 30)


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A machine on which new files are everybody's."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): f"{file.stat().st_mode & 0o777:o}" for file in folder.rglob("*")}


def test_for_the_owner_alone(open_umask: None, path: Path, tmp_path: Path) -> None:
    """The progress, its journal, its backups, what a restore puts aside, and an export can be read by nobody else."""
    with closing(open_progress(path)) as progress:
        progress.record(graded(Grade.good))
        with progress.writing() as connection:
            connection.execute("DELETE FROM memory")
            during = modes(path.parent)
            connection.execute("ROLLBACK")
            connection.execute("BEGIN")
        made = backups.make_daily(path, NOW)
        assert made is not None
        restore_backup(made, path, NOW)
    path.write_bytes(b"noise" * 999)
    restore_backup(made, path, NOW)
    exported = tmp_path / "export.jsonl"
    assert 0 == CliRunner().invoke(qkv, ["export", "--progress", str(exported)]).exit_code

    assert {"progress.sqlite3": "600", "progress.sqlite3-journal": "600"} == during
    folder = {"backups": "700"}
    files = ["progress.sqlite3", *(f"backups/{file.name}" for file in (path.parent / "backups").iterdir())]
    assert 4 == len(files)
    assert folder | dict.fromkeys(files, "600") == modes(path.parent)
    assert "600" == f"{exported.stat().st_mode & 0o777:o}"


def test_the_folder_is_made_by_whoever_comes_first(open_umask: None, own_data: Path, tmp_path: Path) -> None:
    """A model that is allowed, or the schema of decks, before there is any progress: the folder is the owner's from the beginning."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / next(iter(LARGEST))).write_bytes(b"{}")
    folders = []
    for makes in (lambda: trust.run(str(tmp_path / "model"), forget=False, language="en"), schema.ensure_schema):
        assert not makes()
        folders.append(f"{own_data.stat().st_mode & 0o777:o}")
        shutil.rmtree(own_data)

    assert ["700", "700"] == folders


def test_opened_to_others(progress: Progress, path: Path) -> None:
    """Permissions that a person gave a file stay."""
    progress.close()
    path.chmod(0o640)
    open_progress(path).close()

    assert 0o640 == path.stat().st_mode & 0o777


def test_no_temporary_files(progress: Progress, path: Path) -> None:
    """SQLite's temporary tables, sorts and statement journals are in memory: there may be no folder for them, or no room."""
    with progress.reading() as connection, backups.open_backup(path) as backup:
        assert [(2,), (2,)] == [opened.execute("PRAGMA temp_store").fetchone() for opened in (connection, backup)]


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """A file system that refuses every lock; SQLite says then that the file is busy."""

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "lockf", refuse)
    monkeypatch.setattr(database, "PATIENCE", 0.01)


def test_no_locks(progress: Progress, path: Path, without_locks: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No lock to be had is not another program that could be closed; with a copy in the folder that is advised, all goes on."""
    progress.record(graded(Grade.good))
    assert not has_locks(path.parent)
    with closing(sqlite3.connect(path, isolation_level=None)) as system:
        system.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ProgressError) as caught:
            open_progress(path)
        system.execute("ROLLBACK")
    assert "no-locks" == caught.value.reason

    monkeypatch.undo()
    monkeypatch.setenv("QKV_DATA", str(tmp_path / "here"))
    (tmp_path / "here").mkdir()
    default_path().write_bytes(path.read_bytes())
    with closing(open_progress()) as opened:
        assert [CARD] == list(opened.memories())


def test_a_lock_that_fails(path: Path) -> None:
    """An error of the lock itself is said to be one, whatever the system calls it."""
    for code in (sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_RDLOCK, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        with pytest.raises(ProgressError) as caught, sqlite_errors_explained(str(path)):
            raise error
        assert "no-locks" == caught.value.reason


@pytest.mark.parametrize("command", ["stats", "plan", "cards --weak", "cards --suspended", "export --progress -", "doctor", "optimize"])
def test_readers_make_no_file(own_data: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who only reads makes no file: it would hide from the next session that the progress is gone and that there are backups."""
    monkeypatch.setattr("quiz.commands.doctor.engine", lambda words: [])
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    backups.make_daily(default_path(), NOW)
    default_path().unlink()

    CliRunner().invoke(qkv, command.split())

    assert ["backups"] == [file.name for file in own_data.iterdir()]


@pytest.mark.parametrize("command", ["plan 2030-01-01", "suspend causal-mask"])
def test_the_backups_are_named_after_a_writer(own_data: Path, command: str) -> None:
    """A file that a command had to begin anew does not silence the sentence that names the backups."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    made = backups.make_daily(default_path(), NOW)
    default_path().unlink()

    CliRunner().invoke(qkv, command.split())
    told = CliRunner().invoke(qkv, ["quiz", "--plain", "--limit", "1"], input="q\n")

    assert default_path().exists()
    assert f"qkv restore {made}" in told.stderr
