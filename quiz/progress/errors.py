"""What can be wrong with a progress file, as sentences; and which of SQLite's errors means what."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from content.regular_file import require_file
from quiz.progress.private_files import has_locks

Reason = Literal[
    "not-a-database", "foreign", "newer", "read-only", "full", "locked", "unreachable", "no-locks", "unfinished", "moved", "damaged", "same"
]
UNTOUCHED: tuple[Reason, ...] = ("full", "locked", "read-only", "no-locks")  # what was saved before is still in the file
LATER: tuple[Reason, ...] = (*UNTOUCHED, "unreachable", "unfinished")  # what may be over in a minute

_SENTENCES: dict[Reason, str] = {
    "not-a-database": "{path} is not a progress file. It is left as it is; move it away, or set QKV_DATA to another folder.",
    "foreign": "{path} belongs to another program. It is left as it is; set QKV_DATA to another folder.",
    "newer": "{path} was written by a newer qkv. It is left as it is; update qkv to go on with it.",
    "read-only": "{path} cannot be written. Make the file and its folder writable, or set QKV_DATA to another folder.",
    "full": "The disk is full, so nothing more was saved to {path}. Make room.",
    "locked": "Another program holds {path}, so nothing was saved. Close it.",
    "unreachable": "{path} cannot be opened. Check that its folder exists, that it is a file, and that the disk answers.",
    "no-locks": "The file system of {path} has no locks. Set QKV_DATA to a folder on a disk of this machine, and copy it there.",
    "unfinished": "{path} has an unfinished change beside it, and there is no folder to finish it in. Set TMPDIR to one.",
    "moved": "{path} was moved or replaced while it was open. Try again.",
    "damaged": "{path} is damaged. It is left as it is; put a copy of it from before in its place.",
    "same": "{path} is the progress file itself. Name a backup of it.",
}

_REASONS: dict[int, Reason] = {
    sqlite3.SQLITE_NOTADB: "not-a-database",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
    sqlite3.SQLITE_IOERR: "unreachable",
    sqlite3.SQLITE_CORRUPT: "damaged",
}


_OS_REASONS: dict[int, Reason] = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EACCES: "read-only", errno.EROFS: "read-only"}

_LOCK_FAILED = {
    sqlite3.SQLITE_IOERR_LOCK,
    sqlite3.SQLITE_IOERR_UNLOCK,
    sqlite3.SQLITE_IOERR_RDLOCK,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK,
    sqlite3.SQLITE_PERM,  # only a lock that is not permitted: a file that may not be opened is CANTOPEN
    sqlite3.SQLITE_PROTOCOL,
}


class ProgressError(Exception):
    """A sentence for a person; `reason` names it for translation. The file is as it was: go on in memory, or try again.

    `backup` is the newest that can be restored, once it was looked for: that reads backups from end to end.
    """

    def __init__(self, reason: Reason, path: str) -> None:
        super().__init__(_SENTENCES[reason].format(path=path))
        self.reason: Reason = reason
        self.path = path
        self.backup: Path | Literal["not looked for"] | None = "not looked for"

    @property
    def ruined(self) -> bool:
        """Whether the file is beyond use, so that only a backup helps."""
        return self.reason in ("damaged", "not-a-database")


class Unreadable(Exception):
    """A row that holds what no version ever wrote: a bit has flipped where SQLite does not look."""


class UnreadableMemory(Unreadable):
    """Such a row in what the log adds up to: nothing is lost, as it can be computed anew."""


@contextmanager
def sqlite_errors_explained(path: str) -> Iterator[None]:
    """Turns what SQLite reports about the file into a ProgressError; mistakes of the program stay what they are."""
    try:
        yield
    except (Unreadable, UnicodeDecodeError) as error:  # the latter also for a message of SQLite's that names a damaged column
        raise ProgressError("damaged", path) from error
    except sqlite3.Error as error:
        if is_undecodable(error) or "no such table" in str(error):  # our statements name none that was not made: the file was emptied
            raise ProgressError("damaged", path) from error
        reason = reason_of(error, path)
        if reason is None:
            raise
        raise ProgressError(reason, path) from error


@contextmanager
def os_errors_explained(path: Path) -> Iterator[None]:
    """Turns what the system reports while a file is copied or moved into a ProgressError about `path`."""
    try:
        yield
    except OSError as error:
        raise ProgressError(_OS_REASONS.get(error.errno or 0, "unreachable"), str(path)) from error


def reason_of(error: sqlite3.Error, path: str) -> Reason | None:
    """What an error of SQLite's means for a file; None for a mistake of the program."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code in _LOCK_FAILED:
        return "no-locks"
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return "moved"
    reason = _REASONS.get(sqlite_code(error))
    # "No lock could be had" is all that SQLite says, also where the system has none to give.
    return "no-locks" if reason == "locked" and not has_locks(Path(path).parent) else reason


def is_undecodable(error: sqlite3.Error) -> bool:
    """Whether a text was not UTF-8: Python's own complaint, without a code."""
    return "decode" in str(error)


def sqlite_code(error: sqlite3.Error) -> int:
    """SQLite's primary code of an error; 0 for Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def refuse_other_than_files(path: Path) -> None:
    """Raises ProgressError for a device, a pipe or a folder under the name, also at the end of a link: /dev/zero is copied for ever.

    So are the names that SQLite looks for beside it: of a pipe it would wait for the first page of a journal.
    """
    for beside in ("", "-journal", "-wal", "-shm"):
        file = Path(f"{path}{beside}")
        try:
            require_file(file.stat().st_mode, file)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise ProgressError("unreachable", str(file)) from error


def is_missing(path: Path) -> bool:
    """Whether there is no file; one in a folder that may not be looked into is not missing: opening it says what is wrong."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False
