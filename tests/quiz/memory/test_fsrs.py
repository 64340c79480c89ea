"""FSRS's library against py-fsrs, which computes the same in float64; and what else we build on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fsrs_rs_python import DEFAULT_PARAMETERS, MemoryState
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory import fsrs
from quiz.memory.fsrs import DEFAULT, RANGES, Parameters
from tests.quiz.memory import oracle
from tests.quiz.memory.habits import Given, events, memories_after

LARGEST = 36_500.0  # days of stability, at which the library stops counting
# A float32 has 24 bits: 6e-8 of a number. A step takes some ten operations, and a difference of two close numbers among them.
STEP = 1e-5
# Along the 50 reviews of a card the errors of the steps multiply.
HISTORY = 1e-3

stabilities = st.floats(0.0625, LARGEST, width=32)
difficulties = st.floats(1, 10, width=32)
fitted = Parameters((*DEFAULT.w[:20], 0.3))  # with another forgetting curve


@given(st.none() | st.tuples(stabilities, difficulties), st.integers(0, 900), st.sampled_from([DEFAULT, fitted]))
def test_equals_py_fsrs(state: tuple[float, float] | None, days: int, parameters: Parameters) -> None:
    """From any memory and after any wait, each grade gives py-fsrs's stability, difficulty and interval, as far as float32 goes."""
    ours, theirs = (module.next_states(state, days, 0.9, parameters) for module in (fsrs, oracle))

    for name in oracle.GRADES:
        got, expected = getattr(ours, name), getattr(theirs, name)
        assert pytest.approx(min(expected.memory.stability, LARGEST), rel=STEP) == got.memory.stability
        assert pytest.approx(expected.memory.difficulty, abs=STEP) == got.memory.difficulty
        assert pytest.approx(min(expected.interval, LARGEST), rel=STEP) == got.interval


def test_the_same_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 reviews of people with all kinds of habits give the dates that py-fsrs gives, card by card after every review.

    Of 100,000, two are a day off (tests/benchmarks/due_days.py): an interval may lie on half a day to the last digit of a float32.
    """
    ours = list(memories_after(events(2_000)))
    monkeypatch.setattr(fsrs, "next_states", oracle.next_states)
    theirs = list(memories_after(events(2_000)))

    assert 2_000 == sum(isinstance(event, Given) for event, _ in ours)
    for (event, got), (_, expected) in zip(ours, theirs, strict=True):
        if got is None or expected is None:
            assert (event, got) == (event, expected)
            continue
        assert pytest.approx(expected.stability, rel=HISTORY) == got.stability
        assert pytest.approx(expected.difficulty, abs=HISTORY) == got.difficulty
        assert expected._replace(stability=got.stability, difficulty=got.difficulty) == got


@given(st.floats(0.001, 5_000), st.integers(-10, 5_000), st.sampled_from([DEFAULT, fitted]))
def test_forgetting_curve(stability: float, days: int, parameters: Parameters) -> None:
    """The probability of recall is py-fsrs's own, also for a day before the last review."""
    at = oracle.START + timedelta(days=days)
    expected = oracle.scheduler(parameters).get_card_retrievability(oracle.card((stability, 5.0)), at)

    assert pytest.approx(expected, rel=1e-12) == fsrs.retrievability(stability, days, parameters)


def test_nine_in_ten_after_the_stability() -> None:
    """Stability is the number of days after which nine in ten are still recalled."""
    assert [1.0, pytest.approx(0.9)] == [fsrs.retrievability(10.0, days) for days in (0, 10)]


def test_stability_never_vanishes() -> None:
    """Failing again and again leaves a memory that can still be computed with."""
    memory = fsrs.next_states(None, 0, 0.9).again.memory
    for _ in range(200):
        memory = fsrs.next_states((memory.stability, memory.difficulty), 0, 0.9).again.memory

    assert pytest.approx(0.001) == memory.stability
    assert 9.9 < memory.difficulty <= 10


def test_whole_days() -> None:
    """An interval is a day at least, and at most the longest."""
    assert [1, 1, 2, 3, 365] == [fsrs.whole_days(interval, 365) for interval in (0.001, 1.4, 1.6, 3.0, 36_500.0)]


def test_any_thread() -> None:
    """The library's part of the parameters, made in one thread, computes in another: the progress file is used from several."""
    here = fsrs.next_states((10.0, 5.0), 3, 0.9).good.interval
    with ThreadPoolExecutor(1) as other:
        assert here == other.submit(lambda: fsrs.next_states((10.0, 5.0), 3, 0.9).good.interval).result()


def test_defaults_are_sound() -> None:
    """FSRS's own parameters are 21 with four decimals, which are to the library what they were before they were rounded."""
    assert 21 == len(DEFAULT.w)
    assert DEFAULT.sound
    assert 0.212 == DEFAULT.w[0]
    assert _trace(DEFAULT) == _trace(Parameters(tuple(DEFAULT_PARAMETERS)))


@pytest.mark.parametrize("place", range(21))
@pytest.mark.parametrize("end", [0, 1])
def test_ranges_are_the_library_s(place: int, end: int) -> None:
    """A number at the end of its range is used; one beyond it the library would cut to that end, and it is no sound parameter."""
    last = RANGES[place][end]
    beyond = last * 1.5 if end and last else last - 0.5
    at_the_end, outside = (Parameters((*DEFAULT.w[:place], value, *DEFAULT.w[place + 1 :])) for value in (last, beyond))

    assert [True, False] == [at_the_end.sound, outside.sound]
    assert _trace(at_the_end) == _trace(outside)


def _trace(parameters: Parameters) -> list[str]:
    """What the library makes of memories near and far with these parameters."""
    states = [None, (0.5, 1.5), (3.0, 9.0), (50.0, 5.0)]
    return [
        str(getattr(parameters.model.next_states(None if s is None else MemoryState(*s), 0.9, days), name).memory)
        for s in states
        for days in (0, 1, 30)
        for name in oracle.GRADES
    ] + [str(parameters.model.next_interval(10.0, 0.8, 3))]


@pytest.mark.parametrize(
    "w", [(), DEFAULT.w[:19], (*DEFAULT.w, 1.0), (*DEFAULT.w[:20], float("nan")), (*DEFAULT.w[:20], "0.1"), (True, *DEFAULT.w[1:])]
)
def test_unsound(w: tuple[float, ...]) -> None:
    """Too few, too many, and what is no finite number are no parameters."""
    assert not Parameters(w).sound
