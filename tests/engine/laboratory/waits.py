"""Computes nothing for a while, as on a machine that gives its processors to others."""

import time

from engine.assemble import Numbers

from ._declare import declare, number


def run(*, seconds: float) -> Numbers:
    time.sleep(seconds)
    return {"finished": 1}


EXPERIMENT = declare(run, number("seconds", 1.0, 0.5, 30.0), gives=("finished",), deadline=0.2)
