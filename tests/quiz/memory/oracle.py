"""py-fsrs as the oracle of what our library computes: the same FSRS-6 in float64, by dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from types import SimpleNamespace

import fsrs

from quiz.memory.fsrs import DEFAULT, Parameters

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
GRADES = {rating.name.lower(): rating for rating in fsrs.Rating}


@cache
def scheduler(parameters: Parameters) -> fsrs.Scheduler:
    """FSRS without steps and fuzz, which are ours to decide."""
    return fsrs.Scheduler(parameters.w, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def card(state: tuple[float, float] | None) -> fsrs.Card:
    """A card with that memory, last seen at START."""
    if state is None:
        return fsrs.Card(card_id=1)
    return fsrs.Card(card_id=1, state=fsrs.State.Review, stability=state[0], difficulty=state[1], last_review=START)


def next_states(state: tuple[float, float] | None, days: int, retention: float, parameters: Parameters = DEFAULT) -> SimpleNamespace:
    """What quiz.memory.fsrs.next_states gives, in float64."""

    def after(rating: fsrs.Rating) -> SimpleNamespace:
        memory, _ = scheduler(parameters).review_card(card(state), rating, START + timedelta(days=days))
        assert memory.stability is not None
        interval = memory.stability / parameters.factor * (retention ** (1 / parameters.decay) - 1)
        return SimpleNamespace(memory=memory, interval=interval)

    return SimpleNamespace(**{name: after(rating) for name, rating in GRADES.items()})
