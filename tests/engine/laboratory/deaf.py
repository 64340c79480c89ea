"""Native code that keeps the interpreter's lock: not even the listening thread runs."""

import ctypes
from collections.abc import Generator

from engine import Progress, Result

from ._bench import declare, measured


def run() -> Generator[Progress, None, Result]:
    yield Progress(0)
    ctypes.PyDLL(None).sleep(20)
    return measured(finished=1)


EXPERIMENT = declare(run, deadline=60)
