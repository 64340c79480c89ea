"""XOR, the smallest task that no single matrix can do: 1 where exactly one of two inputs is 1. Source: Minsky & Papert 1969."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.func import vmap

from engine.textbook.activations import Activation
from engine.textbook.optimizers import adam
from engine.textbook.training_loop import train

CORNERS = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=torch.float64)
ANSWERS = torch.tensor([0, 1, 1, 0], dtype=torch.float64)
BEST_LINEAR_ERROR = 0.25  # of 1/2 everywhere, the best that a straight function can do


def xor_weights(hidden: int, seed: int) -> Tensor:
    """θ (4·H + 1,): W_1 (H, 2), b_1 (H,), W_2 (H,) from N(0, 1), and b_2."""
    generator = torch.Generator().manual_seed(seed + 2000)  # another stream than the weights of the layer
    return torch.randn(4 * hidden + 1, generator=generator, dtype=torch.float64)


def xor_outputs(theta: Tensor, x: Tensor, activation: Activation) -> Tensor:
    """One number for each of the inputs x (N, 2): activation(x·W_1 + b_1)·W_2 + b_2."""
    hidden = (len(theta) - 1) // 4
    first, bias, second = theta[: 2 * hidden].view(hidden, 2), theta[2 * hidden : 3 * hidden], theta[3 * hidden : 4 * hidden]
    return activation(x @ first.T + bias) @ second + theta[-1]


def learn_xor(activation: Activation, hidden: int, seeds: Iterable[int], steps: int, rate: float = 0.05) -> tuple[Tensor, Tensor]:
    """Adam, from each seed's weights: θ (steps + 1, S, P) and mean squared errors (steps + 1, S), the start first."""

    def errors(theta: Tensor) -> Tensor:
        return (xor_outputs(theta, CORNERS, activation) - ANSWERS).square().mean(-1)

    start = torch.stack([xor_weights(hidden, seed) for seed in seeds])
    weights = torch.stack([start, *(thetas for thetas, _ in train(start, vmap(errors), adam(start, rate), steps))])
    return weights, vmap(vmap(errors))(weights)


def plane(theta: Tensor, activation: Activation, cells: int) -> Tensor:
    """What it answers between and around the corners (cells, cells): x_1 from -1/2 to 3/2 downwards, x_2 to the right."""
    axis = torch.linspace(-0.5, 1.5, cells, dtype=torch.float64)
    return xor_outputs(theta, torch.cartesian_prod(axis, axis), activation).view(cells, cells)
