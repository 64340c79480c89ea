"""Functions that gather: over everything, or along one dimension. Spread is over n, not n - 1."""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor
from torch.nn import functional

from engine.computed.recipe import ComputeError
from engine.computed.values import DTYPE, Value, check_broadcast, number, only_shapes, shape_text, shaped, tensor

SIDE = 512  # of a matrix whose singular values are asked for
SWEEPS = 20  # of each number, with every row or column: about what they cost


def total(x: Tensor, dim: int | None = None) -> Tensor:
    return torch.sum(x) if dim is None else torch.sum(x, dim)


def mean(x: Tensor, dim: int | None = None) -> Tensor:
    return torch.mean(x) if dim is None else torch.mean(x, dim)


def variance(x: Tensor, dim: int | None = None) -> Tensor:
    _check_not_empty("var", x)
    return torch.var(x, dim, correction=0)


def deviation(x: Tensor, dim: int | None = None) -> Tensor:
    _check_not_empty("std", x)
    return torch.std(x, dim, correction=0)


def norm(x: Tensor, dim: int | None = None) -> Tensor:
    return torch.sqrt(total(x * x, dim))


def largest(*values: Value, dim: int | None = None) -> Value:
    """Of one tensor, along `dim` if given; of several values, place by place."""
    return _extreme("max", values, dim)


def smallest(*values: Value, dim: int | None = None) -> Value:
    """Of one tensor, along `dim` if given; of several values, place by place."""
    return _extreme("min", values, dim)


def _extreme(name: str, values: tuple[Value, ...], dim: int | None) -> Value:
    whole, pair = (torch.amax, torch.maximum) if name == "max" else (torch.amin, torch.minimum)
    if not values:
        raise ComputeError(f"{name} takes one tensor, or several values", f"{name} 需要一个张量或若干个值")
    if len(values) > 1 and not any(isinstance(value, Tensor) for value in values):
        return number((max if name == "max" else min)(values))
    tensors = [tensor(value) for value in values]
    if len(tensors) > 1:
        check_broadcast(*tensors)
        return reduce(pair, tensors)
    _check_not_empty(name, tensors[0])
    return whole(tensors[0]) if dim is None else whole(tensors[0], dim)


def _check_not_empty(name: str, x: Tensor) -> None:
    if x.numel() == 0:
        raise ComputeError(f"{name} has no values to look at", f"{name} 没有可用的值")


def argmax(x: Tensor, dim: int | None = None) -> Tensor:
    return torch.argmax(x, dim).to(DTYPE)


def argmin(x: Tensor, dim: int | None = None) -> Tensor:
    return torch.argmin(x, dim).to(DTYPE)


def count(condition: Tensor, dim: int | None = None) -> Tensor:
    """How many are true (not 0)."""
    return total((condition != 0).to(DTYPE), dim)


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    return torch.softmax(x, dim)


def log_softmax(x: Tensor, dim: int = -1) -> Tensor:
    return torch.log_softmax(x, dim)


def logsumexp(x: Tensor, dim: int = -1) -> Tensor:
    return torch.logsumexp(x, dim)


def layer_norm(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Each row of the last dimension gets mean 0 and variance 1."""
    return shaped(x.shape) if x.dim() and only_shapes(x) else functional.layer_norm(x, x.shape[-1:], eps=eps)


def sort(x: Tensor, descending: bool = False, dim: int = -1) -> Tensor:
    return torch.sort(x, dim, descending).values


def argsort(x: Tensor, descending: bool = False, dim: int = -1) -> Tensor:
    return torch.argsort(x, dim=dim, descending=descending, stable=True).to(DTYPE)


def cumsum(x: Tensor, dim: int = -1) -> Tensor:
    return torch.cumsum(x, dim)


def topk(x: Tensor, k: int, dim: int = -1) -> Tensor:
    """The k largest, the largest first."""
    return torch.topk(x, k, dim).values


def quantile(x: Tensor, q: float) -> Tensor:
    """The number below which a share q of all values lies."""
    return torch.quantile(x.flatten(), q)


def singular_values(x: Tensor) -> Tensor:
    """Of a matrix, the largest first: how many are not 0 is its rank, the largest is its norm."""
    if x.dim() < 2 or max(x.shape[-2:]) > SIDE or x.numel() > SIDE**2:  # they cost the cube of a side
        raise ComputeError(
            f"svdvals takes a matrix of at most {SIDE} rows and columns, not {shape_text(x)}",
            f"svdvals 需要行列各不超过 {SIDE} 的矩阵，不能是 {shape_text(x)}",
        )
    if x.device.type != "meta" and not x.isfinite().all():  # LAPACK would print to the terminal
        raise ComputeError("svdvals needs finite numbers", "svdvals 需要有限的数")
    found: Tensor = torch.linalg.svdvals(x)
    return found


def dot(a: Tensor, b: Tensor) -> Tensor:
    check_broadcast(a, b)
    return torch.sum(a * b, -1)


def cosine_of(a: Tensor, b: Tensor) -> Tensor:
    """The cosine of the angle between vectors, along the last dimension."""
    check_broadcast(a, b)
    return functional.cosine_similarity(a, b, -1)
