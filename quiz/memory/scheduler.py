"""When a card comes back: FSRS-6 counted in study days. One pure function, next_memory(), gives the date and what the buttons show.

FSRS's library says how long a memory lasts (see quiz.memory.fsrs). What a day is and what follows from it is decided here:

- Again comes back ten minutes later on the same study day; when the day ends first, the card is simply due.
- Hard, Good and Easy wait at least a day and, as in Anki, each at least a day longer than the one before, up to LONGEST.
- The fuzz is drawn from the card and its number of repetitions: the same for all buttons, the same after undo and regrade.
- A first interval of one or two days may become twice as long: else all that is learned on one day comes back on one day.
- A card that was passed today stays where it is when it is passed again. (FSRS alone would let five more Easy on the same
  evening turn 8 days into 60.) Failing it still counts, and passing it after that moves it as usual.
- A clock or a time zone that goes backward counts as the day of the card's last review.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from fsrs_rs_python import ItemState

from quiz.memory import fsrs
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.study_day import FIRST_DAY, LEEWAY, Moment

# One more whenever the same reviews would give other dates: stored memories are then computed anew, at the first opening.
# 2: FSRS's library counts in float32, which put 4 of 300,000 reviews' dates a day away from those of rule 1 (tests/benchmarks/due_days.py).
# Such a card is asked on its new day, not on the one that its button had shown. The log holds grades and no dates, so what a button
# showed is known nowhere but in the memories of that one machine; kept there, it would set machines with the same log against each other.
# 3: cards that were passed at first sight come back over some days, and not all on the second one.
RULES = 3
LONGEST = 365  # days; an interview is nearer than the decades that FSRS plans for
AGAIN_AFTER = timedelta(minutes=10)
FUZZ_FROM = 3  # days
FUZZ = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, math.inf, 0.05))  # from day, to day, share: Anki's ranges


class Grade(IntEnum):
    """How it went, as on Anki's four buttons."""

    again = 1
    hard = 2
    good = 3
    easy = 4


class Memory(NamedTuple):
    """What is known about one card. Days are ordinals; `due_at` (UTC) is set only after Again; stability is in days, difficulty 1..10.

    A lapse is an Again on a card that had been passed.
    """

    stability: float
    difficulty: float
    first_day: int
    last_day: int
    due_day: int
    due_at: datetime | None
    repetitions: int
    lapses: int


@dataclass(frozen=True)
class Interval:
    """What a button shows: whole days, or minutes of the same day."""

    days: int
    minutes: int


def next_memory(memory: Memory | None, grade: Grade, now: Moment, key: str, parameters: Parameters = DEFAULT) -> Memory:
    """The memory of a card after a grade; None is a card never seen. `key` names the card for its fuzz."""
    day = now.day if memory is None else max(now.day, memory.last_day)
    if memory is not None and memory.last_day == day and memory.due_at is None and grade is not Grade.again:
        return memory._replace(repetitions=memory.repetitions + 1)
    held = (memory.stability, memory.difficulty) if memory else None
    states = fsrs.next_states(held, day - memory.last_day if memory else 0, parameters.retention, parameters)
    offered = (states.again, states.hard, states.good, states.easy)[:grade]
    again, given = grade is Grade.again, offered[-1].memory
    days = 0 if again else _passing_days(offered[1:], _chance(key, memory.repetitions if memory else 0), first=memory is None)
    return Memory(
        stability=given.stability,
        difficulty=given.difficulty,
        first_day=memory.first_day if memory else day,
        last_day=day,
        due_day=day + days,
        due_at=now.at_utc + AGAIN_AFTER if again else None,
        repetitions=memory.repetitions + 1 if memory else 1,
        lapses=_lapses(memory, grade),
    )


def is_due(memory: Memory, now: Moment) -> bool:
    """Whether a card should be asked now. A ten-minute wait that has become longer means a clock set back: it is over."""
    if memory.due_at is None or memory.due_day < now.day:
        return memory.due_day <= now.day
    return not timedelta(0) < memory.due_at - now.at_utc <= AGAIN_AFTER


def is_misdated(memory: Memory, day: int) -> bool:
    """Whether a grade of a card was dated by a clock that was wrong, as seen from a study day: later than it, or before there were any."""
    return memory.last_day > day + LEEWAY or memory.first_day < FIRST_DAY


def retrievability(memory: Memory, day: int, parameters: Parameters = DEFAULT) -> float:
    """The probability that the card is recalled on a study day, by FSRS's forgetting curve; 1 on the day of its last review."""
    return fsrs.retrievability(memory.stability, day - memory.last_day, parameters)


def _passing_days(offered: Iterable[ItemState], chance: float, *, first: bool) -> int:
    """The days of the last of FSRS's offers for Hard, Good, Easy: each is fuzzed, and more than the one before."""
    days = 0
    for state in offered:
        wished, shortest = fsrs.whole_days(state.interval, LONGEST), days + 1
        days = max(_spread_first(wished, chance), shortest) if first and wished < FUZZ_FROM else _fuzzed(wished, shortest, chance)
    return days


def _spread_first(days: int, chance: float) -> int:
    """A short first interval, up to twice as long: after 4 days instead of 2, 86 % of what FSRS expects to be kept at all is kept."""
    return days + int(chance * (days + 1))


def _spread(days: int) -> float:
    """How far the fuzz may move an interval."""
    return 1 + sum(share * max(min(days, end) - start, 0) for start, end, share in FUZZ)


_SPREADS = tuple(map(_spread, range(LONGEST + 1)))


def _fuzzed(days: int, shortest: int, chance: float) -> int:
    """An interval near `days`, at least `shortest`, at most LONGEST; `chance` in [0, 1) picks from Anki's range around it."""
    shortest = min(shortest, LONGEST)
    days = max(days, shortest)
    if days < FUZZ_FROM:
        return days
    low = max(round(days - _SPREADS[days]), 2, shortest)
    high = min(round(days + _SPREADS[days]), LONGEST)
    return low + int(chance * (high - low + 1))


def _chance(key: str, repetitions: int) -> float:
    """A number in [0, 1) that is the same on every computer; hash() differs from one process to the next."""
    digest = hashlib.blake2b(f"{key}#{repetitions}".encode(), digest_size=6).digest()
    return float(int.from_bytes(digest) / 2**48)


def _lapses(memory: Memory | None, grade: Grade) -> int:
    if memory is None:
        return 0
    return memory.lapses + (grade is Grade.again and memory.due_at is None)


def promised_interval(memory: Memory) -> Interval:
    """What a memory promises: the way from its last review to the next."""
    return Interval(memory.due_day - memory.last_day, AGAIN_AFTER // timedelta(minutes=1) if memory.due_at else 0)
