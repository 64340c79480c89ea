from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import fsrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import AGAIN_AFTER, LONGEST, Grade, Interval, Memory, is_due, next_memory, retrievability
from quiz.memory.study_day import Moment
from tests.quiz.learning import intervals

ROOT = Path(__file__).parents[3]
DAY = datetime(2026, 11, 29).toordinal()
PASSING = (Grade.hard, Grade.good, Grade.easy)
KEY = "attention/why-divide-by-sqrt-dk"

grades = st.sampled_from(Grade)
histories = st.lists(st.tuples(grades, st.integers(0, 400)), max_size=8)


def on(day: int, hour: int = 12, minute: int = 0) -> Moment:
    """A moment on DAY + day, in Greenwich; hours past midnight belong to the evening before."""
    return Moment.of(datetime.fromordinal(DAY + day).replace(tzinfo=UTC) + timedelta(hours=hour, minutes=minute))


def after(*history: tuple[Grade, int], key: str = KEY) -> Memory:
    """The memory after grades, each some days after the one before."""
    memory, day = None, 0
    for grade, wait in history:
        day += wait
        memory = next_memory(memory, grade, on(day), key)
    assert memory is not None
    return memory


@given(histories, grades, st.integers(-3, 400), st.text(max_size=5))
@settings(deadline=None)
def test_button_is_promise(history: list[tuple[Grade, int]], grade: Grade, wait: int, key: str) -> None:
    """The interval on a button is the interval that pressing it gives."""
    memory = after(*history, key=key) if history else None
    now = on(sum(w for _, w in history) + wait)

    promised = intervals(memory, now, key)[grade]
    given_ = next_memory(memory, grade, now, key)

    minutes = 0 if given_.due_at is None else (given_.due_at - now.at_utc) // timedelta(minutes=1)
    assert promised == Interval(given_.due_day - given_.last_day, minutes)


@given(histories, st.integers(1, 400), st.text(max_size=5))
@settings(deadline=None)
def test_order(history: list[tuple[Grade, int]], wait: int, key: str) -> None:
    """Hard, Good and Easy are at least a day and strictly in order, unless the longest interval leaves no room."""
    memory = after(*history, key=key) if history else None

    shown = intervals(memory, on(sum(w for _, w in history) + wait), key)
    hard, good, easy = (shown[grade].days for grade in PASSING)

    assert 1 <= hard <= good <= easy <= LONGEST
    assert hard < good or good == LONGEST
    assert good < easy or easy == LONGEST
    assert Interval(0, 10) == shown[Grade.again]


def test_new_card() -> None:
    """A new card's buttons show 10 minutes, a day or two, two to four days, and about eight."""
    for n in range(300):
        shown = intervals(None, on(0), f"deck/{n}")

        assert Interval(0, 10) == shown[Grade.again]
        assert shown[Grade.hard].days in (1, 2)
        assert shown[Grade.good].days in (2, 3, 4)
        assert 6 <= shown[Grade.easy].days <= 10
        assert shown[Grade.hard].days < shown[Grade.good].days


@pytest.mark.parametrize(("grade", "days"), [(Grade.hard, 2), (Grade.good, 3), (Grade.easy, 5)])
@pytest.mark.parametrize("cards", [60, 200, 2000])
def test_what_is_learned_on_a_day_comes_back_on_several(grade: Grade, days: int, cards: int) -> None:
    """Passed at first sight, cards of one day are spread nearly evenly over some, whatever they are called."""
    for name in ("deck/card-{}", "d/{}", "attention/c{}"):
        found = Counter(intervals(None, on(0), name.format(n))[grade].days for n in range(cards))

        assert days == len(found)
        assert max(found.values()) <= 1.5 * cards / days


@pytest.mark.parametrize("stability", [0.2, 0.9, 1.6, 2.9])
def test_first_intervals_of_fitted_parameters(stability: float) -> None:
    """Whatever a fit thinks of first impressions, the buttons of a new card rise, and none waits longer than twice what it thinks."""
    by = Parameters((stability / 2, stability, stability, stability, *DEFAULT.w[4:]))
    for n in range(100):
        hard, good, easy = (next_memory(None, grade, on(0), f"deck/{n}", by).due_day - DAY for grade in PASSING)

        assert 1 <= hard < good < easy
        assert hard <= max(2 * round(stability), 2) + 1


