"""Copies of the progress file: which ones stay, that each is whole, and that none is lost to make another."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import threading
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.scheduler import Grade
from quiz.progress import backups, database
from quiz.progress.backups import DAILY, MONTHLY, WEEKLY, all_backups, kept_backups, make_backup, make_daily
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from tests.quiz.learning import CARD, a_database, graded, rows

NOON = datetime(2026, 11, 29, 12)
stamps = st.lists(st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)).map(lambda at: at.replace(microsecond=0)), max_size=80)


# --- which stay ---------------------------------------------------------------------------------------------------------


@given(stamps)
def test_few_and_the_newest(found: list[datetime]) -> None:
    """At most 31 stay, the newest among them; and those that stay would all stay again."""
    stay = kept_backups(found)

    assert stay <= set(found)
    assert len(stay) <= DAILY + WEEKLY + MONTHLY
    assert not found or max(found) in stay
    assert stay == kept_backups(stay)


@given(stamps, st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)))
def test_a_new_one_brings_none_back(found: list[datetime], new: datetime) -> None:
    """What was not kept is not missed later: with one more backup, the same stay as if nothing had ever been removed."""
    later = max([new, *found]) + timedelta(hours=1)

    assert kept_backups([*found, later]) == kept_backups([*kept_backups(found), later])


def test_a_year_of_days() -> None:
    """After 400 days of one backup each: the last 12 days, the ends of 10 weeks and of 9 months, the latest of each shared."""
    stay: set[datetime] = set()
    for day in range(400):
        stay = kept_backups([*stay, NOON + timedelta(days=day)])
    last = NOON + timedelta(days=399)  # 2 January 2028
    ages = sorted((last - at).days for at in stay)

    assert list(range(12)) == ages[:12]
    assert 10 == len({at.isocalendar()[:2] for at in stay if (last - at).days < 70})
    assert 9 == len({(at.year, at.month) for at in stay})
    assert datetime(2027, 5, 31, 12) == min(stay)


def test_now_and_then() -> None:
    """Whoever studies once a month keeps twelve backups of twelve months: days count where there is one."""
    monthly = [datetime(2026, month, 15) for month in range(1, 13)]

    assert set(monthly) == kept_backups(monthly)


# --- making one ---------------------------------------------------------------------------------------------------------


def names(path: Path) -> list[str]:
    """Every file in the backups' folder."""
    return sorted(file.name for file in backups.backup_folder(path).iterdir())


def test_once_a_day(progress: Progress, path: Path) -> None:
    """The first call of a day makes a backup, the second none; the next day one only if something has changed."""
    progress.record(graded(Grade.good))
    first = make_daily(path, NOON)
    progress.record(graded(Grade.good, 1))

    assert [None, None] == [make_daily(path, NOON + timedelta(hours=hours)) for hours in (0, 5)]
    assert make_daily(path, NOON + timedelta(days=1)) is not None
    assert make_daily(path, NOON + timedelta(days=2)) is None
    assert first is not None
    assert ["progress-2026-11-29-120000.sqlite3", "progress-2026-11-30-120000.sqlite3"] == names(path)


def test_nothing_to_keep(progress: Progress, path: Path) -> None:
    """A new file in which nothing was ever graded gets no backup."""
    assert make_daily(path, NOON) is None
    assert not backups.backup_folder(path).exists()


def test_a_backup_is_the_progress(progress: Progress, path: Path) -> None:
    """A backup opens like the file itself, with the same memories."""
    memory = progress.record(graded(Grade.good))
    made = make_daily(path, NOON)

    assert made is not None
    with closing(open_progress(made)) as opened:
        assert {CARD: memory} == opened.memories()
        assert () == opened.check()


def test_rotated(progress: Progress, path: Path) -> None:
    """With a new backup those that are not kept go, and nothing else in the folder does."""
    progress.record(graded(Grade.good))
    made = make_backup(path, backups.backup_folder(path) / (NOON - timedelta(days=700)).strftime(backups.STAMP))
    for day in range(30, 60):
        (made.parent / (NOON - timedelta(days=day)).strftime(backups.STAMP)).write_bytes(b"")
    for other in ("damaged-2026-01-01-000000.sqlite3", "mine.sqlite3", "progress-2020-99-99-000000.sqlite3"):
        (made.parent / other).write_bytes(b"")

    make_daily(path, NOON)

    stamps = [backups.made_at(file) for file in all_backups(path)]
    assert kept_backups(stamps) == set(stamps)
    assert 3 == len(names(path)) - len(stamps)
    assert NOON == max(stamps)


@pytest.mark.parametrize("content", [b"", b"noise" * 1000, None])
def test_an_unreadable_backup(progress: Progress, path: Path, content: bytes | None) -> None:
    """A backup that cannot be read, or is another program's, holds nothing: a new one is made, beside it."""
    progress.record(graded(Grade.good))
    broken = backups.backup_folder(path) / (NOON - timedelta(days=1)).strftime(backups.STAMP)
    broken.parent.mkdir()
    if content is None:
        a_database(broken, "CREATE TABLE review (clock)")
    else:
        broken.write_bytes(content)

    assert make_daily(path, NOON) is not None
    assert [broken, *all_backups(path)[1:]] == all_backups(path)


