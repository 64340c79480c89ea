"""How sure a person was before the reveal, and how often they were right then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from quiz.progress.reviews import Review
from quiz.statistics.retention import Proportion
from quiz.study.leeches import is_wrong
from quiz.study.turn import Confidence

LEVELS: tuple[Confidence, ...] = (1, 2, 3)  # guess, think so, sure


@dataclass(frozen=True)
class ConfidenceBin:
    """The answers that were given with one confidence, and how many of them were right."""

    confidence: Confidence
    right: Proportion


def calibration(reviews: Iterable[Review]) -> tuple[ConfidenceBin, ...]:
    """One a confidence, guess first; an answer without a confidence says nothing here."""
    given = Counter((review.confidence, not is_wrong(review)) for review in reviews if review.confidence is not None)
    return tuple(ConfidenceBin(level, Proportion(given[level, True], given[level, True] + given[level, False])) for level in LEVELS)
