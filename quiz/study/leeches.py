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


def is_missed(correct: bool | None, grade: Grade) -> bool:
    """Whether an answer was wrong: where the program could judge (`correct`), by its judgement; and whenever the learner said Again."""
    return correct is False or grade is Grade.again


def is_wrong(review: Review) -> bool:
    """Whether a review's answer was wrong."""
    return is_missed(review.correct, review.grade)


def is_passed_surely(review: Review) -> bool:
    """Whether a card is known beyond doubt: right and good with full confidence, or right and easy."""
    return not is_wrong(review) and (review.grade is Grade.easy or (review.grade is Grade.good and review.confidence == SURE))


def confident_errors(reviews: Iterable[Review]) -> dict[Key, int]:
    """The study day (ordinal) on which a card was last answered wrong with full confidence, where it was not passed surely on a later day.

    The days decide and not the order, so merged logs agree; on the same evening the answer is only remembered from the screen.
    """
    confident_errors: dict[Key, int] = {}
    passed: dict[Key, int] = {}
    for review in reviews:
        if review.confidence == SURE and is_wrong(review):
            confident_errors[review.key] = max(review.when.day, confident_errors.get(review.key, 0))
        elif is_passed_surely(review):
            passed[review.key] = max(review.when.day, passed.get(review.key, 0))
    return {key: day for key, day in confident_errors.items() if passed.get(key, 0) <= day}


def confident_error_after(error: int | None, review: Review) -> int | None:
    """The day on which a card was sure but wrong, after one more review; the same as confident_errors() where days follow each other."""
    if review.confidence == SURE and is_wrong(review):
        return max(review.when.day, error or 0)
    return None if error is None or (is_passed_surely(review) and review.when.day > error) else error


def effective_due(memory: Memory, *, within_a_week: bool) -> Memory:
    """The memory with the day on which the card is really asked.

    A leech that failed rests until the next study day instead of coming back in ten minutes. A card that one was sure of and had wrong
    (`within_a_week`) is asked at most WEEK days after it was last seen.
    """
    if is_leech(memory) and memory.due_at is not None:
        return memory._replace(due_day=memory.last_day + 1, due_at=None)
    latest = memory.last_day + WEEK
    return memory._replace(due_day=latest) if within_a_week and memory.due_day > latest else memory


def effective_dues(memories: Mapping[Key, Memory], confident_errors: Mapping[Key, int]) -> dict[Key, Memory]:
    """Every memory with the day on which its card is really asked; `confident_errors` is what confident_errors gave."""
    doubtful = [key for key, memory in memories.items() if key in confident_errors or is_leech(memory)]
    return {**memories, **{key: effective_due(memories[key], within_a_week=key in confident_errors) for key in doubtful}}


@dataclass(frozen=True)
class WeakCard:
    """One such card. `lapses` is 0 where it does not keep failing, `confident_error` the day of the sure and wrong answer, or None."""

    key: Key
    lapses: int
    confident_error: int | None


def weak_first(memories: Mapping[Key, Memory], confident_errors: Mapping[Key, int], cards: Container[Key]) -> tuple[WeakCard, ...]:
    """Each of `cards` once: what failed most often first, then the latest sure and wrong answers."""
    lapses = {key: memory.lapses for key, memory in memories.items() if is_leech(memory)}
    found = [
        WeakCard(key, lapses.get(key, 0), confident_errors.get(key)) for key in lapses.keys() | confident_errors.keys() if key in cards
    ]
    return tuple(sorted(found, key=lambda card: (-card.lapses, -(card.confident_error or 0), card.key)))
