"""A stack of layers with and without the way around them: x + f(x) lets a gradient pass untouched, f(x) multiplies it once a layer."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

Activation = Callable[[Tensor], Tensor]
Block = Callable[[Tensor, Tensor, Activation], Tensor]  # x (B, D), W (D, D), f -> (B, D)


def plain_block(x: Tensor, W: Tensor, activation: Activation) -> Tensor:
    """f(x): what the layer does is all that is left of x."""
    return activation(x @ W)


def residual_block(x: Tensor, W: Tensor, activation: Activation) -> Tensor:
    """x + f(x): the layer adds what it has to say, and its Jacobian is I + J. Source: He et al. 2016."""
    return x + activation(x @ W)


def stack_weights(layers: int, width: int, gain: float, generator: torch.Generator) -> Tensor:
    """(L, D, D) from N(0, gain²/D)."""
    return torch.randn(layers, width, width, generator=generator, dtype=torch.float64) * (gain / math.sqrt(width))


def gradient_by_depth(block: Block, x: Tensor, weights: Tensor, activation: Activation) -> Tensor:
    """How much of a gradient of norm 1 at the output is left at the input of each layer: (L,), the first layer first.

    The output's gradient is the same in all B rows; the norm is the root of the mean square over rows.
    """
    inputs = [x.clone().requires_grad_()]
    for W in weights:
        inputs.append(block(inputs[-1], W, activation))
    start = torch.ones_like(x) / math.sqrt(x.shape[-1])
    gradients = torch.autograd.grad(inputs[-1], inputs[:-1], start)
    return torch.stack([gradient.square().sum(-1).mean().sqrt() for gradient in gradients])


def singular_values(block: Block, x: Tensor, W: Tensor, activation: Activation) -> Tensor:
    """Of one block's Jacobian at x (D,), from the largest to the smallest (D,): how it stretches a gradient in every direction."""
    width = len(x)
    copies = x.expand(width, width).clone().requires_grad_()
    (rows,) = torch.autograd.grad(block(copies, W, activation), copies, torch.eye(width, dtype=x.dtype))
    return torch.as_tensor(torch.linalg.svdvals(rows))
