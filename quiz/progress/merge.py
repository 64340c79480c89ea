"""Two machines' logs as one: the union of their rows. Whoever has the same rows has the same memories, in whatever order they came.

A row's id is drawn once and never again, and its clock was set where it was written: later than every row that this machine knew. So
(clock, id) is an order that both machines agree on, in which an undo, a rename or a mark comes after what it was about. Merging is a
union of sets: it does not matter who merges into whom, how often, or in which order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from quiz.gc_pause import gc_paused
from quiz.progress import cache, log
from quiz.progress.jsonl import FIELDS, ImportRefused, Row
from quiz.progress.progress import Progress

AT_ONCE = 1_000  # rows that are staged or read together

_STAGE = f"CREATE TEMP TABLE arriving (line INTEGER NOT NULL, {', '.join(FIELDS)}, PRIMARY KEY (id))"
_SAME = " AND ".join(f"a.{name} IS r.{name}" for name in FIELDS)
_DIFFERENT = f"SELECT min(a.line), a.id FROM arriving AS a JOIN review AS r ON r.id = a.id WHERE NOT ({_SAME})"
_DANGLING = """SELECT min(a.line), a.undoes FROM arriving AS a WHERE a.undoes IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM review AS r WHERE r.id = a.undoes) AND NOT EXISTS (SELECT 1 FROM arriving AS b WHERE b.id = a.undoes)"""
_FRESH = "FROM arriving AS a WHERE NOT EXISTS (SELECT 1 FROM review AS r WHERE r.id = a.id)"


@dataclass(frozen=True)
class Merged:
    """How many rows came, and how many of them were not known before."""

    rows: int
    fresh: int


def export(progress: Progress) -> list[Row]:
    """Every row of the log, in its order. Raises ProgressError."""
    return list(export_rows(progress)[1])


def export_rows(progress: Progress) -> tuple[int, Iterator[Row]]:
    """The number of rows, and every row in the log's order, a page at a time: a long log fits into no memory, and nobody waits for it.

    Raises ProgressError, also while the rows are read.
    """
    with progress.reading() as connection:
        count, last = log.snapshot(connection)
    return count, _pages(progress, last)


def _pages(progress: Progress, last: int) -> Iterator[Row]:
    after: tuple[int, str] | None = None
    while True:
        with progress.reading() as connection:
            rows = log.rows_after(connection, last, after, AT_ONCE)
        yield from rows
        if len(rows) < AT_ONCE:
            return
        after = rows[-1][FIELDS.index("clock")], rows[-1][FIELDS.index("id")]


@gc_paused()
def merge_rows(progress: Progress, rows: Iterable[tuple[int, Row]]) -> Merged:
    """Adds the rows (see lines.read) that are not there yet and computes the memories anew: all, or nothing at all.

    Raises Refused and ProgressError.
    """
    with progress.reading() as connection:  # tables of one's own hold nobody up
        connection.execute("DROP TABLE IF EXISTS temp.arriving")
        connection.execute(_STAGE)
    count, rows = 0, iter(rows)
    while some := list(islice(rows, AT_ONCE)):  # read outside: what goes wrong with their source is none of the progress file's faults
        with progress.reading() as connection:
            _stage(connection, some)
        count += len(some)
    with progress.writing() as connection:
        for why, query in (("different", _DIFFERENT), ("dangling", _DANGLING)):
            line, about = connection.execute(query).fetchone()
            if line is not None:
                raise ImportRefused(why, line, about)
        fresh = int(connection.execute(f"SELECT count(*) {_FRESH}").fetchone()[0])
        if fresh:
            _add(connection)
    return Merged(count, fresh)


def _stage(connection: sqlite3.Connection, rows: Iterable[tuple[int, Row]]) -> None:
    """Puts the rows where they can be compared with the log."""
    places = ", ".join("?" * (1 + len(FIELDS)))
    for line, row in rows:
        try:
            connection.execute(f"INSERT INTO arriving VALUES ({places})", (line, *row))
        except sqlite3.IntegrityError:
            raise ImportRefused("twice", line, row[0]) from None


def _add(connection: sqlite3.Connection) -> None:
    """In one statement, at whose end SQLite looks whether every undo has its row."""
    connection.execute(f"INSERT INTO review ({', '.join(FIELDS)}) SELECT {', '.join(FIELDS)} {_FRESH}")
    cache.rebuild(connection)
