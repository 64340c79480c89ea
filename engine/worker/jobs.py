"""A request on its way, and whoever waits for its answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.label import ExperimentError
from engine.worker import protocol

if TYPE_CHECKING:
    from engine.catalog import Survey
    from engine.experiment import Description
    from engine.result import Progress

Report = Callable[["Progress"], None]
Telling = Callable[[], None]  # runs somebody else's callbacks, so never under a lock


def pending() -> Future[Any]:
    """A future that only its job settles: a cancelled asyncio wrapper must not reach it."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


def picked(survey: Future[Survey], name: str) -> Future[Description]:
    """One experiment of a survey that is awaited."""
    description: Future[Description] = pending()

    def pick(made: Future[Survey]) -> None:
        try:
            description.set_result(made.result().describe(name))
        except ExperimentError as error:
            description.set_exception(error)

    survey.add_done_callback(pick)
    return description


class Job:
    """`request` is None for the warm-up, which is not asked for."""

    def __init__(self, request: protocol.Request | None = None, report: Report | None = None) -> None:
        self.request = request
        self.future = pending()
        self.told_to_stop = False
        self.begun = False  # the process has said so
        self._report = report
        self._timers: list[threading.Timer] = []

    def outcome(self, value: object) -> Telling:
        """Tells the one who waits, once: what comes later of this job reaches nobody."""
        future, self.future, self._report = self.future, pending(), None
        return partial(_settle, future, value)

    def progress(self, progress: Progress) -> Telling:
        return partial(_report, self._report, progress)

    def limit(self, seconds: float, overdue: Callable[[], None]) -> None:
        """Calls `overdue` in a thread of its own, unless the job is finished before."""
        timer = threading.Timer(seconds, overdue)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def finish(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


def _settle(future: Future[Any], value: object) -> None:
    if isinstance(value, Exception):
        future.set_exception(value)
    else:
        future.set_result(value)


def _report(report: Report | None, progress: Progress) -> None:
    if report is None:
        return
    try:
        report(progress)
    except Exception:  # the listening thread must outlive a mistake in a callback, as it does in a future's callbacks
        logging.getLogger(__name__).exception("A progress callback failed.")
