"""The chain behind softmax, written out: from a pull at the weights to the scores, from there to the queries, and on to W_Q.

Saturation makes the first link small for most rows. The second link carries the keys, and in the scaled arm also 1/√d_k.
"""

from __future__ import annotations

from torch import Tensor


def gradient_at_scores(weights: Tensor, pulls: Tensor) -> Tensor:
    """Jᵀg with J = diag(p) - ppᵀ, row by row: p_i·(g_i - Σ p_j g_j). (rows, keys) and (rows, keys) -> (rows, keys)"""
    return weights * (pulls - (weights * pulls).sum(-1, keepdim=True))


def gradients_at_queries(weights: Tensor, pulls: Tensor, key: Tensor, factor: float) -> Tensor:
    """What reaches each query of scores = factor · QKᵀ: (rows, keys), (rows, keys), (keys, d_k) -> (rows, d_k)"""
    return factor * gradient_at_scores(weights, pulls) @ key


def gradient_at_projection(inputs: Tensor, at_queries: Tensor) -> Tensor:
    """W_Q's gradient for Q = XW_Q, the sum over all rows: (rows, D), (rows, d_k) -> (D, d_k)"""
    return inputs.T @ at_queries
