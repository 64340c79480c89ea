"""How a review and a memory stand in the tables: the columns, and the way there and back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from quiz.days import EPOCH, Moment
from quiz.reviews import Review
from quiz.scheduler import Grade, Memory

REVIEW = "id, deck, card, grade, at_ms, day, offset_minutes, confidence, prediction, measured, correct, points, seconds, version"
MEMORY = "stability, difficulty, first_day, last_day, due_day, due_at_ms, repetitions, lapses"


def from_review(review: Review) -> tuple[Any, ...]:
    """The values of REVIEW."""
    when = review.when
    return (
        *(review.id, review.deck, review.card, int(review.grade), when.at_ms, when.day, when.offset_minutes, review.confidence),
        *(review.prediction, review.measured, review.correct, json.dumps(review.points), review.seconds, review.version),
    )


def to_review(row: tuple[Any, ...]) -> Review:
    """The review whose REVIEW columns these are."""
    id_, deck, card, grade, at_ms, day, offset, confidence, prediction, measured, correct, points, seconds, version = row
    right = None if correct is None else bool(correct)
    ticked = tuple(json.loads(points))
    when = Moment(at_ms, day, offset)
    return Review(id_, deck, card, Grade(grade), when, confidence, prediction, measured, right, ticked, seconds, version)


def from_memory(memory: Memory) -> tuple[Any, ...]:
    """The values of MEMORY."""
    due_at_ms = None if memory.due_at is None else (memory.due_at - EPOCH) // timedelta(milliseconds=1)
    return (
        *(memory.stability, memory.difficulty, memory.first_day, memory.last_day, memory.due_day, due_at_ms),
        *(memory.repetitions, memory.lapses),
    )


def to_memory(row: tuple[Any, ...]) -> Memory:
    """The memory whose MEMORY columns these are."""
    stability, difficulty, first_day, last_day, due_day, due_at_ms, repetitions, lapses = row
    due_at = None if due_at_ms is None else EPOCH + timedelta(milliseconds=due_at_ms)
    return Memory(stability, difficulty, first_day, last_day, due_day, due_at, repetitions, lapses)
