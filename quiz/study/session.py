"""A session as a value: which card is on, what comes next, and how to step back. No clock, no store, no screen.

What is done with the card that is on is in `card_steps`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.study.leeches import SURE, is_missed
from quiz.study.turn import Confidence, Item, Turn, is_correct


@dataclass(frozen=True)
class GradedStep:
    """A turn that ended, with its grade and the review that the store wrote (none in practice)."""

    turn: Turn
    grade: Grade
    review: str | None
    before: Session  # where undo goes back to

    @property
    def confidence(self) -> Confidence | None:
        """How sure one was, where that counts: with a hint it says nothing of what one knew."""
        return None if self.turn.hints else self.turn.confidence

    @property
    def missed(self) -> bool:
        """Whether the answer was wrong, as the statistics count it."""
        return is_missed(is_correct(self.turn), self.grade)


@dataclass(frozen=True)
class SetAsideStep:
    """A turn that ended without a grade: its card was set aside by a mark of the store."""

    turn: Turn
    mark: str
    before: Session


@dataclass(frozen=True)
class FlagStep:
    """A card was said to be wrong, in a mark of the store. The session went on as it was."""

    turn: Turn
    mark: str


Step = GradedStep | SetAsideStep | FlagStep


@dataclass(frozen=True)
class Session:
    """`returning` are cards graded again, each with the moment from which it may come back; `steps` is what undo walks back."""

    queue: tuple[Item, ...]
    turn: Turn | None
    returning: tuple[tuple[datetime, Item], ...] = ()
    steps: tuple[Step, ...] = ()
    seed: int = 0

    @property
    def past(self) -> tuple[GradedStep, ...]:
        """The turns that were graded."""
        return tuple(step for step in self.steps if isinstance(step, GradedStep))

    @property
    def position(self) -> int:
        """The number of the card on the table, counted from 1."""
        return len(self.past) + 1

    @property
    def total(self) -> int:
        """How many turns the session will have as things stand."""
        return len(self.past) + (self.turn is not None) + len(self.queue) + len(self.returning)


def begin_session(items: tuple[Item, ...], seed: int = 0) -> Session:
    """A session over the items in their order. The seed shuffles options and order items, the same way every time."""
    return _deal(Session(queue=items, turn=None, seed=seed), now=None)


def advance(session: Session, now: datetime) -> Session:
    """Brings back a card graded again when its time has come and nothing else is on the table."""
    return session if session.turn else _deal(session, now)


def take_waiting_now(session: Session) -> Session:
    """Brings back the next returning card before its time: the learner asked for it."""
    if session.turn or not session.returning:
        return session
    (_, item), *later = session.returning
    return replace(session, turn=_lay(item, session), returning=tuple(later))


def _deal(session: Session, now: datetime | None) -> Session:
    if now and session.returning and session.returning[0][0] <= now:
        return take_waiting_now(session)
    if session.queue:
        return replace(session, turn=_lay(session.queue[0], session), queue=session.queue[1:])
    return session


def _lay(item: Item, session: Session) -> Turn:
    rng = random.Random(f"{session.seed}/{item.deck}/{item.card.id}/{len(session.past)}")
    indices = list(range(len(item.card.options or item.card.order)))
    rng.shuffle(indices)
    if item.card.order and indices == sorted(indices):
        indices.reverse()  # an order that is already right asks nothing
    return Turn(item=item, shown=tuple(indices))


def grade(session: Session, given: Grade, now: datetime, again_at: datetime | None, review: str | None = None) -> Session:
    """Ends the turn, once the question was left. `again_at` is when the card may come back; `review` is the store's id of the grade."""
    turn = session.turn
    if turn is None or turn.stage == "ask":
        return session
    returning = session.returning
    if again_at is not None:
        returning = tuple(sorted((*returning, (again_at, turn.item)), key=lambda pair: pair[0]))
    ended = GradedStep(turn=turn, grade=given, review=review, before=replace(session, steps=()))
    return _deal(replace(session, turn=None, returning=returning, steps=(*session.steps, ended)), now)


def set_aside(session: Session, now: datetime, mark: str) -> Session:
    """Takes the card off the table without a grade; it does not come back. `mark` is the store's id of the decision."""
    if session.turn is None:
        return session
    ended = SetAsideStep(turn=session.turn, mark=mark, before=replace(session, steps=()))
    return _deal(replace(session, turn=None, steps=(*session.steps, ended)), now)


def flag(session: Session, mark: str) -> Session:
    """Notes that the card on the table was said to be wrong. `mark` is the store's id of it."""
    return session if session.turn is None else replace(session, steps=(*session.steps, FlagStep(session.turn, mark)))


def undo(session: Session) -> Session:
    """The session as it was before the last step: where the card was that was graded or set aside. A flag is only forgotten."""
    if not session.steps:
        return session
    *earlier, last = session.steps
    return replace(session if isinstance(last, FlagStep) else last.before, steps=tuple(earlier))


def cards_to_look_at(session: Session) -> tuple[GradedStep, ...]:
    """What the summary lists: cards that were failed or hard, and those that one was sure of and had wrong; each once, latest first."""
    latest: dict[Key, GradedStep] = {}
    for graded in session.past:
        if graded.grade <= Grade.hard or (graded.confidence == SURE and graded.missed):
            latest[graded.turn.item.key] = graded
    return tuple(reversed(latest.values()))
