"""How a card stands with its learner, in words: what the browser shows and filters by. A card may be several of them at once."""

from __future__ import annotations

from typing import Literal, get_args

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import is_due
from quiz.memory.study_day import Moment
from quiz.study.learner import LearnerState
from quiz.study.leeches import MATURE

State = Literal["suspended", "flagged", "leech", "due", "new", "learning", "known"]
STATES: tuple[State, ...] = get_args(State)  # the most telling first


def states_of(key: Key, learner: LearnerState, now: Moment) -> tuple[State, ...]:
    """What a card is, the most telling first: new until it was graded, then learning until its memory lasts MATURE days."""
    memory = learner.effective.get(key)
    found: set[State] = {"new" if memory is None else "known" if memory.stability >= MATURE else "learning"}
    if memory is not None and is_due(memory, now):
        found.add("due")
    if key in learner.weak:
        found.add("leech")
    if key in learner.decisions.flagged:
        found.add("flagged")
    if key in learner.decisions.suspended:
        found.add("suspended")
    return tuple(state for state in STATES if state in found)
