"""A day to be ready for: the share of each day, the last days, and whether it can be done."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.study.plan import DailyShare, daily_share, final_reviews, remaining_study_days
from tests.quiz.study.plans import DAY, aim, cards, learned, on

# --- the share of a day ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("until", "expected"), [(-1, 0), (0, 1), (1, 1), (2, 2), (92, 92)])
def test_days_until_the_eve(until: int, expected: int) -> None:
    """One studies up to the eve of the interview; on its day there is still that day, after it nothing."""
    assert expected == remaining_study_days(aim(until), DAY)


@pytest.mark.parametrize(
    ("count", "until", "final", "expected"),
    [(22, 92, 78, 1), (40, 10, 8, 5), (41, 10, 8, 6), (0, 10, 8, 0), (7, 1, 1, 7), (7, 0, 0, 7), (7, -1, -1, 0), (9, 3, -2, 3)],
)
def test_new_cards_are_shared_out(count: int, until: int, final: int, expected: int) -> None:
    """The first share of the days before the last ones; over what there is where the last days have begun."""
    assert DailyShare(expected) == daily_share(aim(until, final), cards(count), {}, DAY)


@given(st.integers(0, 300), st.integers(0, 60), st.integers(0, 20), st.lists(st.booleans(), min_size=60, max_size=60))
@settings(deadline=None)
def test_whoever_does_the_shares_is_done(count: int, until: int, last: int, absent: list[bool]) -> None:
    """The shares cover every card, days missed included as long as the last of them is kept; and no share is larger than it must be."""
    goal, scope = aim(until, max(until - last, 0)), cards(count)
    memories: dict[Key, Memory] = {}
    news: list[int] = []
    days = remaining_study_days(goal, DAY)
    for day in range(days):
        if absent[day % 60] and day < min(goal.final - DAY, days) - 1:
            continue
        part = daily_share(goal, scope, memories, DAY + day)
        new = [key for key in scope if key not in memories][: part.new]
        memories |= learned(new, day)
        news.append(len(new))
        assert 0 == daily_share(goal, scope, memories, DAY + day).new

    assert count == sum(news)
    if not any(absent):
        assert max(news) - min(news[: -(-count // max(max(news), 1))] or [0]) <= 1


@given(st.integers(1, 120), st.integers(1, 14), st.sampled_from(Grade))
@settings(deadline=None)
def test_each_card_once_more_in_the_last_days(count: int, last: int, grade: Grade) -> None:
    """Whatever is due when, every card is asked in the last days, no day has more than an even part, and no card comes twice."""
    goal, scope = aim(last, 0), cards(count)
    memories = learned(scope, -12, grade)
    asked: list[Key] = []
    for day in range(last):
        now = DAY + day
        due = [key for key in scope if memories[key].last_day < goal.final and memories[key].due_day <= now]
        extra = final_reviews(goal, scope, memories, now)[: daily_share(goal, scope, memories, now).again]
        even = -(-sum(memories[key].last_day < goal.final for key in scope) // (last - day))
        assert len(extra) <= max(even - len(due), 0)
        for key in {*due, *extra}:
            memories[key] = next_memory(memories[key], Grade.easy, on(day), "/".join(key))
            asked.append(key)

    assert sorted(scope) == sorted(asked)


@pytest.mark.parametrize(("due", "done", "expected"), [(0, 0, 2), (1, 0, 1), (2, 0, 0), (5, 0, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0)])
def test_what_is_due_and_done_counts_towards_the_share(due: int, done: int, expected: int) -> None:
    """Of ten cards over five days two are asked today: those that are due or were asked already are among them."""
    scope = cards(10)
    memories = {key: memory._replace(due_day=DAY + 30) for key, memory in learned(scope, -9).items()}
    memories |= {key: memories[key]._replace(due_day=DAY) for key in scope[:due]}
    memories |= {key: memories[key]._replace(last_day=DAY) for key in scope[due : due + done]}

    assert DailyShare(0, expected) == daily_share(aim(5, -2), scope, memories, DAY)


def test_those_that_would_not_come_by_themselves_come_first() -> None:
    """Of the cards owed in the last days, those that are due before the interview anyway are asked last."""
    near, far, farther = (learned(cards(1), -9)["d", "c0"]._replace(due_day=DAY + days) for days in (1, 8, 40))

    assert [("d", "far"), ("d", "farther"), ("d", "near")] == final_reviews(
        aim(3, 0), [("d", name) for name in ("near", "farther", "far", "new")],
        {("d", "near"): near, ("d", "far"): far, ("d", "farther"): farther}, DAY,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("at", "zone", "expected"),
    [("2026-12-01T03:59", 8, 10), ("2026-12-01T04:00", 8, 9), ("2026-12-01T03:59", -8, 10), ("2026-11-30T23:59", -8, 10)],
)
def test_the_days_left_are_study_days(at: str, zone: int, expected: int) -> None:
    """Until four in the morning it is the day before, on the person's own clock."""
    now = Moment.of(datetime.fromisoformat(at).replace(tzinfo=timezone(timedelta(hours=zone))))

    assert expected == remaining_study_days(aim(11), now.day)


# --- whether it can be done ------------------------------------------------------------------------------------------
