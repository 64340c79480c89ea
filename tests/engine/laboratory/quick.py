"""Doubling a number doubles it."""

import os

from engine.assemble import Numbers

from ._declare import declare, number


def run(*, n: int) -> Numbers:
    return {"double": 2 * n, "pid": os.getpid()}


EXPERIMENT = declare(
    run,
    number("n", 1, 0, 1_000_000),
    gives=("double", "pid"),
    formerly=("hasty",),
)
