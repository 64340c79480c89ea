"""A loop in Python that outlives its deadline."""

import time

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    end = time.perf_counter() + 60
    while time.perf_counter() < end:
        pass
    return {"finished": 1}


EXPERIMENT = declare(run, gives=("finished",), deadline=0.2)
