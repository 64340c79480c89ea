"""What a person has learned: an append-only log of reviews, and a memory a card that the log adds up to.

Every change is one transaction that holds the write lock from its start, reads the memory inside it, and is on the disk when the call
returns. One connection behind one lock: every method may be called from any thread, and blocks it (up to database.PATIENCE).
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import platformdirs

from quiz import rows
from quiz.database import NOWHERE, ProgressError, connect, explained, transaction
from quiz.days import Moment
from quiz.names import Key, renamings
from quiz.reviews import Review, after, app_version, replayed
from quiz.scheduler import RULES, Memory

__all__ = ["Key", "Progress", "ProgressError", "Review", "default_path", "open_progress"]

_LIVE = f"""SELECT {rows.REVIEW} FROM review
    WHERE kind = 'grade' AND NOT EXISTS (SELECT 1 FROM review AS later WHERE later.undoes = review.id)"""


def default_path() -> Path:
    """The progress file: in the folder QKV_DATA, or where this system keeps a person's data."""
    folder = os.environ.get("QKV_DATA")
    return (Path(folder) if folder else platformdirs.user_data_path("qkv", appauthor=False)) / "progress.sqlite3"


def open_progress(path: Path | None = None) -> Progress:
    """The progress in a file, which is made if it is missing. Raises ProgressError."""
    where = str(path or default_path())
    return Progress(connect(where), where)


