"""A long run that says how far it is."""

import time

from engine.experiment import Steps

from ._declare import declare, number


def run(*, steps: int, pause: float) -> Steps:
    for step in range(steps):
        time.sleep(pause)
        yield (step + 1) / steps, {"step": step}
    return {"made": steps}


EXPERIMENT = declare(run, number("steps", 3, 0, 1000), number("pause", 0.0, 0, 1), gives=("step", "made"), deadline=60)
