"""A session together with its store and its clock: a grade is durable before the next card appears.

The screens and the plain mode share it. Its methods block on the disk; the screens call them off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from quiz import session as table
from quiz.answers import correct, target
from quiz.days import Moment
from quiz.names import Key
from quiz.progress import Progress
from quiz.reviews import Review, fuzz_key
from quiz.scheduler import AGAIN_AFTER, Grade, Interval, Memory, intervals
from quiz.session import Session
from quiz.turns import Turn

Clock = Callable[[], Moment]


@dataclass
class Study:
    """`progress` is None in practice: nothing is written, and the schedule stays as it is."""

    session: Session
    progress: Progress | None
    clock: Clock
    memories: dict[Key, Memory] = field(default_factory=dict)
    began: datetime | None = None  # when the card on the table was first shown
    spent: float = 0.0  # seconds over the cards that were graded

    def start_clock(self) -> None:
        """Starts the time of the card on the table."""
        self.began = self.clock().at_utc

    def intervals(self) -> dict[Grade, Interval]:
        """What each grade would do to the card on the table: exactly what `grade` will then do."""
        turn = self.session.turn
        return intervals(self.memories.get(turn.item.key), self.clock(), fuzz_key(turn.item.key)) if turn else {}

    def grade(self, given: Grade) -> None:
        """Writes the grade, then deals the next card. Raises ProgressError with the session unchanged."""
        turn, now = self.session.turn, self.clock()
        if turn is None or turn.stage != "reveal":
            return
        review, again_at, seconds = None, _again_at(given, now), self._seconds(now)
        if self.progress:
            written = _review(turn, given, now, seconds)
            memory = self.progress.record(written)
            self.memories[turn.item.key] = memory
            review, again_at = written.id, memory.due_at
        self.session = table.grade(self.session, given, now.at_utc, again_at, review)
        self.spent += seconds or 0.0
        self.start_clock()

    def undo(self) -> bool:
        """Takes the last grade of this session back, in the store too. False when there is none."""
        if not self.session.past:
            return False
        last = self.session.past[-1]
        if self.progress and last.review:
            self.progress.undo(last.review, self.clock())
            self._reload(last.turn.item.key)
        self.session = table.undo(self.session)
        self.start_clock()
        return True

    def advance(self) -> None:
        """Brings a card back whose ten minutes are over."""
        self.session = table.advance(self.session, self.clock().at_utc)
        self.start_clock()

    def hasten(self) -> None:
        """Brings the next returning card back now."""
        self.session = table.hasten(self.session)
        self.start_clock()

    def wait(self) -> timedelta | None:
        """How long until the next returning card, when only those are left."""
        if self.session.turn or not self.session.returning:
            return None
        return max(self.session.returning[0][0] - self.clock().at_utc, timedelta(0))

    def _reload(self, key: Key) -> None:
        assert self.progress is not None
        memory = self.progress.memory(key)
        if memory is None:
            self.memories.pop(key, None)
        else:
            self.memories[key] = memory

    def _seconds(self, now: Moment) -> float | None:
        return None if self.began is None else max((now.at_utc - self.began).total_seconds(), 0.0)


def _again_at(given: Grade, now: Moment) -> datetime | None:
    return now.at_utc + AGAIN_AFTER if given == Grade.again else None


def _review(turn: Turn, given: Grade, now: Moment, seconds: float | None) -> Review:
    return Review.new(
        now,
        turn.item.key,
        given,
        confidence=turn.confidence,
        prediction=turn.response.number,
        measured=target(turn),
        correct=correct(turn),
        points=tuple(sorted(turn.ticked)),
        seconds=seconds,
    )
