"""A file that is replaced, deleted, emptied, cut or held while a session has it open: no grade is lost that was said to be saved."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from quiz.card.progress_sentences import opening_warning, waiting_warning
from quiz.memory.scheduler import Grade
from quiz.progress import backups, database, resilient
from quiz.progress.connection import connected
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError
from quiz.progress.open import Opened, open_for_session
from quiz.progress.progress import Progress, default_path, open_progress
from quiz.progress.resilient import ResilientProgress
from quiz.progress.restore import restore_backup
from quiz.progress.reviews import Review
from quiz.words.i18n import Words
from tests.quiz.learning import CARD, a_database, graded, on

NOW = datetime(2026, 11, 29, 21, 30)
Told = list[ProgressError | None]


@pytest.fixture
def heard() -> Told:
    return []


@pytest.fixture
def first(path: Path) -> Review:
    """A grade of an earlier day, with a backup."""
    review = graded(Grade.good)
    with closing(open_progress(path)) as progress:
        progress.record(review)
    backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-120000.sqlite3")
    return review


@pytest.fixture
def store(path: Path, first: Review, heard: Told) -> Iterator[ResilientProgress]:
    with closing(ResilientProgress.open(str(path), heard.append)) as made:
        yield made


def in_file(path: Path) -> set[str]:
    with closing(open_progress(path)) as file:
        assert () == file.check()
        return {review.id for review in file.reviews()}


def anywhere(path: Path) -> set[str]:
    """The grades of all files that are kept."""
    folder = backups.backup_folder(path)
    files = [path, *(file for file in folder.glob("*.sqlite3") if backups.is_sound(file))]
    return {id_ for file in files for id_ in in_file(file)}


def by_rename(path: Path) -> None:
    """As sync programs do it: another file, moved over ours."""
    other = path.with_name("incoming")
    shutil.copyfile(backups.all_backups(path)[-1], other)
    os.replace(other, path)


def deleted(path: Path) -> None:
    path.unlink()


def moved_away(path: Path) -> None:
    path.rename(path.with_name("old.sqlite3"))


def restored_over_ruins(path: Path) -> None:
    path.write_bytes(b"noise" * 4000)
    restore_backup(backups.all_backups(path)[-1], path, NOW)


@pytest.mark.parametrize("happens", [by_rename, deleted, moved_away, restored_over_ruins])
def test_another_file(store: ResilientProgress, path: Path, first: Review, heard: Told, happens: Callable[[Path], None]) -> None:
    """The next grade goes into the file that bears the name now, and so do those that were said to be saved; that is said."""
    before, after = graded(Grade.good, 1), graded(Grade.good, 2)
    store.record(before)
    happens(path)

    assert 3 == store.record(after).repetitions
    assert store.keeps
    assert {first.id, before.id, after.id} == in_file(path)
    assert ["moved"] == [error and error.reason for error in heard]
    assert "was replaced or removed" in waiting_warning(heard[0], Words("en"))


@pytest.mark.parametrize("happens", [by_rename, deleted, moved_away, restored_over_ruins])
def test_another_file_at_the_end(store: ResilientProgress, path: Path, first: Review, happens: Callable[[Path], None]) -> None:
    """The same when nothing is graded afterwards: the summary says that everything is saved because it is."""
    before = graded(Grade.good, 1)
    store.record(before)
    happens(path)

    assert store.confirm()
    assert {first.id, before.id} == in_file(path)


def test_what_the_other_file_has(store: ResilientProgress, path: Path, first: Review) -> None:
    """The grades of the file that a sync program brought stay; what ours held and that one does not is kept among the backups."""
    with closing(open_progress(path)) as another:
        elsewhere = graded(Grade.good, 1)
        another.record(elsewhere)
    by_rename(path)
    with closing(open_progress(path)) as brought:
        theirs = graded(Grade.good, 2)
        brought.record(theirs)
    mine = graded(Grade.good, 3)
    store.record(mine)

    assert {first.id, theirs.id, mine.id} == in_file(path)
    assert {first.id, elsewhere.id, theirs.id, mine.id} == anywhere(path)


def test_what_the_old_file_held_is_kept_after_a_while_in_memory(store: ResilientProgress, path: Path, first: Review) -> None:
    """A file that is held when it is put over ours: what ours held and it does not is kept as soon as the session goes on in it."""
    with closing(open_progress(path)) as another:
        elsewhere = graded(Grade.good, 1)
        another.record(elsewhere)
    by_rename(path)
    beside, after = graded(Grade.good, 2), graded(Grade.good, 3)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        store.record(beside)
        assert not store.keeps
        holder.execute("ROLLBACK")
    store.record(after)

    assert {first.id, beside.id, after.id} == in_file(path)
    assert elsewhere.id in anywhere(path)


def test_what_the_old_file_held_is_kept_whether_or_not_the_other_can_be_asked(
    store: ResilientProgress, path: Path, first: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it cannot be told what the other file has, all that the old one held is kept."""
    with closing(open_progress(path)) as another:
        elsewhere = graded(Grade.good, 1)
        another.record(elsewhere)
    by_rename(path)

    def held(_: Path) -> None:
        raise ProgressError("locked", str(path))

    with monkeypatch.context() as broken:
        broken.setattr(backups, "open_current", held)
        store.record(graded(Grade.good, 2))

    assert elsewhere.id in anywhere(path)


