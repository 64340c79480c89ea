"""Copies of the progress file: one a day when something changed, checked, few enough to keep for years.

A copy is made by SQLite's backup API into a file of another name, checked from end to end, and only then given its own name. Nothing is
removed before that: a full disk or a damaged file never costs a backup. The check of the copy is the check of the file it was made from.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path

from quiz.progress import leftovers, log
from quiz.progress.companions import best_copy
from quiz.progress.database import PATIENCE, TEMPORARY, require_ours, uri
from quiz.progress.errors import ProgressError, os_errors_explained, refuse_other_than_files, sqlite_errors_explained
from quiz.progress.private_files import make_private, make_private_folder
from quiz.progress.soundness import require_sound

FOLDER = "backups"
DAILY, WEEKLY, MONTHLY = 12, 10, 9
STAMP = "progress-%Y-%m-%d-%H%M%S.sqlite3"
UNFINISHED = ".partial"
A_DAY = 24 * 3600  # seconds
PAGES = 512  # copied at a time: 2 MiB, after which a writer may have its turn


def backup_folder(progress: Path) -> Path:
    """Where the backups of a progress file are."""
    return progress.parent / FOLDER


def made_at(backup: Path) -> datetime:
    """The local time in a backup's name. Raises ValueError where it is not the name of one."""
    return datetime.strptime(backup.name, STAMP)


def all_backups(progress: Path) -> list[Path]:
    """The backups of a progress file, oldest first; none where the folder cannot be read."""
    try:
        files = list(backup_folder(progress).iterdir())
    except OSError:
        return []
    return sorted((file for file in files if _is_backup(file)), key=made_at)


def newest_backup(progress: Path) -> Path | None:
    """The latest backup, if there is one."""
    return next(reversed(all_backups(progress)), None)


def newest_sound_backup(progress: Path) -> Path | None:
    """The latest backup that can be restored, if there is one: an earlier version did not look at every row of what it copied."""
    return next(filter(is_sound, reversed(all_backups(progress))), None)


def is_sound(backup: Path) -> bool:
    """Whether a backup can be restored."""
    try:
        check_backup(backup)
    except ProgressError:
        return False
    return True


def check_backup(backup: Path) -> None:
    """Reads a backup from end to end. Raises ProgressError."""
    with open_backup(backup) as connection:
        require_ours(connection, str(backup))
        require_sound(connection, str(backup))


def kept_backups(stamps: Iterable[datetime]) -> set[datetime]:
    """Which backups stay: the last of each of the latest 12 days, 10 weeks and 9 months that have one."""
    ordered = sorted(stamps)
    days = {at.date(): at for at in ordered}
    weeks = {at.isocalendar()[:2]: at for at in ordered}
    months = {(at.year, at.month): at for at in ordered}
    return {at for kind, count in ((days, DAILY), (weeks, WEEKLY), (months, MONTHLY)) for at in list(kind.values())[-count:]}


def make_daily(progress: Path, now: datetime) -> Path | None:
    """Makes today's backup and removes those that are no longer needed; None where there is one already, or nothing has changed.

    Raises ProgressError: with "damaged" when the copy is, which means that the file is.
    """
    last = newest_backup(progress)
    if (last and made_at(last).date() == now.date()) or holds_everything(last, progress):
        return None
    made = make_backup(progress, backup_folder(progress) / now.strftime(STAMP))
    remove_old(progress)
    return made


def make_backup(progress: Path, target: Path) -> Path:
    """A checked copy of a progress file, or no file at all. Raises ProgressError about the file that could not be read or written."""
    with open_current(progress) as source:
        make_copy(source, progress, target)
    return target


def make_copy(source: sqlite3.Connection, progress: Path, target: Path) -> None:
    """The same of what a connection reads; errors of reading are about `progress`."""
    with partial_file(target) as copy:
        fill_copy(source, progress, copy, target)
        replace_durably(copy, target)


