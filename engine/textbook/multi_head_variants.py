"""A multi-head layer on the bench: random weights, the same weights wired otherwise, one head silenced, a loop as its second opinion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import normalize

from engine.textbook.attention import Merge, MultiHeadAttention, Split, merge_heads, scaled_dot_product_attention, split_heads


@dataclass(frozen=True)
class Probe:
    """Tokens x (1, T, D), the same with another first and with another last token, and the mask that all of them get."""

    x: Tensor
    first_changed: Tensor
    last_changed: Tensor
    mask: Tensor | None

    def output(self, layer: MultiHeadAttention) -> Tensor:
        return torch.as_tensor(layer(self.x, mask=self.mask)[0])

    def weights(self, layer: MultiHeadAttention) -> Tensor:
        return torch.as_tensor(layer(self.x, mask=self.mask)[1])

    def scores(self, layer: MultiHeadAttention) -> Tensor:
        """Of every head, (1, h, T, T), -inf where the mask forbids them."""
        query, key = (layer.split(project(self.x), layer.heads) for project in (layer.W_Q, layer.W_K))
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        return scores if self.mask is None else scores.masked_fill(~self.mask, -math.inf)

    def leak(self, layer: MultiHeadAttention) -> float:
        """How far the outputs before the last token move when the last token changes."""
        moved = layer(self.last_changed, mask=self.mask)[0] - self.output(layer)
        return float(moved[:, :-1].abs().max())

    def reach(self, layer: MultiHeadAttention) -> float:
        """How far the output of the last token moves when the first token changes."""
        moved = layer(self.first_changed, mask=self.mask)[0] - self.output(layer)
        return float(moved[:, -1].abs().max())


def random_probe(tokens: int, d_model: int, seed: int, mask: Tensor | None) -> Probe:
    """Tokens from N(0, 1), by another stream than the layer's weights."""
    generator = torch.Generator().manual_seed(seed + 1000)
    x = torch.randn(1, tokens, d_model, generator=generator, dtype=torch.float64)
    first, last = x.clone(), x.clone()
    first[0, 0], last[0, -1] = torch.randn(2, d_model, generator=generator, dtype=torch.float64)
    return Probe(x, first, last, mask)


def random_layer(d_model: int, heads: int, seed: int) -> MultiHeadAttention:
    """Weights from N(0, 1/D), no bias: outputs about as large as inputs."""
    layer = _layer(d_model, heads, split_heads, merge_heads)
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in layer.named_parameters():
        if name.endswith("bias"):
            parameter.zero_()
        else:
            parameter.normal_(0, 1 / math.sqrt(d_model), generator=generator)
    return layer


def _layer(d_model: int, heads: int, split: Split, merge: Merge) -> MultiHeadAttention:
    """A layer to be filled: what nn.Linear draws on its way leaves the global seed as it was."""
    with torch.random.fork_rng(devices=[]):
        return MultiHeadAttention(d_model, heads, split, merge, dtype=torch.float64).requires_grad_(False)


def rewired(layer: MultiHeadAttention, split: Split, merge: Merge) -> MultiHeadAttention:
    """The same weights with another way to split and merge."""
    other = _layer(layer.W_Q.in_features, layer.heads, split, merge)
    other.load_state_dict(layer.state_dict())
    return other


def without_head(layer: MultiHeadAttention, head: int) -> MultiHeadAttention:
    """The same layer with one head's piece set to 0 before W_O; heads count from 1, 0 silences none."""
    silent = torch.arange(1, layer.heads + 1) == head

    def merge_the_rest(pieces: Tensor) -> Tensor:
        return merge_heads(pieces.masked_fill(silent[:, None, None], 0.0))

    return rewired(layer, split_heads, merge_the_rest)


def loop_over_heads(layer: MultiHeadAttention, x: Tensor, mask: Tensor | None) -> Tensor:
    """The definition without a reshape: head i uses columns i·d ... (i+1)·d of Q, K and V. (T, D) -> (T, D)"""
    Q, K, V = layer.W_Q(x), layer.W_K(x), layer.W_V(x)
    width = Q.shape[-1] // layer.heads
    columns = [slice(i * width, (i + 1) * width) for i in range(layer.heads)]
    pieces = [scaled_dot_product_attention(Q[:, c], K[:, c], V[:, c], mask)[0] for c in columns]
    return torch.as_tensor(layer.W_O(torch.cat(pieces, -1)))


def head_similarity(weights: Tensor) -> float:
    """Mean cosine of the weight matrices (h, T, S) over all pairs of heads; 1 for a single head."""
    heads = len(weights)
    if heads == 1:
        return 1.0
    flat = normalize(weights.flatten(1), dim=-1)
    return float(((flat @ flat.T).sum() - heads) / (heads * (heads - 1)))


def score_rank(layer: MultiHeadAttention, x: Tensor) -> int:
    """The largest rank of any head's QKᵀ (T, T): at most the head's width."""
    query, key = (split_heads(project(x), layer.heads) for project in (layer.W_Q, layer.W_K))
    return int(torch.linalg.matrix_rank(query @ key.transpose(-2, -1)).max())
