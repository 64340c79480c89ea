"""Puts a backup in the place of the progress file. What was there is kept beside the backups first, whatever state it is in."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from quiz.progress import backups, cache
from quiz.progress.companions import INDEX, JOURNAL, WAL, holding, move_beside
from quiz.progress.database import PATIENCE, has_strange_parts, remove_strange_parts, require_ours, uri
from quiz.progress.errors import ProgressError, is_missing, os_errors_explained, sqlite_errors_explained
from quiz.progress.soundness import require_sound

# Not the names of backups, which are rotated away: what is in such a file may be nowhere else.
REPLACED = "replaced-%Y-%m-%d-%H%M%S.sqlite3"
RUINED = "damaged-%Y-%m-%d-%H%M%S.sqlite3"


def restore_backup(backup: Path, progress: Path, now: datetime) -> Path | None:
    """Restores a backup and gives the place where the file before it is kept; None if there was none.

    Raises ProgressError, and then everything is as it was: when the backup is not a sound progress file of ours, when what is to be
    replaced belongs to another program or a newer version, or when another process is writing.
    """
    backups.check_backup(backup)
    with _without_strange_parts(backup, progress) as clean:
        return _restore(clean, backup, progress, now)


def _restore(clean: Path, backup: Path, progress: Path, now: datetime) -> Path | None:
    if is_missing(progress):
        _put(clean, progress)
        return None
    if _same(progress, backup):
        raise ProgressError("same", str(backup))
    folder = backups.backup_folder(progress)
    if _is_writable(progress):
        return _write_into(clean, progress, free_name(folder, REPLACED, now))
    before = free_name(folder, RUINED, now)
    with os_errors_explained(progress), progress.open("rb") as ruined, _held(progress):  # closing it would let go of the lock
        _copy_bytes(ruined, before)
        # SQLite has looked at the old file by now: a journal that is still there is none of its own, and must not be played back.
        move_beside(progress, before.with_name(f"{before.name}.foreign"))
        _put(clean, progress)
    return before


@contextlib.contextmanager
def _without_strange_parts(backup: Path, progress: Path) -> Iterator[Path]:
    """The backup, or a copy of it without triggers and indexes that are not ours: they would act on every grade. Raises ProgressError."""
    with backups.open_backup(backup) as connection:
        strange = has_strange_parts(connection)
    if not strange:
        yield backup
        return
    with backups.partial_file(progress.with_name(f"{progress.name}-restored")) as copy:
        shutil.copyfile(backup, copy)
        with sqlite_errors_explained(str(copy)), contextlib.closing(sqlite3.connect(copy)) as connection, connection:
            remove_strange_parts(connection)
        yield copy


def _same(progress: Path, backup: Path) -> bool:
    with contextlib.suppress(OSError):  # a file that cannot be looked at: opening it says what is wrong
        return progress.samefile(backup)
    return False


def _is_writable(progress: Path) -> bool:
    """Whether the file is sound enough to be written by SQLite, so that other windows see what becomes of it. Raises ProgressError."""
    try:
        with backups.open_current(progress) as connection:
            require_ours(connection, str(progress))
            require_sound(connection, str(progress))
    except ProgressError as error:
        if error.ruined:
            return False
        raise
    return True


def _write_into(backup: Path, progress: Path, before: Path) -> Path:
    """One transaction in the progress file: all or nothing, also when the power goes.

    What was there is copied under the same lock: whatever another window was told to be saved is in one file or the other.
    """
    address = uri(str(progress), "mode=rw")
    target = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
    with contextlib.closing(target), backups.open_backup(backup) as source, sqlite_errors_explained(str(progress)):
        target.execute("PRAGMA synchronous = EXTRA")
        target.execute("PRAGMA locking_mode = EXCLUSIVE")  # a lock is kept from here to the end
        target.execute("BEGIN EXCLUSIVE")
        target.execute("COMMIT")
        backups.make_copy(target, progress, before)
        source.backup(target)
        cache.mark_restored(target)
    return before


@contextlib.contextmanager
def _held(progress: Path) -> Iterator[None]:
    """Nobody writes a file meanwhile; one that is too broken to be locked is held by nobody. Raises ProgressError."""
    with holding(progress, PATIENCE) as content:
        if content is None:
            raise ProgressError("locked", str(progress))
        yield


def _put(backup: Path, progress: Path) -> None:
    """A new file under the name of the progress file."""
    with os_errors_explained(progress):
        for suffix in (JOURNAL, WAL, INDEX):  # what lies there without a file is nobody's
            progress.with_name(progress.name + suffix).unlink(missing_ok=True)
    with backups.open_backup(backup) as source:
        backups.make_copy(source, backup, progress)


def _copy_bytes(source: BinaryIO, target: Path) -> None:
    with backups.partial_file(target) as copy:
        with copy.open("wb") as file:
            shutil.copyfileobj(source, file)
        backups.replace_durably(copy, target)


def free_name(folder: Path, pattern: str, now: datetime) -> Path:
    """A name of that pattern in a folder that is not taken yet: two backups of one second do not meet."""
    while os.path.exists(target := folder / now.strftime(pattern)):
        now += timedelta(seconds=1)
    return target
