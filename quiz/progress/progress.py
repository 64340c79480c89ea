"""What a person has learned: an append-only log of reviews, and a memory a card that the log adds up to.

Every change is one transaction that holds the write lock from its start, reads the memory inside it, and is on the disk when the call
returns. One connection behind one lock: every method may be called from any thread, and blocks it (up to database.PATIENCE).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from quiz.memory.card_ids import Key, renamed_by
from quiz.memory.fsrs import Parameters
from quiz.memory.scheduler import Memory
from quiz.memory.study_day import Moment
from quiz.progress import cache, log, row_mapping, soundness
from quiz.progress.connection import Transactions, connected
from quiz.progress.database import NOWHERE, connect
from quiz.progress.decisions import Decision, Decisions, standing_decisions
from quiz.progress.errors import ProgressError, UnreadableMemory, is_missing, sqlite_errors_explained
from quiz.progress.memory_copy import open_copy
from quiz.progress.paths import default_path
from quiz.progress.reviews import Review, memory_after, replay
from quiz.settings.chosen import settings

__all__ = ["Key", "Progress", "ProgressError", "Review", "default_path", "open_progress", "readable_progress"]

TRIES = 3  # at a replay beside other writers, before they have to wait for it


def open_progress(path: Path | None = None) -> Progress:
    """The progress in a file, which is made if it is missing. Raises ProgressError."""
    where = path or default_path()
    return Progress(connected(where), str(where))


def readable_progress() -> Progress:
    """The person's progress for those who only read it: a copy in memory where the file may not be written. Raises ProgressError.

    Where there is no file, none is made: an empty one would hide that there was one, of which there may be backups.
    """
    if is_missing(default_path()):
        return Progress.in_memory()
    try:
        return open_progress()
    except ProgressError as error:
        if error.reason not in ("read-only", "no-locks"):
            raise
        return Progress.copied(error.path)


class Progress(Transactions):
    """An open progress file. Every method raises ProgressError when the file fails; then nothing of the call was saved."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        super().__init__(connection, path)
        self._read: tuple[object, dict[Key, Memory]] = (None, {})  # a state of the file, and what it held
        try:
            if not self._is_current():
                self.replay()
        except BaseException:
            connection.close()
            raise

    @classmethod
    def in_memory(cls) -> Progress:
        """Progress that is kept nowhere: what is left when the file cannot be used."""
        return cls(connect(NOWHERE), NOWHERE)

    @classmethod
    def copied(cls, path: str) -> Progress:
        """A copy in memory of a file that can only be read: the schedule goes on, nothing is kept. Raises ProgressError."""
        return cls(open_copy(path), NOWHERE)

    @property
    def keeps(self) -> bool:
        """Whether everything so far is in a file."""
        return self.path != NOWHERE

    @property
    def failure(self) -> ProgressError | None:
        """Why something is not in the file, where that is so."""
        return None

    def confirm(self) -> bool:
        """Whether everything so far is in the file, as far as it can be seen to. Blocks."""
        return self.keeps

    # --- what a person does ------------------------------------------------------------------------------------------

    def record(self, review: Review) -> Memory:
        """Saves a grade, once however often it is tried; it is durable on return. Gives the card's new memory."""
        with self.writing() as connection:
            key = cache.current_name(connection, review.key)
            held = cache.memory_in_a_change(connection, key)
            memory = memory_after(held, review, cache.parameters(connection))
            if not log.add_grade(connection, review):
                return held or memory
            cache.store_memory(connection, key, memory)
            return memory

    def undo(self, review_id: str, when: Moment | None = None, row: str | None = None) -> Review | None:
        """Takes one grade back, as if it had never been given. None if there is no such grade, or no more. `when` is now, `row` is new."""
        with self.writing() as connection:
            review = log.grade(connection, review_id)
            if review is None:
                return None
            log.add_undo(connection, row or uuid4().hex, review_id, review.key, when or Moment.now())
            key = cache.current_name(connection, review.key)
            cache.recompute(connection, [key])
            return _named(review, key)

    def decide(self, mark: Decision) -> None:
        """Saves a decision about a card, a plan, or FSRS's parameters; it is durable on return."""
        with self.writing() as connection:
            log.add_decision(connection, mark)
            cache.rebuild_outdated(connection)

    def undo_decision(self, mark_id: str, when: Moment | None = None, row: str | None = None) -> bool:
        """Takes one mark back, as if it had never been made. False if there is no such mark, or no more. `when` and `row` as in undo()."""
        with self.writing() as connection:
            mark = log.decision(connection, mark_id)
            if mark:
                log.add_undo(connection, row or uuid4().hex, mark_id, mark.key, when or Moment.now())
                cache.rebuild_outdated(connection)
            return mark is not None

    def adopt(self, names: Mapping[Key, Iterable[Key]], when: Moment | None = None) -> int:
        """Gives current cards what was learned under their earlier names (see names.earlier_names); counts the names that moved.

        The log keeps the names of its time, and a row says who they are from now on; names of which it knows nothing need none.
        Cheap when nothing is new, and then it does not write: call it at every start. `when` is now.
        """
        with self.reading() as connection:
            if not cache.moving(connection, names):
                return 0
        with self.writing() as connection:
            before, moving = cache.current_names(connection), cache.moving(connection, names)
            for old, new in moving.items():
                log.add_rename(connection, old, new, when or Moment.now())
            now = cache.store_renames(connection, renamed_by(log.renames(connection)))
            moved = {old for old in before.keys() | now.keys() if before.get(old) != now.get(old)}
            cache.recompute(connection, {key for old in moved for key in (old, before.get(old, old), now.get(old, old))})
            return len(moving)

    # --- what it adds up to ------------------------------------------------------------------------------------------

    def memories(self) -> dict[Key, Memory]:
        """The memory of every card that has been graded, under its current name."""
        with self.reading() as connection, suppress(UnreadableMemory):
            if cache.is_current(connection):  # another retention may have been chosen meanwhile
                return dict(self._remember(connection))
        self.replay()
        return self.memories()

    def parameters(self) -> Parameters:
        """What memories are computed by: fitted to this log, or FSRS's own."""
        with self.reading() as connection:
            return cache.parameters(connection)

    def latest_fit(self) -> Decision | None:
        """The mark of the last fit, also where this version cannot use its parameters."""
        with self.reading() as connection:
            return log.latest_fit(connection)

    def memory(self, key: Key) -> Memory | None:
        """The memory of one card; an earlier name will do."""
        with self.reading() as connection:
            key = cache.current_name(connection, key)
            with suppress(UnreadableMemory):
                return cache.memory(connection, key)
        return self.memories().get(key)

    def decisions(self) -> Decisions:
        """What the marks add up to, under the cards' current names."""
        with self.reading() as connection:
            marks, renamed = log.decisions(connection), cache.current_names(connection)
        found = standing_decisions(replace(mark, key=renamed.get(mark.key, mark.key)) for mark in marks)
        return replace(found, retention=settings().retention)

    def reviews(self, since: int = 0) -> Iterator[Review]:
        """The grades from a study day (ordinal) on that were not taken back, oldest first, under the cards' current names."""
        with self.reading() as connection:
            found, renamed = log.grades(connection, since), cache.current_names(connection)
        return self._named(found, renamed)

    def confident_errors(self) -> dict[Key, int]:
        """What leeches.confident_errors() gives for all reviews, without reading them."""
        with self.reading() as connection:
            return log.confident_errors(connection)

    def _named(self, found: Iterable[tuple[Any, ...]], renamed: Mapping[Key, Key]) -> Iterator[Review]:
        with sqlite_errors_explained(self.path):
            for review in map(row_mapping.to_review, found):
                yield _named(review, renamed.get(review.key, review.key))

    def is_empty(self) -> bool:
        """Whether no grade was ever saved."""
        with self.reading() as connection:
            return not log.has_grades(connection)

    # --- the cache ---------------------------------------------------------------------------------------------------

    def replay(self) -> None:
        """Computes every memory anew from the log; the long part without any lock, unless others write all the time."""
        if not any(self._replay_beside() for _ in range(TRIES)):
            with self.writing() as connection:
                cache.rebuild(connection)

    def _is_current(self) -> bool:
        """Whether what is kept of the log can be read, and is what today's rules make of it."""
        with self.reading() as connection:
            try:
                cache.current_names(connection)
                self._remember(connection)
            except UnreadableMemory:
                return False
            return cache.is_current(connection)

    def _remember(self, connection: sqlite3.Connection) -> dict[Key, Memory]:
        """The memories, read again where the file has changed."""
        state = (connection, cache.file_state(connection))
        if self._read[0] != state:
            self._read = (state, cache.memories(connection))
        return self._read[1]

    def _replay_beside(self) -> bool:
        """False when the log has grown meanwhile."""
        with self.reading() as connection:
            size, (steps, renamed, by) = log.log_size(connection), cache.to_replay(connection)
        memories = replay(steps, renamed, by)
        with self.writing() as connection:
            if log.log_size(connection) != size:
                return False
            cache.store(connection, memories, renamed, by)
            return True

    def check(self) -> tuple[str, ...]:
        """What is wrong with the file, a sentence each: damaged pages, or memories that the log does not add up to."""
        with self.reading() as connection:
            return soundness.find_problems(connection)


def _named(review: Review, key: Key) -> Review:
    return review if review.key == key else review._replace(deck=key[0], card=key[1])
