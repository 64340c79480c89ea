"""A file under the same name that is another one: sync programs replace files by renaming, and people delete and restore them."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from quiz.progress import backups, restore
from quiz.progress.errors import ProgressError, os_errors_explained

Identity = tuple[int, int]  # device and inode


def identity(path: str) -> Identity | None:
    """Which file bears a name; None where there is none, or where it cannot be told."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def put_back(connection: sqlite3.Connection, path: str) -> None:
    """Where no file bears the name, what a connection holds becomes one; a file that is there is never replaced. Raises ProgressError."""
    target = Path(path)
    if os.path.lexists(target) or not os.path.isdir(target.parent):
        return
    with backups.partial_file(target.with_name(f"{target.name}.back")) as partial:
        backups.fill_copy(connection, target, partial, target)
        with os_errors_explained(target):
            backups.sync_file(partial)
            if _linked(partial, target):
                backups.sync_folder(target.parent)
            elif not os.path.lexists(target):
                backups.replace_durably(partial, target)


def _linked(partial: Path, target: Path) -> bool:
    """False on a file system where a file has one name."""
    try:
        os.link(partial, target)
    except FileExistsError:
        pass  # another window was faster, or a sync program
    except OSError:
        return False
    return True


def keep_old(old: sqlite3.Connection, path: str) -> None:
    """Keeps what a file held that no longer bears the name, unless the one that does has got all of it."""
    target = restore.free_name(backups.backup_folder(Path(path)), restore.REPLACED, datetime.now())
    with suppress(ProgressError, sqlite3.Error):
        if not _has_all(Path(path), _ids(old)):
            backups.make_copy(old, Path(path), target)


def _has_all(progress: Path, held: frozenset[str]) -> bool:
    """False also where the file cannot be asked."""
    with suppress(ProgressError, sqlite3.Error), backups.open_current(progress) as now:
        return held <= _ids(now)
    return False


def _ids(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(row[0] for row in connection.execute("SELECT id FROM review"))
