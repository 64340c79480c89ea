"""Runs that many cards share: each is computed once, by whichever process is free."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import cast

import pytest

from engine import DeadlineExceeded, Description, ExperimentError, OutOfPatience, Recipe, Result, Worker
from quiz.card.shared_runs import SharedRuns
from tests.quiz.driving import FakeEngine, fake_result, settled_future


class Slow(FakeEngine):
    """Computes once a second one is at it, too."""

    def __init__(self, together: threading.Barrier) -> None:
        super().__init__()
        self.together = together

    def submit(self, name: str, parameters: Mapping[str, object], progress: object = None) -> Future[Result]:
        self.together.wait(20)
        return super().submit(name, parameters)


def shared(*engines: FakeEngine) -> SharedRuns:
    return SharedRuns([cast(Worker, engine) for engine in engines])


def test_a_run_is_computed_once() -> None:
    """Whoever asks, in whatever order the parameters are named and however a number is spelled by its type."""
    engine = FakeEngine()
    runs = shared(engine)
    results = [runs.submit("fake", given).result() for given in ({"d_k": 16, "x": 1}, {"x": 1, "d_k": "16"}, {"d_k": 64})]

    assert [fake_result(16), fake_result(16), fake_result(64)] == results
    assert 2 == len(engine.asked)


def test_two_who_ask_at_once_get_one_run() -> None:
    """The second waits for the first."""
    engine = FakeEngine()
    runs = shared(engine)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: runs.submit("fake", {"d_k": 16}).result(20), range(40)))

    assert [fake_result(16)] * 40 == results
    assert 1 == len(engine.asked)


def test_processes_compute_side_by_side() -> None:
    """Two runs are in two processes at the same time; neither process has two."""
    together = threading.Barrier(2)
    engines = [Slow(together), Slow(together)]
    runs = shared(*engines)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda d_k: runs.submit("fake", {"d_k": d_k}).result(20), (4, 16)))

    assert [1, 1] == [len(engine.asked) for engine in engines]


class Training(FakeEngine):
    """Each run takes a moment. One of its experiments may take long: it trains."""

    def __init__(self) -> None:
        super().__init__()
        self.names = set[str]()

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        return settled_future(replace(super().describe(experiment).result(), deadline=30.0 if experiment == "trains" else 3.0))

    def submit(self, name: str, parameters: Mapping[str, object], progress: object = None) -> Future[Result]:
        self.names.add(name)
        time.sleep(0.02)
        return super().submit(name, parameters)


@pytest.mark.parametrize(("name", "processes"), [("trains", 1), ("fake", 2)])
def test_what_trains_stays_in_its_process(name: str, processes: int) -> None:
    """Which remembers what it has trained: two processes trained all seeds twice. What is quick is computed by all."""
    engines = [Training(), Training()]
    runs = shared(*engines)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda turn: runs.submit(name, {"d_k": 4**turn}).result(20), range(1, 9)))

    assert processes == sum(name in engine.names for engine in engines)


def test_a_failure_is_told_to_all() -> None:
    """What failed once is not tried again."""
    engine = FakeEngine()
    engine.failure = ExperimentError("No.", "不行。")
    runs = shared(engine)

    for _ in range(2):
        with pytest.raises(ExperimentError, match=r"No\."):
            runs.submit("fake", {"d_k": 16}).result()
    assert 1 == len(engine.asked)


@pytest.mark.parametrize(("kind", "times"), [(OutOfPatience, 2), (DeadlineExceeded, 1)])
def test_what_was_not_done_in_time_is_tried_once_more(kind: type[ExperimentError], times: int) -> None:
    """A busy machine is no fault of a deck; what has computed for too long would do so again."""
    engine = FakeEngine()
    engine.failure = kind("Too slow.", "太慢。")
    runs = shared(engine)

    with pytest.raises(kind):
        runs.submit("fake", {"d_k": 16}).result()
    assert times == len(engine.asked)


def test_nothing_is_computed_once_it_is_stopped() -> None:
    """Who asks afterwards is told so; what was computed stays."""
    engine = FakeEngine()
    runs = shared(engine)
    runs.submit("fake", {"d_k": 16})
    runs.stop()

    assert fake_result(16) == runs.submit("fake", {"d_k": 16}).result()
    with pytest.raises(ExperimentError):
        runs.submit("fake", {"d_k": 64}).result()
    assert 1 == len(engine.asked)


def test_old_results_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that nobody has asked for lately: a hundred cards have thousands of them."""
    monkeypatch.setattr("quiz.card.shared_runs.KEPT", 2)
    engine = FakeEngine()
    runs = shared(engine)
    for d_k in (1, 4, 1, 16, 1, 4):
        runs.submit("fake", {"d_k": d_k}).result()

    assert [{"d_k": 1}, {"d_k": 4}, {"d_k": 16}, {"d_k": 4}] == engine.asked
