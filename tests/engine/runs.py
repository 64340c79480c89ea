"""How a test runs an experiment: in this process, to its end, with what was given and the defaults."""

from __future__ import annotations

from collections.abc import Callable, Generator

import pytest

from engine.experiment import Experiment
from engine.label import MissingExtra
from engine.parameter import Parameter, Value
from engine.result import Progress, Result


def run(experiment: Experiment, **given: Value) -> Result:
    """The Result, also of an experiment that yields Progress on its way. Skips where an optional package is not installed."""
    try:
        outcome = experiment.measure(experiment.accept(given))
        return outcome if isinstance(outcome, Result) else last(outcome)
    except MissingExtra as missing:
        pytest.skip(str(missing))


def last(steps: Generator[Progress, None, Result]) -> Result:
    """What a generator returns at its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def runs_of(experiment: Experiment) -> tuple[Callable[..., Result], Callable[..., dict[str, float]]]:
    """`run` and `quantities` of one experiment: what a run gives, and its quantities by their names."""

    def one(**given: Value) -> Result:
        return run(experiment, **given)

    def quantities(**given: Value) -> dict[str, float]:
        return {quantity.name: quantity.value for quantity in one(**given).quantities}

    return one, quantities


def ends(parameter: Parameter) -> tuple[Value, ...]:
    """Every choice, or the lowest and the highest number."""
    if parameter.scale == "choice":
        return tuple(choice.value for choice in parameter.choices)
    if parameter.scale == "text":
        return (parameter.default,)
    return parameter.value_at(0), parameter.value_at(parameter.ticks)


def briefly(experiment: Experiment, given: dict[str, Value]) -> dict[str, Value]:
    """A trained experiment's other parameters are tried with its fewest training steps."""
    steps = next((parameter for parameter in experiment.parameters if parameter.name == "steps"), None)
    return given if steps is None or "steps" in given else given | {"steps": steps.value_at(0)}
