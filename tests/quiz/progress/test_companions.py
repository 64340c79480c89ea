"""Journals of another time beside a progress file, as sync programs leave them, and those that a crash leaves: no row is ever lost."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from quiz.card.progress_sentences import opening_warning
from quiz.memory.scheduler import Grade
from quiz.progress import backups, companions
from quiz.progress.errors import ProgressError
from quiz.progress.open import open_for_session
from quiz.progress.progress import Progress, open_progress
from quiz.progress.restore import restore_backup
from quiz.words.i18n import Words
from tests.quiz.learning import graded
from tests.quiz.progress.leftovers import beside, crash, hot_journal, write_ahead_log

NOW = datetime(2026, 11, 29, 21, 30)


@pytest.fixture
def older(progress: Progress, path: Path) -> set[str]:
    """A file with some grades, closed; their ids."""
    for n in range(20):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n % 7}")))
    progress.close()
    return ids(path)


def ids(path: Path) -> set[str]:
    """What qkv finds in a file, which is sound."""
    with closing(open_progress(path)) as opened:
        assert () == opened.check()
        return {review.id for review in opened.reviews()}


def grade_on(path: Path, count: int = 40) -> set[str]:
    """Grades that come later; what the file holds then."""
    with closing(open_progress(path)) as opened:
        for n in range(count):
            opened.record(graded(Grade.good, 30 + n, ("deck", f"card-{n % 9}")))
    return ids(path)


def kept(path: Path) -> list[str]:
    """What kinds of files lie among the backups."""
    folder = backups.backup_folder(path)
    return sorted(file.name.rpartition("sqlite3")[2] for file in folder.glob("beside-*")) if folder.exists() else []


def test_a_journal_of_another_time(older: set[str], path: Path) -> None:
    """Later grades are not rolled back by an older journal; it is put among the backups, and that is said."""
    journal = hot_journal(path)
    expected = grade_on(path)
    beside(path, "-journal").write_bytes(journal)

    found = open_for_session({}, lambda _: None)
    with closing(found.store):
        assert "journal of another time" in opening_warning(found, Words("en"))
        assert journal == (found.beside and found.beside.read_bytes())
    assert expected == ids(path)
    assert len(older) + 40 == len(expected)
    assert [".foreign-journal"] == kept(path)


@pytest.mark.parametrize("extra", [0, 3])
def test_a_write_ahead_log_of_another_time(older: set[str], path: Path, extra: int) -> None:
    """A write-ahead log is not played back over later grades; rows that only it led to are added."""
    log = write_ahead_log(path, extra)
    expected = grade_on(path, 3)
    beside(path, "-wal").write_bytes(log)
    beside(path, "-shm").write_bytes(b"\0" * 32_768)

    found = ids(path)

    assert expected <= found
    assert not beside(path, "-wal").exists()
    assert not beside(path, "-shm").exists()
    assert log == b"" or ".foreign-wal" in kept(path) or len(found) >= len(expected) + extra


def test_both_have_rows_of_their_own(older: set[str], path: Path) -> None:
    """What the file alone holds and what it holds played back are brought together."""
    other = path.with_name("other.sqlite3")
    other.write_bytes(path.read_bytes())
    alone = grade_on(path, 1)
    with closing(sqlite3.connect(other, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute(
            "INSERT INTO review SELECT 'x' || id, clock + 10, at_ms, offset_minutes, day, deck, card, kind, undoes, grade,"
            " confidence, prediction, measured, correct, points, seconds, version FROM review LIMIT 4"
        )
        log = beside(other, "-wal").read_bytes()
        played = {row[0] for row in writer.execute("SELECT id FROM review")}
    beside(path, "-wal").write_bytes(log)

    assert alone | played == ids(path)


def test_a_crash_is_no_other_time(older: set[str], path: Path) -> None:
    """After a crash in the middle of a commit the file is rolled back, without a word and with nothing put aside."""
    crash(path)

    found = open_for_session({}, lambda _: None)
    with closing(found.store):
        assert "" == opening_warning(found, Words("en"))
    assert older == ids(path)
    assert [] == kept(path)


NOISE = random.Random(0).randbytes(9_000)


@pytest.mark.parametrize("content", [b"", b"x", NOISE, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + NOISE], ids=["empty", "x", "noise", "head"])
@pytest.mark.parametrize("suffix", ["-journal", "-wal", "-shm"])
def test_anything_called_a_journal(older: set[str], path: Path, suffix: str, content: bytes) -> None:
    """Whatever lies there under such a name costs nothing."""
    beside(path, suffix).write_bytes(content)

    assert older == ids(path)
    assert len(older) + 1 == len(grade_on(path, 1))


@pytest.mark.parametrize("cut", [100, 513, 5_000, 12_000])
def test_a_journal_that_was_cut(older: set[str], path: Path, cut: int) -> None:
    """A part of an older journal is no better than the whole."""
    journal = hot_journal(path)
    expected = grade_on(path)
    beside(path, "-journal").write_bytes(journal[:cut])

    assert expected == ids(path)


def test_it_comes_while_a_window_is_open(older: set[str], path: Path) -> None:
    """A sync program may bring the journal in the middle of a session: neither its grades nor earlier ones are lost."""
    journal = hot_journal(path)
    expected = grade_on(path)
    with closing(open_progress(path)) as window:
        beside(path, "-journal").write_bytes(journal)
        review = graded(Grade.good, 90)
        window.record(review)
        beside(path, "-journal").write_bytes(journal)
        assert expected | {review.id} == {found.id for found in window.reviews()}

    assert expected | {review.id} == ids(path)


def test_the_journal_of_another_window(older: set[str], path: Path) -> None:
    """While another window writes, its journal is left to it, and the file can be read."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM memory")
        assert beside(path, "-journal").exists()
        timer = threading.Timer(0.2, lambda: writer.execute("ROLLBACK"))
        timer.start()
        assert not companions.settle(path, backups.backup_folder(path))
        assert beside(path, "-journal").exists()
        timer.join()

    assert older == ids(path)
    assert [] == kept(path)


