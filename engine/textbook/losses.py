"""How wrong a classifier is: cross-entropy, squared error on probabilities, smoothed labels, and the gradient each sends back.

Logits z and targets y are (..., V); a target is a distribution, one-hot where the label is certain.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.textbook.saturation_gradient import gradient_at_scores


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """-Σ y log softmax(z): (..., V) -> (...). With z - max z first, so that nothing overflows."""
    return -(target * logits.log_softmax(-1)).sum(-1)


def cross_entropy_gradient(logits: Tensor, target: Tensor) -> Tensor:
    """∂/∂z = softmax(z) - y, whenever Σy = 1: as large as the mistake."""
    return logits.softmax(-1) - target


def mean_squared_error(logits: Tensor, target: Tensor) -> Tensor:
    """Σ (softmax(z) - y)² / V, a usual loss put behind a softmax."""
    return (logits.softmax(-1) - target).square().mean(-1)


def mean_squared_error_gradient(logits: Tensor, target: Tensor) -> Tensor:
    """∂/∂z = 2·J(p - y)/V: softmax's Jacobian J = diag(p) - ppᵀ is nearly 0 where softmax is sure, also where it is surely wrong."""
    p = logits.softmax(-1)
    return gradient_at_scores(p, 2 * (p - target) / target.shape[-1])


def smoothed(target: Tensor, epsilon: float) -> Tensor:
    """(1 - ε)·y + ε/V: a share ε of the certainty is spread over all classes. Source: Szegedy et al. 2016."""
    return (1 - epsilon) * target + epsilon / target.shape[-1]


def best_gap(classes: int, epsilon: float) -> float:
    """The logit gap at which the smoothed loss is least: ln((1 - ε)·V/ε + 1). Infinite for hard labels, ε = 0."""
    return math.log((1 - epsilon) * classes / epsilon + 1) if epsilon else math.inf


def one_hot_gap(gaps: Tensor, classes: int) -> Tensor:
    """Logits (..., V) whose first class is ahead of all others by `gaps` (...)."""
    return torch.cat([gaps[..., None], torch.zeros(*gaps.shape, classes - 1, dtype=gaps.dtype)], -1)
