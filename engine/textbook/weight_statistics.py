"""How sharp a row of weights is, and how much gradient it lets through. Weights are (..., keys), the mean is over all rows."""

from __future__ import annotations

import torch
from torch import Tensor

SATURATED = 0.99  # a row with more than this on one key


def entropy(weights: Tensor) -> float:
    """Mean of -Σ p ln p, in nats: 0 for one-hot rows, ln(keys) for uniform ones. A weight of 0 adds 0."""
    return float(torch.special.entr(weights).sum(-1).mean())


def largest_weight(weights: Tensor) -> float:
    """Mean of every row's largest weight: 1/keys when uniform, 1 when one-hot."""
    return float(weights.amax(-1).mean())


def saturated_percent(weights: Tensor) -> float:
    """The share of rows, in percent, that put more than 99 % on one key."""
    return 100 * float((weights.amax(-1) > SATURATED).double().mean())


def jacobian_trace(weights: Tensor) -> float:
    """Mean of tr(diag(p) - ppᵀ) = Σp - Σp²: what softmax lets through to its scores; 0 for one-hot rows."""
    return float((weights - weights**2).sum(-1).mean())


def skewness(x: Tensor) -> Tensor:
    """Mean of ((x - μ)/σ)³: 0 for a symmetric distribution, 2 for the exponential one."""
    centred = x - x.mean()
    return (centred**3).mean() / (centred**2).mean() ** 1.5
