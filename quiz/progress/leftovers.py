"""What a journal of another time leaves to do, for everyone who opens a progress file: the rows that only it led to are added.

The journal is out of the way before that, as SQLite would play it back. So where the rows cannot be added yet, as the disk is full or
another program holds the file, they wait among the backups for the next who opens it.
"""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

from quiz.progress import cache
from quiz.progress.companions import FOREIGN, settle, sound_rows
from quiz.progress.database import PATIENCE, connect
from quiz.progress.errors import ProgressError, sqlite_errors_explained

PENDING = ".pending"  # ends the name of a state whose rows wait


def clear(path: Path, folder: Path, patience: float = PATIENCE) -> None:
    """Sees to it that SQLite can open a file without losing a row (see settle), and that it holds all that is known. Raises ProgressError.

    `folder` is that of the backups.
    """
    settled = settle(path, folder)
    if settled:
        _take_over(path, settled.more, patience)
    for pending in sorted(_pending(folder)):
        more = pending.with_suffix("")
        with suppress(OSError):  # another window was faster
            pending.rename(more)
            if sound_rows(more):  # a file that can no longer be read must not keep anybody from the progress
                _take_over(path, more, patience)


def _pending(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.iterdir() if file.name.startswith(FOREIGN.split("%")[0]) and file.suffix == PENDING]
    except OSError:
        return []


def _take_over(path: Path, more: Path | None, patience: float) -> None:
    """Adds the rows and computes anew what the log adds up to: through a connection of its own, which others may be in the middle of."""
    try:
        with sqlite_errors_explained(str(path)), closing(connect(str(path), patience)) as connection:
            cache.take_over(connection, more)
    except ProgressError:
        if more:
            with suppress(OSError):
                more.rename(f"{more}{PENDING}")
        raise
