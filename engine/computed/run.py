"""A recipe's lines from top to bottom, first with shapes alone, then with numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import torch
from torch import Tensor

from engine.computed.dependence import between, moved_names
from engine.computed.effort import Effort
from engine.computed.interpreter import Interpreter
from engine.computed.recipe import POINTS, ComputeError, Recipe, Repeat, Step
from engine.computed.values import DTYPE, Value, shape_text, whole
from engine.label import TooLarge

TURNS_LIMIT = 2_000

Parameters = Mapping[str, int | float | str]


def lines(
    recipe: Recipe,
    parameters: Parameters,
    effort: Effort | None = None,
    interpreter: Callable[[dict[str, Value], Effort], Interpreter] = Interpreter,
    known: Mapping[str, Value] = MappingProxyType({}),
) -> dict[str, Value]:
    """The value of every line, with real numbers or, where meta is torch's default device, with shapes. Raises ComputeError.

    `known` are values that lines may read although no line above makes them."""
    scope: dict[str, Value] = {**known, **{name: value for name, value in parameters.items() if not isinstance(value, str)}}
    walk = interpreter(scope, effort or Effort())
    differentiated = frozenset[str]().union(*(line.differentiates_by for line in recipe.steps))
    for line in recipe.steps:
        if isinstance(line, Step):
            scope[line.name] = _ready(_of(walk, line), line.name in differentiated)
        else:
            scope[line.name] = _repeated(walk, line, differentiated)
    return {line.name: scope[line.name] for line in recipe.steps} | {
        step.name: scope[step.name] for line in recipe.steps if isinstance(line, Repeat) for step in line.steps
    }


def shapes(recipe: Recipe, parameters: Parameters) -> dict[str, Value]:
    """Every line's value without its numbers, found in a moment. Raises ComputeError for what does not fit or would be too much."""
    effort = Effort()
    with torch.device("meta"):
        found = lines(recipe, parameters, effort)
        once = replace(effort)
        for over in dict.fromkeys(sweep.over for sweep in recipe.sweeps):
            effort.times, effort.bytes, effort.forward = POINTS, once.bytes, once.forward
            moved, known = on_curve(recipe, over, found)
            lines(moved, parameters, effort, known=known)
        return found


def on_curve(recipe: Recipe, over: str, found: Mapping[str, Value]) -> tuple[Recipe, dict[str, Value]]:
    """What is walked at each point of the curves over a parameter, and what is the same at all of them; `found` are all lines at one."""
    moved = moved_names(recipe, over)
    walked = between(recipe, moved, {sweep.quantity for sweep in recipe.sweeps if sweep.over == over})
    return walked, {name: value for name, value in found.items() if name not in moved}


def _of(walk: Interpreter, step: Step) -> Value:
    try:
        return walk.value(step.tree)
    except ComputeError as error:
        raise error.at(step.name, (step.tree[1], step.tree[2])) from None


def _ready(value: Value, differentiated: bool) -> Value:
    """A value that gradients are taken by has to know it before it is used."""
    if differentiated and isinstance(value, Tensor) and not value.requires_grad:
        return value.detach().requires_grad_()
    return value


def _repeated(walk: Interpreter, repeat: Repeat, differentiated: frozenset[str]) -> Tensor:
    """What `keep` was at the end of each turn; the names of the steps are left with what the last turn made."""
    turns = whole(_of(walk, Step(repeat.name, repeat.times)), ("the number of turns", "重复次数"), 1, TURNS_LIMIT)
    on_meta = torch.get_default_device().type == "meta"
    before = replace(walk.effort)
    walk.repeated.add(repeat.name)
    kept: list[Tensor] = []
    for _ in range(1 if on_meta else turns):
        for step in repeat.steps:
            earlier = walk.scope.get(step.name)
            made = _of(walk, step)
            _same_shape(step, earlier, made)
            walk.scope[step.name] = _ready(made, step.name in differentiated)
        kept.append(_single(repeat, _of(walk, Step(repeat.name, repeat.keep))))
        for name in [step.name for step in repeat.steps]:  # a turn does not remember how the turn before came to its numbers
            value = walk.scope[name]
            if isinstance(value, Tensor):
                walk.scope[name] = _ready(value.detach(), name in differentiated)
        walk.effort.bytes, walk.effort.forward = before.bytes, before.forward
    if on_meta:
        _all_turns(walk.effort, repeat, (walk.effort.flops - before.flops) / walk.effort.times * (turns - 1))
    return torch.zeros(turns, dtype=DTYPE) if on_meta else torch.stack(kept)


def _all_turns(effort: Effort, repeat: Repeat, flops: float) -> None:
    try:
        effort.spent(flops)
    except TooLarge as error:
        raise ComputeError(error.label.en.rstrip("."), error.label.zh.rstrip("。"), repeat.name) from None


def _single(repeat: Repeat, value: Value) -> Tensor:
    """The number alone: with its history a turn would be held until the last one."""
    if isinstance(value, Tensor) and value.dim():
        raise ComputeError(
            f"what a turn keeps is one number; this is {shape_text(value)}", f"每一轮保留的应是一个数；这里是 {shape_text(value)}"
        ).at(repeat.name, (repeat.keep[1], repeat.keep[2]))
    return value.detach() if isinstance(value, Tensor) else torch.tensor(float(value), dtype=DTYPE)


def _same_shape(step: Step, earlier: Value | None, made: Value) -> None:
    """Raises ComputeError where a turn would leave another shape than it found."""
    if earlier is None:
        return
    old, new = (tuple(value.shape) if isinstance(value, Tensor) else () for value in (earlier, made))
    if old != new:
        raise ComputeError(
            f"{step.name} was {old} before this turn and is {new} after it", f"{step.name} 这一轮之前是 {old}，之后是 {new}"
        ).at(step.name, (step.tree[1], step.tree[2]))
