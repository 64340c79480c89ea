"""The append-only log in SQL: how a row gets in, and which rows count. Every function works inside the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from quiz.memory.card_ids import Key
from quiz.memory.study_day import Moment
from quiz.progress import row_mapping
from quiz.progress.database import ERRED, PASSED
from quiz.progress.decisions import KINDS, Decision
from quiz.progress.reviews import Review, Step, app_version

ORDER = "clock, id"  # the same on every machine that holds the same rows
ROW = (
    "id, clock, at_ms, offset_minutes, day, deck, card, kind, undoes, grade, "
    "confidence, prediction, measured, correct, points, seconds, version"
)
LATEST = 2**63 - 1  # SQLite's largest number: no clock goes past it

_STANDS = "NOT EXISTS (SELECT 1 FROM review AS later WHERE later.undoes = review.id)"
GRADES = f"FROM review WHERE kind = 'grade' AND {_STANDS}"
MARKS = f"FROM review WHERE kind <> 'grade' AND kind IN ({', '.join(map(repr, KINDS))}) AND {_STANDS}"

# Of a card's sure passes only a later one matters, under any of its names: for each the index is asked, and the log is not read.
_LATER = f"{PASSED} AND {_STANDS} AND review.day > erred.day"
_ERRED = f"""WITH erred (deck, card, day) AS (
        SELECT coalesce(to_deck, deck), coalesce(to_card, card), max(day) FROM review LEFT JOIN renamed USING (deck, card)
        WHERE {ERRED} AND {_STANDS} GROUP BY 1, 2
    )
    SELECT deck, card, day FROM erred
    WHERE NOT EXISTS (SELECT 1 FROM review WHERE review.deck = erred.deck AND review.card = erred.card AND {_LATER})
    AND NOT EXISTS (
        SELECT 1 FROM renamed CROSS JOIN review USING (deck, card) WHERE to_deck = erred.deck AND to_card = erred.card AND {_LATER}
    )"""


class LogSize(NamedTuple):
    """How many rows there are, and the latest clock: as nothing is ever changed or deleted, equal sizes are equal logs."""

    rows: int
    latest: int


def log_size(connection: sqlite3.Connection) -> LogSize:
    """How far the log has come."""
    return LogSize(*connection.execute("SELECT count(*), coalesce(max(clock), 0) FROM review").fetchone())


def add_grade(connection: sqlite3.Connection, review: Review) -> bool:
    """False when the log has that very grade."""
    return _append(connection, f"{row_mapping.REVIEW}, kind", (*row_mapping.from_review(review), "grade"), review.when)


def add_decision(connection: sqlite3.Connection, mark: Decision) -> None:
    """Does nothing when the log has that very mark."""
    _append(connection, f"{row_mapping.MARK}, version", (*row_mapping.from_decision(mark), app_version()), mark.when)


def add_undo(connection: sqlite3.Connection, id_: str, undone: str, key: Key, when: Moment) -> None:
    """From this row on, the row with the id `undone` does not count. Does nothing when the log has that very undo."""
    _append(connection, f"{row_mapping.MARK}, version, undoes", (*_bare(id_, "undo", key, when, "[]"), undone), when)


def add_rename(connection: sqlite3.Connection, old: Key, new: Key, when: Moment) -> None:
    """From this row on, `old` is called `new`; a name that is renamed to itself is a card of its own again."""
    _append(connection, f"{row_mapping.MARK}, version", _bare(uuid4().hex, "rename", old, when, json.dumps(new)), when)


def grades(connection: sqlite3.Connection, since: int = 0) -> list[tuple[Any, ...]]:
    """The grades from a study day (ordinal) on that were not taken back, in their order: rows, as reading them takes longer."""
    return connection.execute(f"SELECT {row_mapping.REVIEW} {GRADES} AND day >= ? ORDER BY {ORDER}", (since,)).fetchall()


def steps(connection: sqlite3.Connection) -> list[Step]:
    """The same grades with what a memory is made of, and nothing else."""
    return list(map(row_mapping.to_step, connection.execute(f"SELECT {row_mapping.STEP} {GRADES} ORDER BY {ORDER}")))


def steps_of(connection: sqlite3.Connection, keys: Sequence[Key]) -> list[Step]:
    """The steps of a few names."""
    here = " OR ".join(["deck = ? AND card = ?"] * len(keys)) or "FALSE"
    found = connection.execute(
        f"SELECT {row_mapping.STEP} {GRADES} AND ({here}) ORDER BY +clock, id", [part for key in keys for part in key]
    )
    return list(map(row_mapping.to_step, found))


def figures(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """The same with what figures are made of, and nothing else."""
    return connection.execute(f"SELECT {row_mapping.FIGURES} {GRADES} ORDER BY {ORDER}")


def dated_grades(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """The grades that were not taken back, in their order, with their dates: rows, one by one, as a log may be long."""
    return connection.execute(f"SELECT {row_mapping.DATED} {GRADES} ORDER BY {ORDER}")


def latest_grades(connection: sqlite3.Connection, count: int, start: str = "") -> list[tuple[Any, ...]]:
    """The same for the last ones, the latest first; `start` is how their ids begin."""
    among = " AND id >= ? AND id < ?" if start else ""
    found = f"SELECT {row_mapping.DATED} {GRADES}{among} ORDER BY clock DESC, id DESC LIMIT ?"
    return connection.execute(found, (*((start, start + "~") if start else ()), count)).fetchall()


def grade(connection: sqlite3.Connection, id_: str) -> Review | None:
    """A grade that was not taken back."""
    row = connection.execute(f"SELECT {row_mapping.REVIEW} {GRADES} AND id = ?", (id_,)).fetchone()
    return row_mapping.to_review(row) if row else None


def decisions(connection: sqlite3.Connection) -> list[Decision]:
    """The marks that were not taken back, in their order, under the names of their time."""
    return [row_mapping.to_decision(row) for row in connection.execute(f"SELECT {row_mapping.MARK} {MARKS} ORDER BY {ORDER}")]


def decision(connection: sqlite3.Connection, id_: str) -> Decision | None:
    """A mark that was not taken back."""
    row = connection.execute(f"SELECT {row_mapping.MARK} {MARKS} AND id = ?", (id_,)).fetchone()
    return row_mapping.to_decision(row) if row else None


def latest_fit(connection: sqlite3.Connection) -> Decision | None:
    """The last mark of parameters that was not taken back."""
    where = f"FROM review WHERE kind <> 'grade' AND kind = 'parameters' AND {_STANDS} ORDER BY clock DESC, id DESC LIMIT 1"
    row = connection.execute(f"SELECT {row_mapping.MARK} {where}").fetchone()
    return row_mapping.to_decision(row) if row else None


def confident_errors(connection: sqlite3.Connection) -> dict[Key, int]:
    """What leeches.confident_errors() gives for all grades that stand, under the cards' current names."""
    return {(deck, card): day for deck, card, day in connection.execute(_ERRED)}


