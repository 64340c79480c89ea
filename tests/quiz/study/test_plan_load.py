"""What a plan takes: the load of each day, the last days, whether it can be done, and the pace of a person."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory import fsrs
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory
from quiz.progress.decisions import Plan
from quiz.progress.reviews import LEFT_OPEN, Review
from quiz.study.plan import daily_share, remaining_study_days
from quiz.study.plan_load import (
    DEFAULT,
    ENOUGH,
    LAST_DAYS,
    busiest_day,
    daily_loads,
    forecast_load,
    measure_pace,
    new_cards_that_fit,
    plan_doubts,
    start_of_last_days,
)
from quiz.study.review_paths import RELEARNED
from tests.quiz.study.plans import DAY, aim, cards, followed, learned, on


@given(st.integers(0, 400), st.integers(0, 120), st.integers(0, 120))
@settings(deadline=None, max_examples=30)
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
@settings(deadline=None, max_examples=25)
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

    assert [6.0] * 5 == [load.once_more for load in days if load.day >= DAY + 25]
    assert all(6.0 <= load.reviews <= 9.0 for load in days if load.day >= DAY + 25)
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

    assert sum(fast.returns) < sum(often.returns)
    assert sum(fast.coming.values()) < sum(often.coming.values())


def test_minutes_are_seconds_times_cards() -> None:
    """Two new cards and a known one: new ones at their pace, known ones at theirs, and what was failed at once again at that pace, too."""
    seen = forecast_load(cards(2), {}, DAY, DAY + 1, replace(DEFAULT, new=60.0, review=30.0, first_sight=1.0))
    failing = forecast_load(cards(2), {}, DAY, DAY + 1, replace(DEFAULT, new=60.0, review=30.0, first_sight=0.5))
    known = replace(seen, unmet=0, met=1, coming={DAY: 1.1})

    assert 2.0 == daily_loads(aim(1), seen)[0].minutes
    assert pytest.approx(2.0 + 2 * 0.5 * (1 / RELEARNED) * 0.5, abs=0.1) == daily_loads(aim(1), failing)[0].minutes
    assert pytest.approx(0.55) == daily_loads(aim(1), known)[0].minutes


@pytest.mark.parametrize("first_sight", [0.95, 0.85, 0.7, 0.5])
@pytest.mark.parametrize(("count", "until"), [(22, 92), (100, 30), (200, 60), (60, 14), (9, 5)])
def test_the_work_is_what_it_takes(count: int, until: int, first_sight: float) -> None:
    """What a plan says that it takes, before the last days and in them, is what it takes those who follow it, lapses included."""
    scope = cards(count)
    seen = forecast_load(scope, {}, DAY, DAY + until, replace(DEFAULT, first_sight=first_sight))
    goal = Plan(DAY + until, start_of_last_days(DAY + until, seen))
    told = [load.new * DEFAULT.new + load.reviews * DEFAULT.review for load in daily_loads(goal, seen)]
    learners = [followed(goal, scope, first_sight, seed) for seed in range(max(1000 // count // 2, 3))]
    taken = [fmean(new * DEFAULT.new + looks * DEFAULT.review for new, looks in day) for day in zip(*learners, strict=True)]
    last = goal.final - DAY

    assert pytest.approx(sum(taken), rel=0.06) == sum(told)
    assert pytest.approx(sum(taken[:last]), rel=0.1) == sum(told[:last])
    assert pytest.approx(sum(taken[last:]), rel=0.25) == sum(told[last:])


def test_known_cards_lapse_too() -> None:
    """The looks that known cards will need are those that they take, among them many that are long due."""
    scope = cards(120)
    memories = {key: memory._replace(due_day=DAY - 20 + n % 40) for n, (key, memory) in enumerate(learned(scope, -30).items())}
    seen = forecast_load(scope, memories, DAY, DAY + 40, DEFAULT)
    taken = [sum(looks for _, looks in followed(aim(40), scope, 1.0, seed, known=memories)) for seed in range(12)]

    assert pytest.approx(fmean(taken), rel=0.06) == sum(seen.coming.values())


def test_the_share_passed_at_first_sight_is_measured() -> None:
    """By the first grades of cards, however they went later; where few were met the default stays."""
    met = [Review.new(on(n), ("d", f"c{n}"), Grade.again if n % 4 == 0 else Grade.good) for n in range(40)]
    later = [Review.new(on(50 + n), ("d", f"c{n}"), Grade.again) for n in range(40)]

    assert 0.75 == measure_pace([*met, *later]).first_sight
    assert DEFAULT.first_sight == measure_pace(met[: ENOUGH - 1]).first_sight


@given(st.integers(1, 300), st.integers(4, 60), st.sets(st.integers(0, 59)))
@settings(deadline=None, max_examples=60)
def test_missed_days_are_spread(unmet: int, until: int, missed: set[int]) -> None:
    """After days that were missed no day has many more new cards than the plan began with, as long as the days that are left suffice;
    and what is left to do is said as it will be given out."""
    scope = cards(unmet)
    goal = aim(until, until - until // 4)
    goal = replace(goal, new_a_day=daily_share(goal, scope, {}, DAY).new)
    most = ceil(1.5 * (goal.new_a_day or 1))
    given_out = followed(goal, scope, 1.0, 0, missed)
    for day, (new, _) in enumerate(given_out):
        left = unmet - sum(cards for cards, _ in given_out[:day])
        assert new <= max(most, -(-left // (until - day)))
    if until - 1 not in missed:
        assert unmet == sum(new for new, _ in given_out)


def test_missed_days_before_the_last_ones() -> None:
    """Forty-eight cards that were missed do not all come on the eve of the last days."""
    scope = cards(200)
    goal = replace(aim(30, 26), new_a_day=8)
    given_out = [new for new, _ in followed(goal, scope, 1.0, 0, set(range(19, 25)))]

    assert [10, 10, 10, 10] == given_out[25:29]
    assert 200 == sum(given_out)


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


def timed(seconds: float | None, count: int, name: str = "") -> list[Review]:
    return [Review.new(on(n), ("d", name or f"c{n}"), Grade.good, seconds=seconds) for n in range(count)]


def test_a_short_log_has_the_stated_pace() -> None:
    """Until enough answers were timed the default counts, and it says that nothing was measured."""
    assert DEFAULT == measure_pace(timed(10.0, ENOUGH - 1)) == measure_pace([])
    assert replace(DEFAULT, first_sight=1.0) == measure_pace(timed(None, 99))


def test_the_pace_is_the_median() -> None:
    """First and later answers have their own; somebody who left the table does not make the others slow."""
    found = measure_pace(
        [*timed(60.0, ENOUGH), *timed(20.0, ENOUGH + 1, "c0"), Review.new(on(99), ("d", "c0"), Grade.good, seconds=90_000.0)]
    )

    assert (60.0, 20.0) == (found.new, found.review)
    assert 2 * ENOUGH + 2 == found.timed
    assert LEFT_OPEN == measure_pace(timed(90_000.0, ENOUGH)).new
