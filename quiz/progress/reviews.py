"""One answer of a person: what is kept of it, and the memories that answers add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple
from uuid import uuid4

from quiz.memory import scheduler
from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Grade, Memory
from quiz.memory.study_day import Moment

LEFT_OPEN = 300.0  # seconds; a card that lay open for longer was left alone


def seconds_over(measured: float) -> float:
    """The time that counts for a card; one left open counts as LEFT_OPEN."""
    return min(max(measured, 0.0), LEFT_OPEN)


@cache
def app_version() -> str:
    """The installed version of qkv, which every row carries."""
    from importlib import metadata  # a third of what opening the progress would load; a grade needs it, a look does not

    try:
        return metadata.version("qkv")
    except metadata.PackageNotFoundError:
        return "unknown"


class Review(NamedTuple):
    """One grade. `confidence` is 1..3, `points` are the indices of the key points that were ticked, `seconds` the time it took."""

    id: str
    deck: str
    card: str
    grade: Grade
    when: Moment
    confidence: int | None
    prediction: float | None
    measured: float | None
    correct: bool | None
    points: tuple[int, ...]
    seconds: float | None
    version: str

    @classmethod
    def new(
        cls,
        when: Moment,
        key: Key,
        grade: Grade,
        *,
        confidence: int | None = None,
        prediction: float | None = None,
        measured: float | None = None,
        correct: bool | None = None,
        points: tuple[int, ...] = (),
        seconds: float | None = None,
    ) -> Review:
        """A review that has just happened: with an id of its own and this version of qkv."""
        return cls(uuid4().hex, *key, grade, when, confidence, prediction, measured, correct, points, seconds, app_version())

    @property
    def key(self) -> Key:
        return self.deck, self.card


class Step(NamedTuple):
    """What a memory is made of: a Review without the rest. A log has many."""

    key: Key
    grade: Grade
    when: Moment


def fuzz_key(key: Key) -> str:
    """The name that scheduler.next_memory() wants."""
    return "/".join(key)


def memory_after(memory: Memory | None, review: Review | Step, parameters: Parameters = DEFAULT) -> Memory:
    """The memory after one more review. The fuzz goes by the name that the card had then, so a rename moves no date."""
    return scheduler.next_memory(memory, review.grade, review.when, fuzz_key(review.key), parameters)


def replay(reviews: Iterable[Review | Step], renamed: Mapping[Key, Key], parameters: Parameters = DEFAULT) -> dict[Key, Memory]:
    """The memory of every card, under its current name, that the reviews in their order add up to."""
    memories: dict[Key, Memory] = {}
    for review in reviews:
        key = renamed.get(review.key, review.key)
        memories[key] = memory_after(memories.get(key), review, parameters)
    return memories