def test_a_file_whose_note_cannot_be_read(store: ResilientProgress, path: Path, first: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the file that was brought fails after all has been given to it, the session goes on in memory and lets go of it."""
    opened: list[sqlite3.Connection] = []

    def noted(file: Path, patience: float) -> sqlite3.Connection:
        opened.append(connected(file, patience))
        return opened[-1]

    def fails(_: object) -> None:
        raise ProgressError("unreachable", str(path))

    by_rename(path)
    with monkeypatch.context() as broken:
        broken.setattr(ResilientProgress, "_note", fails)
        broken.setattr(resilient, "connected", noted)
        review = graded(Grade.good, 1)
        store.record(review)
        assert (False, 1) == (store.keeps, store.waiting)
    assert opened
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")

    assert store.confirm()
    assert {first.id, review.id} == in_file(path)


def test_replaced_while_it_was_written(store: ResilientProgress, path: Path, first: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename between SQLite's look and its commit: the grade is given to the new file, too."""
    original = Progress.record

    def late(self: Progress, review: Review) -> object:
        done = original(self, review)
        if not path.with_name("done").exists():
            path.with_name("done").touch()
            by_rename(path)
        return done

    monkeypatch.setattr(Progress, "record", late)
    review = graded(Grade.good, 1)
    store.record(review)

    assert {first.id, review.id} == in_file(path)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"noise" * 4000)


@pytest.mark.parametrize("happens", [emptied, cut, overwritten])
@pytest.mark.parametrize("at_the_end", [False, True])
def test_a_ruined_file(
    store: ResilientProgress, path: Path, first: Review, heard: Told, happens: Callable[[Path], None], at_the_end: bool
) -> None:
    """A file that is emptied, cut or overwritten: the session goes on, says that it is in memory, and doing what is advised saves all."""
    before, after = graded(Grade.good, 1), graded(Grade.good, 2)
    store.record(before)
    happens(path)
    ruined = path.read_bytes()
    if not at_the_end:
        assert 3 == store.record(after).repetitions
        assert "`qkv restore " in waiting_warning(heard[0], Words("en"))
    assert not store.confirm()
    assert (1 if at_the_end else 2) == store.waiting
    assert ruined == path.read_bytes()

    restore_backup(backups.all_backups(path)[-1], path, NOW)
    assert store.confirm()
    assert {first.id, before.id} | (set() if at_the_end else {after.id}) == in_file(path)
    assert heard[-1] is None


def test_a_ruined_file_that_stays(store: ResilientProgress, path: Path) -> None:
    """What could not be saved until the end is known to be lost."""
    store.record(graded(Grade.good, 1))
    emptied(path)
    store.close()

    assert (False, 1) == (store.keeps, store.waiting)


def test_overwritten_by_an_older_one(store: ResilientProgress, path: Path, first: Review) -> None:
    """A sync program that writes an older state into the same file: what this session decided is given to it again."""
    older = path.read_bytes()
    review = graded(Grade.good, 1)
    store.record(review)
    path.write_bytes(older)

    assert store.confirm()
    assert {first.id, review.id} == in_file(path)


@pytest.mark.parametrize("kind", ["grade", "mark"])
def test_overwritten_by_one_from_before_an_undo(store: ResilientProgress, path: Path, first: Review, kind: str) -> None:
    """An older state in which something stands that was taken back since: it is taken back there too, once."""
    review, mark = graded(Grade.good, 1), Decision.new("suspend", CARD, on(1))
    store.record(review)
    store.decide(mark)
    older = path.read_bytes()
    assert store.undo(review.id) if kind == "grade" else store.undo_decision(mark.id)
    path.write_bytes(older)

    assert store.confirm()
    assert {first.id} | ({review.id} if kind == "mark" else set()) == in_file(path)
    assert (frozenset({CARD}) if kind == "grade" else frozenset()) == store.decisions().suspended
    with closing(sqlite3.connect(path)) as file:
        assert [(store._ids[-1],)] == file.execute("SELECT id FROM review WHERE kind = 'undo'").fetchall()


