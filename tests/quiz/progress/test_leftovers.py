"""Rows that only a journal of another time led to: whoever sees it first, and whatever goes wrong, they come into the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest

from quiz.memory.scheduler import Grade
from quiz.progress import backups, cache, companions, connection, leftovers
from quiz.progress.companions import pending_states
from quiz.progress.database import connect
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from tests.quiz.learning import graded
from tests.quiz.progress.leftovers import beside

NOW = datetime(2026, 11, 29, 21, 30)
ELSEWHERE = (
    "INSERT INTO review SELECT 'x' || id, clock + 10, at_ms, offset_minutes, day, deck, card, kind, undoes, grade,"
    " confidence, prediction, measured, correct, points, seconds, version FROM review LIMIT 4"
)


def ids(path: Path) -> set[str]:
    with closing(open_progress(path)) as opened:
        assert () == opened.check()
        return {review.id for review in opened.reviews()}


@pytest.fixture
def expected(progress: Progress, path: Path) -> set[str]:
    """A file with a log beside it, in which each has rows of its own: those of both."""
    for n in range(9):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n % 4}")))
    progress.close()
    other = path.with_name("other.sqlite3")
    other.write_bytes(path.read_bytes())
    with closing(open_progress(path)) as opened:
        opened.record(graded(Grade.good, 20))
    alone = ids(path)
    with closing(sqlite3.connect(other, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute(ELSEWHERE)
        journal = beside(other, "-wal").read_bytes()
        played = {row[0] for row in writer.execute("SELECT id FROM review")}
    beside(path, "-wal").write_bytes(journal)
    return alone | played


def by_backup(path: Path) -> None:
    backups.make_daily(path, NOW)


def by_doctor(path: Path) -> None:
    backups.holds_everything(None, path)


def by_opening(path: Path) -> None:
    open_progress(path).close()


@pytest.mark.parametrize("seen", [by_backup, by_doctor, by_opening])
def test_whoever_sees_it_first(expected: set[str], path: Path, seen: Callable[[Path], None]) -> None:
    """A thread that makes a backup, or looks whether one is needed, adds the rows as one that opens the file does."""
    seen(path)

    assert expected == ids(path)


def test_a_backup_of_it_has_them(expected: set[str], path: Path) -> None:
    """The backup that was about to be made holds the rows, too."""
    made = backups.make_daily(path, NOW)

    assert made is not None
    assert expected == ids(made)


def test_what_cannot_be_added_waits(expected: set[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk while the rows are added: they wait for the next who opens the file, and no connection stays open."""
    opened: list[sqlite3.Connection] = []

    def noted(name: str, patience: float) -> sqlite3.Connection:
        opened.append(connect(name, patience))
        return opened[-1]

    def full(*_: object) -> None:
        raise ProgressError("full", str(path))

    with monkeypatch.context() as broken:
        broken.setattr(cache, "take_over", full)
        for module in (leftovers, connection):
            broken.setattr(module, "connect", noted)
        for _ in range(2):
            with pytest.raises(ProgressError, match="full"):
                open_progress(path)
    for each in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            each.execute("SELECT 1")

    assert expected == ids(path)
    assert [] == pending_states(backups.backup_folder(path))


@pytest.mark.parametrize("where", [(leftovers, "connect"), (companions, "move_beside")])
def test_the_power_goes(expected: set[str], path: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[ModuleType, str]) -> None:
    """At whatever moment the process ends, the rows are found by the next one."""
    original = getattr(*where)

    def ends(*given: object) -> None:
        original(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(*where, ends)
        with pytest.raises(KeyboardInterrupt):
            open_progress(path)

    assert expected == ids(path)
    assert [] == pending_states(backups.backup_folder(path))


def test_two_windows_add_what_waits(expected: set[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both see that rows wait, and one is done with it before the other: it finds nothing to do, and makes no file under the name."""
    pending = backups.backup_folder(path) / f"beside-2026-11-29-213000.sqlite3{companions.PENDING}"
    pending.parent.mkdir()
    monkeypatch.setattr(leftovers, "pending_states", lambda _: [pending])

    assert expected > ids(path)
    assert not pending.exists()


def test_what_waits_and_can_no_longer_be_read(progress: Progress, path: Path) -> None:
    """A state that was ruined while it waited keeps nobody from the progress; it stays where it is."""
    review = graded(Grade.good)
    progress.record(review)
    progress.close()
    waiting = backups.backup_folder(path) / f"beside-2026-11-29-213000.sqlite3{companions.PENDING}"
    waiting.parent.mkdir()
    waiting.write_bytes(b"noise" * 4000)

    assert {review.id} == ids(path)
    assert b"noise" * 4000 == waiting.with_suffix("").read_bytes()


def test_a_window_that_is_open(expected: set[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window before which a journal appears is as patient as always with a program that holds the file while the rows are added."""
    journal = beside(path, "-wal").read_bytes()
    beside(path, "-wal").unlink()
    with closing(open_progress(path)) as window:
        beside(path, "-wal").write_bytes(journal)
        waited: list[int] = []
        original = cache.take_over

        def noted(connection: sqlite3.Connection, other: Path | None) -> None:
            waited.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
            original(connection, other)

        monkeypatch.setattr(cache, "take_over", noted)
        window._connection.execute("PRAGMA busy_timeout = 0")  # as after a round in which the file was held
        assert expected == {review.id for review in window.reviews()}
    assert [5000] == waited
