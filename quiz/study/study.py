"""A session together with its store and its clock: a grade is durable before the next card appears.

The screens and the plain mode share it. Its methods block on the disk; the screens call them off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from content.deck.cards import Deck
from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Grade, Interval, Memory, promised_interval
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Kind
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress
from quiz.progress.reviews import Review, memory_after, seconds_over
from quiz.study import session as sessions
from quiz.study.filter import Filter
from quiz.study.learner import LearnerState
from quiz.study.leeches import confident_error_after, effective_due, is_leech
from quiz.study.queue import choose_cards, practice_cards
from quiz.study.session import FlagStep, GradedStep, Session
from quiz.study.turn import Turn, is_correct, target_value

Clock = Callable[[], Moment]


@dataclass
class Study:
    """`progress` is None in practice: no grade is written, and the schedule stays as it is. `notes` is where flags are kept, also then.

    `memories` are what the log adds up to by FSRS's `parameters`, `confident_errors` the cards that one was sure of and had wrong,
    with the day of it.
    """

    session: Session
    progress: Progress | None
    clock: Clock
    memories: dict[Key, Memory] = field(default_factory=dict)
    confident_errors: dict[Key, int] = field(default_factory=dict)
    parameters: Parameters = DEFAULT
    began: datetime | None = None  # when the card on the table was first shown
    left: datetime | None = None  # when the learner went to look at another card
    answered: int | None = None  # the study day on which its answer was, and with it what each button gives
    spent: float = 0.0  # seconds over the cards that were graded, as the statistics count them
    notes: Progress | None = None

    def start_clock(self) -> None:
        """Starts the time of the card on the table."""
        self.began, self.answered = self.clock().at_utc, None

    def look_away(self) -> None:
        """The learner looks at another card: until `look_back`, no time passes over the one on the table."""
        self.left = self.clock().at_utc

    def look_back(self) -> None:
        """The learner is at the card on the table again."""
        if self.began and self.left:
            self.began += max(self.clock().at_utc - self.left, timedelta(0))
        self.left = None

    def intervals(self) -> dict[Grade, Interval]:
        """What each grade would do to the card on the table: exactly what `grade` will then do."""
        turn, now = self.session.turn, self._answered()
        if turn is None:
            return {}
        memory = self.memories.get(turn.item.key)
        given = {grade: self._review(turn, grade, now, None) for grade in Grade}
        after = {grade: self._asked(memory_after(memory, review, self.parameters), review) for grade, review in given.items()}
        return {grade: promised_interval(memory) for grade, memory in after.items()}

    def promises(self) -> dict[Grade, Interval]:
        """What the buttons may say of the schedule: nothing in practice, which leaves it alone."""
        return self.intervals() if self.progress else {}

    @property
    def failed(self) -> int:
        """How often the card on the table was failed, where it keeps failing; else 0."""
        memory = self.memories.get(self.session.turn.item.key) if self.session.turn else None
        return memory.lapses if memory and is_leech(memory) else 0

    def grade(self, given: Grade) -> None:
        """Writes the grade, then deals the next card. Raises ProgressError with the session unchanged."""
        turn, now = self.session.turn, self._answered()
        if turn is None or turn.stage == "ask":
            return
        seconds = self._seconds(now)
        review, before = self._review(turn, given, now, seconds), self.memories.get(turn.item.key)
        memory = self.progress.record(review) if self.progress else memory_after(before, review, self.parameters)
        again_at = self._asked(memory, review).due_at
        if self.progress:
            self.memories[turn.item.key] = memory
            self._remember(turn.item.key, confident_error_after(self.confident_errors.get(turn.item.key), review))
        self.session = sessions.grade(self.session, given, now.at_utc, again_at, review.id if self.progress else None)
        self.spent += seconds_over(seconds or 0.0)
        self._look()

    def set_aside(self, kind: Kind) -> bool:
        """Suspends or buries the card on the table and deals the next. False in practice, and when there is no card.

        Raises ProgressError with the session unchanged.
        """
        turn, now = self.session.turn, self.clock()
        if turn is None or self.progress is None:
            return False
        mark = Decision.new(kind, turn.item.key, now)
        self.progress.decide(mark)
        self.session = sessions.set_aside(self.session, now.at_utc, mark.id)
        self._look()
        return True

    def note(self) -> str:
        """What was said to be wrong with the card on the table; nothing where it was not flagged. Raises ProgressError."""
        turn, kept = self.session.turn, self.notes or self.progress
        found = kept.decisions().flagged.get(turn.item.key) if turn and kept else None
        return found.note if found else ""

    def flag(self, note: str) -> bool:
        """Notes what is wrong with the card on the table; an empty note says that nothing is any more. False when there is no card.

        Raises ProgressError with the session unchanged.
        """
        turn, kept = self.session.turn, self.notes or self.progress
        if turn is None or kept is None:
            return False
        mark = Decision.flag(note, turn.item.key, self.clock())
        kept.decide(mark)
        self.session = sessions.flag(self.session, mark.id)
        return True

    def undo(self) -> bool:
        """Takes the last grade or mark of this session back, in the store too. False when there is none."""
        if not self.session.steps:
            return False
        last, marks = self.session.steps[-1], self.progress or self.notes
        if isinstance(last, GradedStep):
            if self.progress and last.review:
                self.progress.undo(last.review, self.clock())
                self._reload(last.turn.item.key)
        elif marks:
            marks.undo_decision(last.mark, self.clock())
        self.session = sessions.undo(self.session)
        if not isinstance(last, FlagStep):
            self.start_clock()
        return True

    def confirm(self) -> bool:
        """Whether all that was graded is saved, as the summary says it. Blocks on the disk."""
        return self.progress is None or self.progress.confirm()

    def advance(self) -> None:
        """Brings a card back whose ten minutes are over."""
        self.session = sessions.advance(self.session, self.clock().at_utc)
        self.start_clock()

    def hasten(self) -> None:
        """Brings the next returning card back now."""
        self.session = sessions.take_waiting_now(self.session)
        self.start_clock()

    def wait(self) -> timedelta | None:
        """How long until the next returning card, when only those are left."""
        if self.session.turn or not self.session.returning:
            return None
        return max(self.session.returning[0][0] - self.clock().at_utc, timedelta(0))

    def _answered(self) -> Moment:
        """Now, on the study day of the answer: what was tested then is graded, and a button keeps its promise left open over night."""
        now = self.clock()
        if self.session.turn is None or self.session.turn.stage == "ask":
            return now
        self.answered = now.day if self.answered is None else self.answered
        return now._replace(day=self.answered)

    def _look(self) -> None:
        """Starts the clock of a card that was dealt, with what is known of it by now: another window may have graded it, or fitted FSRS."""
        self.start_clock()
        if self.progress and self.session.turn:
            with suppress(ProgressError):  # what was last learner is good enough to ask by
                self._recall(self.progress, self.session.turn.item.key)

    def _reload(self, key: Key) -> None:
        assert self.progress is not None
        self._recall(self.progress, key)
        self._remember(key, self.progress.confident_errors().get(key))

    def _recall(self, progress: Progress, key: Key) -> None:
        memory, self.parameters = progress.memory(key), progress.parameters()
        if memory is None:
            self.memories.pop(key, None)
        else:
            self.memories[key] = memory

    def _remember(self, key: Key, confident_errors: int | None) -> None:
        if confident_errors is None:
            self.confident_errors.pop(key, None)
        else:
            self.confident_errors[key] = confident_errors

    def _asked(self, memory: Memory, review: Review) -> Memory:
        """A memory after a review, with the day on which the card will really be asked."""
        return effective_due(memory, within_a_week=confident_error_after(self.confident_errors.get(review.key), review) is not None)

    def _review(self, turn: Turn, given: Grade, now: Moment, seconds: float | None) -> Review:
        """What is written of a turn. What was answered with help, the open detail of a leech or a hint, says nothing of what one knew."""
        said = self.failed == 0 and turn.hints == 0
        return Review.new(
            now,
            turn.item.key,
            given,
            confidence=turn.confidence if said else None,
            prediction=turn.response.number if said else None,
            measured=target_value(turn) if said else None,
            correct=is_correct(turn) if said else None,
            points=tuple(sorted(turn.ticked)),
            seconds=seconds,
        )

    def _seconds(self, now: Moment) -> float | None:
        return None if self.began is None else max((now.at_utc - self.began).total_seconds(), 0.0)


def begin_study(decks: Sequence[Deck], store: Progress, clock: Clock, wanted: Filter, *, practise: bool) -> Study | None:
    """A session over the decks with its first card on the table; None when there is nothing to ask. Raises ProgressError."""
    learner, now = LearnerState.of(store), clock()
    items = practice_cards(decks, learner, wanted) if practise else choose_cards(decks, learner, now, wanted)
    if not items:
        return None
    study = Study(
        sessions.begin_session(items, now.day),
        None if practise else store,
        clock,
        dict(learner.memories),
        dict(learner.confident_errors),
        learner.decisions.parameters,
        notes=store,
    )
    study.start_clock()
    return study
