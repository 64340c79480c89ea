"""Journals beside a progress file. SQLite plays back whatever is called like one, whoever put it there: sync programs leave old ones.

Ours has a journal for the length of a commit, and after a crash in the middle of one; it never has a write-ahead log. So before SQLite
opens a file that has something beside it, both states are looked at in copies, alone and played back. What loses no row is left to
SQLite; anything else is put among the backups.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from quiz.progress.database import require_ours, uri
from quiz.progress.errors import ProgressError, os_errors_explained, refuse_other_than_files, sqlite_code
from quiz.progress.private_files import OWNER_ONLY, make_private_folder
from quiz.progress.soundness import require_sound

JOURNAL, WAL, INDEX = "-journal", "-wal", "-shm"
FOREIGN = "beside-%Y-%m-%d-%H%M%S.sqlite3"  # its journal has this name with the suffix; the file itself is the state that it led to
PENDING = ".pending"  # ends the name of such a state as long as its rows are not in the progress file
PAUSE = 0.01  # seconds between two tries to hold a file
LONG = 60.0  # seconds in which a program that writes touches its journal
_COUNTER = slice(24, 28)  # of a file's header: counts its transactions


@dataclass(frozen=True)
class State:
    """A file's content as SQLite reads it: a copy, the ids of its rows (None where it is not sound), and how many transactions it saw."""

    copy: Path
    rows: frozenset[str] | None
    transactions: int

    def holds(self, other: State) -> bool:
        """Whether nothing of the other state is lost with it."""
        return self.rows is not None and (other.rows is None or other.rows <= self.rows)


def beside(path: Path) -> list[Path]:
    """What SQLite would play back; an empty file is nothing to it."""
    return [found for suffix in (JOURNAL, WAL) if is_something(found := path.with_name(path.name + suffix))]