class Progress:
    """An open progress file. Every method raises ProgressError when the file fails; then nothing of the call was saved."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.Lock()
        if self._rules() != str(RULES):
            self.replay()

    @classmethod
    def in_memory(cls) -> Progress:
        """Progress that is kept nowhere: what is left when the file cannot be used."""
        return cls(connect(NOWHERE), NOWHERE)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def record(self, review: Review) -> Memory:
        """Saves a grade; it is durable on return. Gives the card's new memory."""
        with self._writing():
            key = self._current(review.key)
            memory = after(self._memory(key), review)
            self._insert(f"{rows.REVIEW}, kind", (*rows.from_review(review), "grade"), review.when)
            self._keep(key, memory)
            return memory

    def undo(self, review_id: str, when: Moment | None = None) -> Review | None:
        """Takes one grade back, as if it had never been given. None if there is no such grade, or no more. `when` is now."""
        when = when or Moment.now()
        with self._writing():
            row = self._connection.execute(f"{_LIVE} AND id = ?", (review_id,)).fetchone()
            if row is None:
                return None
            review = rows.to_review(row)
            columns = "id, deck, card, at_ms, day, offset_minutes, version, undoes, kind"
            values = (uuid4().hex, *review.key, when.at_ms, when.day, when.offset_minutes, app_version(), review_id, "undo")
            self._insert(columns, values, when)
            key = self._current(review.key)
            self._keep(key, self._replayed(key))
            return _named(review, key)

    def memories(self) -> dict[Key, Memory]:
        """The memory of every card that has been graded, under its current name."""
        with self._reading():
            return self._memories()

    def memory(self, key: Key) -> Memory | None:
        """The memory of one card; an earlier name will do."""
        with self._reading():
            return self._memory(self._current(key))

    def reviews(self, since: int = 0) -> Iterator[Review]:
        """The grades from a study day (ordinal) on that were not taken back, oldest first, under the cards' current names."""
        with self._reading():
            log, renamed = self._log(since), self._renamed()
        return (_named(review, renamed.get(review.key, review.key)) for review in map(rows.to_review, log))

    def new_today(self, day: int) -> int:
        """How many cards were graded for the first time on a study day (ordinal)."""
        with self._reading():
            return int(self._connection.execute("SELECT count(*) FROM memory WHERE first_day = ?", (day,)).fetchone()[0])

    def adopt(self, names: Mapping[Key, Iterable[Key]]) -> int:
        """Gives current cards what was learned under their earlier names (see names.earlier_names); counts the names that moved.

        The log keeps the names of its time; a table says who they are today. Cheap when nothing is new: call it at every start.
        """
        with self._writing():
            before = self._renamed()
            now = renamings(before, names)
            changed = {old for old in before.keys() | now.keys() if before.get(old) != now.get(old)}
            if not changed:
                return 0
            self._connection.executemany("DELETE FROM renamed WHERE deck = ? AND card = ?", changed)
            self._connection.executemany("INSERT INTO renamed VALUES (?, ?, ?, ?)", [(*old, *now[old]) for old in changed & now.keys()])
            logged = changed & set(self._connection.execute("SELECT DISTINCT deck, card FROM review"))
            for key in {key for old in logged for key in (old, before.get(old, old), now.get(old, old))}:
                self._keep(key, self._replayed(key))
            return len(logged)

    def replay(self) -> None:
        """Computes every memory anew from the log."""
        with self._writing():
            self._connection.execute("DELETE FROM memory")
            for key, memory in replayed(map(rows.to_review, self._log()), self._renamed()).items():
                self._keep(key, memory)
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", (str(RULES),))

    def check(self) -> tuple[str, ...]:
        """What is wrong with the file, a sentence each: damaged pages, or memories that the log does not add up to."""
        with self._reading():
            pages = [row[0] for row in self._connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            log, renamed, kept = self._log(), self._renamed(), self._memories()
        computed = replayed(map(rows.to_review, log), renamed)
        differing = sorted(key for key in kept.keys() | computed.keys() if kept.get(key) != computed.get(key))
        return (*pages, *(f"The memory of {deck}/{card} is not what its reviews add up to." for deck, card in differing))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock, explained(self.path), transaction(self._connection, "DEFERRED"):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, explained(self.path), transaction(self._connection, "IMMEDIATE"):
            yield

    def _rules(self) -> str | None:
        with self._reading():
            row = self._connection.execute("SELECT value FROM meta WHERE key = 'rules'").fetchone()
            return row[0] if row else None

    def _renamed(self) -> dict[Key, Key]:
        return {(row[0], row[1]): (row[2], row[3]) for row in self._connection.execute("SELECT deck, card, to_deck, to_card FROM renamed")}

    def _log(self, since: int = 0) -> list[tuple[Any, ...]]:
        return self._connection.execute(f"{_LIVE} AND day >= ? ORDER BY clock, id", (since,)).fetchall()

    def _memories(self) -> dict[Key, Memory]:
        found = self._connection.execute(f"SELECT deck, card, {rows.MEMORY} FROM memory")
        return {(row[0], row[1]): rows.to_memory(row[2:]) for row in found}

    def _current(self, key: Key) -> Key:
        row = self._connection.execute("SELECT to_deck, to_card FROM renamed WHERE deck = ? AND card = ?", key).fetchone()
        return row or key

    def _memory(self, key: Key) -> Memory | None:
        row = self._connection.execute(f"SELECT {rows.MEMORY} FROM memory WHERE deck = ? AND card = ?", key).fetchone()
        return rows.to_memory(row) if row else None

    def _replayed(self, key: Key) -> Memory | None:
        """The memory that the log gives a current name; None for a name that is no longer current."""
        names = self._connection.execute("SELECT deck, card FROM renamed WHERE to_deck = ? AND to_card = ?", key).fetchall()
        if self._current(key) == key:
            names.append(key)
        here = " OR ".join(["deck = ? AND card = ?"] * len(names)) or "FALSE"
        log = self._connection.execute(f"{_LIVE} AND ({here}) ORDER BY +clock, id", [part for name in names for part in name])
        return replayed(map(rows.to_review, log), dict.fromkeys(names, key)).get(key)

    def _insert(self, columns: str, values: tuple[Any, ...], when: Moment) -> None:
        latest = self._connection.execute("SELECT max(clock) FROM review").fetchone()[0]
        clock = when.at_ms if latest is None else max(when.at_ms, latest + 1)
        marks = ", ".join("?" * (len(values) + 1))
        self._connection.execute(f"INSERT INTO review ({columns}, clock) VALUES ({marks})", (*values, clock))

    def _keep(self, key: Key, memory: Memory | None) -> None:
        if memory is None:
            self._connection.execute("DELETE FROM memory WHERE deck = ? AND card = ?", key)
        else:
            self._connection.execute(f"INSERT OR REPLACE INTO memory VALUES ({', '.join('?' * 10)})", (*key, *rows.from_memory(memory)))


def _named(review: Review, key: Key) -> Review:
    return replace(review, deck=key[0], card=key[1])
