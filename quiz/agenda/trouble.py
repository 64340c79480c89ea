"""Cards in trouble: those that keep failing, and those that one was sure of and had wrong; and when they are asked because of it.

A memory says what FSRS plans. `asked` says when a card in trouble is really asked. The buttons and the selection both go by it, so that
the interval shown is the interval given; the memory itself stays what the log adds up to.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory
from quiz.progress.reviews import Review

LEECH_LAPSES = 4  # Anki waits for 8, but a card is met some ten times before an interview: after 4 it has shown what repeating does
MATURE = 21.0  # days of stability from which a card that failed often counts as learned
WEEK = 7  # days: an error made with confidence is easily corrected, and returns unless it is tested again soon
SURE = 3  # the highest confidence


def is_leech(memory: Memory) -> bool:
    """Whether a card keeps failing: lapsed LEECH_LAPSES times or more, and not learned since."""
    return memory.lapses >= LEECH_LAPSES and memory.stability < MATURE


def missed(correct: bool | None, grade: Grade) -> bool:
    """Whether an answer was wrong: where the program could judge (`correct`), by its judgement; and whenever the learner said Again."""
    return correct is False or grade is Grade.again


def wrong(review: Review) -> bool:
    """Whether a review's answer was wrong."""
    return missed(review.correct, review.grade)


def passed_surely(review: Review) -> bool:
    """Whether a card is known beyond doubt: right and good with full confidence, or right and easy."""
    return not wrong(review) and (review.grade is Grade.easy or (review.grade is Grade.good and review.confidence == SURE))


def sure_but_wrong(reviews: Iterable[Review]) -> dict[Key, int]:
    """The study day (ordinal) on which a card was last answered wrong with full confidence, where it was not passed surely on a later day.

    The days decide and not the order, so merged logs agree; on the same evening the answer is only remembered from the screen.
    """
    erred: dict[Key, int] = {}
    passed: dict[Key, int] = {}
    for review in reviews:
        if review.confidence == SURE and wrong(review):
            erred[review.key] = max(review.when.day, erred.get(review.key, 0))
        elif passed_surely(review):
            passed[review.key] = max(review.when.day, passed.get(review.key, 0))
    return {key: day for key, day in erred.items() if passed.get(key, 0) <= day}


def erred_after(erred: int | None, review: Review) -> int | None:
    """The day on which a card was sure but wrong, after one more review; the same as sure_but_wrong() where days follow each other."""
    if review.confidence == SURE and wrong(review):
        return max(review.when.day, erred or 0)
    return None if erred is None or (passed_surely(review) and review.when.day > erred) else erred


def asked(memory: Memory, *, within_a_week: bool) -> Memory:
    """The memory with the day on which the card is really asked.

    A leech that failed rests until the next study day instead of coming back in ten minutes. A card that one was sure of and had wrong
    (`within_a_week`) is asked at most WEEK days after it was last seen.
    """
    if is_leech(memory) and memory.due_at is not None:
        return memory._replace(due_day=memory.last_day + 1, due_at=None)
    latest = memory.last_day + WEEK
    return memory._replace(due_day=latest) if within_a_week and memory.due_day > latest else memory


def all_asked(memories: Mapping[Key, Memory], erred: Mapping[Key, int]) -> dict[Key, Memory]:
    """Every memory with the day on which its card is really asked; `erred` is what sure_but_wrong gave."""
    doubtful = [key for key, memory in memories.items() if key in erred or is_leech(memory)]
    return {**memories, **{key: asked(memories[key], within_a_week=key in erred) for key in doubtful}}


@dataclass(frozen=True)
class Weak:
    """One such card. `lapses` is 0 where it does not keep failing, `erred` the study day of the sure and wrong answer, or None."""

    key: Key
    lapses: int
    erred: int | None


def weak(memories: Mapping[Key, Memory], erred: Mapping[Key, int], cards: Container[Key]) -> tuple[Weak, ...]:
    """Each of `cards` once: what failed most often first, then the latest sure and wrong answers."""
    lapses = {key: memory.lapses for key, memory in memories.items() if is_leech(memory)}
    found = [Weak(key, lapses.get(key, 0), erred.get(key)) for key in lapses.keys() | erred.keys() if key in cards]
    return tuple(sorted(found, key=lambda card: (-card.lapses, -(card.erred or 0), card.key)))
