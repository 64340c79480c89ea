"""A made-up learner: the reviews of some months, drawn from a seed, good for looking at pictures and for properties."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, retrievability
from quiz.memory.study_day import Moment
from quiz.progress.reviews import Review, memory_after

DAY_MS = 86_400_000
EPOCH_ORDINAL = 719_163  # date(1970, 1, 1).toordinal()
HARD_ONE = 9  # every so many a card is learned badly


def at(day: int, minutes: float = 600) -> Moment:
    """So many minutes after the midnight (UTC) of a study day."""
    return Moment(round((day - EPOCH_ORDINAL) * DAY_MS + minutes * 60_000), day)


def learner(keys: Sequence[Key], days: int, today: int, *, seed: int = 0, new_a_day: int = 5) -> list[Review]:
    """The log of a learner who began `days` ago: studies on most days, is a little too sure, guesses numbers ever better.

    Every HARD_ONE-th card does not stick; every third asks for a number.
    """
    rng, memories, log, fresh = Random(seed), dict[Key, Memory](), list[Review](), list(reversed(keys))
    for day in range(today - days + 1, today + 1):
        if rng.random() < (0.35 if day % 7 in (5, 6) else 0.1):
            continue
        due = [key for key, memory in memories.items() if memory.due_day <= day]
        new = [fresh.pop() for _ in range(min(new_a_day, len(fresh)))]
        clock = rng.uniform(420, 1200)
        for key in [*due, *new]:
            for review in _until_passed(key, keys.index(key), memories.get(key), day, clock, (day - today + days) / days, rng):
                memories[key] = memory_after(memories.get(key), review)
                log.append(review)
                clock += (review.seconds or 0) / 60
    return log


def _until_passed(key: Key, place: int, memory: Memory | None, day: int, clock: float, experience: float, rng: Random) -> list[Review]:
    chance = 0.75 if memory is None else retrievability(memory, max(day, memory.last_day))
    chance *= 0.7 if place % HARD_ONE == HARD_ONE - 1 else 0.98
    given: list[Review] = []
    while True:
        right = rng.random() < chance
        given.append(_review(key, place, at(day, clock + 12 * len(given)), right, chance, experience, rng))
        if right or len(given) == 3:
            return given
        chance = 0.8


def _review(key: Key, place: int, when: Moment, right: bool, chance: float, experience: float, rng: Random) -> Review:
    grade = Grade(rng.choices((2, 3, 4), (2, 7, 1))[0]) if right else Grade.again
    felt = chance + rng.gauss(0.1, 0.2)
    measured = 10.0 + place
    asks = place % 3 == 0
    return Review.new(
        when,
        key,
        grade,
        confidence=None if rng.random() < 0.1 else 3 if felt > 0.9 else 2 if felt > 0.6 else 1,
        prediction=measured * 2 ** rng.gauss(0, 1.6 - experience) if asks else None,
        measured=measured if asks else None,
        correct=right if asks else None,
        seconds=rng.lognormvariate(3.6, 0.6),
    )
