"""How a gradient becomes a step: Adam written out, its bias correction, two ways to decay weights, and the warm-up schedule.

All weights of a model live in one vector θ (P,); a step is a pure function of θ, its gradient g (P,) and what Adam remembers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor


@dataclass(frozen=True)
class Adam:
    """Adam's settings and its memory: running means of g and of g², and how many steps they have seen."""

    rate: float
    mean: Tensor  # (P,)
    square: Tensor  # (P,)
    steps: int = 0
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8


def adam(theta: Tensor, rate: float, beta_1: float = 0.9, beta_2: float = 0.999) -> Adam:
    """An Adam that has seen nothing yet."""
    return Adam(rate, torch.zeros_like(theta), torch.zeros_like(theta), beta_1=beta_1, beta_2=beta_2)


def update_moments(state: Adam, gradient: Tensor) -> Adam:
    """The running means after one more gradient. They start at 0, so early on they are too small."""
    return replace(
        state,
        mean=state.beta_1 * state.mean + (1 - state.beta_1) * gradient,
        square=state.beta_2 * state.square + (1 - state.beta_2) * gradient**2,
        steps=state.steps + 1,
    )


def adam_update(state: Adam) -> Tensor:
    """What is subtracted from θ: rate · m̂ / (√v̂ + ε). Source: Kingma & Ba 2015, algorithm 1.

    A running mean that began at 0 holds a share 1 - β^t of what it should after t steps; the correction divides by that share.
    """
    mean = state.mean / (1 - state.beta_1**state.steps)
    square = state.square / (1 - state.beta_2**state.steps)
    return state.rate * mean / (square.sqrt() + state.epsilon)


def adam_update_uncorrected(state: Adam) -> Tensor:
    """Wrong at the start: after one step m is 0.1·g and √v only 0.032·|g|, a step 3.16 times too long."""
    return state.rate * state.mean / (state.square.sqrt() + state.epsilon)


def adam_step(theta: Tensor, gradient: Tensor, state: Adam) -> tuple[Tensor, Adam]:
    """θ and the memory after one step."""
    state = update_moments(state, gradient)
    return theta - adam_update(state), state


def adamw_step(theta: Tensor, gradient: Tensor, state: Adam, decay: float) -> tuple[Tensor, Adam]:
    """Decoupled weight decay: θ shrinks by rate·decay, whatever its gradients were. Source: Loshchilov & Hutter 2019."""
    stepped, state = adam_step(theta, gradient, state)
    return stepped - state.rate * decay * theta, state


def adam_l2_step(theta: Tensor, gradient: Tensor, state: Adam, decay: float) -> tuple[Tensor, Adam]:
    """Decay inside the gradient: Adam divides it by √v like the rest, so weights with large gradients hardly decay."""
    return adam_step(theta, gradient + decay * theta, state)


def warmup_rate(step: int, d_model: int, warmup: int) -> float:
    """Rises in a line for `warmup` steps, then falls like 1/√step. Source: Vaswani et al. 2017, equation 3. Steps count from 1."""
    return float(min(step**-0.5, step * warmup**-1.5) / math.sqrt(d_model))
