"""How a review, a mark and a memory stand in the tables: the columns, and the way there and back.

Reading raises errors.Unreadable for values that no version ever wrote.
"""

from __future__ import annotations

import json
import math
from datetime import date, timedelta
from typing import Any

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory
from quiz.memory.study_day import EPOCH, Moment
from quiz.progress.decisions import Decision
from quiz.progress.errors import Unreadable, UnreadableMemory
from quiz.progress.reviews import Review, Step

REVIEW = "id, deck, card, grade, at_ms, day, offset_minutes, confidence, prediction, measured, correct, points, seconds, version"
MARK = "id, deck, card, kind, at_ms, day, offset_minutes, points"
STEP = "deck, card, grade, at_ms, day"
FIGURES = "deck, card, grade, day, confidence, prediction, measured, correct, seconds"
DATED = "id, deck, card, grade, at_ms, day, offset_minutes, clock"
RENAME = "deck, card, points"
MEMORY = "deck, card, stability, difficulty, first_day, last_day, due_day, due_at_ms, repetitions, lapses"

_LAST_DAY = date.max.toordinal()
EARLIEST_MS, LATEST_MS = -6 * 10**13, 25 * 10**13  # the years that a date can have, and room for ten minutes
_GRADES = {int(grade): grade for grade in Grade}


def from_review(review: Review) -> tuple[Any, ...]:
    """The values of REVIEW."""
    when = review.when
    return (
        *(review.id, review.deck, review.card, int(review.grade), when.at_ms, when.day, when.offset_minutes, review.confidence),
        *(_finite(review.prediction), _finite(review.measured), review.correct),
        *(json.dumps(review.points), _finite(review.seconds), review.version),
    )


def _finite(value: float | None) -> float | None:
    """JSON, in which logs travel, has no word for infinity."""
    return value if value is not None and math.isfinite(value) else None


def to_review(row: tuple[Any, ...]) -> Review:
    """The review whose REVIEW columns these are."""
    id_, deck, card, grade, at_ms, day, offset, confidence, prediction, measured, correct, points, seconds, version = row
    right = None if correct is None else bool(correct)
    try:
        ticked = () if points == "[]" else tuple(json.loads(points))  # most have none, and json takes as long as all the rest
        when = _moment(at_ms, day, offset)
        return Review(id_, *_key(deck, card), _GRADES[grade], when, confidence, prediction, measured, right, ticked, seconds, version)
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise Unreadable from error


def to_step(row: tuple[Any, ...]) -> Step:
    """The step whose STEP columns these are."""
    deck, card, grade, at_ms, day = row
    try:
        return Step(_key(deck, card), _GRADES[grade], _moment(at_ms, day, 0))
    except (TypeError, LookupError) as error:
        raise Unreadable from error


def to_figures(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key, the grade's number and the study day, then what was said and measured, whose FIGURES columns these are."""
    deck, card, grade, day, *told = row
    try:
        if grade in _GRADES and 0 < day <= _LAST_DAY:
            return _key(deck, card), grade, day, *told
    except TypeError as error:
        raise Unreadable from error
    raise Unreadable


def to_dated(row: tuple[Any, ...]) -> tuple[str, Key, Grade, Moment, int]:
    """The parts of the dated grade whose DATED columns these are."""
    id_, deck, card, grade, at_ms, day, offset, clock = row
    try:
        return id_, _key(deck, card), _GRADES[grade], _moment(at_ms, day, offset), clock
    except (TypeError, LookupError) as error:
        raise Unreadable from error


def _key(deck: object, card: object) -> Key:
    if not (isinstance(deck, str) and isinstance(card, str)):
        raise Unreadable
    return deck, card


def _moment(at_ms: int, day: int, offset: int) -> Moment:
    if not (0 < day <= _LAST_DAY and EARLIEST_MS <= at_ms <= LATEST_MS and abs(offset) <= 24 * 60):
        raise Unreadable
    return Moment(at_ms, day, offset)


def to_rename(row: tuple[Any, ...]) -> tuple[Key, Key]:
    """The earlier and the later name whose RENAME columns these are."""
    deck, card, points = row
    try:
        to_deck, to_card = json.loads(points)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable from error
    return _key(deck, card), _key(to_deck, to_card)


def from_decision(mark: Decision) -> tuple[Any, ...]:
    """The values of MARK."""
    when = mark.when
    return mark.id, *mark.key, mark.kind, when.at_ms, when.day, when.offset_minutes, mark.details


def to_decision(row: tuple[Any, ...]) -> Decision:
    """The mark whose MARK columns these are."""
    id_, deck, card, kind, at_ms, day, offset, details = row
    return Decision(id_, kind, _key(deck, card), _moment(at_ms, day, offset), details)


def from_memory(key: Key, memory: Memory) -> tuple[Any, ...]:
    """The values of MEMORY."""
    due_at_ms = None if memory.due_at is None else (memory.due_at - EPOCH) // timedelta(milliseconds=1)
    return (
        *(*key, memory.stability, memory.difficulty, memory.first_day, memory.last_day, memory.due_day, due_at_ms),
        *(memory.repetitions, memory.lapses),
    )


def to_memory(row: tuple[Any, ...]) -> tuple[Key, Memory]:
    """The card and the memory whose MEMORY columns these are."""
    deck, card, stability, difficulty, first_day, last_day, due_day, due_at_ms, repetitions, lapses = row
    try:
        if not (0 < stability < math.inf and 1 <= difficulty <= 10 and 0 < first_day <= last_day <= due_day <= _LAST_DAY):
            raise UnreadableMemory
        if not 0 <= lapses <= repetitions:
            raise UnreadableMemory
        due_at = None if due_at_ms is None else EPOCH + timedelta(milliseconds=due_at_ms)
    except (TypeError, OverflowError) as error:
        raise UnreadableMemory from error
    return _key(deck, card), Memory(stability, difficulty, first_day, last_day, due_day, due_at, repetitions, lapses)
