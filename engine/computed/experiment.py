"""A recipe as an experiment like any other: parameters, what it measures, arms, figures, run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import torch
from torch import Tensor

from engine.computed.effort import Effort
from engine.computed.first_fault import fault
from engine.computed.recipe import POINTS, ComputeError, Recipe, Repeat, Sweep
from engine.computed.run import Parameters, lines, on_curve, shapes
from engine.computed.sizes import sizing_names
from engine.computed.values import DTYPE, Value
from engine.experiment import Experiment
from engine.label import Label, Verbatim
from engine.measures import Arm, Curve, Grid, Measure, Scalar
from engine.parameter import Parameter

CELLS_LIMIT = 2_000_000  # of a run's numbers, all of which are sent, kept and drawn: a second, and 17 MB in the pipe
PLACE, TURN = Label("place", "位置"), Label("step", "步")  # what a vector is drawn over, and what turns are


def experiment(recipe: Recipe) -> Experiment:
    """What a recipe describes. Its lines are walked once with shapes alone; raises ComputeError where they cannot be."""
    return _experiment(repr(recipe), recipe)


@lru_cache(32)  # a card's recipe is asked for at every slider step
def _experiment(_spelled: str, recipe: Recipe) -> Experiment:
    """As it is spelled: a slider from 1 is equal to one from 1.0, and not the same."""
    found = shapes(recipe, {parameter.name: parameter.default for parameter in recipe.parameters})
    measures = [_measure(recipe, name, value) for name, value in _shown(found).items()]
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
    sizing = sizing_names(recipe)
    _afford(repr(recipe), recipe, tuple((name, value) for name, value in parameters.items() if name in sizing))
    effort = Effort()
    numbers: dict[str, Any] = {}
    found = lines(recipe, parameters, effort)
    for name, value in _shown(found).items():
        plain = torch.as_tensor(value, dtype=DTYPE).detach()
        if _is_none(plain):
            raise fault(name, "not a number (NaN)", "不是数（NaN）", _is_none, recipe, parameters)
        if _is_endless(plain):
            raise fault(name, "infinite", "为无穷大", _is_endless, recipe, parameters)
        numbers[name] = _plain(value, plain)
    for over in dict.fromkeys(sweep.over for sweep in recipe.sweeps):
        numbers |= _swept(recipe, over, parameters, found, effort)
    return numbers


@lru_cache(256)  # a slider that moves no shape, and every other seed, is as affordable as the run before
def _afford(_spelled: str, recipe: Recipe, sizes: tuple[tuple[str, Any], ...]) -> None:
    """Raises ComputeError where shapes do not fit or would be too much. What decides no shape may have any value: it has its default."""
    _shown(shapes(recipe, {parameter.name: parameter.default for parameter in recipe.parameters} | dict(sizes)))


def _shown(found: Mapping[str, Value]) -> dict[str, Value]:
    """Numbers, vectors and matrices. Raises ComputeError where they have more cells than anybody could look at."""
    shown = {name: value for name, value in found.items() if _dimensions(value) <= 2}
    cells = sum(map(_cells, shown.values()))
    if cells > CELLS_LIMIT:
        name = max(shown, key=lambda each: _cells(shown[each]))
        raise ComputeError(
            f"all lines together show {cells:,} numbers; the limit is {CELLS_LIMIT:,}: {name} has {_cells(shown[name]):,} of them",
            f"各行共显示 {cells:,} 个数，上限是 {CELLS_LIMIT:,}：其中 {name} 有 {_cells(shown[name]):,} 个",
            step=name,
        )
    return shown


def _cells(value: Value) -> int:
    return value.numel() if isinstance(value, Tensor) else 1


def _dimensions(value: Value) -> int:
    return value.dim() if isinstance(value, Tensor) else 0


def _is_none(plain: Tensor) -> bool:
    return bool(plain.isnan().any())


def _is_endless(plain: Tensor) -> bool:
    """An infinity, unless it is a score that a mask forbids."""
    return bool(plain.isinf().any() and (plain.dim() != 2 or plain.isposinf().any()))


def _plain(value: Value, plain: Tensor) -> Any:
    """Numbers without their history."""
    if not isinstance(value, Tensor):
        return value
    return (list(range(plain.numel())), plain) if plain.dim() == 1 else plain


def _swept(
    recipe: Recipe, over: str, parameters: Parameters, found: Mapping[str, Value], effort: Effort
) -> dict[str, tuple[list[float], list[float]]]:
    """All quantities that are swept over a parameter, at the ticks of its range, or at every so many of them."""
    slider = next(parameter for parameter in recipe.parameters if parameter.name == over)
    curves: dict[str, tuple[list[float], list[float]]] = {sweep.name: ([], []) for sweep in recipe.sweeps if sweep.over == over}
    moved, known = on_curve(recipe, over, found)
    bytes_before, forward = effort.bytes, effort.forward
    for value in _spread(slider):
        effort.bytes, effort.forward = bytes_before, forward  # what the point before has made is gone
        there = {**known, **_at_point(moved, over, {**parameters, over: value}, known, effort)}
        for sweep in (each for each in recipe.sweeps if each.over == over):
            number = there[sweep.quantity]
            x, y = curves[sweep.name]
            _check_single(sweep, number)
            x.append(float(value))
            y.append(float(number.detach() if isinstance(number, Tensor) else number))  # torch warns of a number that still has gradients
    return curves


def _at_point(moved: Recipe, over: str, parameters: Parameters, known: Mapping[str, Value], effort: Effort) -> dict[str, Value]:
    try:
        return lines(moved, parameters, effort, known=known)
    except ComputeError as error:
        value = parameters[over]
        en, zh, at = error.label.en, error.label.zh, f"{value:,}" if isinstance(value, int) else f"{value:g}"
        raise ComputeError(
            f"on the curve over {over}, at {at}: {en}", f"在随 {over} 变化的曲线上，{at} 处：{zh}", error.step, error.place
        ) from None


def _check_single(sweep: Sweep, value: Value) -> None:
    if _dimensions(value):
        raise ComputeError(f"{sweep.quantity} is no single number, so it has no curve", f"{sweep.quantity} 不是单个数，无法画曲线")


def _spread(slider: Parameter) -> list[float]:
    """At most POINTS values of a slider, its ends among them."""
    count = min(slider.ticks + 1, POINTS)
    ticks = sorted({round(slider.ticks * i / max(count - 1, 1)) for i in range(count)})
    return [float(slider.value_at(tick)) if isinstance(slider.default, float) else slider.value_at(tick) for tick in ticks]  # type: ignore[misc]  # a text has no curve


def _measure(recipe: Recipe, name: str, value: Value) -> Measure:
    arm = _arm(recipe, name)
    label = _verbatim(recipe.label(name))
    match _dimensions(value):
        case 0:
            return Scalar(name, label, dict(recipe.units).get(name, ""), recipe.within(name), arm)
        case 1:
            turns = any(isinstance(line, Repeat) and line.name == name for line in recipe.steps)
            return Curve(name, label, TURN if turns else PLACE, arm=arm)
    return Grid(name, label, "{0}", "{0}", arm=arm)


def _curve(recipe: Recipe, sweep: Sweep, found: Mapping[str, Value]) -> Curve:
    _check_single(sweep, found[sweep.quantity])
    slider = next(parameter for parameter in recipe.parameters if parameter.name == sweep.over)
    label, arm = _verbatim(recipe.label(sweep.quantity)), _arm(recipe, sweep.quantity)
    return Curve(sweep.name, label, _verbatim(slider.label), log_x=slider.scale == "log", arm=arm)


def _arm(recipe: Recipe, name: str) -> Arm:
    """The way of computing that a line belongs to."""
    return "wrong" if name == recipe.arms[0] else "right" if name == recipe.arms[1] else ""


def _verbatim(label: Label) -> Verbatim:
    return Verbatim(label.en, label.zh)
