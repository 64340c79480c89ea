"""Whether a progress file is whole: its pages as SQLite sees them, every row of its log, and the memories that the log adds up to.

The log is the truth: a copy whose memories cannot be read is sound, as they are computed anew when it is opened.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Memory
from quiz.progress import cache, row_mapping
from quiz.progress.errors import ProgressError, UnreadableMemory, sqlite_errors_explained
from quiz.progress.reviews import replay


def require_sound(connection: sqlite3.Connection, path: str) -> None:
    """Raises ProgressError about the file `path` whose content this is."""
    with sqlite_errors_explained(path):
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise ProgressError("damaged", path)
        read_log(connection)


def read_log(connection: sqlite3.Connection) -> int:
    """Reads every row of the log; counts the grades, also those that were taken back. Raises Unreadable and sqlite3.Error."""
    count = 0
    for row in connection.execute(f"SELECT {row_mapping.REVIEW} FROM review WHERE kind = 'grade'"):
        row_mapping.to_review(row)
        count += 1
    for row in connection.execute(f"SELECT {row_mapping.MARK} FROM review WHERE kind <> 'grade'"):
        row_mapping.to_decision(row)
    for row in connection.execute(f"SELECT {row_mapping.RENAME} FROM review WHERE kind = 'rename'"):
        row_mapping.to_rename(row)
    return count


def find_problems(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What is wrong, a sentence each; none for a sound file. Raises Unreadable and sqlite3.Error where it cannot be read at all."""
    pages = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    read_log(connection)
    steps, renamed, by = cache.to_replay(connection)
    names, kept = _kept(connection)
    computed = replay(steps, renamed, by)
    differing = {key for key in kept.keys() | computed.keys() if kept.get(key) != computed.get(key)}
    differing |= {key for key in names.keys() | renamed.keys() if names.get(key) != renamed.get(key)}
    return (*pages, *(f"The memory of {deck}/{card} is not what its reviews add up to." for deck, card in sorted(differing)))


def _kept(connection: sqlite3.Connection) -> tuple[dict[Key, Key], dict[Key, Memory]]:
    """What is kept of the log; nothing where a row of it cannot be read."""
    with suppress(UnreadableMemory):
        return cache.current_names(connection), cache.memories(connection)
    return {}, {}
