"""FSRS-6's formulas over whole days: what a memory's stability and difficulty become, and how likely it is still there.

py-fsrs computes the same from dates and copied cards, which takes ten times as long: too long to replay a log of 100,000 reviews.
Its parameters are used as they are, and a test holds every number to py-fsrs's to the last bit.

Source: open-spaced-repetition, "The Algorithm", FSRS-6 (w is `fsrs.scheduler.DEFAULT_PARAMETERS`).
"""

from __future__ import annotations

import math

from fsrs.scheduler import DEFAULT_PARAMETERS as W

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
LEAST = 0.001  # days; below it stability would vanish
DECAY = -W[20]
FACTOR = 0.9 ** (1 / DECAY) - 1


def retrievability(stability: float, days: int) -> float:
    """The probability of recall after whole days: 1 at once, 0.9 after `stability` days."""
    return float((1 + FACTOR * max(0, days) / stability) ** DECAY)


def next_interval(stability: float, retention: float, longest: int) -> int:
    """Days until the retrievability has fallen to `retention`: whole, 1..longest."""
    return int(min(max(round((stability / FACTOR) * ((retention ** (1 / DECAY)) - 1)), 1), longest))


def initial(grade: int) -> tuple[float, float]:
    """Stability and difficulty after the first grade."""
    return max(W[grade - 1], LEAST), _within(_first_difficulty(grade))


def next_state(stability: float, difficulty: float, grade: int, days: int) -> tuple[float, float]:
    """Stability and difficulty after a grade that comes `days` after the one before; 0 is the same day."""
    if days < 1:
        grown = _same_day(stability, grade)
    elif grade == AGAIN:
        grown = _forgotten(stability, difficulty, retrievability(stability, days))
    else:
        grown = _recalled(stability, difficulty, retrievability(stability, days), grade)
    return max(grown, LEAST), _harder(difficulty, grade)


def _same_day(stability: float, grade: int) -> float:
    increase = (math.e ** (W[17] * (grade - 3 + W[18]))) * (stability ** -W[19])
    return float(stability * (increase if grade == AGAIN else max(increase, 1.0)))


def _forgotten(stability: float, difficulty: float, recall: float) -> float:
    slow = W[11] * (difficulty ** -W[12]) * (((stability + 1) ** (W[13])) - 1) * (math.e ** ((1 - recall) * W[14]))
    return float(min(slow, stability / (math.e ** (W[17] * W[18]))))


def _recalled(stability: float, difficulty: float, recall: float, grade: int) -> float:
    penalty, bonus = W[15] if grade == HARD else 1, W[16] if grade == EASY else 1
    growth = (math.e ** (W[8])) * (11 - difficulty) * (stability ** -W[9]) * ((math.e ** ((1 - recall) * W[10])) - 1) * penalty * bonus
    return float(stability * (1 + growth))


def _first_difficulty(grade: int) -> float:
    return float(W[4] - (math.e ** (W[5] * (grade - 1))) + 1)


_EASIEST = _first_difficulty(EASY)  # what difficulty reverts to


def _harder(difficulty: float, grade: int) -> float:
    damped = difficulty + (10.0 - difficulty) * -(W[6] * (grade - 3)) / 9.0
    return _within(W[7] * _EASIEST + (1 - W[7]) * damped)


def _within(difficulty: float) -> float:
    return float(min(max(difficulty, 1.0), 10.0))
