"""A recipe as an experiment like any other: parameters, what it measures, arms, figures, run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import torch
from torch import Tensor

from engine.computed.recipe import POINTS, ComputeError, Recipe, Sweep
from engine.computed.run import Parameters, lines, shapes
from engine.computed.values import DTYPE, Value
from engine.experiment import Experiment
from engine.label import Label, Verbatim
from engine.measures import Curve, Grid, Measure, Scalar
from engine.parameter import Parameter

PLACE = Label("place", "位置")


@lru_cache(32)  # a card's recipe is asked for at every slider step
def experiment(recipe: Recipe) -> Experiment:
    """What a recipe describes. Its lines are walked once with shapes alone; raises ComputeError where they cannot be."""
    found = shapes(recipe, {parameter.name: parameter.default for parameter in recipe.parameters})
    measures = [_measure(recipe, name, value) for name, value in found.items() if not isinstance(value, Tensor) or value.dim() <= 2]
    measures += [_curve(recipe, sweep, found) for sweep in recipe.sweeps]
    return Experiment(
        title=recipe.title,
        summary=recipe.title,
        parameters=recipe.parameters,
        arms=recipe.arms,
        run=partial(_run, recipe),
        measures=tuple(measures),
        figures=recipe.figures,
    )


def _run(recipe: Recipe, **parameters: Any) -> Mapping[str, Any]:
    """One run's numbers: shapes first, so that nothing is allocated that could not be afforded."""
    shapes(recipe, parameters)
    numbers = {name: _plain(name, value) for name, value in lines(recipe, parameters).items() if _dimensions(value) <= 2}
    return numbers | {sweep.name: _swept(recipe, sweep, parameters) for sweep in recipe.sweeps}


def _dimensions(value: Value) -> int:
    return value.dim() if isinstance(value, Tensor) else 0


def _plain(name: str, value: Value) -> Any:
    """Numbers without their history. Raises ComputeError for nan, and for an infinity, unless it is a score that a mask forbids."""
    plain = torch.as_tensor(value, dtype=DTYPE).detach()
    if plain.isnan().any():
        raise ComputeError(f"{name} is not a number (NaN)", f"{name} 不是数（NaN）", step=name)
    if plain.isinf().any() and (plain.dim() != 2 or plain.isposinf().any()):
        raise ComputeError(f"{name} is infinite", f"{name} 为无穷大", step=name)
    if not isinstance(value, Tensor):
        return value
    if plain.dim() == 1:
        return list(range(plain.numel())), plain
    return plain


def _swept(recipe: Recipe, sweep: Sweep, parameters: Parameters) -> tuple[list[float], list[float]]:
    """A quantity at the ticks of a parameter's range, or at every so many of them."""
    slider = next(parameter for parameter in recipe.parameters if parameter.name == sweep.over)
    x: list[float] = []
    y: list[float] = []
    for value in _spread(slider):
        given = {**parameters, sweep.over: value}
        found = lines(recipe, given)[sweep.quantity]
        if _dimensions(found):
            raise ComputeError(f"{sweep.quantity} is no single number, so it has no curve", f"{sweep.quantity} 不是单个数，无法画曲线")
        x.append(float(value))
        y.append(float(found.detach() if isinstance(found, Tensor) else found))  # torch warns of a number that still has gradients
    return x, y


def _spread(slider: Parameter) -> list[float]:
    """At most POINTS values of a slider, its ends among them."""
    count = min(slider.ticks + 1, POINTS)
    ticks = sorted({round(slider.ticks * i / max(count - 1, 1)) for i in range(count)})
    return [float(slider.value_at(tick)) if isinstance(slider.default, float) else slider.value_at(tick) for tick in ticks]  # type: ignore[misc]  # a text has no curve


def _measure(recipe: Recipe, name: str, value: Value) -> Measure:
    arm = {recipe.arms[0]: "wrong", recipe.arms[1]: "right"}.get(name, "")
    label = _verbatim(recipe.label(name))
    match _dimensions(value):
        case 0:
            return Scalar(name, label, dict(recipe.units).get(name, ""), recipe.within(name), arm)
        case 1:
            return Curve(name, label, PLACE, arm=arm)
    return Grid(name, label, "{0}", "{0}", arm=arm)


def _curve(recipe: Recipe, sweep: Sweep, found: Mapping[str, Value]) -> Curve:
    if _dimensions(found[sweep.quantity]):
        raise ComputeError(f"{sweep.quantity} is no single number, so it has no curve", f"{sweep.quantity} 不是单个数，无法画曲线")
    slider = next(parameter for parameter in recipe.parameters if parameter.name == sweep.over)
    return Curve(sweep.name, _verbatim(recipe.label(sweep.quantity)), _verbatim(slider.label), log_x=slider.scale == "log")


def _verbatim(label: Label) -> Verbatim:
    return Verbatim(label.en, label.zh)
