"""Where the sliders of an experiment are moved to: the defaults, ends and middle of each, and anywhere (always the same places)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.experiment import Experiment
from engine.parameter import Parameter, Value
from tests.engine.runs import briefly, ends

ANYWHERE = 40
TRAINED = 4  # where a run trains something


def moved(experiment: Experiment) -> Iterator[dict[str, Value]]:
    """Every setting that is tried; a training has its fewest steps."""
    yield {}
    for parameter in experiment.parameters:
        yield from (briefly(experiment, {parameter.name: value}) for value in (*ends(parameter), *middle(parameter)))
    chance = random.Random(experiment.title.en)
    trained = any(parameter.name == "steps" and parameter.low >= 50 for parameter in experiment.parameters)
    for _ in range(TRAINED if trained else ANYWHERE):
        yield briefly(experiment, {each.name: each.value_at(chance.randint(0, each.ticks)) for each in experiment.parameters})


def middle(parameter: Parameter) -> tuple[Value, ...]:
    return (parameter.value_at(parameter.ticks // 2),) if parameter.scale in ("linear", "log") else ()
