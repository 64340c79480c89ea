"""Functions that go over a tensor number by number."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from engine.computed.values import DTYPE, Value, check_broadcast, number


def either(of_tensor: Callable[[Tensor], Tensor], of_number: Callable[[float], float]) -> Callable[[Value], Value]:
    """A function of tensors that leaves a number known beforehand a number known beforehand."""

    def function(x: Value) -> Value:
        return of_tensor(x) if isinstance(x, Tensor) else number(of_number(x))

    return function


exp = either(torch.exp, math.exp)
log = either(torch.log, math.log)
log2 = either(torch.log2, math.log2)
sqrt = either(torch.sqrt, math.sqrt)
absolute = either(torch.abs, abs)
sine = either(torch.sin, math.sin)
cosine = either(torch.cos, math.cos)
floor = either(torch.floor, math.floor)
ceil = either(torch.ceil, math.ceil)
rounded = either(torch.round, round)


def relu(x: Tensor) -> Tensor:
    return torch.relu(x)


def gelu(x: Tensor) -> Tensor:
    return functional.gelu(x)


def tanh(x: Tensor) -> Tensor:
    return torch.tanh(x)


def sigmoid(x: Tensor) -> Tensor:
    return torch.sigmoid(x)


def erf(x: Tensor) -> Tensor:
    return torch.erf(x)


def sign(x: Tensor) -> Tensor:
    return torch.sign(x)


def where(condition: Tensor, then: Tensor, otherwise: Tensor) -> Tensor:
    """`then` where the condition is true (not 0)."""
    check_broadcast(condition, then, otherwise)
    return torch.where(condition != 0, then, otherwise)


def masked_fill(x: Tensor, mask: Tensor, value: float) -> Tensor:
    """`value` where the mask is true (not 0)."""
    check_broadcast(x, mask)
    return torch.where(mask != 0, value, x)


def clamp(x: Tensor, low: float, high: float) -> Tensor:
    return x.clamp(low, high)


def close(a: Tensor, b: Tensor, within: float) -> Tensor:
    """1 where a and b differ by at most `within` of the larger one."""
    check_broadcast(a, b)
    return ((a - b).abs() <= within * torch.maximum(a.abs(), b.abs())).to(DTYPE)
