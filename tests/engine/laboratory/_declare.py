"""What the fake experiments have in common: no words worth reading, no figures."""

from __future__ import annotations

from collections.abc import Callable

from engine import Cost, Experiment, Label, Parameter
from engine.experiment import DEADLINE, Run
from engine.measures import ANY, Measure, Scalar
from engine.parameter import Value

NOTHING = Label("", "")


def number(name: str, default: Value, low: float, high: float) -> Parameter:
    return Parameter(name, NOTHING, default, low, high)


def declare(
    run: Run,
    *parameters: Parameter,
    gives: tuple[str | Measure, ...] = (),
    deadline: float = DEADLINE,
    cost: Callable[..., Cost] | None = None,
    formerly: tuple[str, ...] = (),
) -> Experiment:
    """An experiment that measures what `gives` says; a name alone is any number."""
    measures = tuple(Scalar(each, NOTHING, within=ANY) if isinstance(each, str) else each for each in gives)
    return Experiment(NOTHING, NOTHING, parameters, ("a", "b"), run, measures, (), cost, deadline, formerly=formerly)
