"""A long run that says how far it is."""

import time
from collections.abc import Generator

from engine import Progress, Result

from ._bench import declare, measured, number


def run(*, steps: int, pause: float) -> Generator[Progress, None, Result]:
    for step in range(steps):
        time.sleep(pause)
        yield Progress((step + 1) / steps, measured(step=step))
    return measured(steps=steps)


EXPERIMENT = declare(run, number("steps", 3, 0, 1000), number("pause", 0.0, 0, 1), deadline=60)
