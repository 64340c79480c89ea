"""What FSRS predicted against what happened: which reviews are tests of a memory, and how they are put together."""

from __future__ import annotations

from collections import Counter
from math import log as ln

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.scheduler import Grade, retrievability
from quiz.progress.reviews import Review, replay
from quiz.statistics.retention import BINS, MemoryTest, Proportion, bins_of, memory_tests, retention, sample_cards
from tests.quiz.learner import at, learner

TODAY = 739_950
ALL = 10**9
A, B = ("d", "a"), ("d", "b")


def review(day: int, grade: Grade = Grade.good, key: tuple[str, str] = A, minutes: float = 600) -> Review:
    return Review.new(at(day, minutes), key, grade)


def test_the_prediction_is_the_memory_before() -> None:
    """Good, then ten days later: the prediction is the retrievability of the first review's memory on that day."""
    first = review(TODAY - 10)
    (recall,) = memory_tests([first, review(TODAY, Grade.again)])

    assert (TODAY, False) == (recall.day, recall.passed)
    assert retrievability(replay([first], {})[A], TODAY) == recall.predicted


def test_the_same_day_is_no_test() -> None:
    """A card seen this morning says nothing about memory tonight, failed or not."""
    log = [review(TODAY, Grade.again), review(TODAY, Grade.good, minutes=620), review(TODAY, Grade.easy, minutes=640)]

    assert [] == list(memory_tests(log))


def test_a_card_counts_once_a_day() -> None:
    """Failing on a later day is one test; passing it ten minutes later is none."""
    log = [review(TODAY - 5), review(TODAY, Grade.again), review(TODAY, Grade.good, minutes=620)]

    assert [False] == [recall.passed for recall in memory_tests(log)]


def test_a_clock_set_back_is_no_test() -> None:
    """A review before the last one, by its date, cannot say what was remembered later."""
    assert [] == list(memory_tests([review(TODAY), review(TODAY - 3)]))


def test_hard_is_remembered() -> None:
    """Only Again is forgetting."""
    assert [True] == [recall.passed for recall in memory_tests([review(TODAY - 5), review(TODAY, Grade.hard)])]


def test_log_loss_by_hand() -> None:
    """One failed test at probability p costs -log(1 - p)."""
    log = [review(TODAY - 10), review(TODAY, Grade.again)]
    predicted = next(memory_tests(log)).predicted

    assert pytest.approx(-ln(1 - predicted)) == retention(log, 0, ALL).log_loss


def test_nothing() -> None:
    """An empty log and a log of one review have no retention, and no exception."""
    assert [None, None] == [retention(log, 0, ALL).all.expected for log in ([], [review(TODAY)])]
    assert Proportion(0, 0) == retention([], 0, ALL).all.passed


def test_only_the_window() -> None:
    """What happened before the window shapes the memories and is not counted."""
    log = [review(TODAY - 60), review(TODAY - 50), review(TODAY)]

    assert 1 == retention(log, TODAY - 7, ALL).all.passed.whole


@given(st.integers(0, 40))
def test_every_test_is_in_one_bin(seed: int) -> None:
    """The bins add up to the whole, in cases and in passes, and each mean prediction is inside its bin."""
    found = retention(learner([A, B, ("e", "c")], 60, TODAY, seed=seed), 0, ALL)

    assert found.all.passed.whole == sum(part.passed.whole for part in found.bins)
    assert found.all.passed.part == sum(part.passed.part for part in found.bins)
    assert all(part.low <= part.expected <= part.high for part in found.bins if part.expected is not None)
    assert (BINS[0], BINS[-1]) == (found.bins[0].low, found.bins[-1].high)


def test_the_ends_of_the_bins() -> None:
    """A prediction between two bins belongs to the upper one; certainty belongs to the last."""
    at_ends = [MemoryTest(TODAY, predicted, passed=True) for predicted in BINS]

    assert [1] * (len(BINS) - 2) + [2] == [part.passed.whole for part in bins_of(at_ends)]


def test_a_sample_keeps_to_the_budget_and_is_the_same_each_time() -> None:
    """Whole cards, at most so many reviews, whatever the order in which the log names them."""
    counts = Counter({("d", f"c{i}"): 10 for i in range(100)})
    turned = Counter(dict(reversed(counts.items())))

    assert 25 == len(sample_cards(counts, 250))
    assert sample_cards(counts, 250) == sample_cards(turned, 250)
    assert frozenset(counts) == sample_cards(counts, 1000)


def test_a_sample_says_so() -> None:
    """The cards that were taken, of how many; their tests are those of the whole log."""
    log = learner([("d", f"c{i}") for i in range(40)], 60, TODAY)
    found = retention(log, 0, len(log) // 2)

    assert 0 < found.cards < found.known_cards == 40
    assert 0 < found.all.passed.whole < retention(log, 0, ALL).all.passed.whole
