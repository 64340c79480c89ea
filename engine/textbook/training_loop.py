"""The loop that trains: gradient, step, again. It hands out θ after every step, so that a curve can be drawn while it learns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from engine.textbook.optimizers import Adam, adam_step

Loss = Callable[[Tensor], Tensor]  # of all weights (P,), one number; of many models (..., P), one number each (...)


def train(theta: Tensor, loss: Loss, state: Adam, steps: int) -> Iterator[tuple[Tensor, float]]:
    """After each step the weights (P,) and the loss before it. `loss` may draw another batch at every call."""
    for weights, value in train_together(theta, loss, state, steps):
        yield weights, float(value)


def train_together(thetas: Tensor, losses: Loss, state: Adam, steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Many models (..., P) at once, each with a loss of its own (...): the gradient of their sum is each one's gradient."""
    for _ in range(steps):
        leaf = thetas.detach().requires_grad_()
        values = losses(leaf)
        (gradient,) = torch.autograd.grad(values.sum(), leaf)
        thetas, state = adam_step(thetas, gradient, state)
        yield thetas, values.detach()