def test_left_half_done(progress: Progress, path: Path) -> None:
    """What a killed backup left behind is cleared away after a day, not while it may still be written."""
    progress.record(graded(Grade.good))
    folder = backups.backup_folder(path)
    folder.mkdir()
    old, young = folder / ".a.sqlite3.1.partial", folder / ".b.sqlite3.2.partial"
    for file in (old, young):
        file.touch()
    os.utime(old, (time.time() - 2 * backups.A_DAY,) * 2)

    make_daily(path, NOON)

    assert [young.name] == [name for name in names(path) if name.endswith(".partial")]


# --- what goes wrong ----------------------------------------------------------------------------------------------------


def failing(path: Path, reason: str) -> None:
    """A backup fails for a reason in a sentence, and the backups and the file are as they were."""
    before = {file: file.read_bytes() for file in (path, *all_backups(path))}

    with pytest.raises(ProgressError) as caught:
        make_daily(path, NOON + timedelta(days=9))

    assert reason == caught.value.reason
    assert before == {file: file.read_bytes() for file in (path, *all_backups(path))}
    assert not [name for name in (names(path) if backups.backup_folder(path).exists() else []) if "partial" in name]


def test_damage_is_found(progress: Progress, path: Path) -> None:
    """A damaged page makes no backup: it is said, and the good ones stay."""
    for n in range(60):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))
    make_daily(path, NOON)
    progress.record(graded(Grade.good))
    progress.close()
    content, chance = bytearray(path.read_bytes()), random.Random(0)
    content[-6_000:-3_000] = chance.randbytes(3_000)
    path.write_bytes(content)

    failing(path, "damaged")


def test_damage_that_a_quick_check_does_not_see(progress: Progress, path: Path) -> None:
    """An index that says something else than its table is found, too."""
    progress.record(graded(Grade.good))
    (page,) = progress._connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'review_card'").fetchone()
    progress.close()
    content, begin = bytearray(path.read_bytes()), (page - 1) * 4096
    at = content.index(CARD[1].encode(), begin, begin + 4096)
    content[at] ^= 1
    path.write_bytes(content)

    assert [("ok",)] == rows(path, "PRAGMA quick_check")
    failing(path, "damaged")


def test_stuck_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that does not advance for longer than our patience is given up; one that advances is not."""
    monkeypatch.setattr(backups, "PATIENCE", -1.0)
    look = backups.give_up_when_locked(Path("p.sqlite3"))
    for remaining in (9, 5, 1):
        look(0, remaining, 9)

    with pytest.raises(ProgressError) as caught:
        look(0, 1, 9)

    assert "locked" == caught.value.reason


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_no_room_for_the_name(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """A disk that is full at the last moment leaves no half backup."""
    progress.record(graded(Grade.good))
    make_daily(path, NOON)
    progress.record(graded(Grade.good, 1))

    def full(_: int) -> None:
        raise OSError(number, "no room")

    monkeypatch.setattr(os, "fsync", full)

    failing(path, "full")


def test_a_full_disk(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full in the middle of the copy leaves no half backup, and removes none."""
    for n in range(60):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))
    make_daily(path, NOON)
    progress.record(graded(Grade.good, 61))
    original = sqlite3.connect

    def small(*arguments: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = original(*arguments, **options)  # type: ignore[call-overload]
        if "partial" in str(arguments[0]):
            connection.execute("PRAGMA max_page_count = 3")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)

    failing(path, "full")


def test_a_file_in_the_way(progress: Progress, path: Path) -> None:
    """A file where the backups' folder should be is a sentence."""
    progress.record(graded(Grade.good))
    backups.backup_folder(path).touch()

    with pytest.raises(ProgressError):
        make_daily(path, NOON)

    assert b"" == backups.backup_folder(path).read_bytes()


def test_held_for_long(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program holds the file there is no backup, and no waiting for ever."""
    progress.record(graded(Grade.good))
    progress.close()
    for module in (backups, database):
        monkeypatch.setattr(module, "PATIENCE", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ProgressError) as caught:
            make_backup(path, path.parent / "copy.sqlite3")

    assert "locked" == caught.value.reason
    assert [path.name] == [file.name for file in path.parent.iterdir()]


def test_grades_meanwhile(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Grades given while a backup is made are all saved; the backup is whole, of one moment."""
    monkeypatch.setattr(backups, "PAGES", 1)
    for n in range(100):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))
    made: list[Path] = []
    thread = threading.Thread(target=lambda: made.append(make_backup(path, path.parent / "copy.sqlite3")))
    thread.start()
    given = 0
    while thread.is_alive() and given < 200:
        progress.record(graded(Grade.again, 200, minute=given))
        given += 1
    thread.join()

    assert 100 + given == len(list(progress.reviews()))
    with closing(open_progress(made[0])) as copy:
        assert () == copy.check()
        assert 100 <= len(list(copy.reviews())) <= 100 + given


def test_after_a_crash(progress: Progress, path: Path) -> None:
    """A backup of a file that a killed writer left half written is of its last whole state."""
    progress.record(graded(Grade.good))
    progress.close()
    a_database(path, "PRAGMA user_version")
    sound = path.read_bytes()
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN IMMEDIATE")
        writer.executemany("INSERT INTO meta VALUES (?, ?)", [(f"key {n}", "x" * 1000) for n in range(200)])
        crashed = path.with_name("crashed.sqlite3")
        crashed.write_bytes(path.read_bytes())
        crashed.with_name(f"{crashed.name}-journal").write_bytes(path.with_name(f"{path.name}-journal").read_bytes())
        writer.execute("ROLLBACK")

    assert sound != crashed.read_bytes()
    made = make_backup(crashed, crashed.with_name("copy.sqlite3"))
    assert [("rules",)] == rows(made, "SELECT key FROM meta")
