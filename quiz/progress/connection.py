"""A connection to the progress file, once nothing that lies beside it can do harm; and what is done on it, a transaction at a time."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from quiz.progress import backups, leftovers
from quiz.progress.companions import beside
from quiz.progress.database import NOWHERE, PATIENCE, connect, ended
from quiz.progress.errors import ProgressError, sqlite_code, sqlite_errors_explained

LONGEST_PAUSE = 0.02  # seconds between two looks whether another program has let go


def connected(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection to a progress file, which is made if it is missing. Raises ProgressError, also for a file that was cut to nothing."""
    with suppress(OSError):  # what cannot be looked at, connect() explains
        if path.stat().st_size == 0 and backups.newest_backup(path):  # without a backup it is a first start that was interrupted
            raise ProgressError("damaged", str(path))
    leftovers.clear(path, backups.backup_folder(path), patience)
    return connect(str(path), patience)


class Transactions:
    """One connection behind one lock: every method may be called from any thread, and blocks it. Raises ProgressError."""

    _patience = PATIENCE

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    def close(self) -> None:
        """Lets go of the file. Nothing can be left to save."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One state of the file, for functions that read it."""
        with self._alone(), sqlite_errors_explained(self.path):
            self._begin("DEFERRED")
            with ended(self._connection):
                yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and alone, for functions that change it."""
        with self._alone(), sqlite_errors_explained(self.path):
            self._begin("IMMEDIATE")
            with ended(self._connection):
                yield self._connection

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock:
            yield

    def _begin(self, mode: Literal["IMMEDIATE", "DEFERRED"]) -> None:
        """Begins a transaction that has its lock, looking anew after each wait: what is beside the file may change."""
        deadline, pause = time.monotonic() + self._patience, 0.001
        while True:
            self._look()
            connection = self._connection
            try:
                connection.execute("PRAGMA busy_timeout = 0")
                connection.execute(f"BEGIN {mode}")
                connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
                connection.execute(f"PRAGMA busy_timeout = {round(self._patience * 1000)}")  # a commit may have to wait for readers
                return
            except sqlite3.Error as error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _look(self) -> None:
        """Before SQLite looks at the file: a sync program may have put something beside it."""
        if self.path != NOWHERE and beside(Path(self.path)):
            leftovers.clear(Path(self.path), backups.backup_folder(Path(self.path)), self._patience)
