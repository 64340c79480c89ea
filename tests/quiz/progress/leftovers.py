"""What crashes and sync programs leave beside a progress file."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from quiz.progress.log import ROW

_ADD = f"""INSERT INTO review ({ROW})
    SELECT id || hex(randomblob(4)) || ?, clock + ?, at_ms, offset_minutes, day, deck, card, kind, undoes, grade,
    confidence, prediction, measured, correct, points, seconds, version FROM review WHERE length(id) = 32"""


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def hot_journal(path: Path) -> bytes:
    """The journal of a commit that is half done; the file is as it was before."""
    before = path.read_bytes()
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN IMMEDIATE")
        for n in range(200):
            writer.execute(_ADD, (f"-{n}", n))
        found = beside(path, "-journal").read_bytes()
        writer.execute("ROLLBACK")
    path.write_bytes(before)
    return found


def crash(path: Path) -> None:
    """Leaves a file as a crash in the middle of a large commit does: half written, with the journal that it needs."""
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN IMMEDIATE")
        for n in range(200):
            writer.execute(_ADD, (f"-{n}", n))
        torn, journal = path.read_bytes(), beside(path, "-journal").read_bytes()
        writer.execute("ROLLBACK")
    path.write_bytes(torn)
    beside(path, "-journal").write_bytes(journal)


def write_ahead_log(path: Path, extra: int) -> bytes:
    """The log of another program, with `extra` rows that the file does not have; the file is as it was before."""
    copy = path.with_name("copy.sqlite3")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE IF NOT EXISTS passing (x)")
        writer.execute("DROP TABLE passing")
        for n in range(extra):
            writer.execute(f"{_ADD} LIMIT 1", (f"-{n}", n))
        found = beside(copy, "-wal").read_bytes()
    copy.unlink()
    return found
