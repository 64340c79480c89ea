"""Progress that outlives its file: what a session decides goes on in memory, and into the file as soon as there is one that works.

A full disk, another program that holds the file, a folder that has become read-only, a file that was emptied, deleted, or replaced by a
sync program: none of them ends a session or loses a grade that could still be saved. All that was decided is remembered until the end, in
its order, and given to whatever file then bears the name: doing it twice is doing it once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from quiz.memory.scheduler import Memory
from quiz.memory.study_day import Moment
from quiz.progress import cache, log
from quiz.progress.connection import connected
from quiz.progress.database import NOWHERE, PATIENCE, connect
from quiz.progress.decisions import Decision
from quiz.progress.errors import LATER, UNTOUCHED, ProgressError
from quiz.progress.memory_copy import best_memory_copy, open_copy
from quiz.progress.moved import Identity, identity, keep_old, put_back
from quiz.progress.news import News, Tell
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review

BRIEF = 0.5  # seconds that a grade waits for another program: nobody presses a key for longer
GLANCE = 0.05  # ... while grades are in memory anyway
ATTEMPTS = 3  # a file may be replaced while it is opened

T = TypeVar("T")
Act = Callable[[], object]


class ResilientProgress(Progress):
    """`tell` hears, in the thread that reads or writes, of the first failure, and None when everything has been saved after all.

    `file` is the connection to the file; None where there is none, and `connection` is to something in memory.
    """

    _patience = BRIEF

    def __init__(self, connection: sqlite3.Connection, path: str, tell: Tell, file: sqlite3.Connection | None) -> None:
        self._news = News(tell)
        self._file = file
        self._identity: Identity | None = identity(path)
        self._acts: list[Act] = []  # everything that was decided
        self._ids: list[str] = []  # ... the rows of it
        self._saved = 0  # how many of them are in the file
        self._failure: ProgressError | None = None
        self._kept: bool | None = None  # how it ended
        super().__init__(connection, path)
        self._restored = self._note()

    @classmethod
    def open(cls, path: str, tell: Tell) -> ResilientProgress:
        """Raises ProgressError."""
        file = connected(Path(path))
        return cls(file, path, tell, file)

    @classmethod
    def without_file(cls, error: ProgressError, tell: Tell) -> tuple[ResilientProgress, bool]:
        """For a file that could not be opened: in memory until it can. With it, whether its schedule is known."""
        if error.reason in LATER:
            with suppress(ProgressError):
                return cls(open_copy(error.path, BRIEF), error.path, tell, None), True
        return cls(connect(NOWHERE), error.path, tell, None), False

    @property
    def keeps(self) -> bool:
        return self._on_file and not self.waiting if self._kept is None else self._kept

    @property
    def failure(self) -> ProgressError | None:
        return None if self.keeps else self._failure

    @property
    def waiting(self) -> int:
        """How many grades, marks and undos are in memory only."""
        return len(self._acts) - self._saved

    def record(self, review: Review) -> Memory:
        return self._do(lambda: super(ResilientProgress, self).record(review), review.id)

    def undo(self, review_id: str, when: Moment | None = None, row: str | None = None) -> Review | None:
        at, id_ = when or Moment.now(), row or uuid4().hex  # it may be done more than once, and is one and the same undo
        return self._do(lambda: super(ResilientProgress, self).undo(review_id, at, id_), id_, bool)

    def decide(self, mark: Decision) -> None:
        self._do(lambda: super(ResilientProgress, self).decide(mark), mark.id)

    def undo_decision(self, mark_id: str, when: Moment | None = None, row: str | None = None) -> bool:
        at, id_ = when or Moment.now(), row or uuid4().hex
        return self._do(lambda: super(ResilientProgress, self).undo_decision(mark_id, at, id_), id_, bool)

    def confirm(self) -> bool:
        """Looks whether all that was said to be saved is in the file that bears the name now, and sees to it. Blocks."""
        with self._alone():
            if self._on_file:
                try:
                    self._add_missing()
                except ProgressError as error:
                    self._go_beside(error)
            if not self._on_file:
                self._come_back(GLANCE)
        return self.keeps

    def close(self) -> None:
        """Tries once more to save what waits; `keeps` and `waiting` then say what was lost. Tells nobody."""
        self._news.tell = lambda _: None
        with self._alone():
            if self._kept is None:
                self.confirm()
                if not self._on_file:
                    self._come_back(PATIENCE)
                self._kept = self.keeps
            super().close()
            if self._file:
                self._file.close()

    @property
    def _on_file(self) -> bool:
        return self._connection is self._file

    def _do(self, act: Callable[[], T], row: str, made: Callable[[T], bool] = lambda _: True) -> T:
        """`made` tells from what an act gives whether there is a row of it."""
        with self._alone():
            done = self._done(act)
            self._acts.append(act)
            self._ids += [row] if made(done) else []
            if self._on_file:
                self._saved = len(self._acts)
                if identity(self.path) != self._identity:  # it was replaced while it was written
                    self._reopen()
            else:
                self._come_back(GLANCE)
        return done

    def _done(self, act: Callable[[], T]) -> T:
        for _ in range(ATTEMPTS):
            try:
                return act()
            except ProgressError as error:
                if not self._on_file:
                    raise
                if error.reason == "moved":
                    self._reopen()
                else:
                    self._go_beside(error)
        return act()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._news.told_after(), super()._alone():
            yield

    def _look(self) -> None:
        if self._on_file and identity(self.path) != self._identity:
            self._reopen()
        if self._on_file:
            super()._look()

    def _add_missing(self) -> None:
        """A file that was overwritten by an older one gets what this session decided; not one that a person restored."""
        with self.reading() as connection:
            missing = not log.has_rows(connection, self._ids) and self._restored == cache.restored(connection)
        if missing:
            for act in self._acts:
                act()
            self.replay()

    def _note(self) -> str | None:
        with self.reading() as connection:
            return cache.restored(connection)

    # --- from the file into memory, and back -------------------------------------------------------------------------

    def _reopen(self) -> None:
        """Another file bears the name, or none: what this session decided goes there, and what the old one held is kept."""
        try:
            self._open_anew()
        except ProgressError as error:
            self._go_beside(error)
        else:
            self._news.add(ProgressError("moved", self.path))

    def _open_anew(self) -> None:
        """Goes on in the file that bears the name now; in what this session has, where there is none. Raises ProgressError."""
        put_back(self._connection, self.path)
        here = identity(self.path)
        old, file = self._file, connected(Path(self.path), self._patience)
        try:
            self._give_to(file)
        except BaseException:
            file.close()
            raise
        self._file, self._identity = file, here
        if old:
            keep_old(old, self.path)
            old.close()

    def _give_to(self, file: sqlite3.Connection) -> None:
        """Everything that was decided, into a file with which to go on. Raises ProgressError; then all is as it was."""
        before, self._connection = self._connection, file
        try:
            if not self._is_current():
                self.replay()
            for act in self._acts:
                act()
            self._restored = self._note()
        except BaseException:
            self._connection = before
            raise
        self._saved = len(self._acts)
        if before is not self._file and before is not file:
            before.close()

    def _go_beside(self, error: ProgressError) -> None:
        """From here on in a copy in memory: of the file, or of its newest backup, or of nothing."""
        copy = best_memory_copy(self.path, self._connection, GLANCE)
        if error.reason not in UNTOUCHED:
            self._saved = 0
        self._connection = copy
        if not self._is_current():
            self.replay()
        for act in self._acts:
            act()
        self._failure = error
        self._news.add(error)

    def _come_back(self, patience: float) -> None:
        """Into the file, if it works again."""
        self._patience = patience
        try:
            if self._file and identity(self.path) == self._identity:
                self._give_to(self._file)
            else:
                self._open_anew()
        except ProgressError as error:
            self._failure = error
        else:
            self._news.add(None)
        finally:
            self._patience = BRIEF
