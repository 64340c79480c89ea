"""How long a computation takes: the fastest of several runs, because whatever disturbs a run only makes it longer."""

from __future__ import annotations

import time
from collections.abc import Callable


def fastest_run(compute: Callable[[], object], runs: int = 5) -> float:
    """Seconds of the fastest run; one more before them warms memory and caches up."""
    compute()
    return min(_seconds(compute) for _ in range(runs))


def _seconds(compute: Callable[[], object]) -> float:
    start = time.perf_counter()
    compute()
    return time.perf_counter() - start