def renames(connection: sqlite3.Connection) -> list[tuple[Key, Key]]:
    """Earlier name and later name, in their order."""
    found = connection.execute(f"SELECT {row_mapping.RENAME} FROM review WHERE kind <> 'grade' AND kind = 'rename' ORDER BY {ORDER}")
    return list(map(row_mapping.to_rename, found))


def snapshot(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many rows there are, and the number of the last one that was written: as none is ever removed, both name the same rows later."""
    return tuple(connection.execute("SELECT count(*), coalesce(max(rowid), 0) FROM review").fetchone())


def rows_after(connection: sqlite3.Connection, last: int, after: tuple[int, str] | None, count: int) -> list[tuple[Any, ...]]:
    """So many rows in their order, of those up to number `last`, after a clock and id; also what was taken back and unknown kinds."""
    begin, values = ("(clock, id) > (?, ?) AND ", after) if after else ("", ())
    return connection.execute(
        f"SELECT {ROW} FROM review WHERE {begin}rowid <= ? ORDER BY {ORDER} LIMIT ?", (*values, last, count)
    ).fetchall()


def has_name(connection: sqlite3.Connection, key: Key) -> bool:
    """Whether anything was ever written under a name."""
    return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM review WHERE deck = ? AND card = ?)", key).fetchone()[0])


def has_grades(connection: sqlite3.Connection) -> bool:
    """Whether there is a grade, also one that was taken back."""
    return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM review WHERE kind = 'grade')").fetchone()[0])


def has_rows(connection: sqlite3.Connection, ids: Sequence[str]) -> bool:
    """Whether all of these are there."""
    return all(connection.execute("SELECT 1 FROM review WHERE id = ?", (id_,)).fetchone() for id_ in ids)


def _bare(id_: str, kind: str, key: Key, when: Moment, details: str) -> tuple[Any, ...]:
    return id_, *key, kind, when.at_ms, when.day, when.offset_minutes, details, app_version()


def _append(connection: sqlite3.Connection, columns: str, values: tuple[Any, ...], when: Moment) -> bool:
    """Each row is later than all that this file has seen, also when the computer's clock goes back.

    A row whose id is there is not added: a commit may report an error and have reached the disk, and is then tried again.
    """
    latest = connection.execute("SELECT max(clock) FROM review").fetchone()[0]
    clock = when.at_ms if latest is None else min(max(when.at_ms, latest + 1), LATEST)
    places = ", ".join("?" * (len(values) + 1))
    added = connection.execute(f"INSERT INTO review ({columns}, clock) VALUES ({places}) ON CONFLICT (id) DO NOTHING", (*values, clock))
    return added.rowcount == 1
