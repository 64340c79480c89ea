"""The loop that trains: gradient, step, again. It hands out θ after every step, so that a curve can be drawn while it learns.

Models this small take their time from the number of calls, not from the numbers in them: five in one call cost half as much again as one.
So a seed is always trained together with its neighbours, and the next seeds are there before somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import torch
from torch import Tensor

from engine.textbook.optimizers import Adam, adam_step

T = TypeVar("T")

SEEDS = 5  # that are trained at once

Loss = Callable[[Tensor], Tensor]  # of all weights (P,), one number; of many models (..., P), one number each (...)


def train(thetas: Tensor, losses: Loss, state: Adam, steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    """After each step the weights and the losses before it. `losses` may draw another batch at every call.

    One model (P,) or many (..., P), each with a loss of its own: the gradient of their sum is each one's gradient.
    """
    for _ in range(steps):
        leaf = thetas.detach().requires_grad_()
        values = losses(leaf)
        (gradient,) = torch.autograd.grad(values.sum(), leaf)
        thetas, state = adam_step(thetas, gradient, state)
        yield thetas, values.detach()


def seeds_beside(seed: int) -> range:
    """The seeds that are trained together, this one at `seed % SEEDS`: 0 to 4, 5 to 9, ..."""
    first = seed - seed % SEEDS
    return range(first, first + SEEDS)


class Remembered(Generic[T]):
    """What an iterator gave so far, and then the rest: whoever asks for the same training again does not wait for it again."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source, self._seen = source, list[T]()

    def first(self, count: int) -> Iterator[T]:
        for place in range(count):
            if place == len(self._seen):
                self._seen.append(next(self._source))
            yield self._seen[place]
