"""Where queries, keys and values come from: from one sequence in self-attention, from two in cross-attention.

Letters: n and T tokens that ask, S tokens that answer, d_x and d_context how wide they are, d the width of queries, keys and values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from engine.textbook.attention import scaled_dot_product_attention


@dataclass(frozen=True)
class Projections:
    """W_Q (d_x, d) reads the tokens that ask; W_K and W_V (d_context, d) read the tokens that answer."""

    W_Q: Tensor
    W_K: Tensor
    W_V: Tensor


def cross_attention(x: Tensor, context: Tensor, p: Projections, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """x (T, d_x) asks, context (S, d_context) answers: output (T, d) and weights (T, S). T and S need not be equal."""
    return scaled_dot_product_attention(x @ p.W_Q, context @ p.W_K, context @ p.W_V, mask)


def self_attention(x: Tensor, p: Projections, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """x (n, d_x) asks and answers: output (n, d) and weights (n, n). One sequence, three projections of it."""
    return cross_attention(x, x, p, mask)


def scores(x: Tensor, context: Tensor, p: Projections) -> Tensor:
    """QKᵀ/√d, (T, S): what softmax gets."""
    return (x @ p.W_Q) @ (context @ p.W_K).T / math.sqrt(p.W_Q.shape[-1])


def random_projections(generator: torch.Generator, d_x: int, d: int, d_context: int | None = None) -> Projections:
    """Entries from N(0, 1/width of what is read), so that queries, keys and values are about as large as the tokens."""

    def drawn(width: int) -> Tensor:
        return torch.randn(width, d, generator=generator, dtype=torch.float64) / math.sqrt(width)

    context = d_x if d_context is None else d_context
    return Projections(drawn(d_x), drawn(context), drawn(context))


# Two ways to have fewer matrices, and what they take away.


def sharing_query_and_key(p: Projections) -> Projections:
    """W_K = W_Q: the scores become symmetric, and a token is its own best match."""
    return replace(p, W_K=p.W_Q)


def without_projections(width: int) -> Projections:
    """Q = K = V = X, as "in self-attention Q = K = V" is often understood."""
    eye = torch.eye(width, dtype=torch.float64)
    return Projections(eye, eye, eye)


# What to look at.


def asymmetry(square: Tensor) -> float:
    """The largest difference between a cell and its mirror image: 0 when i says of j what j says of i."""
    return float((square - square.T).abs().max())


def self_weight(weights: Tensor) -> float:
    """The mean weight that a token gives to itself: 1/n when uniform."""
    return float(weights.diagonal().mean())
