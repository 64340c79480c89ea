"""Doubling a number doubles it."""

import os

from engine import Result

from ._bench import declare, measured, number


def run(*, n: int) -> Result:
    return measured(double=2 * n, pid=os.getpid())


EXPERIMENT = declare(run, number("n", 1, 0, 1_000_000))
