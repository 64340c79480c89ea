"""A session with its store and a clock that moves when told to."""

from __future__ import annotations

from datetime import UTC, datetime

from content.deck.model import parse_card, parse_deck
from quiz.memory.study_day import Moment
from quiz.progress.progress import Progress
from quiz.study import card_steps
from quiz.study import session as sessions
from quiz.study.study import Study
from quiz.study.turn import Confidence, Item

START = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> Moment:
        return Moment.of(self.at)


def items(*names: str) -> tuple[Item, ...]:
    return tuple(Item("d", parse_card({"id": name, "question": "Why?", "answer": "So.", "key_points": ["p", "q"]})) for name in names)


def study(store: Progress | None, clock: Clock, *names: str) -> Study:
    made = Study(sessions.begin_session(items(*names)), store, clock)
    made.start_clock()
    return made


def reveal(study: Study, confidence: Confidence | None = None) -> None:
    study.session = card_steps.reveal(study.session, confidence)


CHOICE = {"id": "pick", "kind": "choice", "question": "Which?", "options": [{"text": "right", "right": True}, {"text": "wrong"}]}
DECK = parse_deck({"deck": "d", "title": "D", "cards": [CHOICE]})
