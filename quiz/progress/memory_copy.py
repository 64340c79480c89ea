"""A copy in memory of a progress file that may only be read, or is held: the schedule goes on, and nothing is written beside the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from quiz.progress import backups
from quiz.progress.companions import WAL, best_copy, is_something
from quiz.progress.database import NOWHERE, PATIENCE, TEMPORARY, connect, remove_strange_parts, require_ours, uri
from quiz.progress.errors import ProgressError, reason_of, refuse_other_than_files, sqlite_errors_explained
from quiz.progress.soundness import require_sound


def open_copy(path: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """Raises ProgressError, also if it is not ours."""
    refuse_other_than_files(Path(path))
    with sqlite_errors_explained(path), _reader(path, patience) as source:
        require_ours(source, path)
        copy = _in_memory()
        source.backup(copy)
        remove_strange_parts(copy)
        return copy


def best_memory_copy(path: str, known: sqlite3.Connection, patience: float) -> sqlite3.Connection:
    """A sound copy of a file that fails; or of what a connection to it still reads, of its newest backup, or of nothing at all."""
    ways: tuple[Callable[[], sqlite3.Connection], ...] = (
        lambda: open_copy(path, patience),
        lambda: _copied(known, path),
        lambda: open_copy(str(backups.newest_sound_backup(Path(path))), patience),
    )
    for copied in ways:
        with suppress(ProgressError, sqlite3.Error):
            copy = copied()
            require_sound(copy, path)
            return copy
    return connect(NOWHERE)


def _copied(source: sqlite3.Connection, path: str) -> sqlite3.Connection:
    copy = _in_memory()
    require_ours(source, path)
    source.backup(copy, progress=backups.give_up_when_locked(Path(path)))
    return copy


def _in_memory() -> sqlite3.Connection:
    copy = sqlite3.connect(NOWHERE, isolation_level=None, check_same_thread=False)
    copy.execute(TEMPORARY)
    copy.execute("PRAGMA foreign_keys = ON")
    return copy


@contextmanager
def _reader(path: str, patience: float) -> Iterator[sqlite3.Connection]:
    direct = _direct(path, patience)
    if direct:
        with closing(direct):
            yield direct
        return
    with best_copy(Path(path)) as sound, closing(sqlite3.connect(uri(str(sound), "mode=ro&immutable=1"), uri=True)) as connection:
        yield connection


def _direct(path: str, patience: float) -> sqlite3.Connection | None:
    """A connection to the file; None where SQLite cannot lock it, or would have to play something back."""
    if is_something(Path(f"{path}{WAL}")):  # never ours
        return None
    connection = sqlite3.connect(uri(path, "mode=ro"), uri=True, timeout=patience)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema")
    except sqlite3.OperationalError as error:
        connection.close()
        if reason_of(error, path) not in ("unreachable", "read-only", "no-locks"):
            raise
        return None
    return connection