def is_something(path: Path) -> bool:
    """Whether there is a file, and not an empty one."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def settle(path: Path, folder: Path) -> bool:
    """Sees to it that SQLite can open a file without losing a row: a journal that is not its own is put into `folder`.

    False where there was nothing to do; else what the log adds up to has to be computed anew. Rows that only the journal led to wait in
    the folder (see PENDING). Raises ProgressError when no state of the file is sound, and leaves everything as it is.
    """
    refuse_other_than_files(path)
    if not beside(path):
        return False
    with holding(path, 0) as content, scratch_folder(path) as scratch:
        if content is None or not beside(path):
            return False  # another program is writing, and it is its journal
        alone, played = _states(path, content, scratch)
        if alone.rows is played.rows is None:
            raise ProgressError("damaged", str(path))
        if played.holds(alone):
            return True
        if alone.transactions - played.transactions in (0, 1):  # the last change is complete, and its journal was about to go
            path.with_name(path.name + JOURNAL).unlink(missing_ok=True)
        if beside(path):
            put_aside(path, folder, None if alone.holds(played) else played.copy)
        return True


def foreign_journals(folder: Path) -> set[Path]:
    """Those that settle() has put there; none where the folder cannot be read."""
    try:
        found = list(folder.iterdir())
    except OSError:
        return set()
    return {file for file in found if file.name.startswith(FOREIGN.split("%")[0]) and file.name.endswith((JOURNAL, WAL))}


@contextmanager
def best_copy(path: Path) -> Iterator[Path]:
    """A file without anything beside it: the one given, or a copy of its best state, if something is. Raises ProgressError."""
    refuse_other_than_files(path)
    if not beside(path):
        yield path
        return
    with scratch_folder(path) as scratch, os_errors_explained(path):
        alone, played = _states(path, path.read_bytes(), scratch)
        if alone.rows is played.rows is None:
            raise ProgressError("damaged", str(path))
        yield played.copy if played.holds(alone) else alone.copy


@contextmanager
def holding(path: Path, patience: float) -> Iterator[bytes | None]:
    """The bytes of a file while nobody else can write it; None where another program does.

    A connection under another name of the same file: SQLite's locks are the file's, but the journal that it looks for is the name's.
    """
    link = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
    try:
        link.unlink(missing_ok=True)
        os.link(path, link)
    except OSError:  # a file system without such names
        still = all(time.time() - found.stat().st_mtime > LONG for found in beside(path))
        yield path.read_bytes() if still else None
        return
    try:
        with closing(_tried(link, path, patience)) as tries:
            yield next(tries)
    finally:
        for suffix in ("", JOURNAL, WAL, INDEX):
            with suppress(OSError):
                os.unlink(f"{link}{suffix}")


def _tried(link: Path, path: Path, patience: float) -> Generator[bytes | None, None, None]:
    """One value; while it is looked at, nobody else writes. Between two tries nothing is held: two that wait with a shared lock keep each
    other from ending what they write."""
    deadline = time.monotonic() + patience
    while True:
        with closing(sqlite3.connect(uri(str(link), "mode=rw"), uri=True, timeout=0, isolation_level=None)) as holder:
            content = _content(holder, path)
            if content is not None or time.monotonic() > deadline:
                yield content
                return
        time.sleep(PAUSE)


def _content(holder: sqlite3.Connection, path: Path) -> bytes | None:
    try:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")  # only so is a file that another program turned to write-ahead logs held, too
        holder.execute("BEGIN IMMEDIATE")
        return holder.serialize()  # a file that is opened and closed beside SQLite takes the locks of the whole process with it
    except sqlite3.Error as error:
        busy = sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        return None if busy else path.read_bytes()  # what is no database is locked by nobody


@contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """A folder for copies that only its owner can look into. Raises ProgressError where there is none to be had."""
    for place in (None, path.parent):
        try:
            folder = tempfile.mkdtemp(prefix=".qkv-", dir=place)
        except OSError:
            continue
        try:
            yield Path(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return
    raise ProgressError("unfinished", str(path))


def _states(path: Path, content: bytes, scratch: Path) -> tuple[State, State]:
    """The file alone, and with what is beside it."""
    alone, played = scratch / "alone.sqlite3", scratch / "played.sqlite3"
    with os_errors_explained(path):
        for copy in (alone, played):
            copy.write_bytes(content)
        for found in beside(path):
            if found.is_file():
                shutil.copyfile(found, played.with_name(found.name.replace(path.name, played.name)))
    return _state(alone), _state(played)


def sound_rows(copy: Path) -> frozenset[str] | None:
    """The ids of a copy's rows; None where it is not sound."""
    with suppress(ProgressError, sqlite3.Error), closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        require_ours(connection, str(copy))
        connection.execute("PRAGMA journal_mode = DELETE")
        require_sound(connection, str(copy))
        return frozenset(row[0] for row in connection.execute("SELECT id FROM review"))
    return None


def _state(copy: Path) -> State:
    rows = sound_rows(copy)
    with copy.open("rb") as file:
        header = file.read(_COUNTER.stop)
    return State(copy, rows, int.from_bytes(header[_COUNTER], "big"))


def put_aside(path: Path, folder: Path, more: Path | None) -> None:
    """Moves what is beside a file into a folder; first the state that it led to, where that holds more: no moment is without."""
    target = folder / datetime.now().strftime(FOREIGN)
    with os_errors_explained(path):
        make_private_folder(folder)
        while any(folder.glob(f"{target.name}*")):
            target = target.with_name(f"{target.stem}-again.sqlite3")
        if more:
            more.chmod(OWNER_ONLY)
            shutil.move(more, target.with_name(f"{target.name}{PENDING}"))
        move_beside(path, target.with_name(f"{target.name}.foreign"))


def pending_states(folder: Path) -> list[Path]:
    """The states whose rows wait; none where the folder cannot be read."""
    try:
        return sorted(file for file in folder.iterdir() if file.name.startswith(FOREIGN.split("%")[0]) and file.suffix == PENDING)
    except OSError:
        return []


def move_beside(path: Path, target: Path) -> None:
    """Everything that SQLite might take for a journal of `path` becomes one of `target`."""
    for suffix in (JOURNAL, WAL, INDEX):
        if os.path.lexists(found := path.with_name(path.name + suffix)):
            shutil.move(found, target.with_name(target.name + suffix))
