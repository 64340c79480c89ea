"""Whether cards were remembered as often as FSRS had said they would be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from math import log, sqrt
from statistics import fmean

from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Grade, Memory, retrievability
from quiz.progress.reviews import Review, memory_after

ENOUGH = 20  # cases; with fewer a percentage says more than is known
Z = 1.96  # 95 %


@dataclass(frozen=True)
class Proportion:
    """`part` of `whole` cases."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """0..1; None of nothing."""
        return self.part / self.whole if self.whole else None

    @property
    def few(self) -> bool:
        """Whether the cases are too few for a percentage."""
        return self.whole < ENOUGH

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true share is with 95 % confidence, as if cases were independent (Wilson 1927); None of nothing."""
        if not self.whole:
            return None
        n, p = self.whole, self.part / self.whole
        centre = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
        reach = Z * sqrt(p * (1 - p) / n + (Z / (2 * n)) ** 2) / (1 + Z**2 / n)
        low = max(centre - reach, 0.0) if self.part else 0.0  # where rounding would leave a trace of either end
        return low, min(centre + reach, 1.0) if self.part < n else 1.0


BINS = (0.0, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)  # ends of the ranges of predictions
SURELY = 1e-6  # a prediction is never taken for more certain than this


@dataclass(frozen=True)
class MemoryTest:
    """One test of a memory: the probability that FSRS gave it, and whether it held."""

    day: int
    predicted: float
    passed: bool


@dataclass(frozen=True)
class RetentionBin:
    """The tests whose prediction was in low..high (the lower end belongs to it), their mean prediction, and how many were passed."""

    low: float
    high: float
    expected: float | None
    passed: Proportion


@dataclass(frozen=True)
class Retention:
    """All tests together and by prediction. `log_loss` is the mean of -log(probability of what happened), smaller is better.

    `cards` of `known_cards` were replayed: all, or a sample that does not depend on how they went.
    """

    bins: tuple[RetentionBin, ...]
    all: RetentionBin
    log_loss: float | None
    cards: int
    known_cards: int


def retention(reviews: Iterable[Review], since: int, budget: int, parameters: Parameters = DEFAULT) -> Retention:
    """Of the reviews from a study day on, those of cards seen on an earlier day; their memories are replayed from the log.

    The predictions are those of the parameters in use, also for what was reviewed before they were. `budget` is how many reviews may be
    replayed at most; each takes some 20 microseconds. The reviews are looked at twice.
    """
    counts = Counter(review.key for review in reviews)
    taken = sample_cards(counts, budget)
    tests = memory_tests((review for review in reviews if review.key in taken), parameters)
    found = [recall for recall in tests if recall.day >= since]
    loss = fmean(map(_surprise, found)) if found else None
    return Retention(bins_of(found), _bin(found, BINS[0], BINS[-1]), loss, len(taken), len(counts))


def sample_cards(counts: Counter[Key], budget: int) -> frozenset[Key]:
    """All cards, or as many as have `budget` reviews together, drawn by their names' digests: the same cards every time."""
    if counts.total() <= budget:
        return frozenset(counts)
    taken, left = [], budget
    for key in sorted(counts, key=lambda key: blake2b("/".join(key).encode(), digest_size=8).digest()):
        left -= counts[key]
        if left < 0:
            break
        taken.append(key)
    return frozenset(taken)


def memory_tests(reviews: Iterable[Review], parameters: Parameters = DEFAULT) -> Iterator[MemoryTest]:
    """Every review of a card that had last been seen on an earlier study day. Reviews come in the log's order."""
    memories: dict[Key, Memory] = {}
    for review in reviews:
        memory, day = memories.get(review.key), review.when.day
        if memory is not None and day > memory.last_day:
            yield MemoryTest(day, retrievability(memory, day, parameters), review.grade is not Grade.again)
        memories[review.key] = memory_after(memory, review, parameters)


def bins_of(found: Sequence[MemoryTest]) -> tuple[RetentionBin, ...]:
    """The tests by their predictions, each in one bin; the last bin has its upper end, too."""
    return tuple(_bin(found, low, high) for low, high in pairwise(BINS))


def _bin(found: Sequence[MemoryTest], low: float, high: float) -> RetentionBin:
    inside = [recall for recall in found if low <= recall.predicted < high or recall.predicted == high == BINS[-1]]
    expected = fmean(recall.predicted for recall in inside) if inside else None
    return RetentionBin(low, high, expected, Proportion(sum(recall.passed for recall in inside), len(inside)))


def _surprise(recall: MemoryTest) -> float:
    likely = recall.predicted if recall.passed else 1 - recall.predicted
    return -log(min(max(likely, SURELY), 1.0))
