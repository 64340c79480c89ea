"""A number that is not a number is still plain."""

import math

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    return {"nothing": math.nan}


EXPERIMENT = declare(run, gives=("nothing",), deadline=0.5)
