"""The smallest task that only attention solves: eight pairs of a key and a value are shown, one key is asked for, its value is the answer.

One head must learn to find the pair by its key (W_Q, W_K) and to read its value (W_V); all its weights lie in one vector θ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, layer_norm

from engine.textbook.attention import scaled_dot_product_attention

PAIRS = 8  # shown at once
KEYS, VALUES = 16, 8  # that there are
WIDTH = 32


@dataclass(frozen=True)
class Questions:
    """The asked key (B, 1, D), the pairs (B, 8, D), which value is right (B,)."""

    asked: Tensor
    pairs: Tensor
    answers: Tensor


@dataclass(frozen=True)
class Lookup:
    """Fixed embeddings of keys (16, D) and values (8, D); a pair's token is the sum of both, normed."""

    keys: Tensor
    values: Tensor

    def questions(self, batch: int, generator: torch.Generator) -> Questions:
        keys = torch.rand(batch, KEYS, generator=generator).argsort(-1)[:, :PAIRS]  # different keys in every question
        values = torch.randint(VALUES, (batch, PAIRS), generator=generator)
        wanted = torch.randint(PAIRS, (batch, 1), generator=generator)
        asked = layer_norm(self.keys[keys.gather(1, wanted)], (WIDTH,))
        pairs = layer_norm(self.keys[keys] + self.values[values], (WIDTH,))
        return Questions(asked, pairs, values.gather(1, wanted)[:, 0])


def draw_lookup(generator: torch.Generator) -> Lookup:
    return Lookup(torch.randn(KEYS, WIDTH, generator=generator), torch.randn(VALUES, WIDTH, generator=generator))


def head_sizes(d_k: int) -> list[int]:
    """How many numbers W_Q (D, d_k), W_K (D, d_k) and W_V (D, values) have."""
    return [WIDTH * d_k, WIDTH * d_k, WIDTH * VALUES]


def draw_head(d_k: int, generator: torch.Generator) -> Tensor:
    """θ (P,) from N(0, 1/D): queries and keys begin with entries of variance 1, as the argument for √d_k assumes."""
    return torch.randn(sum(head_sizes(d_k)), generator=generator) / math.sqrt(WIDTH)


def head_logits(theta: Tensor, d_k: int, scale: Tensor | float, questions: Questions) -> tuple[Tensor, Tensor]:
    """Logits over the values (..., B, values) and the weights on the pairs (..., B, pairs): of one head, or of many with θ (..., P).

    (x W_Q)(Y W_K)ᵀ is computed as (x W_Q W_Kᵀ) Yᵀ, the same scores: where one key is asked for, not all pairs need W_K.
    """
    W_Q, W_K, W_V = (torch.unflatten(piece, -1, (WIDTH, -1)) for piece in torch.split(theta, head_sizes(d_k), dim=-1))
    query = questions.asked[..., 0, :] @ W_Q @ W_K.transpose(-2, -1) * scale  # (..., B, D)
    values = torch.unflatten(questions.pairs.flatten(-3, -2) @ W_V, -2, questions.pairs.shape[-3:-1])  # (..., B, pairs, values)
    output, weights = scaled_dot_product_attention(query[..., None, :], questions.pairs, values, scale=1.0)
    return output[..., 0, :], weights[..., 0, :]


def head_losses(theta: Tensor, d_k: int, scale: Tensor | float, questions: Questions) -> Tensor:
    """The mean loss of each head, (...), on its own questions."""
    logits, _ = head_logits(theta, d_k, scale, questions)
    answers = questions.answers.expand(logits.shape[:-1])
    return cross_entropy(logits.flatten(0, -2), answers.flatten(), reduction="none").view(answers.shape).mean(-1)


def together(each: Sequence[Questions]) -> Questions:
    """The questions of many heads, (heads, B, ...)."""
    asked, pairs, answers = (torch.stack(parts) for parts in zip(*((one.asked, one.pairs, one.answers) for one in each), strict=True))
    return Questions(asked, pairs, answers)