def test_agrees_with_fsrs() -> None:
    """Stability and difficulty are those of py-fsrs for whole days, over a history with a lapse in it, to what float32 holds."""
    history = [(Grade.good, 0), (Grade.good, 2), (Grade.hard, 9), (Grade.again, 20), (Grade.good, 0), (Grade.easy, 5)]
    oracle, card, at = fsrs.Scheduler(learning_steps=(), relearning_steps=()), fsrs.Card(card_id=1), datetime(2026, 1, 1, tzinfo=UTC)
    for grade, wait in history:
        at += timedelta(days=wait)
        card, _ = oracle.review_card(card, fsrs.Rating(grade), at)

    memory = after(*history)

    assert pytest.approx((card.stability, card.difficulty), rel=1e-5) == (memory.stability, memory.difficulty)


def test_evening_then_morning() -> None:
    """A card passed at 22:00 and again at 08:00 was recalled after a day, not twice on one day."""
    evening = next_memory(None, Grade.good, on(0, 22), KEY)
    morning = next_memory(evening, Grade.good, on(1, 8), KEY)

    assert evening.stability * 2 < morning.stability
    assert morning == after((Grade.good, 0), (Grade.good, 1))


def test_every_23_hours() -> None:
    """Studying a little earlier every day still counts as days: py-fsrs alone would end at a stability of 1."""
    memory = None
    for n in range(5):
        memory = next_memory(memory, Grade.good, on(n, 20 - n), KEY)

    assert memory is not None
    assert memory.stability == after(*[(Grade.good, min(n, 1)) for n in range(5)]).stability
    assert memory.stability > 10


def test_after_midnight_is_the_same_day() -> None:
    """A card failed at 23:55 and passed at 00:30 was passed on the day it was failed."""
    failed = next_memory(None, Grade.again, on(0, 23, 55), KEY)
    passed = next_memory(failed, Grade.hard, on(1, 0, 30), KEY)

    assert (failed.last_day, failed.last_day + 1) == (passed.last_day, passed.due_day)
    assert passed.stability == after((Grade.again, 0), (Grade.hard, 0)).stability


def test_again_comes_back() -> None:
    """After Again a card is due ten minutes later, not before."""
    memory = next_memory(None, Grade.again, on(0, 12), KEY)

    assert memory.due_at == on(0, 12, 10).at_utc
    assert [False, False, True, True] == [is_due(memory, on(0, 12, minute)) for minute in (0, 9, 10, 11)]


def test_again_before_the_day_ends() -> None:
    """When the study day ends before the ten minutes do, the card is simply due."""
    memory = next_memory(None, Grade.again, on(1, 3, 55), KEY)

    assert [False, True] == [is_due(memory, on(1, 3, 59)), is_due(memory, on(1, 4, 1))]


def test_due_by_day() -> None:
    """A passed card is due from 04:00 of its day on, whatever the hour of its review."""
    memory = next_memory(None, Grade.good, on(0, 22), KEY)

    days = memory.due_day - DAY
    assert [False, True, True] == [is_due(memory, now) for now in (on(days, 3, 59), on(days, 4), on(9))]


@pytest.mark.parametrize("first", PASSING)
@pytest.mark.parametrize("second", PASSING)
def test_passed_twice_on_a_day(first: Grade, second: Grade) -> None:
    """Passing a card that was passed today moves nothing; its buttons all show the date that stands."""
    memory = after((Grade.good, 0), (first, 2))

    again = next_memory(memory, second, on(2, 20), KEY)

    assert memory._replace(repetitions=3) == again
    assert {memory.due_day - memory.last_day} == {intervals(memory, on(2, 20), KEY)[grade].days for grade in PASSING}


def test_failed_after_passing() -> None:
    """Failing a card that was passed today counts, and passing it after that moves it."""
    failed = after((Grade.good, 0), (Grade.good, 2), (Grade.again, 0))
    passed = next_memory(failed, Grade.good, on(2, 13), KEY)

    assert (1, DAY + 2) == (failed.lapses, failed.due_day)
    assert failed.stability < after((Grade.good, 0), (Grade.good, 2)).stability
    assert passed.due_day > DAY + 2
    assert passed.due_at is None


