"""What the log adds up to, kept beside it: who each name is today, and the memory of each card. Works inside the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from quiz.gc_pause import gc_paused
from quiz.memory.card_ids import Key, renamed_by, renamings
from quiz.memory.fsrs import DEFAULT, RETENTION, Parameters
from quiz.memory.scheduler import RULES, Memory
from quiz.progress import log, row_mapping
from quiz.progress.database import NOWHERE, transaction
from quiz.progress.decisions import fit_of
from quiz.progress.errors import UnreadableMemory, is_undecodable
from quiz.progress.reviews import Step, replay
from quiz.settings.chosen import settings


def parameters(connection: sqlite3.Connection) -> Parameters:
    """What memories are computed by: the last fit of the log, or FSRS's own parameters, for the retention that was chosen."""
    mark = log.latest_fit(connection)
    fit = fit_of(mark) if mark else None
    return replace(fit.parameters if fit else DEFAULT, retention=settings().retention)


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether the memories were computed by the scheduler's rules of today, with the parameters of today."""
    found = connection.execute("SELECT 1 FROM meta WHERE key = 'rules' AND value = ?", (_rules(parameters(connection)),))
    return found.fetchone() is not None  # compared there: the text may be damaged


def _rules(parameters: Parameters) -> str:
    """The name of what memories are computed by. It holds every number, so that a library with other defaults is another rule, too."""
    rules = f"{RULES} {json.dumps(parameters.w)}"
    return rules if parameters.retention == RETENTION else f"{rules} {parameters.retention}"


def current_names(connection: sqlite3.Connection) -> dict[Key, Key]:
    """Earlier name -> current name. Raises UnreadableMemory."""
    with _text_readable():
        return {(row[0], row[1]): (row[2], row[3]) for row in connection.execute("SELECT deck, card, to_deck, to_card FROM renamed")}


def current_name(connection: sqlite3.Connection, key: Key) -> Key:
    """The current name of a card."""
    row = connection.execute("SELECT to_deck, to_card FROM renamed WHERE deck = ? AND card = ?", key).fetchone()
    return row or key


def memory(connection: sqlite3.Connection, key: Key) -> Memory | None:
    """The memory of a card, by its current name; None before its first grade. Raises UnreadableMemory."""
    with _text_readable():
        row = connection.execute(f"SELECT {row_mapping.MEMORY} FROM memory WHERE deck = ? AND card = ?", key).fetchone()
        return row_mapping.to_memory(row)[1] if row else None


def memory_in_a_change(connection: sqlite3.Connection, key: Key) -> Memory | None:
    """The same, while the file is being changed: all are computed anew where it cannot be read, as the log is the truth."""
    try:
        return memory(connection, key)
    except UnreadableMemory:
        rebuild(connection)
        return memory(connection, key)


@contextmanager
def _text_readable() -> Iterator[None]:
    """Text that is not UTF-8 is a row that cannot be read, like any other; Python says so without a code."""
    try:
        yield
    except sqlite3.Error as error:
        if not is_undecodable(error):
            raise
        raise UnreadableMemory from error


def file_state(connection: sqlite3.Connection) -> tuple[int, int]:
    """Equal as long as nobody has changed the file, neither others nor this connection."""
    return connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes


@gc_paused()
def memories(connection: sqlite3.Connection) -> dict[Key, Memory]:
    """Every card's. Raises UnreadableMemory."""
    with _text_readable():
        return dict(map(row_mapping.to_memory, connection.execute(f"SELECT {row_mapping.MEMORY} FROM memory")))


def store_memory(connection: sqlite3.Connection, key: Key, memory: Memory | None) -> None:
    """Stores a card's memory; None forgets it."""
    if memory is None:
        connection.execute("DELETE FROM memory WHERE deck = ? AND card = ?", key)
    else:
        _store(connection, [(key, memory)])


def recompute(connection: sqlite3.Connection, keys: Iterable[Key]) -> None:
    """The memories of a few current names anew from the log; a name that is no longer current has none."""
    by = parameters(connection)
    for key in keys:
        names = connection.execute("SELECT deck, card FROM renamed WHERE to_deck = ? AND to_card = ?", key).fetchall()
        if current_name(connection, key) == key:
            names.append(key)
        store_memory(connection, key, replay(log.steps_of(connection, names), dict.fromkeys(names, key), by).get(key))


def moving(connection: sqlite3.Connection, names: Mapping[Key, Iterable[Key]]) -> dict[Key, Key]:
    """The names in the log that are somebody else from now on, in a fixed order; onto itself when it is nobody's earlier name any more."""
    before = current_names(connection)
    now = renamings(before, names)
    changed = sorted(old for old in before.keys() | now.keys() if before.get(old) != now.get(old))
    return {old: now.get(old, old) for old in changed if log.has_name(connection, old)}


def store_renames(connection: sqlite3.Connection, renamed: Mapping[Key, Key]) -> Mapping[Key, Key]:
    """Puts who each name is today in the place of what was kept; gives it."""
    connection.execute("DELETE FROM renamed")
    connection.executemany("INSERT INTO renamed VALUES (?, ?, ?, ?)", [(*old, *new) for old, new in renamed.items()])
    return renamed


def store(connection: sqlite3.Connection, memories: Mapping[Key, Memory], renamed: Mapping[Key, Key], by: Parameters) -> None:
    """Puts newly computed memories, with the names and the parameters that they were computed by, in the place of all that was kept."""
    store_renames(connection, renamed)
    connection.execute("DELETE FROM memory")
    _store(connection, memories.items())
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", (_rules(by),))


def to_replay(connection: sqlite3.Connection) -> tuple[list[Step], dict[Key, Key], Parameters]:
    """What the memories are computed from, for replay(): the grades, who each name is by the log, and the parameters."""
    return log.steps(connection), renamed_by(log.renames(connection)), parameters(connection)


def rebuild(connection: sqlite3.Connection) -> None:
    """Everything anew from the log."""
    steps, renamed, by = to_replay(connection)
    store(connection, replay(steps, renamed, by), renamed, by)


def take_over(connection: sqlite3.Connection, other: Path | None) -> None:
    """Adds the rows of another sound file that are not there yet, and computes everything anew, in a transaction of its own."""
    connection.execute("ATTACH ? AS other", (str(other or NOWHERE),))
    try:
        with transaction(connection, "IMMEDIATE"):
            if other:
                known = "id NOT IN (SELECT id FROM main.review)"
                connection.execute(f"INSERT INTO review ({log.ROW}) SELECT {log.ROW} FROM other.review WHERE {known}")
            rebuild(connection)
    finally:
        connection.execute("DETACH other")


def mark_restored(connection: sqlite3.Connection) -> None:
    """Notes that a person put this state into the file, knowing what it replaces: windows that are open do not bring theirs back."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('restored', hex(randomblob(8)))")


def restored(connection: sqlite3.Connection) -> str | None:
    """The latest such note."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'restored'").fetchone()
    return row[0] if row else None


def rebuild_outdated(connection: sqlite3.Connection) -> None:
    """Everything anew where the memories were computed by other parameters than those of the log."""
    if not is_current(connection):
        rebuild(connection)


def _store(connection: sqlite3.Connection, memories: Iterable[tuple[Key, Memory]]) -> None:
    values = [row_mapping.from_memory(key, memory) for key, memory in memories]
    connection.executemany(f"INSERT OR REPLACE INTO memory ({row_mapping.MEMORY}) VALUES ({', '.join('?' * 10)})", values)
