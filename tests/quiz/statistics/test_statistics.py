"""All statistics at once: from a real store, from a made-up learner, from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.memory.fsrs import Parameters
from quiz.memory.scheduler import Grade, Memory, retrievability
from quiz.progress.decisions import Fit
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review, replay
from quiz.statistics.statistics import LearningLog, statistics
from tests.quiz.learner import at, learner
from tests.quiz.learning import FORGETFUL

TODAY = 739_950
KEYS = [("d", f"c{i}") for i in range(30)]
TAGS = {key: ("odd",) if i % 2 else ("even",) for i, key in enumerate(KEYS)}


def log(reviews: list[Review], suspended: frozenset[tuple[str, str]] = frozenset()) -> LearningLog:
    return LearningLog(reviews, replay(reviews, {}), suspended)


def test_an_empty_log() -> None:
    """Nothing graded: empty numbers, the topics all new."""
    found = statistics(LearningLog(), TAGS, TODAY)

    assert (0, 0, None, ()) == (found.activity.reviews, found.forecast.cards, found.retention.log_loss, found.weak)
    assert {("d", 30), ("odd", 15), ("even", 15)} == {(topic.name, topic.new) for topic in found.topics}


def test_one_review() -> None:
    """One grade is one review, one card coming back, no retention."""
    found = statistics(log([Review.new(at(TODAY), KEYS[0], Grade.good, confidence=2)]), TAGS, TODAY)

    assert (1, 1, 0) == (found.activity.reviews, found.forecast.cards, found.retention.all.passed.whole)
    assert [0, 1, 0] == [level.right.whole for level in found.calibration]


def test_what_was_taken_back_does_not_count(tmp_path: Path) -> None:
    """A grade that was undone is in no number."""
    store = open_progress(tmp_path / "progress.sqlite3")
    kept, undone = (Review.new(at(TODAY - 1), key, Grade.good, confidence=3, seconds=9) for key in KEYS[:2])
    for one in (kept, undone):
        store.record(one)
    store.undo(undone.id, at(TODAY))
    found = statistics(LearningLog(tuple(store.reviews()), store.memories(), store.decisions().suspended), TAGS, TODAY)
    store.close()

    assert (1, 9, 1) == (found.activity.reviews, found.activity.seconds, found.calibration[2].right.whole)
    assert 1 == found.forecast.cards + found.forecast.later


def test_expectations_go_by_a_fit() -> None:
    """What FSRS expected of past reviews, and what one would know today, go by the parameters in use, forgetting curve included."""
    curve = Parameters((*FORGETFUL.w[:20], 0.5))
    reviews = [Review.new(at(day), KEYS[0], Grade.good) for day in (TODAY - 9, TODAY - 4)]
    first, both = (replay(reviews[:count], {}, curve) for count in (1, 2))
    found = statistics(LearningLog(reviews, both, fit=Fit(curve, TODAY, 500)), TAGS, TODAY)

    assert retrievability(first[KEYS[0]], TODAY - 4, curve) == found.retention.all.expected
    assert retrievability(both[KEYS[0]], TODAY, curve) == next(topic.recalled for topic in found.topics if topic.name == "d")
    assert Fit(curve, TODAY, 500) == found.fit


def test_a_suspended_card_does_not_come_back() -> None:
    """The forecast has the cards that will be asked, and no others."""
    reviews = [Review.new(at(TODAY), key, Grade.good) for key in KEYS[:3]]

    assert [3, 2] == [statistics(log(reviews, away), TAGS, TODAY).forecast.cards for away in (frozenset(), frozenset(KEYS[:1]))]


def test_a_sure_error_is_forecast_within_the_week() -> None:
    """The forecast goes by when a card is really asked: after a sure and wrong answer at most seven days later."""
    sure_but_wrong = [Review.new(at(TODAY - 1), KEYS[0], Grade.easy, confidence=3, correct=False)]
    memories = {KEYS[0]: Memory(90.0, 5.0, TODAY - 1, TODAY - 1, TODAY + 89, None, 1, 0)}

    assert (0, 1) == (
        statistics(LearningLog((), memories), TAGS, TODAY).forecast.cards,
        statistics(LearningLog(sure_but_wrong, memories), TAGS, TODAY).forecast.days[6],
    )


def test_a_card_that_is_gone() -> None:
    """Its reviews were work and stay counted; nothing of it comes back or is listed."""
    reviews = [Review.new(at(TODAY), ("gone", "card"), Grade.again, confidence=3) for _ in range(9)]
    found = statistics(log(reviews), TAGS, TODAY)

    assert (9, 0, ()) == (found.activity.reviews, found.forecast.cards + found.forecast.later, found.weak)


@pytest.mark.parametrize("seed", range(3))
def test_a_tag_is_a_part_of_the_whole(seed: int) -> None:
    """The statistics of two halves of the cards add up to those of all."""
    whole = log(learner(KEYS, 90, TODAY, seed=seed))
    halves = [{key: tags for key, tags in TAGS.items() if name in tags} for name in ("odd", "even")]
    parts = [statistics(whole.only(half), half, TODAY) for half in halves]
    found = statistics(whole, TAGS, TODAY)

    assert found.activity.reviews == sum(part.activity.reviews for part in parts)
    assert found.retention.all.passed.whole == sum(part.retention.all.passed.whole for part in parts)
    assert set(found.weak) == {card for part in parts for card in part.weak}
    assert found.forecast.days == tuple(map(sum, zip(*(part.forecast.days for part in parts), strict=True)))
