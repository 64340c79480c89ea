"""Where the sliders of an experiment are moved to: the defaults, ends and middle of each, and anywhere (always the same places).

A share of the places, unless all are asked for (`tests/extent.py`): what is false away from the defaults is false in a region, and what is
so at single points only stands in COINCIDENCES of `test_every_experiment`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.experiment import DEADLINE, Experiment
from engine.parameter import Parameter, Value
from tests.engine.runs import briefly, ends
from tests.extent import WHOLE, some

ANYWHERE = some(10, 40)
TRAINED = some(1, 4)  # where a run trains something


def moved(experiment: Experiment) -> Iterator[dict[str, Value]]:
    """Every setting that is tried; a training has its fewest steps, and of each slider, unless all is asked for, one end."""
    trained = experiment.deadline > DEADLINE and any(parameter.name == "steps" for parameter in experiment.parameters)
    yield {}
    for place, parameter in enumerate(experiment.parameters):
        values = ends(parameter)[place % 2 :: 2] if trained and not WHOLE else (*ends(parameter), *middle(parameter))
        yield from (briefly(experiment, {parameter.name: value}) for value in values)
    chance = random.Random(experiment.title.en)
    for _ in range(TRAINED if trained else ANYWHERE):
        yield briefly(experiment, {each.name: each.value_at(chance.randint(0, each.ticks)) for each in experiment.parameters})


def middle(parameter: Parameter) -> tuple[Value, ...]:
    return (parameter.value_at(parameter.ticks // 2),) if parameter.scale in ("linear", "log") else ()
