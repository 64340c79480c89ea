"""Where the norm stands in a residual layer decides how the stream and its gradient grow with depth.

x is the residual stream (T, D), f a sub-layer (attention or feed-forward). Sources: Vaswani et al. 2017 (post), Xiong et al. 2020 (both).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from engine.textbook.activations import relu
from engine.textbook.normalization import layer_norm

Sublayer = Callable[[Tensor], Tensor]
Placement = Callable[[Tensor, Sublayer], Tensor]


def post_norm(x: Tensor, f: Sublayer) -> Tensor:
    """The original Transformer and BERT: the sum is normalised, so the stream keeps variance 1."""
    return layer_norm(x + f(x))


def pre_norm(x: Tensor, f: Sublayer) -> Tensor:
    """GPT-2 and later: the sub-layer reads a normalised copy and the stream itself is only added to. One more norm ends the stack."""
    return x + f(layer_norm(x))


def norm_inside(x: Tensor, f: Sublayer) -> Tensor:
    """Wrong, and often written for post-norm: only what is added is normalised, the sum never is."""
    return x + layer_norm(f(x))


def no_norm(x: Tensor, f: Sublayer) -> Tensor:
    """Every layer multiplies the variance."""
    return x + f(x)


@dataclass(frozen=True)
class Depth:
    """What happens from layer to layer: L + 1 variances of the stream, and L norms each."""

    variance: tuple[float, ...]  # before the first layer and after every layer
    gradient: tuple[float, ...]  # of the loss by each layer's second matrix
    move: tuple[float, ...]  # how far each layer moves the stream, next to the stream's own length


def random_layers(layers: int, width: int, gain: float, seed: int) -> list[tuple[Tensor, Tensor]]:
    """Two matrices a layer, (D, 4D) and (4D, D), for which f of a token with variance 1 has variance gain²."""
    generator = torch.Generator().manual_seed(seed)

    def matrix(rows: int, columns: int, spread: float) -> Tensor:
        return torch.randn(rows, columns, generator=generator, dtype=torch.float64) * spread / math.sqrt(rows)

    return [(matrix(width, 4 * width, math.sqrt(2)), matrix(4 * width, width, gain)) for _ in range(layers)]


def sublayer(up: Tensor, down: Tensor) -> Sublayer:
    """A feed-forward part without biases."""
    return lambda x: relu(x @ up) @ down


def measure_depth(placement: Placement, x: Tensor, layers: list[tuple[Tensor, Tensor]], target: Tensor) -> Depth:
    """Runs x (T, D) through the stack; the loss is half the squared distance of the last norm's output to the target, over T.

    A post-norm stack ends with a norm already; one more changes nothing there.
    """
    downs = [down.detach().requires_grad_() for _, down in layers]
    stream = [x]
    for (up, _), down in zip(layers, downs, strict=True):
        stream.append(placement(stream[-1], sublayer(up, down)))
    loss = ((layer_norm(stream[-1]) - target) ** 2).sum() / (2 * len(x))
    gradient = tuple(float(each.norm()) for each in torch.autograd.grad(loss, downs))
    stream = [each.detach() for each in stream]
    moved = tuple(float((after - before).norm() / before.norm()) for before, after in pairwise(stream))
    return Depth(tuple(float(each.var(correction=0)) for each in stream), gradient, moved)
