"""Files that only their owner may read, and the locks of a file system: what SQLite leaves to chance."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600
FOLDER_OWNER_ONLY = 0o700


def make_private(path: Path) -> None:
    """An empty file for its owner alone, where there is none; SQLite gives its journals the same permissions. Raises OSError."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    except FileExistsError:
        return  # a person may have opened it to others


def make_private_folder(path: Path) -> None:
    """A folder for its owner alone, where there is none. Raises OSError."""
    path.mkdir(mode=FOLDER_OWNER_ONLY, parents=True, exist_ok=True)


def has_locks(folder: Path) -> bool:
    """Whether files in a folder can be locked; true where it cannot be tried."""
    try:
        import fcntl
    except ImportError:  # Windows, whose file systems all can
        return True
    with suppress(OSError), tempfile.TemporaryFile(dir=folder) as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False  # nobody else knows this file
    return True
