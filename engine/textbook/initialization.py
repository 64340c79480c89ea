"""How large the first weights are: a signal that a layer makes smaller by a factor is gone after twenty layers.

Every rule is a standard deviation for a matrix W (in, out). Uniform weights of the same variance do the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

Rule = Callable[[int, int], float]


def kaiming(fan_in: int, fan_out: int) -> float:
    """√(2/in): ReLU throws half of the signal's power away, the 2 brings it back. Source: He et al. 2015."""
    return math.sqrt(2 / fan_in)


def xavier(fan_in: int, fan_out: int) -> float:
    """√(2/(in + out)), a compromise between the signal on its way up and the gradient on its way down. Source: Glorot & Bengio 2010."""
    return math.sqrt(2 / (fan_in + fan_out))


def bert(fan_in: int, fan_out: int) -> float:
    """0.02 whatever the width: made for widths near 768 and layers with norms and residuals between them."""
    return 0.02


def torch_linear(fan_in: int, fan_out: int) -> float:
    """nn.Linear: uniform within ±1/√in, which is a standard deviation of 1/√(3·in)."""
    return 1 / math.sqrt(3 * fan_in)


def torch_attention(fan_in: int, fan_out: int) -> float:
    """nn.MultiheadAttention: Xavier over W_Q, W_K and W_V stacked as one matrix, so `out` counts three times."""
    return xavier(fan_in, 3 * fan_out)


def signal_by_depth(x: Tensor, weights: Tensor, std: float, activation: Callable[[Tensor], Tensor]) -> Tensor:
    """The standard deviation after every layer (L,), x (B, D) through standard normal weights (L, D, D) times `std`."""
    spreads = []
    for W in weights:
        x = activation(x @ W * std)
        spreads.append(x.std())
    return torch.stack(spreads)


def score_std(x: Tensor, W_Q: Tensor, W_K: Tensor, std: float, heads: int) -> float:
    """The spread of QKᵀ/√d_k over all heads, before anything is learned: x (T, D), standard normal W (D, D) times `std`."""
    tokens, width = x.shape
    query, key = (((x @ W) * std).view(tokens, heads, width // heads).transpose(0, 1) for W in (W_Q, W_K))  # (h, T, d)
    scores = query @ key.transpose(-2, -1) / math.sqrt(width // heads)
    others = ~torch.eye(tokens, dtype=torch.bool)  # with itself a token is related, if only by its own numbers
    return float(scores[:, others].std())
