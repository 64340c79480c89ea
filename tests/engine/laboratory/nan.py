"""A number that is not a number is still plain."""

import math

from engine import Result

from ._bench import declare, measured


def run() -> Result:
    return measured(nothing=math.nan)


EXPERIMENT = declare(run, deadline=0.5)
