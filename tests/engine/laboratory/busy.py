"""A loop in Python that outlives its deadline."""

import time

from engine import Result

from ._bench import declare, measured


def run() -> Result:
    end = time.perf_counter() + 60
    while time.perf_counter() < end:
        pass
    return measured(finished=1)


EXPERIMENT = declare(run, deadline=0.2)
