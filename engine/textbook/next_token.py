"""Learning to predict the next token: input and target are one sequence shifted by one; a causal mask lets all places learn at once."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.textbook.attention import causal_mask
from engine.textbook.tiny_transformer import Shape, encode, unpack


def shifted(tokens: Tensor) -> tuple[Tensor, Tensor]:
    """(B, T) -> inputs (B, T-1), targets (B, T-1): at every place the target is what comes next."""
    return tokens[:, :-1], tokens[:, 1:]


def unshifted(tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Wrong: the target at every place is the token that is read there, so that copying is enough."""
    return tokens[:, :-1], tokens[:, :-1]


def next_token_logits(theta: Tensor, shape: Shape, tokens: Tensor, mask: Tensor | None) -> Tensor:
    """One pass over (B, T): a prediction for the token after every place, (B, T, V)."""
    weights = unpack(theta, shape)
    return encode(tokens, weights, shape, mask)[0] @ weights["words"].T


def prefix_logits(theta: Tensor, shape: Shape, tokens: Tensor) -> Tensor:
    """The same numbers the slow way: T passes over ever longer prefixes, of which only the last place is kept.

    The mask is needed here too: with two layers, tokens inside a prefix that saw each other would tell the last one something else.
    """
    passes = [
        next_token_logits(theta, shape, tokens[:, :length], causal_mask(length, length))[:, -1] for length in range(1, tokens.shape[1] + 1)
    ]
    return torch.stack(passes, 1)


def mean_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy over all places of all sequences: every place is a lesson."""
    return cross_entropy(logits.flatten(0, 1), targets.flatten())
