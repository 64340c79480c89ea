"""How long this process has computed, as against how long it is on the clock: a busy machine makes nothing more expensive."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SHORTEST = 0.01  # seconds between two looks


@contextmanager
def limited(seconds: float, overdue: Callable[[], None]) -> Iterator[None]:
    """Calls `overdue` in a thread of its own once this process has computed for so long, unless the block has ended before.

    Code that keeps the interpreter's lock is not seen until it lets go: for that whoever waits has a patience of their own.
    """
    began, ended = time.process_time(), threading.Event()

    def watch() -> None:
        while (left := began + seconds - time.process_time()) > 0:
            if ended.wait(max(left, SHORTEST)):
                return
        if not ended.is_set():
            overdue()

    threading.Thread(target=watch, name="qkv-processor-time", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
