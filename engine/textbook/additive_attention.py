"""The score before the dot product: a small network looks at a query and a key together. Source: Bahdanau, Cho and Bengio 2015."""

from __future__ import annotations

import torch
from torch import Tensor


def additive_scores(query: Tensor, key: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    """vᵀ tanh(W q + U k) for all pairs. query (T, d), key (S, d), W and U (d, a), v (a,) -> (T, S).

    W q and U k are made once each; the tanh must be taken for every pair, T·S·a of them, and no matrix product does that.
    """
    hidden = (query @ W)[:, None, :] + (key @ U)[None, :, :]  # (T, S, a)
    return torch.tanh(hidden) @ v


def dot_scores(query: Tensor, key: Tensor) -> Tensor:
    """q·k for all pairs, one matrix product and no parameter. query (T, d), key (S, d) -> (T, S)."""
    return query @ key.T
