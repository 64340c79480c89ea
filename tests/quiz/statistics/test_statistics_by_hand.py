"""What the log says about learning, held to numbers worked out by hand: time, forecast, topics, confidence, weak cards."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory
from quiz.progress.reviews import LEFT_OPEN, Review
from quiz.statistics.activity import CardTime, Day, activity, forecast_reviews
from quiz.statistics.calibration import calibration
from quiz.statistics.retention import Proportion
from quiz.statistics.topics import topics
from quiz.study.leeches import WeakCard, weak_first
from tests.quiz.learner import at

TODAY = 739_950
A, B, C = ("d", "a"), ("d", "b"), ("e", "c")
TAGS = {A: ("x", "y", "x"), B: ("x",), C: ()}


def review(day: int, key: Key = A, grade: Grade = Grade.good, **more: Any) -> Review:
    return Review.new(at(day), key, grade, **more)


def memory(due: int, stability: float = 10.0, last: int = TODAY - 10, lapses: int = 0) -> Memory:
    return Memory(stability, 5.0, last, last, due, None, 3, lapses)


class TestShare:
    def test_wilson_by_hand(self) -> None:
        """8 of 10: centre (0.8 + 0.19208) / 1.38416, reach 1.96 * sqrt(0.016 + 0.009604) / 1.38416."""
        low, high = Proportion(8, 10).interval or (0, 0)

        assert (0.4902, 0.9433) == (round(low, 4), round(high, 4))

    def test_certainty_is_never_claimed(self) -> None:
        """All of a few are passed: the interval still reaches far down."""
        low, high = Proportion(3, 3).interval or (0, 0)

        assert (0.4385, 1.0) == (round(low, 4), round(high, 4))

    def test_nothing_has_no_share(self) -> None:
        """Of no cases there is neither a share nor an interval."""
        assert (None, None, True) == (Proportion(0, 0).value, Proportion(0, 0).interval, Proportion(0, 0).few)

    @given(st.integers(0, 500), st.integers(1, 500))
    def test_the_interval_holds_the_share(self, part: int, more: int) -> None:
        """Whatever was counted, the share is inside its interval, and the interval inside 0..1."""
        share = Proportion(part, part + more)
        low, high = share.interval or (1, 0)

        assert 0 <= low <= (share.value or 0) <= high <= 1


class TestActivity:
    def test_by_day_and_by_card(self) -> None:
        """Reviews and seconds go to their study day and their card; the days without any are there, too."""
        log = [review(TODAY - 2, A, seconds=10), review(TODAY, A, seconds=20), review(TODAY, B, seconds=60), review(TODAY, B)]
        found = activity(log, TODAY, 3)

        assert (Day(TODAY - 2, 1, 10), Day(TODAY - 1, 0, 0), Day(TODAY, 3, 80)) == found.days
        assert (CardTime(B, 1, 60), CardTime(A, 2, 30)) == found.cards
        assert (4, 90, 2, 20) == (found.reviews, found.seconds, found.studied, found.typical)

    def test_a_card_left_open(self) -> None:
        """A night over one card is not study time; neither is a negative time."""
        found = activity([review(TODAY, seconds=36_000), review(TODAY, seconds=-5)], TODAY, 1)

        assert LEFT_OPEN == found.seconds

    def test_only_the_window(self) -> None:
        """What is older than the window is not counted."""
        assert 1 == activity([review(TODAY - 3), review(TODAY - 2)], TODAY, 3).reviews

    def test_a_clock_set_back(self) -> None:
        """A review that seems to come from the future counts as today's, once."""
        found = activity([review(TODAY + 400)], TODAY, 2)

        assert [0, 1] == [day.reviews for day in found.days]

    def test_nothing(self) -> None:
        """An empty log gives empty days."""
        found = activity([], TODAY, 7)

        assert (0, 0, None, 7) == (found.reviews, found.seconds, found.typical, len(found.days))

    @given(st.lists(st.tuples(st.integers(TODAY - 20, TODAY + 5), st.floats(0, 1000) | st.none())))
    def test_nothing_is_counted_twice(self, times: list[tuple[int, float | None]]) -> None:
        """Days and cards add up to the reviews of the window and to each other's seconds."""
        found = activity([review(day, seconds=seconds) for day, seconds in times], TODAY, 14)

        assert sum(day > TODAY - 14 for day, _ in times) == found.reviews
        assert pytest.approx(found.seconds) == sum(card.seconds for card in found.cards)


