"""How far the predicted numbers were from the measured ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import isfinite
from statistics import median
from typing import TypeVar

from quiz.memory.card_ids import Key
from quiz.progress.reviews import Review

WEEK = 7
Group = TypeVar("Group", bound=Hashable)


@dataclass(frozen=True)
class PredictionError:
    """How far some estimates were off: their number, and the median of their relative errors."""

    count: int
    error: float


@dataclass(frozen=True)
class PredictionErrors:
    """All estimates; by week (the ordinal of its first day, oldest first); by card, the worst first. `all` is None without any."""

    all: PredictionError | None
    weeks: tuple[tuple[int, PredictionError], ...]
    cards: tuple[tuple[Key, PredictionError], ...]


def relative_error(guess: float, measured: float) -> float:
    """|guess - measured| / |measured|. Where 0 was measured: 0 for a guess of 0, and 1 for any other, which is off by all of itself."""
    if measured == 0:
        return float(guess != 0)
    return abs(guess - measured) / abs(measured)


def prediction_errors(reviews: Iterable[Review], today: int) -> PredictionErrors:
    """The reviews that have both numbers; weeks are counted back from today, which ends the last one."""
    weeks: defaultdict[int, list[float]] = defaultdict(list)
    cards: defaultdict[Key, list[float]] = defaultdict(list)
    for review in reviews:
        guess, measured, day = review.prediction, review.measured, min(review.when.day, today)
        if guess is None or measured is None or not (isfinite(guess) and isfinite(measured)):
            continue
        error = relative_error(guess, measured)
        weeks[today + 1 - WEEK * ((today - day) // WEEK + 1)].append(error)
        cards[review.key].append(error)
    together = [error for errors in weeks.values() for error in errors]
    by_card = sorted(_medians(cards), key=lambda pair: (-pair[1].error, pair[0]))
    return PredictionErrors(_off(together) if together else None, tuple(sorted(_medians(weeks), key=lambda pair: pair[0])), tuple(by_card))


def _off(errors: list[float]) -> PredictionError:
    return PredictionError(len(errors), median(errors))


def _medians(groups: dict[Group, list[float]]) -> list[tuple[Group, PredictionError]]:
    return [(group, _off(errors)) for group, errors in groups.items()]
