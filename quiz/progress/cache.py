"""What the log adds up to, kept beside it: who each name is today, and the memory of each card. Works inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from quiz.gc_pause import gc_paused
from quiz.memory.card_ids import Key, renamed_by
from quiz.memory.scheduler import RULES, Memory
from quiz.progress import log, row_mapping
from quiz.progress.reviews import replay


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether the memories were computed by the scheduler's rules of today."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'rules'").fetchone()
    return row is not None and row[0] == str(RULES)


def current_names(connection: sqlite3.Connection) -> dict[Key, Key]:
    """Earlier name -> current name."""
    return {(row[0], row[1]): (row[2], row[3]) for row in connection.execute("SELECT deck, card, to_deck, to_card FROM renamed")}


def current_name(connection: sqlite3.Connection, key: Key) -> Key:
    """The current name of a card."""
    row = connection.execute("SELECT to_deck, to_card FROM renamed WHERE deck = ? AND card = ?", key).fetchone()
    return row or key


def memory(connection: sqlite3.Connection, key: Key) -> Memory | None:
    """The memory of a card, by its current name; None before its first grade. Raises Unreadable."""
    row = connection.execute(f"SELECT {row_mapping.MEMORY} FROM memory WHERE deck = ? AND card = ?", key).fetchone()
    return row_mapping.to_memory(row)[1] if row else None


def file_state(connection: sqlite3.Connection) -> tuple[int, int]:
    """Equal as long as nobody has changed the file, neither others nor this connection."""
    return connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes


@gc_paused()
def memories(connection: sqlite3.Connection) -> dict[Key, Memory]:
    return dict(map(row_mapping.to_memory, connection.execute(f"SELECT {row_mapping.MEMORY} FROM memory")))


def store_memory(connection: sqlite3.Connection, key: Key, memory: Memory | None) -> None:
    """Stores a card's memory; None forgets it."""
    if memory is None:
        connection.execute("DELETE FROM memory WHERE deck = ? AND card = ?", key)
    else:
        _store(connection, [(key, memory)])


def recompute(connection: sqlite3.Connection, keys: Iterable[Key]) -> None:
    """The memories of a few current names anew from the log; a name that is no longer current has none."""
    for key in keys:
        names = connection.execute("SELECT deck, card FROM renamed WHERE to_deck = ? AND to_card = ?", key).fetchall()
        if current_name(connection, key) == key:
            names.append(key)
        store_memory(connection, key, replay(log.steps_of(connection, names), dict.fromkeys(names, key)).get(key))


def store_renames(connection: sqlite3.Connection) -> dict[Key, Key]:
    """Who each name is today, anew from the log."""
    now = renamed_by(log.renames(connection))
    connection.execute("DELETE FROM renamed")
    connection.executemany("INSERT INTO renamed VALUES (?, ?, ?, ?)", [(*old, *new) for old, new in now.items()])
    return now


def store_memories(connection: sqlite3.Connection, memories: Mapping[Key, Memory]) -> None:
    """Puts newly computed memories in the place of all that were kept."""
    connection.execute("DELETE FROM memory")
    _store(connection, memories.items())
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", (str(RULES),))


def rebuild(connection: sqlite3.Connection) -> None:
    """Everything anew from the log."""
    store_memories(connection, replay(log.steps(connection), store_renames(connection)))


def _store(connection: sqlite3.Connection, memories: Iterable[tuple[Key, Memory]]) -> None:
    values = [row_mapping.from_memory(key, memory) for key, memory in memories]
    connection.executemany(f"INSERT OR REPLACE INTO memory ({row_mapping.MEMORY}) VALUES ({', '.join('?' * 10)})", values)