def test_nothing_sound(older: set[str], path: Path) -> None:
    """Where neither state can be read nothing is touched, the file is called damaged, and restoring what is named helps."""
    made = backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-120000.sqlite3")
    journal, ruined = hot_journal(path), b"SQLite format 3\0" + NOISE
    path.write_bytes(ruined)
    beside(path, "-journal").write_bytes(journal[:700])

    with pytest.raises(ProgressError) as caught:
        open_progress(path)
    assert "damaged" == caught.value.reason
    assert (ruined, journal[:700]) == (path.read_bytes(), beside(path, "-journal").read_bytes())

    before = restore_backup(made, path, NOW)
    assert older == ids(path)
    assert ruined == (before and before.read_bytes())
    assert journal[:700] == (before and beside(before, ".foreign-journal").read_bytes())


def test_a_backup_with_a_journal(older: set[str], path: Path, tmp_path: Path) -> None:
    """A copy of the file that was synced together with a journal is restored as it was, and neither of them is touched."""
    journal = hot_journal(path)
    copy = tmp_path / "elsewhere" / "copy.sqlite3"
    copy.parent.mkdir()
    expected = grade_on(path)
    copy.write_bytes(path.read_bytes())
    beside(copy, "-journal").write_bytes(journal)
    path.unlink()
    before = copy.read_bytes()

    restore_backup(copy, path, NOW)

    assert expected == ids(path)
    assert (before, journal) == (copy.read_bytes(), beside(copy, "-journal").read_bytes())


def test_a_crash_on_a_disk_that_may_only_be_read(older: set[str], path: Path) -> None:
    """What needs its journal is read with it, in a copy: neither called damaged, nor is a byte changed."""
    crash(path)
    before = path.read_bytes()
    os.chmod(path.parent, 0o500)

    with closing(Progress.copied(str(path))) as copy:
        assert older == {review.id for review in copy.reviews()}
        assert () == copy.check()
    os.chmod(path.parent, 0o700)
    assert before == path.read_bytes()
    assert beside(path, "-journal").exists()


def test_no_folder_for_the_copy(older: set[str], path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where there is no folder to play the journal back in, that is what is said; with the folder that is advised it works."""
    crash(path)
    original: Callable[..., str] = tempfile.mkdtemp

    def none(prefix: str, dir: Path | None) -> str:
        if "TMPDIR" not in os.environ:
            raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")
        return original(prefix=prefix, dir=os.environ["TMPDIR"])

    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "mkdtemp", none)
    with pytest.raises(ProgressError) as caught:
        Progress.copied(str(path))
    assert "unfinished" == caught.value.reason

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with closing(Progress.copied(str(path))) as copy:
        assert older == {review.id for review in copy.reviews()}


def test_a_file_system_without_links(older: set[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file cannot have two names, a journal that nobody has touched for a while is looked at all the same."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    journal = hot_journal(path)
    expected = grade_on(path)
    beside(path, "-journal").write_bytes(journal)
    os.utime(beside(path, "-journal"), (time.time() - 3600, time.time() - 3600))

    assert expected == ids(path)
    assert [".foreign-journal"] == kept(path)


@pytest.mark.parametrize("seed", range(int(os.environ.get("QKV_LEFTOVERS", "6"))))
def test_leftovers_at_random(progress: Progress, path: Path, seed: int) -> None:
    """Journals, logs and parts of them from any earlier moment, beside any later state, whole or torn: no saved grade is lost."""
    chance, saved, old = random.Random(seed), set[str](), list[tuple[str, bytes]]()
    progress.close()
    for _ in range(6):
        for n in range(chance.randint(1, 12)):
            with closing(open_progress(path)) as opened:
                review = graded(Grade.good, n, ("deck", f"card-{chance.randrange(5)}"))
                opened.record(review)
                saved.add(review.id)
        old.append(("-journal", hot_journal(path)) if chance.random() < 0.5 else ("-wal", write_ahead_log(path, chance.randint(1, 3))))
        suffix, content = chance.choice(old)
        if chance.random() < 0.3:
            crash(path)
        else:
            beside(path, suffix).write_bytes(content[: chance.choice([len(content), chance.randint(1, len(content))])])
        assert saved <= ids(path)
