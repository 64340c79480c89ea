"""A Transformer layer's products without norms and biases, in two halves: what is done for pairs of tokens, and for each token alone."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor


class LayerInputs(NamedTuple):
    """Tokens X (n, d) and weights of the size that costs.py counts."""

    X: Tensor
    W: Tensor  # W_Q, W_K, W_V, W_O: (4, d, d)
    W_1: Tensor  # (d, 4d)
    W_2: Tensor  # (4d, d)


def layer_inputs(n: int, d: int, seed: int) -> LayerInputs:
    """Random tokens and weights in float32, as models are run."""
    generator = torch.Generator().manual_seed(seed)
    shapes = ((n, d), (4, d, d), (d, 4 * d), (4 * d, d))
    return LayerInputs(*(torch.randn(shape, generator=generator) / math.sqrt(d) for shape in shapes))


def run_pairs(X: Tensor, W: Tensor, W_1: Tensor, W_2: Tensor) -> Tensor:
    """softmax(X Xᵀ / √d) X, two products of n·n·d: with queries, keys and values in place of X they take as long."""
    return torch.softmax(X @ X.T / math.sqrt(X.shape[1]), dim=-1) @ X


def run_dense(X: Tensor, W: Tensor, W_1: Tensor, W_2: Tensor) -> Tensor:
    """Four projections of n·d·d and a feed-forward network of 2·n·d·4d."""
    projected = X @ W  # (4, n, d)
    return torch.relu(projected.sum(dim=0) @ W_1) @ W_2