@contextlib.contextmanager
def partial_file(target: Path) -> Iterator[Path]:
    """The name of a file that is to become `target`; whatever happens, nothing is left under it. Raises ProgressError."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}{UNFINISHED}")
    try:
        with os_errors_explained(target):
            make_private_folder(target.parent)
            make_private(unfinished)
            yield unfinished
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def remove_old(progress: Path) -> None:
    """Removes the backups that are not kept, and what a crash has left half done."""
    files = {made_at(file): file for file in all_backups(progress)}
    old = [files[at] for at in files.keys() - kept_backups(files)]
    old += [file for file in backup_folder(progress).glob(f".*{UNFINISHED}") if time.time() - file.stat().st_mtime > A_DAY]
    for file in old:
        with contextlib.suppress(OSError):
            file.unlink()


def _is_backup(file: Path) -> bool:
    try:
        made_at(file)
    except ValueError:
        return False
    return os.path.isfile(file)  # False where the folder may not be looked into


def holds_everything(backup: Path | None, progress: Path) -> bool:
    """Whether nothing would be lost with the progress file: a backup that cannot be read holds nothing. Raises ProgressError."""
    with open_current(progress) as connection:
        now = _size(connection, progress)
    if now.rows == 0:
        return True
    if backup is None:
        return False
    try:
        with open_backup(backup) as connection:
            return _size(connection, backup) == now
    except ProgressError:
        return False


def _size(connection: sqlite3.Connection, path: Path) -> log.LogSize:
    require_ours(connection, str(path))
    return log.log_size(connection)


@contextlib.contextmanager
def open_backup(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that nobody writes, or to a copy where a journal lies beside it: anybody's. Raises ProgressError."""
    with best_copy(path) as sound, _open(sound, path) as connection:
        yield connection


@contextlib.contextmanager
def open_current(progress: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the progress file, beside those who write it. Raises ProgressError."""
    if not os.access(progress.parent, os.W_OK):
        with open_backup(progress) as connection:
            yield connection
        return
    leftovers.clear(progress, backup_folder(progress))
    with _open(progress, progress) as connection:
        yield connection


@contextlib.contextmanager
def _open(path: Path, about: Path) -> Iterator[sqlite3.Connection]:
    refuse_other_than_files(path)
    address = uri(str(path), "mode=rw")  # SQLite falls back to reading where it may not write
    with sqlite_errors_explained(str(about)), contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_schema")
        connection.execute(TEMPORARY)
        yield connection


def give_up_when_locked(path: Path) -> Callable[[int, int, int], None]:
    """For sqlite3's backup(), which would wait for ever: raises ProgressError when another program lets nothing be copied for long."""
    last, since = -1, time.monotonic()

    def look(_: int, remaining: int, __: int) -> None:
        nonlocal last, since
        if remaining != last:
            last, since = remaining, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            raise ProgressError("locked", str(path))

    return look


def fill_copy(source: sqlite3.Connection, progress: Path, partial: Path, target: Path) -> None:
    """Copies what is to become `target`, and checks it. A few pages at a time, so that no grade waits for the whole file."""
    with sqlite_errors_explained(str(target)), contextlib.closing(sqlite3.connect(partial)) as copy:
        copy.execute("PRAGMA journal_mode = OFF")  # what fails is thrown away
        copy.execute("PRAGMA synchronous = OFF")  # replace_durably() does that once
        source.backup(copy, pages=PAGES, progress=give_up_when_locked(progress), sleep=0.001)
    with sqlite_errors_explained(str(progress)), contextlib.closing(sqlite3.connect(partial)) as copy:
        require_sound(copy, str(progress))


def replace_durably(partial: Path, target: Path) -> None:
    """Puts a file onto the disk, then under its name: after a power cut there is the old one or the new one, whole."""
    sync_file(partial)
    partial.replace(target)
    sync_folder(target.parent)


def sync_file(file: Path) -> None:
    """Returns when what a file holds is on the disk."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def sync_folder(folder: Path) -> None:
    """Returns when the names in a folder are on the disk."""
    if hasattr(os, "O_DIRECTORY"):  # not on Windows
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