def test_lapses() -> None:
    """A lapse is an Again on a card that had been passed: not on a new one, and not twice in a row."""
    history = [(Grade.again, 0), (Grade.again, 0), (Grade.good, 0), (Grade.again, 3), (Grade.again, 0), (Grade.hard, 0), (Grade.again, 1)]

    assert [0, 0, 0, 1, 1, 1, 2] == [after(*history[: n + 1]).lapses for n in range(len(history))]


def test_counts() -> None:
    """Every grade is a repetition, and the first day stays."""
    memory = after((Grade.again, 0), (Grade.good, 0), (Grade.good, 5))

    assert (3, DAY, DAY + 5) == (memory.repetitions, memory.first_day, memory.last_day)


@pytest.mark.parametrize("grade", Grade)
def test_clock_goes_backward(grade: Grade) -> None:
    """A review before the card's last one counts as one on that day."""
    memory = after((Grade.good, 0), (Grade.good, 2))

    earlier = next_memory(memory, grade, on(-700), KEY)
    same = next_memory(memory, grade, on(2), KEY)

    assert same._replace(due_at=earlier.due_at) == earlier
    assert intervals(memory, on(2), KEY) == intervals(memory, on(-700), KEY)


def test_clock_set_back_after_again() -> None:
    """A card that waits for ten minutes does not wait for hours when the clock is set back."""
    memory = next_memory(None, Grade.again, on(0, 15), KEY)

    assert [True, True, False] == [is_due(memory, now) for now in (on(0, 12), on(-1, 15), on(0, 15, 5))]


def test_fuzz_spreads() -> None:
    """Cards that are learned together do not come back together, and none leaves Anki's range."""
    days = {after((Grade.good, 0), (Grade.good, 2), (Grade.good, 11), key=f"deck/{n}").due_day - DAY - 13 for n in range(200)}

    assert len(days) >= 5
    assert set(days) <= set(range(42, 51))  # 46 days +- 4: 1 + 0.15 * 4.5 + 0.1 * 13 + 0.05 * 26


def test_no_fuzz_below_three_days() -> None:
    """Later intervals below three days are the same for all cards: a memory that is so short has no time to spare."""
    failed = [after((Grade.good, 0), (Grade.again, 2), key=f"deck/{n}") for n in range(100)]

    assert {2} == {next_memory(memory, Grade.good, on(2), f"deck/{n}").due_day - DAY - 2 for n, memory in enumerate(failed)}


def test_fuzz_is_everywhere_the_same() -> None:
    """Two processes with different hash seeds give the same dates."""
    code = (
        "from quiz.memory.study_day import Moment; from quiz.memory.scheduler import Grade, next_memory, promised_interval;"
        f"print([promised_interval(next_memory(None, Grade.easy, Moment(0, {DAY}), f'deck/{{n}}')).days for n in range(30)])"
    )

    def printed_with(seed: str) -> bytes:
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout

    printed = {printed_with("1"), printed_with("2")}

    assert 1 == len(printed)
    assert len(set(printed.pop().split())) > 1


def test_longest() -> None:
    """No interval is longer than a year."""
    memory = after(*[(Grade.easy, min(n, 1) * 365) for n in range(6)])

    assert memory.stability > 2 * LONGEST
    assert {True} == {intervals(memory, on(9999), f"deck/{n}")[Grade.easy].days <= LONGEST for n in range(50)}


def test_retrievability() -> None:
    """It is 1 on the day of the review, 0.9 after as many days as the stability, and falls; never above 1."""
    memory = after((Grade.good, 0))._replace(stability=10.0)

    assert [1.0, 1.0] == [retrievability(memory, DAY - 5), retrievability(memory, DAY)]
    assert pytest.approx(0.9) == retrievability(memory, DAY + 10)
    assert retrievability(memory, DAY + 100) < 0.8


def test_again_after() -> None:
    """The wait after Again is what the button says."""
    assert timedelta(minutes=10) == AGAIN_AFTER
