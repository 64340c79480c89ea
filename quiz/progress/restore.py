"""Puts a backup in the place of the progress file. What was there is kept beside the backups first, whatever state it is in."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

from quiz.progress import backups
from quiz.progress.database import PATIENCE, uri
from quiz.progress.errors import ProgressError, is_missing, sqlite_errors_explained

# Not the names of backups, which are rotated away: what is in such a file may be nowhere else.
REPLACED = "replaced-%Y-%m-%d-%H%M%S.sqlite3"
RUINED = "damaged-%Y-%m-%d-%H%M%S.sqlite3"


def restore_backup(backup: Path, progress: Path, now: datetime) -> Path | None:
    """Restores a backup and gives the place where the file before it is kept; None if there was none.

    Raises ProgressError, and then everything is as it was: when the backup is not a sound progress file of ours, when what is to be
    replaced belongs to another program or a newer version, or when another process is writing.
    """
    backups.check_backup(backup)
    if is_missing(progress):
        _put(backup, progress)
        return None
    if _same(progress, backup):
        raise ProgressError("same", str(backup))
    if _writable(progress):
        before = backups.make_backup(progress, free_name(backups.backup_folder(progress), REPLACED, now))
        _write_into(backup, progress)
    else:
        before = _set_aside(progress, free_name(backups.backup_folder(progress), RUINED, now))
        _put(backup, progress)
    return before


def _same(progress: Path, backup: Path) -> bool:
    with contextlib.suppress(OSError):  # a file that cannot be looked at: opening it says what is wrong
        return progress.samefile(backup)
    return False


def _writable(progress: Path) -> bool:
    """Whether the file is sound enough to be written by SQLite, so that other windows see what becomes of it. Raises ProgressError."""
    try:
        backups.check_backup(progress)
    except ProgressError as error:
        if error.reason in ("damaged", "not-a-database"):
            return False
        raise
    return True


def _write_into(backup: Path, progress: Path) -> None:
    """One transaction in the progress file: all or nothing, also when the power goes."""
    with backups.open_backup(backup) as source, sqlite_errors_explained(str(progress)):
        address = uri(str(progress), "mode=rw")
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous = EXTRA")
            source.backup(target, progress=backups.give_up_when_locked(progress))


def _set_aside(progress: Path, target: Path) -> Path:
    """A copy of a ruined file, byte by byte."""
    _refuse_held(progress)
    _copy(progress, target)
    return target


def _refuse_held(progress: Path) -> None:
    """Raises ProgressError when another program is writing; a file that is too broken to be locked is held by nobody."""
    with contextlib.closing(sqlite3.connect(uri(str(progress), "mode=rw"), uri=True, timeout=PATIENCE, isolation_level=None)) as target:
        try:
            target.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise ProgressError("locked", str(progress)) from error


def _put(backup: Path, progress: Path) -> None:
    """A new file under the name of the progress file."""
    # SQLite has seen the old file twice by now: a journal that is still there is none of its own, and must not be played back.
    progress.with_name(f"{progress.name}-journal").unlink(missing_ok=True)
    _copy(backup, progress)


def _copy(source: Path, target: Path) -> None:
    with backups.partial_file(target) as copy:
        shutil.copyfile(source, copy)
        backups.replace_durably(copy, target)


def free_name(folder: Path, pattern: str, now: datetime) -> Path:
    """A name of that pattern in a folder that is not taken yet: two backups of one second do not meet."""
    while os.path.exists(target := folder / now.strftime(pattern)):
        now += timedelta(seconds=1)
    return target
