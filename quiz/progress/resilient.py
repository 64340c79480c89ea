"""Progress that outlives a failing file: grades go on in memory, and into the file, in their order, as soon as it works again.

A full disk, another program that holds the file, a folder that has become read-only: none of them ends a session or loses a grade that
could still be saved.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from quiz.memory.scheduler import Memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError, Reason
from quiz.progress.memory_copy import open_copy
from quiz.progress.progress import Progress, connected
from quiz.progress.reviews import Review

PASSING: tuple[Reason, ...] = ("full", "locked", "read-only", "unreachable")  # what may be over in a minute

T = TypeVar("T")
Act = Callable[[], object]
Tell = Callable[[ProgressError | None], None]


class ResilientProgress(Progress):
    """`tell` hears, in the thread that writes, of the first failure, and None when everything has been saved after all.

    Writing raises ProgressError only where going on makes no sense: a file that is damaged.
    """

    def __init__(self, connection: sqlite3.Connection, path: str, tell: Tell) -> None:
        super().__init__(connection, path)
        self._tell = tell
        self._file = connection
        self._waiting: list[Act] = []  # what the copy in memory has and the file has not
        self._lost = 0  # what still waited at the end

    @classmethod
    def open(cls, path: str, tell: Tell) -> ResilientProgress:
        """Raises ProgressError."""
        return cls(connected(Path(path)), path, tell)

    @property
    def keeps(self) -> bool:
        return self.waiting == 0

    @property
    def waiting(self) -> int:
        """How many grades, marks and undos are in memory only."""
        return len(self._waiting) + self._lost

    def record(self, review: Review) -> Memory:
        return self._last(lambda: super(ResilientProgress, self).record(review))

    def undo(self, review_id: str, when: Moment | None = None) -> Review | None:
        return self._last(lambda: super(ResilientProgress, self).undo(review_id, when))

    def decide(self, mark: Decision) -> None:
        self._last(lambda: super(ResilientProgress, self).decide(mark))

    def undo_decision(self, mark_id: str, when: Moment | None = None) -> bool:
        return self._last(lambda: super(ResilientProgress, self).undo_decision(mark_id, when))

    def close(self) -> None:
        """Tries once more to save what waits; `keeps` and `waiting` then say what was lost. Tells nobody."""
        self._tell = lambda _: None
        if self._waiting:
            self._catch_up()
        self._lost, self._waiting = self._lost + len(self._waiting), []
        super().close()
        self._file.close()

    def _last(self, act: Callable[[], T]) -> T:
        if self._waiting:
            done = act()
            self._waiting.append(act)
            self._catch_up()
            return done
        try:
            return act()
        except ProgressError as error:
            if error.reason not in PASSING or not self._go_beside():
                raise
            done = act()
            self._waiting.append(act)
            self._tell(error)
            return done

    def _go_beside(self) -> bool:
        """From here on in a copy in memory; False when the file cannot even be read."""
        try:
            copy = open_copy(self.path)
        except ProgressError:
            return False
        self._use(copy)
        return True

    def _catch_up(self) -> None:
        """Everything that waits into the file; then the copy is needed no more."""
        copy = self._use(self._file)
        try:
            while self._waiting:
                self._waiting[0]()
                del self._waiting[0]
        except ProgressError:
            self._use(copy)
        else:
            copy.close()
            self._tell(None)

    def _use(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """Changes what every method works on; gives what it was."""
        with self._lock:
            before, self._connection = self._connection, connection
            return before