class TestForecast:
    def test_by_hand(self) -> None:
        """Overdue cards come today; beyond the last day is later."""
        found = forecast_reviews([memory(TODAY + ahead) for ahead in (-5, -1, 0, 1, 3, 4, 90)], TODAY, 4)

        assert ((3, 1, 0, 1), 2, 2, 5) == (found.days, found.overdue, found.later, found.cards)

    @given(st.lists(st.integers(TODAY - 400, TODAY + 400)), st.integers(1, 60))
    def test_every_card_once(self, days: list[int], span: int) -> None:
        """Days and later together are all cards."""
        found = forecast_reviews(map(memory, days), TODAY, span)

        assert (len(days), span) == (found.cards + found.later, len(found.days))


class TestTopics:
    def test_by_hand(self) -> None:
        """A card at its stability in days is recalled with 0.9; a mature one reviewed today with 1; a new one not at all."""
        found = {topic.name: topic for topic in topics(TAGS, {A: memory(TODAY, 10, TODAY - 10), C: memory(TODAY + 30, 30, TODAY)}, TODAY)}

        assert (1, 1, 0, 0.45, 0.9) == (
            found["x"].new,
            found["x"].learning,
            found["x"].known,
            round(found["x"].expected, 6),
            _round(found["x"].recall),
        )
        assert (0, 0, 1, 1.0) == (found["e"].new, found["e"].learning, found["e"].known, found["e"].expected)
        assert {"d": "deck", "e": "deck", "x": "tag", "y": "tag"} == {name: topic.kind for name, topic in found.items()}

    def test_a_tag_named_twice(self) -> None:
        """A card that repeats a tag is one card of it."""
        assert [2] == [topic.cards for topic in topics(TAGS, {}, TODAY) if topic.name == "x"]

    def test_the_weakest_first(self) -> None:
        """The topic of which least would be answered today leads."""
        found = topics({A: ("one",), B: ("two",)}, {A: memory(TODAY, 10, TODAY), B: memory(TODAY, 10, TODAY - 50)}, TODAY)

        assert ["two", "one"] == [topic.name for topic in found if topic.kind == "tag"]

    def test_nothing_seen(self) -> None:
        """Without memories every card is new and there is no recall."""
        assert {(0.0, None)} == {(topic.expected, topic.recall) for topic in topics(TAGS, {}, TODAY)}

    def test_a_memory_from_the_future(self) -> None:
        """A card reviewed when the clock was ahead counts as just seen."""
        assert 1.0 == topics({A: ()}, {A: memory(TODAY + 50, 10, TODAY + 40)}, TODAY)[0].expected

    def test_a_card_that_is_gone(self) -> None:
        """A memory whose card is in no deck any more is in no topic."""
        assert () == topics({}, {A: memory(TODAY)}, TODAY)


class TestCalibration:
    def test_by_hand(self) -> None:
        """Right is what the program judged right and was not graded Again; without a confidence an answer says nothing."""
        log = [
            review(TODAY, confidence=3, correct=True),
            review(TODAY, confidence=3, correct=False, grade=Grade.hard),
            review(TODAY, confidence=3, grade=Grade.again),
            review(TODAY, confidence=1),
            review(TODAY),
        ]

        assert [Proportion(1, 1), Proportion(0, 0), Proportion(1, 3)] == [level.right for level in calibration(log)]


class TestWeak:
    def test_each_card_once(self) -> None:
        """A card that keeps failing and was surely wrong is one card with both; most lapses first, then the latest error."""
        memories = {A: memory(TODAY, lapses=5), B: memory(TODAY, lapses=1)}
        found = weak_first(memories, {A: TODAY - 3, B: TODAY - 9, C: TODAY - 2}, {A, B, C})

        assert (WeakCard(A, 5, TODAY - 3), WeakCard(C, 0, TODAY - 2), WeakCard(B, 0, TODAY - 9)) == found

    def test_a_card_learned_after_all(self) -> None:
        """A card that failed often and sticks by now is not weak."""
        assert () == weak_first({A: memory(TODAY)._replace(lapses=9, stability=60)}, {}, {A})

    def test_a_card_that_is_gone(self) -> None:
        """Nobody can practise a card that is in no deck any more."""
        assert () == weak_first({A: memory(TODAY, lapses=9)}, {B: TODAY}, {})


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
