"""Where a number that is none came from: the lines are walked once more, and every part of them is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from engine.computed.interpreter import Interpreter
from engine.computed.recipe import ComputeError, Node, Recipe
from engine.computed.run import Parameters, lines
from engine.computed.values import DTYPE, Value

Faulty = Callable[[Tensor], bool]


def fault(name: str, en: str, zh: str, faulty: Faulty, recipe: Recipe, parameters: Parameters) -> ComputeError:
    """That the value of a line is `en`, at the first line that is, and at the operation in it."""
    try:
        lines(recipe, parameters, interpreter=partial(_Watching, faulty=faulty))
    except ComputeError as found:
        if found.step and (came := found.label.en):
            return ComputeError(f"{found.step} is {en}, from {came}", f"{found.step} {zh}，出自 {came}", found.step, found.place)
    return ComputeError(f"{name} is {en}", f"{name} {zh}", step=name)


@dataclass
class _Watching(Interpreter):
    """A walk that ends at the first line whose value is faulty, at the innermost part of it that was so first.

    A part alone may be: a logarithm of 0 under a mask is an infinity that no line has.
    """

    faulty: Faulty = lambda value: False
    depth: int = 0
    first: Node | None = None

    def value(self, node: Node) -> Value:
        self.depth += 1
        made = super().value(node)
        self.depth -= 1
        if self.faulty(torch.as_tensor(made, dtype=DTYPE).detach()):
            self.first = self.first or node
        if self.depth == 0 and self.first is not None:
            part, self.first = self.first, None
            if self.faulty(torch.as_tensor(made, dtype=DTYPE).detach()):
                raise ComputeError(_operation(part), _operation(part), place=(part[1], part[2]))
        return made


def _operation(node: Node) -> str:
    """What a part of a line does, in a word."""
    return f"{node[3]}(...)" if node[0] == "call" else str(node[3]) if node[0] in ("unary", "binary") else "this"
