"""Softmax by itself: the form that overflows, the form that does not, temperature, and its derivative."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.textbook.attention import softmax


def naive_softmax(scores: Tensor) -> Tensor:
    """e^s / Σ e^s as the formula is written, (..., n). In float32 e^89 is inf and inf/inf is NaN; e^-104 is 0 and 0/0 is NaN."""
    powers = torch.exp(scores)
    return powers / powers.sum(-1, keepdim=True)


def log_sum_exp(scores: Tensor) -> Tensor:
    """ln Σ e^s over the last dimension, (..., n) -> (...): the largest score is taken out first, so that the largest power is e^0."""
    largest = scores.amax(-1, keepdim=True)
    return (largest + torch.exp(scores - largest).sum(-1, keepdim=True).log()).squeeze(-1)


def tempered_softmax(scores: Tensor, temperature: float) -> Tensor:
    """softmax(s/T): T towards 0 gives everything to the largest score, a large T gives all the same, T = 1 changes nothing."""
    return softmax(scores / temperature)


def divided_by_sum(scores: Tensor) -> Tensor:
    """s / Σ s, the normalisation that softmax is not: negative for negative scores, and other weights when all scores grow by as much."""
    return scores / scores.sum(-1, keepdim=True)


def softmax_jacobian(weights: Tensor) -> Tensor:
    """J = diag(p) - ppᵀ, the derivative of p_i by s_j: p_i·(1 - p_i) on the diagonal, -p_i·p_j beside it. (n,) -> (n, n)"""
    return torch.diag(weights) - torch.outer(weights, weights)


def softmax_jacobian_wrong(weights: Tensor) -> Tensor:
    """Wrong, and often printed: -p_i·p_i beside the diagonal. Rows then do not sum to 0: a shift of all scores would move the weights."""
    wrong = -(weights**2)[:, None].expand(-1, len(weights))
    return wrong + torch.diag(weights)


def jacobian_norm(weights: Tensor) -> Tensor:
    """The Frobenius norm of J for every row of weights, (..., n) -> (...), without building J: ‖J‖² = Σp² - 2Σp³ + (Σp²)²."""
    squares, cubes = (weights**2).sum(-1), (weights**3).sum(-1)
    return (squares - 2 * cubes + squares**2).clamp_min(0).sqrt()
