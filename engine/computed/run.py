"""A recipe's lines from top to bottom, first with shapes alone, then with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import torch
from torch import Tensor

from engine.computed.effort import Effort
from engine.computed.functions import GRADIENT
from engine.computed.interpreter import Interpreter
from engine.computed.recipe import POINTS, ComputeError, Node, Recipe, Repeat, Step
from engine.computed.values import DTYPE, Value, shape_text, whole
from engine.label import TooLarge

TURNS_LIMIT = 2_000

Parameters = Mapping[str, int | float | str]


def lines(
    recipe: Recipe,
    parameters: Parameters,
    effort: Effort | None = None,
    interpreter: Callable[[dict[str, Value], Effort], Interpreter] = Interpreter,
) -> dict[str, Value]:
    """The value of every line, with real numbers or, where meta is torch's default device, with shapes. Raises ComputeError."""
    scope: dict[str, Value] = {name: value for name, value in parameters.items() if not isinstance(value, str)}
    walk = interpreter(scope, effort or Effort())
    differentiated = {name for line in recipe.steps for node in _trees(line) for name in _by(node)}
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
    effort = Effort(times=1 + POINTS * len({sweep.over for sweep in recipe.sweeps}))
    with torch.device("meta"):
        return lines(recipe, parameters, effort)


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


def _repeated(walk: Interpreter, repeat: Repeat, differentiated: set[str]) -> Tensor:
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


def _trees(line: Step | Repeat) -> Iterator[Node]:
    if isinstance(line, Step):
        yield line.tree
    else:
        yield line.keep
        for step in line.steps:
            yield step.tree


def _by(node: Node) -> Iterator[str]:
    """The names that gradients are taken by, anywhere in a tree."""
    if node[0] == "call" and node[3] == GRADIENT and len(node[4]) == 2 and node[4][1][0] == "name":
        yield node[4][1][3]
    for part in node[3:]:
        yield from _by_parts(part)


def _by_parts(part: object) -> Iterator[str]:
    if isinstance(part, tuple):
        if len(part) > 2 and isinstance(part[0], str) and isinstance(part[1], int):
            yield from _by(part)
        else:
            for each in part:
                yield from _by_parts(each)
