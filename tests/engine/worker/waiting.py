"""Waiting for a worker, never longer than a test may take."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from engine import ExperimentError, Result, Worker

HERE = Path(__file__).parents[1]
PATIENCE = 60  # seconds until a test gives up; never what it waits when all is well


def value_in(future: Future[Result], name: str) -> object:
    return future.result(PATIENCE).scope()[name]


def fails(future: Future[Result], kind: type[ExperimentError]) -> str:
    error = future.exception(PATIENCE)
    assert kind is type(error)
    assert isinstance(error, kind)
    assert error.label.zh
    return error.label.en


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def computing(worker: Worker, name: str, **parameters: object) -> Future[Result]:
    """Submits, and returns when the process has said that it is at work."""
    started = threading.Event()
    future = worker.submit(name, parameters, lambda _: started.set())
    assert started.wait(PATIENCE)
    return future


def is_alive(pid: object) -> bool:
    try:
        os.kill(int(str(pid)), 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"  # dead, but its parent has not asked yet
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()  # without /proc, the signal knows best
