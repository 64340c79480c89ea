"""Functions that put a tensor's numbers in another place."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.computed.recipe import ComputeError
from engine.computed.values import DTYPE, Value, check_bytes, shape_text, tensor, whole


def transpose(x: Tensor, a: int = -2, b: int = -1) -> Tensor:
    """Two dimensions change places, the last two unless others are named."""
    if x.dim() < 2:
        raise ComputeError(
            f"transpose needs two dimensions, and this is {shape_text(x)}", f"transpose 需要两个维度，这里是 {shape_text(x)}"
        )
    return x.transpose(a, b)


def reshape(x: Tensor, *sizes: Value) -> Tensor:
    """The same numbers in another shape; one size may be -1."""
    wanted = [whole(size, ("a size", "尺寸"), -1) for size in sizes]
    known = 1
    for size in wanted:
        known *= size if size >= 0 else 1
    free = wanted.count(-1)
    if free > 1 or (x.numel() != known if not free else known == 0 or x.numel() % known):
        said = ", ".join(map(str, wanted))
        raise ComputeError(
            f"{shape_text(x)} has {x.numel():,} numbers, not those of ({said})", f"{shape_text(x)} 共 {x.numel():,} 个数，与 ({said}) 不符"
        )
    return x.reshape(wanted)


def flatten(x: Tensor) -> Tensor:
    return x.flatten()


def cat(*tensors: Tensor, dim: int = 0) -> Tensor:
    """One after the other along a dimension that they have."""
    check_bytes([sum(each.numel() for each in tensors)])
    return torch.cat([each if each.dim() else each.reshape(1) for each in tensors], dim)


def stack(*tensors: Tensor, dim: int = 0) -> Tensor:
    """One beside the other, along a new dimension."""
    check_bytes([sum(each.numel() for each in tensors)])
    return torch.stack(list(tensors), dim)


def outer(a: Tensor, b: Tensor) -> Tensor:
    check_bytes([a.numel(), b.numel()])
    return torch.outer(a, b)


def diagonal(x: Tensor) -> Tensor:
    return torch.diagonal(x, 0, -2, -1)


def tril(x: Tensor, k: int = 0) -> Tensor:
    """What stands below the diagonal, and on it; the rest is 0."""
    return torch.tril(x, k)


def triu(x: Tensor, k: int = 0) -> Tensor:
    """What stands above the diagonal, and on it; the rest is 0."""
    return torch.triu(x, k)


def row(x: Tensor, index: int) -> Tensor:
    return x[..., _place(x, -2, index), :]


def column(x: Tensor, index: int) -> Tensor:
    return x[..., _place(x, -1, index)]


def _place(x: Tensor, dim: int, index: int) -> int:
    if x.dim() < 2:
        raise ComputeError(f"this is {shape_text(x)}; rows and columns need two dimensions", f"这里是 {shape_text(x)}；行和列需要两个维度")
    return whole(index, ("an index", "下标"), -x.shape[dim], x.shape[dim] - 1)


def one_hot(index: Tensor, n: int) -> Tensor:
    """Rows of n numbers, 1 at the index and 0 elsewhere."""
    check_bytes([index.numel(), n])
    return (index.unsqueeze(-1) == torch.arange(n)).to(DTYPE)


def length(x: Tensor) -> int:
    """The first dimension: of a vector its numbers, of a matrix its rows."""
    return int(tensor(x).shape[0]) if x.dim() else 1


def size(x: Tensor, dim: int) -> int:
    return int(x.shape[dim])
