"""A day to be ready for: the share of each day, the last days, and whether it can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory import fsrs
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan
from quiz.progress.reviews import Review
from quiz.study.plan import DailyShare, daily_share, final_reviews, remaining_study_days
from quiz.study.plan_load import (
    DEFAULT,
    ENOUGH,
    LAST_DAYS,
    LONGEST,
    busiest_day,
    daily_loads,
    forecast_load,
    measure_pace,
    new_cards_that_fit,
    plan_doubts,
    start_of_last_days,
)

DAY = datetime(2026, 11, 29).toordinal()


def on(day: int) -> Moment:
    return Moment(day * 86_400_000, DAY + day)


def cards(count: int) -> list[Key]:
    return [("d", f"c{n}") for n in range(count)]


def aim(until: int, final: int | None = None, minutes: int | None = None) -> Plan:
    return Plan(DAY + until, DAY + (until if final is None else final), minutes=minutes)


def learned(keys: Sequence[Key], day: int, grade: Grade = Grade.good) -> dict[Key, Memory]:
    return {key: next_memory(None, grade, on(day), "/".join(key)) for key in keys}


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


# --- what it takes ---------------------------------------------------------------------------------------------------


@given(st.integers(0, 400), st.integers(0, 120), st.integers(0, 120))
@settings(deadline=None, max_examples=60)
def test_the_load_is_level(unmet: int, met: int, until: int) -> None:
    """Every card is met, the last day is not the longest by much, and no day takes more than twice the average, rounding aside."""
    scope = cards(unmet + met)
    memories = {key: memory._replace(due_day=DAY + n % 21) for n, (key, memory) in enumerate(learned(scope[unmet:], -10).items())}
    seen = forecast_load(scope, memories, DAY, DAY + until, DEFAULT)
    goal = Plan(DAY + until, start_of_last_days(DAY + until, seen))
    days = daily_loads(goal, seen)
    mean = sum(load.minutes for load in days) / len(days)

    assert remaining_study_days(goal, DAY) == len(days)
    assert unmet == sum(load.new for load in days)
    assert busiest_day(days).minutes <= 2.2 * mean + 10
    assert days[-1].minutes <= 1.6 * mean + 6


@given(st.integers(1, 60), st.integers(3, 90))
@settings(deadline=None, max_examples=40)
def test_the_forecast_is_what_the_shares_give(unmet: int, until: int) -> None:
    """Day after day the share that a person is given is the one that the plan had foretold."""
    scope = cards(unmet)
    seen = forecast_load(scope, {}, DAY, DAY + until, DEFAULT)
    goal = Plan(DAY + until, start_of_last_days(DAY + until, seen))
    memories: dict[Key, Memory] = {}
    given_out = []
    for day in range(until):
        new = daily_share(goal, scope, memories, DAY + day).new
        memories |= learned([key for key in scope if key not in memories][:new], day)
        given_out.append(new)

    assert [load.new for load in daily_loads(goal, seen)] == given_out


def test_the_last_days_ask_all() -> None:
    """In the last days the cards of a day are an even part of all, new ones and known ones."""
    seen = forecast_load(cards(30), learned(cards(10), -3), DAY, DAY + 30, DEFAULT)
    days = daily_loads(aim(30, 25), seen)

    assert [6.0] * 5 == [load.reviews for load in days if load.day >= DAY + 25]
    assert 20 == sum(load.new for load in days)


@pytest.mark.parametrize(("until", "least", "most"), [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 1, 2), (9, 1, 8), (400, 1, LAST_DAYS)])
def test_the_last_days_have_bounds(until: int, least: int, most: int) -> None:
    """At most two weeks, with a day before them to meet new cards; none where there is no time for a second round."""
    seen = forecast_load(cards(50), {}, DAY, DAY + until, DEFAULT)

    assert least <= DAY + until - start_of_last_days(DAY + until, seen) <= most


def test_a_sample_stands_for_all() -> None:
    """With thousands of known cards some are followed, and the sum is that of all within a tenth."""
    some, many = (forecast_load(cards(n), learned(cards(n), -3), DAY, DAY + 30, DEFAULT) for n in (400, 4000))

    assert sum(some.coming.values()) * 10 == pytest.approx(sum(many.coming.values()), rel=0.1)


def test_the_days_to_come_go_by_a_fit() -> None:
    """Known and new cards come back as the parameters in use will have them."""
    usual = fsrs.DEFAULT
    slow = fsrs.Parameters((*usual.w[:8], usual.w[8] / 2, *usual.w[9:]))  # memories grow more slowly
    fast, often = (forecast_load(cards(30), learned(cards(10), -3), DAY, DAY + 60, DEFAULT, by) for by in (usual, slow))

    assert len(fast.returns) < len(often.returns)
    assert sum(fast.coming.values()) < sum(often.coming.values())


def test_minutes_are_seconds_times_cards() -> None:
    """Two new cards and a known one: new ones at their pace, known ones at theirs, one in ten of these twice."""
    seen = forecast_load(cards(2), {}, DAY, DAY + 1, replace(DEFAULT, new=60.0, review=30.0))
    known = replace(seen, unmet=0, met=1, coming={DAY: 1.0})

    assert 2.0 == daily_loads(aim(1), seen)[0].minutes
    assert pytest.approx(0.55) == daily_loads(aim(1), known)[0].minutes


# --- whether it can be done ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "until", "minutes", "most", "expected"),
    [
        (22, 92, None, 0, ()),
        (400, 10, None, 0, ("too_many",)),
        (400, 10, None, 70, ()),
        (3000, 10, None, 9999, ("too_long",)),
        (22, 30, 3, 0, ("too_long",)),
        (5, 1, None, 0, ("one_round",)),
        (0, 1, None, 0, ()),
    ],
)
def test_doubts(count: int, until: int, minutes: int | None, most: int, expected: tuple[str, ...]) -> None:
    """Too many new cards a day for what one has done, too long a day, no time for a second round: each is said, and only when true."""
    seen = forecast_load(cards(count), {}, DAY, DAY + until, DEFAULT)
    goal = Plan(DAY + until, start_of_last_days(DAY + until, seen), minutes=minutes)

    assert expected == plan_doubts(goal, seen, daily_loads(goal, seen), most)


@given(st.integers(1, 200), st.integers(1, 40), st.integers(1, 90))
@settings(deadline=None, max_examples=30)
def test_what_fits_fits(unmet: int, until: int, minutes: int) -> None:
    """With the number of cards that is said to fit no day is too long; with one more a day is."""
    seen = forecast_load(cards(unmet), {}, DAY, DAY + until, DEFAULT)
    goal = aim(until, minutes=minutes)
    fit = new_cards_that_fit(goal, seen, minutes)

    def longest(cards: int) -> float:
        return busiest_day(daily_loads(goal, replace(seen, unmet=cards))).minutes

    assert longest(fit) <= minutes
    assert fit == unmet or longest(fit + 1) > minutes


def test_a_load_of_an_aim_that_is_over() -> None:
    """There are no days to come: the caller is told."""
    with pytest.raises(ValueError, match="over"):
        daily_loads(aim(-1), forecast_load(cards(1), {}, DAY, DAY - 1, DEFAULT))


# --- the pace --------------------------------------------------------------------------------------------------------


def timed(seconds: float | None, count: int, name: str = "") -> list[Review]:
    return [Review.new(on(n), ("d", name or f"c{n}"), Grade.good, seconds=seconds) for n in range(count)]


def test_a_short_log_has_the_stated_pace() -> None:
    """Until enough answers were timed the default counts, and it says that nothing was measured."""
    assert DEFAULT == measure_pace(timed(10.0, ENOUGH - 1)) == measure_pace([]) == measure_pace(timed(None, 99))


def test_the_pace_is_the_median() -> None:
    """First and later answers have their own; somebody who left the table does not make the others slow."""
    found = measure_pace(
        [*timed(60.0, ENOUGH), *timed(20.0, ENOUGH + 1, "c0"), Review.new(on(99), ("d", "c0"), Grade.good, seconds=90_000.0)]
    )

    assert (60.0, 20.0) == (found.new, found.review)
    assert 2 * ENOUGH + 2 == found.timed
    assert LONGEST == measure_pace(timed(90_000.0, ENOUGH)).new
