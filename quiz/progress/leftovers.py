"""What a journal of another time leaves to do, for everyone who opens a progress file: the rows that only it led to are added.

The journal is out of the way before that, as SQLite would play it back. So the rows wait among the backups until they are in the file:
where the disk is full, another program holds it, or the power goes, for the next who opens it.
"""

from __future__ import annotations

import shutil
from contextlib import closing, suppress
from pathlib import Path

from quiz.progress import cache
from quiz.progress.companions import pending_states, scratch_folder, settle, sound_rows
from quiz.progress.database import PATIENCE, connect
from quiz.progress.errors import sqlite_errors_explained


def clear(path: Path, folder: Path, patience: float = PATIENCE) -> None:
    """Sees to it that SQLite can open a file without losing a row (see settle), and that it holds all that is known. Raises ProgressError.

    `folder` is that of the backups.
    """
    settled = settle(path, folder)
    waiting = pending_states(folder)
    for pending in waiting:
        with suppress(OSError):  # another window was faster
            _add(path, pending, patience)
            pending.rename(pending.with_suffix(""))
    if settled and not waiting:
        _take_over(path, None, patience)


def _add(path: Path, pending: Path, patience: float) -> None:
    """From a copy, as SQLite would make a file under the name when another window has added it and given it another."""
    with scratch_folder(path) as scratch:
        copy = Path(shutil.copyfile(pending, scratch / "pending.sqlite3"))
        if sound_rows(copy):  # a file that can no longer be read must not keep anybody from the progress
            _take_over(path, copy, patience)


def _take_over(path: Path, more: Path | None, patience: float) -> None:
    """Adds the rows and computes anew what the log adds up to: through a connection of its own, which others may be in the middle of."""
    with sqlite_errors_explained(str(path)), closing(connect(str(path), patience)) as connection:
        cache.take_over(connection, more)
