"""How often cards will be looked at: their ways through the days to come, drawn many times, with lapses and what follows from them.

A card that is due is recalled with the probability that FSRS gives it, a new one with that of the person; one that was failed comes again
ten minutes later, and sooner than before on the days after. The draws are the same each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random

from quiz.memory.fsrs import Parameters
from quiz.memory.scheduler import Grade, Memory, next_memory, retrievability
from quiz.memory.study_day import Moment

RELEARNED = 0.9  # of the cards that were failed ten minutes ago are recalled
PATHS = 400  # ways of a new card: with 150 the sum of a plan was up to 8 % from that of 40 learners, with these 2 %
LAST_LOOKS = 14  # days after a look in the last days that matter

Looks = tuple[float, ...]  # expected looks at a card by day, the first for the same day


def _noon(day: int) -> Moment:
    return Moment(0, day)


def asked(memory: Memory | None, day: int, chance: float, key: str, rng: Random, parameters: Parameters) -> tuple[Memory, int]:
    """A card asked on a day until it is passed: its memory then, and how many looks it took."""
    looks = 1
    while rng.random() > chance:
        memory = next_memory(memory, Grade.again, _noon(day), key, parameters)
        chance, looks = RELEARNED, looks + 1
    return next_memory(memory, Grade.good, _noon(day), key, parameters), looks


def looks_to_come(memory: Memory, day: int, until: int, key: str, rng: Random, parameters: Parameters) -> Iterator[tuple[int, int]]:
    """The study days before `until` on which a card is due, each with the looks that it takes."""
    while (day := max(memory.due_day, day)) < until:
        memory, looks = asked(memory, day, retrievability(memory, day, parameters), key, rng, parameters)
        yield day, looks


@lru_cache(maxsize=64)
def looks_at_a_new_card(days: int, first_sight: float, parameters: Parameters) -> Looks:
    """Looks beside the first at a card that is met on the first of so many days."""
    rng, found = Random(0), Counter[int]()
    for n in range(PATHS):
        memory, looks = asked(None, 1, first_sight, str(n), rng, parameters)
        found[0] += looks - 1
        for day, more in looks_to_come(memory, 2, 1 + days, str(n), rng, parameters):
            found[day - 1] += more
    return _by_day(found, days, PATHS)


@lru_cache(maxsize=64)
def looks_at_an_old_card(days: int, first_sight: float, parameters: Parameters) -> Looks:
    """Looks at a card that is asked once more, due or not, after having been met on one of so many days; the first among them."""
    rng, found = Random(0), Counter[int]()
    for n in range(PATHS):
        memory, _ = asked(None, 1, first_sight, str(n), rng, parameters)
        end = 2 + rng.randrange(max(days, 1))
        while memory.due_day < end:
            day = memory.due_day
            memory, _ = asked(memory, day, retrievability(memory, day, parameters), str(n), rng, parameters)
        memory, looks = asked(memory, end, retrievability(memory, end, parameters), str(n), rng, parameters)
        found[0] += looks
        for day, more in looks_to_come(memory, end + 1, end + LAST_LOOKS, str(n), rng, parameters):
            found[day - end] += more
    return _by_day(found, LAST_LOOKS, PATHS)


def looks_at_known_cards(memories: Sequence[tuple[str, Memory]], day: int, until: int, parameters: Parameters) -> Mapping[int, float]:
    """Looks by study day at cards that have been met, by their fuzz keys; where they are few, several ways of each are drawn."""
    rng, found = Random(0), Counter[int]()
    times = max(PATHS // max(len(memories), 1), 1)
    for key, memory in list(memories) * times:
        for when, looks in looks_to_come(memory, day, until, key, rng, parameters):
            found[when] += looks
    return {when: looks / times for when, looks in found.items()}


def spread(starts: Mapping[int, float], looks: Looks, until: int) -> dict[int, float]:
    """The looks by day before `until` that cards bring, so many of which start on each day, in the days' order.

    Days with equally many cards are taken together: a plan has few different shares, and may have hundreds of days.
    """
    sums, found = (0.0, *accumulate(looks)), dict[int, float]()
    for cards, days in _runs(starts):
        for day in range(days.start, until if cards else days.start):
            first, last = day - days.stop + 1, day - days.start
            each = sums[min(last + 1, len(looks))] - sums[min(max(first, 0), len(looks))]
            found[day] = found.get(day, 0.0) + cards * each
    return found


def _runs(starts: Mapping[int, float]) -> Iterator[tuple[float, range]]:
    """The days that follow each other with the same number of cards."""
    run: tuple[float, range] | None = None
    for day, cards in starts.items():
        if run and run == (cards, range(run[1].start, day)):
            run = cards, range(run[1].start, day + 1)
            continue
        if run:
            yield run
        run = cards, range(day, day + 1)
    if run:
        yield run


def _by_day(found: Mapping[int, int], days: int, paths: int) -> Looks:
    return tuple(found.get(day, 0) / paths for day in range(max(days, 1)))
