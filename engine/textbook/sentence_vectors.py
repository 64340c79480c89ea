"""One vector for a sentence, and what its cosines mean: pooling over real tokens, a direction that all vectors share, contrastive training.

Tokens are (B, T, D), present (B, T) is False for padding; vectors are (N, D).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import normalize


def mean_pooled(tokens: Tensor, present: Tensor) -> Tensor:
    """The mean over the tokens that are there: (B, T, D) -> (B, D)."""
    return (tokens * present[..., None]).sum(1) / present.sum(1, keepdim=True)


def mean_pooled_with_padding(tokens: Tensor) -> Tensor:
    """Wrong: padding counts as tokens, so a sentence's vector depends on how long its neighbours in the batch are."""
    return tokens.mean(1)


def cosines(vectors: Tensor) -> Tensor:
    """Of all pairs of different vectors: (N, D) -> (N·(N - 1)/2,)."""
    unit = normalize(vectors, dim=-1)
    row, column = torch.triu_indices(len(vectors), len(vectors), 1)
    return (unit @ unit.T)[row, column]


def subtract_mean(vectors: Tensor) -> Tensor:
    """Without the mean that all have in common."""
    return vectors - vectors.mean(0)


def info_nce(queries: Tensor, keys: Tensor, temperature: float) -> Tensor:
    """Query i shall find key i among all N keys of the batch: cross-entropy over cosines / τ. Source: van den Oord et al. 2018; SimCSE."""
    scores = normalize(queries, dim=-1) @ normalize(keys, dim=-1).T / temperature  # (N, N)
    return -scores.log_softmax(-1).diagonal().mean()
