"""Opens the progress file, or says in a sentence why not. What is already there is never deleted or overwritten.

journal_mode=DELETE and synchronous=EXTRA: one file that any sync folder may copy, and a commit that survives a power cut.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from quiz.progress.errors import ProgressError, refuse_other_than_files, sqlite_code, sqlite_errors_explained
from quiz.progress.private_files import make_private, make_private_folder

APPLICATION_ID = 0x716B7631  # "qkv1" in the file's header
SCHEMA_VERSION = 1  # one more, and a way from the old one, whenever the text of a table changes: files are recognised by it
PATIENCE = 5.0  # seconds to wait for another process
NOWHERE = ":memory:"
TEMPORARY = "PRAGMA temp_store = MEMORY"  # there may be no folder for temporary files, or no room in it

# quiz.study.leeches's `wrong` with full confidence, and its `passed_surely`, for indexes; a test compares them.
ERRED = "kind = 'grade' AND confidence = 3 AND (correct = 0 OR grade = 1)"
PASSED = "kind = 'grade' AND correct IS NOT 0 AND (grade = 4 OR (grade = 3 AND confidence = 3))"

SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    # The truth. `clock` orders it: milliseconds, each row later than the one before, also when the computer's clock goes back.
    # `kind` and `points` are open on purpose: a new kind of row needs no migration, and readers pass over those they do not know.
    """CREATE TABLE review (
        id TEXT PRIMARY KEY NOT NULL, clock INTEGER NOT NULL,
        at_ms INTEGER NOT NULL, offset_minutes INTEGER NOT NULL, day INTEGER NOT NULL,
        deck TEXT NOT NULL, card TEXT NOT NULL,
        kind TEXT NOT NULL, undoes TEXT REFERENCES review (id),
        grade INTEGER CHECK (grade BETWEEN 1 AND 4), confidence INTEGER CHECK (confidence BETWEEN 1 AND 3),
        prediction REAL, measured REAL, correct INTEGER CHECK (correct IN (0, 1)),
        points TEXT NOT NULL DEFAULT '[]', seconds REAL, version TEXT NOT NULL,
        CHECK ((kind = 'grade') = (grade IS NOT NULL)), CHECK ((kind = 'undo') = (undoes IS NOT NULL))
    ) STRICT""",
    "CREATE INDEX review_clock ON review (clock, id)",
    "CREATE INDEX review_card ON review (deck, card)",
    "CREATE INDEX review_undoes ON review (undoes) WHERE undoes IS NOT NULL",
    # Rows that are few among the grades. An index less makes a file slower, not different: one without them is ours, too.
    # With the id in them, whether a grade was taken back is seen without its row.
    "CREATE INDEX review_rare ON review (kind) WHERE kind <> 'grade'",
    f"CREATE INDEX review_erred ON review (deck, card, day, id) WHERE {ERRED}",
    f"CREATE INDEX review_passed ON review (deck, card, day, id) WHERE {PASSED}",
    "CREATE TRIGGER review_stays BEFORE UPDATE ON review BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER review_remains BEFORE DELETE ON review BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    # A cache of the rows of kind 'rename': earlier names of cards, always one step to the current name.
    """CREATE TABLE renamed (
        deck TEXT NOT NULL, card TEXT NOT NULL, to_deck TEXT NOT NULL, to_card TEXT NOT NULL, PRIMARY KEY (deck, card)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX renamed_to ON renamed (to_deck, to_card)",
    # A cache of the grades that stand: replaying the log gives the same.
    """CREATE TABLE memory (
        deck TEXT NOT NULL, card TEXT NOT NULL, stability REAL NOT NULL, difficulty REAL NOT NULL,
        first_day INTEGER NOT NULL, last_day INTEGER NOT NULL, due_day INTEGER NOT NULL, due_at_ms INTEGER,
        repetitions INTEGER NOT NULL, lapses INTEGER NOT NULL, PRIMARY KEY (deck, card)
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
)


@cache
def _expected() -> frozenset[tuple[str, str]]:
    """The tables of a file of ours. A bit that flips in their text makes another column, or another rule, of them."""
    with closing(sqlite3.connect(NOWHERE)) as model:
        for statement in SCHEMA:
            model.execute(statement)
        return frozenset((name, text) for name, text in _things(model) if text.startswith("CREATE TABLE"))


@cache
def _ours() -> frozenset[tuple[str, str]]:
    """The indexes and triggers of a file of ours."""
    with closing(sqlite3.connect(NOWHERE)) as model:
        for statement in SCHEMA:
            model.execute(statement)
        return frozenset(_acting(model).values())


def _acting(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """What acts by itself when a row is written, by name: triggers, and indexes, of which one that is unique can refuse a row."""
    found = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL")
    return {f"{kind} {_quoted(name)}": (name, " ".join(str(sql).split())) for kind, name, sql in found}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def has_strange_parts(connection: sqlite3.Connection) -> bool:
    """Whether a file of ours holds triggers or indexes that no version of this program made."""
    return not set(_acting(connection).values()) <= _ours()


def remove_strange_parts(connection: sqlite3.Connection) -> None:
    """Takes triggers and indexes away that are not ours, whoever put them there: they would act on every grade. No row changes."""
    for what, thing in _acting(connection).items():
        if thing not in _ours():
            connection.execute(f"DROP {what}")
    there = {name for name, _ in _acting(connection).values()}
    for statement in SCHEMA:
        words = statement.split()
        if words[1] in ("TRIGGER", "INDEX") and words[2] not in there:
            connection.execute(statement)


def _things(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Everything in a file, by name, with its text, in which the spaces do not matter."""
    found = connection.execute("SELECT name, sql FROM sqlite_schema")
    return frozenset((name, " ".join(str(sql).split())) for name, sql in found)


@contextmanager
def transaction(connection: sqlite3.Connection, mode: Literal["IMMEDIATE", "DEFERRED"]) -> Iterator[None]:
    """All or nothing. IMMEDIATE holds the write lock from the start, so that what was read is still true when it is written;
    DEFERRED reads one state of the file."""
    connection.execute(f"BEGIN {mode}")
    with ended(connection):
        yield


@contextmanager
def ended(connection: sqlite3.Connection) -> Iterator[None]:
    """Commits the transaction that has begun, or takes all of it back."""
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has already rolled back
            connection.execute("ROLLBACK")
        raise


def connect(path: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time. Raises ProgressError."""
    if path != NOWHERE:
        _refuse_unwritable(Path(path))
        refuse_other_than_files(Path(path))
        with suppress(OSError):  # what is wrong with the place, SQLite will say
            make_private(Path(path))
    with sqlite_errors_explained(path):
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.OperationalError) and sqlite_code(error) == sqlite3.SQLITE_ERROR:
                raise ProgressError("damaged", path) from error  # a schema that makes no sense: our own statements always do
            raise
        return connection


def require_ours(connection: sqlite3.Connection, path: str) -> None:
    """Raises ProgressError unless it is a progress file that this version can read; an empty file is none."""
    if not _is_ours(connection, path):
        raise ProgressError("not-a-database", path)


def uri(path: str, mode: str) -> str:
    """The address of a file that is not made if it is missing; `mode` is what SQLite may do with it."""
    return f"file:{quote(os.path.abspath(path))}?{mode}"


def _refuse_unwritable(path: Path) -> None:
    """SQLite opens what it may only read and fails at the first grade: too late for a person."""
    try:
        make_private_folder(path.parent)
    except PermissionError as error:
        raise ProgressError("read-only", str(path)) from error
    except OSError as error:
        raise ProgressError("unreachable", str(path)) from error
    if not os.access(path.parent, os.W_OK) or (os.path.exists(path) and not os.access(path, os.W_OK)):
        raise ProgressError("read-only", str(path))


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    """Looks whose file it is before the first statement that could change it."""
    connection.execute(TEMPORARY)
    if not _is_ours(connection, path):
        with transaction(connection, "IMMEDIATE"):
            if not _is_ours(connection, path):  # another process may have been faster
                for statement in SCHEMA:
                    connection.execute(statement)
    elif has_strange_parts(connection):
        with transaction(connection, "IMMEDIATE"):
            remove_strange_parts(connection)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA foreign_keys = ON")


def _is_ours(connection: sqlite3.Connection, path: str) -> bool:
    """True for our file, False for an empty one. Raises ProgressError for any other."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    things = _things(connection)
    if application == APPLICATION_ID:
        if version > SCHEMA_VERSION:
            raise ProgressError("newer", path)
        if not things >= _expected():
            raise ProgressError("damaged", path)
        return True
    if application or version or things:
        raise ProgressError("foreign", path)
    return False
