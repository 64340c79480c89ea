"""Runs for many cards at once: computed by several processes side by side, and each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from threading import Condition, Lock
from typing import Protocol

from engine import Description, ExperimentError, OutOfPatience, Recipe, Result, Worker
from engine.experiment import DEADLINE

KEPT = 400  # results, those that were asked for last: of some experiments one takes a megabyte

Run = tuple[str | Recipe, tuple[tuple[str, str], ...]]


class Computing(Protocol):
    """What describes experiments and runs them: an engine, or several of them together."""

    def describe(self, experiment: str | Recipe) -> Future[Description]: ...

    def submit(self, experiment: str | Recipe, parameters: Mapping[str, object]) -> Future[Result]: ...


class SharedRuns:
    """Thread-safe. A run that was asked for lately is not computed again, whoever asks; submit() blocks until a process has computed it."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self._workers = tuple(workers)
        self._free = list(workers)
        self._freed = Condition()
        self._homes: dict[str, Worker] = {}  # of what trains: the process that remembers what it has trained
        self._made: dict[Run, Future[Result]] = {}
        self._lock = Lock()
        self._stopped = False

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        """One experiment, or an author's own."""
        return self._workers[0].describe(experiment)

    def submit(self, experiment: str | Recipe, parameters: Mapping[str, object]) -> Future[Result]:
        """The result of a run, or why there is none."""
        key = (experiment, tuple(sorted((name, str(value)) for name, value in parameters.items())))
        with self._lock:
            known = self._made.pop(key, None)
            made = self._made[key] = known or Future()
            if len(self._made) > KEPT:
                del self._made[next(iter(self._made))]
        if known is None:
            try:
                made.set_result(self._computed(experiment, parameters))
            except BaseException as error:  # whoever waits for it must hear of it
                made.set_exception(error)
        return made

    def stop(self) -> None:
        """Nothing more is computed, and what is at work ends: whoever waits is told so."""
        self._stopped = True
        for worker in self._workers:
            worker.cancel()

    def _computed(self, experiment: str | Recipe, parameters: Mapping[str, object]) -> Result:
        with self._home_of(str(experiment)) if self._trains(experiment) else self._free_process() as worker:
            if self._stopped:
                raise ExperimentError("Nothing more is computed.", "不再计算。")
            future = worker.submit(experiment, parameters)
            wait([future])
            if isinstance(future.exception(), OutOfPatience) and not self._stopped:
                future = worker.submit(experiment, parameters)  # a machine with other things to do is no fault of the deck
                wait([future])
            return future.result()

    def _trains(self, experiment: str | Recipe) -> bool:
        """Whether it is one of those that take long, and whose process remembers what it has trained."""
        return isinstance(experiment, str) and self.describe(experiment).result().deadline > DEADLINE

    @contextmanager
    def _free_process(self) -> Iterator[Worker]:
        with self._freed:
            self._freed.wait_for(lambda: self._free)
            worker = self._free.pop(0)
        with self._given_back(worker):
            yield worker

    @contextmanager
    def _home_of(self, experiment: str) -> Iterator[Worker]:
        """Always the same process for an experiment; the one that is free first begins to be it."""
        with self._freed:
            self._freed.wait_for(lambda: self._homes.get(experiment) in self._free if experiment in self._homes else self._free)
            worker = self._homes.setdefault(experiment, self._free[0])
            self._free.remove(worker)
        with self._given_back(worker):
            yield worker

    @contextmanager
    def _given_back(self, worker: Worker) -> Iterator[None]:
        try:
            yield
        finally:
            with self._freed:
                self._free.append(worker)
                self._freed.notify_all()
