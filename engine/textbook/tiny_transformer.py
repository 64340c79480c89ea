"""A whole Transformer encoder in one screen: embeddings, attention, feed-forward, as pure functions of one vector of weights.

Letters as in attention.py. Pre-norm, without biases and without learned scales in the norms: it trains in a second without a warm-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm

from engine.textbook.attention import merge_heads, scaled_dot_product_attention, split_heads

CALM = 0.3  # how much smaller W_Q and W_K start

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Shape:
    """How large a model is; `hidden` is the width inside the feed-forward layer."""

    vocabulary: int
    positions: int
    width: int
    layers: int
    heads: int
    hidden: int

    def matrices(self) -> dict[str, tuple[int, int]]:
        """Every weight matrix with its shape (in, out), in the order in which they lie in θ."""
        found = {"words": (self.vocabulary, self.width), "places": (self.positions, self.width)}
        for layer in range(self.layers):
            found |= {f"{letter}{layer}": (self.width, self.width) for letter in "QKVO"}
            found |= {f"up{layer}": (self.width, self.hidden), f"down{layer}": (self.hidden, self.width)}
        return found

    def count(self) -> int:
        return sum(rows * columns for rows, columns in self.matrices().values())


def initial_weights(shape: Shape, generator: torch.Generator) -> Tensor:
    """θ (P,): matrices from N(0, 1/in), so that outputs are about as large as inputs; embeddings from N(0, 1/D).

    W_Q and W_K are smaller, so that attention starts nearly uniform: what is read by everyone gets a gradient.
    In float32, as models are trained: twice as fast here as float64.
    """
    pieces = []
    for name, (rows, columns) in shape.matrices().items():
        fan_in = columns if name in ("words", "places") else rows
        spread = (CALM if name[0] in "QK" else 1.0) / math.sqrt(fan_in)
        pieces.append(torch.randn(rows * columns, generator=generator) * spread)
    return torch.cat(pieces)


def unpack(theta: Tensor, shape: Shape) -> Weights:
    """The matrices that lie one after the other in θ; gradients flow back into θ."""
    matrices = shape.matrices()
    pieces = torch.split(theta, [rows * columns for rows, columns in matrices.values()])
    return {name: piece.view(size) for (name, size), piece in zip(matrices.items(), pieces, strict=True)}


def encode(
    tokens: Tensor,  # (B, T), whole numbers
    weights: Weights,
    shape: Shape,
    mask: Tensor | None = None,  # (T, T), True = may attend
) -> tuple[Tensor, list[Tensor]]:
    """Hidden states (B, T, D) and each layer's attention weights (B, h, T, T)."""
    x = weights["words"][tokens] + weights["places"][: tokens.shape[1]]  # (B, T, D)
    read = []
    for layer in range(shape.layers):
        attended, seen = attend(layer_normalized(x), weights, layer, shape.heads, mask)
        x = x + attended
        x = x + gelu(layer_normalized(x) @ weights[f"up{layer}"]) @ weights[f"down{layer}"]
        read.append(seen)
    return layer_normalized(x), read


def attend(x: Tensor, weights: Weights, layer: int, heads: int, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """One layer's attention: (B, T, D) and its weights (B, h, T, T)."""
    query, key, value = (split_heads(x @ weights[f"{letter}{layer}"], heads) for letter in "QKV")  # (B, h, T, d)
    output, seen = scaled_dot_product_attention(query, key, value, mask)
    return merge_heads(output) @ weights[f"O{layer}"], seen


def layer_normalized(x: Tensor) -> Tensor:
    """Every token's D numbers with mean 0 and variance 1."""
    return layer_norm(x, x.shape[-1:])
