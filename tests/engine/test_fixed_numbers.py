"""A number that a lab folds as one that no slider moves is moved by none."""

from __future__ import annotations

import math
import random

import pytest

from engine.catalog import load
from engine.fixed_numbers import FIXED
from engine.label import ExperimentError
from engine.measures import Scalar
from engine.parameter import Parameter, Value
from tests.engine.runs import briefly, run


def drawn(parameter: Parameter, chance: random.Random) -> Value:
    return parameter.default if parameter.scale == "text" else parameter.value_at(chance.randint(0, parameter.ticks))


@pytest.mark.parametrize("name", FIXED)
def test_no_slider_moves_it(name: str) -> None:
    """At two settings drawn at random it is what it is at the defaults; it is a number that the experiment declares."""
    experiment, chance = load(name), random.Random(name)
    known = {measure.name for measure in experiment.measures if isinstance(measure, Scalar)}
    before = {one.name: one.value for one in run(experiment).quantities}
    moved = set()
    for _ in range(2):
        try:
            others = {each.name: drawn(each, chance) for each in experiment.parameters if each.name != "steps"}
            after = run(experiment, **briefly(experiment, others))
        except ExperimentError:
            continue
        moved |= {one.name for one in after.quantities if not math.isclose(one.value, before[one.name], rel_tol=1e-8, abs_tol=1e-12)}

    assert set() == set(FIXED[name]) - known
    assert [] == [each for each in FIXED[name] if each in moved]