def test_an_undo_of_nothing_is_not_missed(store: ResilientProgress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be taken back, as there was no such thing, is not looked for in the file."""
    assert (None, False) == (store.undo("no such id"), store.undo_decision("no such id"))
    monkeypatch.setattr(ResilientProgress, "replay", lambda _: pytest.fail("nothing is missing"))

    assert store.confirm()


@pytest.mark.parametrize("reads", [ResilientProgress.memories, ResilientProgress.decisions, ResilientProgress.is_empty])
def test_what_a_reader_finds_is_told_at_once(
    store: ResilientProgress, path: Path, first: Review, heard: Told, reads: Callable[[ResilientProgress], object]
) -> None:
    """Who only reads may be the first to see that another file bears the name: that is said then, not with the next grade."""
    by_rename(path)
    reads(store)

    assert ["moved"] == [error and error.reason for error in heard]


def test_what_is_put_back_survives_a_power_cut(
    store: ResilientProgress, path: Path, first: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is made anew is on the disk before it has its name, and its name before a grade is given to it."""
    done: list[str] = []
    fsync, link = os.fsync, os.link

    def synced(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def linked(partial: Path, target: Path) -> None:
        done.append("name")
        link(partial, target)

    deleted(path)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "link", linked)
    store.record(graded(Grade.good, 1))

    assert ["file", "name", *(["folder"] if hasattr(os, "O_DIRECTORY") else [])] == done


def test_restored_on_purpose(store: ResilientProgress, path: Path, first: Review) -> None:
    """A person who goes back to a backup beside an open session gets the backup; what the session had decided is in what was kept."""
    review = graded(Grade.good, 1)
    store.record(review)
    restore_backup(backups.all_backups(path)[-1], path, NOW)

    assert store.confirm()
    assert {first.id} == in_file(path)
    assert {first.id, review.id} == anywhere(path)


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_held_by_another(store: ResilientProgress, path: Path, first: Review, heard: Told, lock: str) -> None:
    """Another program that holds the file: a grade takes well under the five seconds of before, which is said; closing it helps."""
    given = [graded(Grade.good, n) for n in (1, 2, 3)]
    began = time.monotonic()
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute(f"BEGIN {lock}")
        for review in given:
            store.record(review)
        waited = time.monotonic() - began
        assert ["locked"] == [error and error.reason for error in heard]
        holder.execute("ROLLBACK")

    assert waited < database.PATIENCE
    assert store.confirm()
    assert {first.id, *(review.id for review in given)} == in_file(path)
    assert 4 == store.memories()[CARD].repetitions


# --- from the start -----------------------------------------------------------------------------------------------------


def begin(heard: Told) -> Opened:
    return open_for_session({}, heard.append)


def test_a_full_disk_at_the_first_start(monkeypatch: pytest.MonkeyPatch, heard: Told) -> None:
    """The first session on a full disk is in memory until there is room, and then in the file."""

    def full(path: str, patience: float = 0.0) -> sqlite3.Connection:
        raise ProgressError("full", path)

    original = database.connect
    monkeypatch.setattr("quiz.progress.connection.connect", full)
    found, review = begin(heard), graded(Grade.good)
    found.store.record(review)
    assert (False, False) == (found.store.keeps, default_path().exists())
    assert "is full: make room" in opening_warning(found, Words("en"))

    monkeypatch.setattr("quiz.progress.connection.connect", original)
    later = graded(Grade.good, 1)
    found.store.record(later)
    assert found.store.keeps
    assert {review.id, later.id} == in_file(default_path())
    assert "" == opening_warning(found, Words("en"))
    found.store.close()


@pytest.mark.parametrize("ruin", ["PRAGMA application_id = 7", "PRAGMA user_version = 99", "DROP TABLE renamed"])
def test_a_file_that_is_put_right_during_the_session(first: Review, path: Path, heard: Told, ruin: str) -> None:
    """A foreign, a newer and a mutilated file: following the advice while the session runs saves what was graded."""
    a_database(path, ruin)
    found, review = begin(heard), graded(Grade.good, 1)
    found.store.record(review)
    assert not found.store.keeps
    assert opening_warning(found, Words("en"))

    path.rename(path.with_name("away.sqlite3"))
    restore_backup(backups.all_backups(path)[-1], path, NOW)
    found.store.close()
    assert found.store.keeps
    assert {first.id, review.id} == in_file(path)


def test_read_only_and_made_writable(first: Review, path: Path, heard: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is made writable during the session gets what was graded."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    found, review = begin(heard), graded(Grade.good, 1)
    assert 2 == found.store.record(review).repetitions
    assert not found.store.keeps

    monkeypatch.undo()
    monkeypatch.setenv("QKV_DATA", str(path.parent))
    found.store.close()
    assert found.store.keeps
    assert {first.id, review.id} == in_file(path)


def test_tells_outside_the_lock(store: ResilientProgress, path: Path) -> None:
    """Who is told may wait for another thread, which may want to read."""
    seen: list[object] = []
    store._news.tell = lambda error: seen.append(store._lock._is_owned())  # type: ignore[attr-defined]
    for acts in (lambda: store.record(graded(Grade.good, 1)), store.memories):
        deleted(path)
        acts()

    assert [False, False] == seen
    assert resilient.GLANCE < resilient.BRIEF < database.PATIENCE
