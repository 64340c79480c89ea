"""Functions that go over a tensor number by number."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from engine.computed.values import DTYPE, Value, check_broadcast, number, only_shapes, shaped


def each_number(of_tensor: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """A function of torch's that leaves the shape as it is."""

    def function(x: Tensor) -> Tensor:
        return shaped(x.shape) if only_shapes(x) else of_tensor(x)

    return function


def either(of_tensor: Callable[[Tensor], Tensor], of_number: Callable[[float], float]) -> Callable[[Value], Value]:
    """The same, and a number known beforehand stays a number known beforehand."""
    of_each = each_number(of_tensor)

    def function(x: Value) -> Value:
        return of_each(x) if isinstance(x, Tensor) else number(of_number(x))

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

relu = each_number(torch.relu)
gelu = each_number(functional.gelu)
tanh = each_number(torch.tanh)
sigmoid = each_number(torch.sigmoid)
erf = each_number(torch.erf)
sign = each_number(torch.sign)


def where(condition: Tensor, then: Tensor, otherwise: Tensor) -> Tensor:
    """`then` where the condition is true (not 0)."""
    sizes = check_broadcast(condition, then, otherwise)
    return shaped(sizes) if only_shapes(condition, then, otherwise) else torch.where(condition != 0, then, otherwise)


def masked_fill(x: Tensor, mask: Tensor, value: float) -> Tensor:
    """`value` where the mask is true (not 0)."""
    sizes = check_broadcast(x, mask)
    return shaped(sizes) if only_shapes(x, mask) else torch.where(mask != 0, value, x)


def clamp(x: Tensor, low: float, high: float) -> Tensor:
    return shaped(x.shape) if only_shapes(x) else x.clamp(low, high)


def close(a: Tensor, b: Tensor, within: float) -> Tensor:
    """1 where a and b differ by at most `within` of the larger one."""
    sizes = check_broadcast(a, b)
    return shaped(sizes) if only_shapes(a, b) else ((a - b).abs() <= within * torch.maximum(a.abs(), b.abs())).to(DTYPE)
