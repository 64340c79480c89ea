"""What a layer knows of order: equivariant = reordered tokens give reordered outputs, invariant = they give the same outputs.

An order is a tensor of indices (n,): x[order] puts token order[i] at place i.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

Layer = Callable[[Tensor], Tensor]  # (n, d) -> (n, d')

ORDERS: dict[str, Callable[[int], Tensor]] = {
    "reverse": lambda n: torch.arange(n).flip(0),
    "rotate": lambda n: torch.arange(n).roll(-1),
    "swap": lambda n: torch.cat((torch.arange(n)[:2].flip(0), torch.arange(n)[2:])),
}


def equivariance_error(layer: Layer, x: Tensor, order: Tensor) -> float:
    """max |layer(Px) - P·layer(x)|: 0 when every token keeps its own output, wherever it stands."""
    return float((layer(x[order]) - layer(x)[order]).abs().max())


def invariance_error(layer: Layer, x: Tensor, order: Tensor) -> float:
    """max |layer(Px) - layer(x)|: 0 only when every place keeps its output, whoever stands there."""
    return float((layer(x[order]) - layer(x)).abs().max())


def mean_pooled(layer: Layer) -> Layer:
    """One vector (1, d') for the whole sequence: an equivariant layer becomes an invariant one."""
    return lambda x: layer(x).mean(0, keepdim=True)
