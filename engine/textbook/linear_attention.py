"""Attention without softmax: a product of features can be bracketed the other way, and then it costs n·d² instead of n²·d.

φ maps queries and keys to positive features; Q, K (n, d), V (n, d_v). Source: Katharopoulos et al. 2020.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def features(x: Tensor) -> Tensor:
    """φ(x) = elu(x) + 1 > 0: x + 1 for positive x, e^x for negative x."""
    return functional.elu(x) + 1


def linear_weights(query: Tensor, key: Tensor) -> Tensor:
    """φ(q)·φ(k) / Σ φ(q)·φ(k), (n, n): weights that are positive and sum to 1, of rank at most d."""
    products = features(query) @ features(key).T
    return products / products.sum(-1, keepdim=True)


def scores_first(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """(φ(Q) φ(K)ᵀ) V: n×n weights, n²·(d + d_v) multiply-adds."""
    return linear_weights(query, key) @ value


def summary_first(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """φ(Q) (φ(K)ᵀ V): a (d, d_v) summary of all tokens, 2·n·d·d_v multiply-adds, and no n×n anything. Softmax forbids this bracket."""
    asked, summary = features(query), features(key).T @ value  # (n, d), (d, d_v)
    return (asked @ summary) / (asked @ features(key).sum(0))[:, None]


def token_by_token(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The causal form as a recurrent network: each token adds φ(k) vᵀ to a state of fixed size, then asks it. No cache grows."""
    state = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    total = torch.zeros(key.shape[1], dtype=value.dtype)
    outputs = []
    for q, k, v in zip(features(query), features(key), value, strict=True):
        state, total = state + torch.outer(k, v), total + k
        outputs.append(q @ state / (q @ total))
    return torch.stack(outputs)


def scores_first_causal(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The same by n×n products with the later keys left out."""
    products = (features(query) @ features(key).T).tril()
    return products / products.sum(-1, keepdim=True) @ value
