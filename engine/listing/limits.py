"""What a listing may use up, where the system can hold it to that. It is no sandbox: a deck's code is to be trusted before it is run.

The limits are against mistakes: a loop that does not end, a tensor with three zeros too many, a print in a loop, a file of somebody's.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MEMORY = 2**30  # bytes beyond what the process has when the listing begins: torch alone has reserved 0.6 GB by then
PRINTED = 2**16  # characters
FILE = 2**20  # bytes
CPU = 3  # deadlines of computing, after which the process is ended by the system should nobody else be left to do it

IMPORTED = (
    "__future__", "abc", "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "enum", "fractions", "functools", "heapq",
    "itertools", "math", "numbers", "numpy", "operator", "random", "re", "statistics", "string", "time", "torch", "typing",
)  # fmt: skip


def limit(deadline: float) -> None:
    """Takes effect at once and for good."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        spent = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(spent.ru_utime + spent.ru_stime + CPU * deadline) + 1
        _lower(resource.RLIMIT_CPU, seconds)
        _lower(resource.RLIMIT_FSIZE, FILE)
        _lower(resource.RLIMIT_CORE, 0)
        if reserved := _reserved():
            _lower(resource.RLIMIT_AS, reserved + MEMORY)


def _lower(what: int, most: int) -> None:
    import resource

    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _reserved() -> int:
    """The bytes of addresses that this process has; 0 where the system does not say, and there is no such limit."""
    import resource

    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return 0


class Overdue(BaseException):
    """The deadline is over. No Exception, so that a listing's `except Exception` lets it through."""


class Printed(BaseException):
    """More was printed than anybody would read. No Exception, for the same reason."""


@contextlib.contextmanager
def deadline_of(seconds: float) -> Iterator[None]:
    """Raises Overdue where Python is by then; what is in native code then, the parent ends."""
    if not hasattr(signal, "setitimer"):  # on Windows
        yield
        return

    def overdue(*_: object) -> None:
        raise Overdue

    signal.signal(signal.SIGALRM, overdue)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Paper(io.TextIOBase):
    """Where a listing prints: nowhere, and not without end."""

    def __init__(self) -> None:
        self.count = 0

    def write(self, text: str) -> int:
        self.count += len(text)
        if self.count > PRINTED:
            raise Printed
        return len(text)


def listing_builtins() -> Mapping[str, Any]:
    """Python's own names without those that reach beyond the listing."""

    def limited_import(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] not in IMPORTED:
            raise ImportError(f"a listing imports nothing beyond torch and Python's arithmetic, not {name}")
        return builtins.__import__(name, *rest, **named)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError("a listing reads and writes no file")

    return {**vars(builtins), "__import__": limited_import, "open": refused, "input": refused, "breakpoint": refused}
