"""What the fake experiments have in common: no labels worth reading, no cost."""

from __future__ import annotations

from collections.abc import Callable

from engine import Cost, Experiment, Label, Parameter, Quantity, Result
from engine.experiment import DEADLINE, Run
from engine.parameter import Value

NOTHING = Label("", "")


def number(name: str, default: Value, low: float, high: float) -> Parameter:
    return Parameter(name, NOTHING, default, low, high)


def measured(**values: float) -> Result:
    return Result(quantities=tuple(Quantity(name, value, NOTHING) for name, value in values.items()))


def free(**_: Value) -> Cost:
    return Cost(0, 0)


def declare(run: Run, *parameters: Parameter, deadline: float = DEADLINE, cost: Callable[..., Cost] = free) -> Experiment:
    return Experiment(NOTHING, NOTHING, parameters, run, cost, (run,), ("a", "b"), deadline)
