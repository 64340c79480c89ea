"""What can be checked of attention by hand: who answers to whom, whether an output is an average of the values, whether torch agrees."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from engine.assemble import Numbers
from engine.textbook.attention import scaled_dot_product_attention


def checks(prefix: str, weights: Tensor, value: Tensor) -> Numbers:
    """What makes weights (n, n) an average: rows that sum to 1, outputs inside the values."""
    return {f"{prefix}row_sum_error": (weights.sum(-1) - 1).abs().max(), f"{prefix}hull_excess": hull_excess(weights @ value, value)}


def hull_excess(output: Tensor, value: Tensor) -> float:
    """How far an output (n, d) leaves [min, max] of the values (n, d) in any dimension; 0 for an average with weights that sum to 1."""
    return float(torch.maximum(output - value.amax(0), value.amin(0) - output).clamp_min(0).max())


def torch_difference(Q: Tensor, K: Tensor, V: Tensor, allowed: Tensor, output: Tensor) -> Tensor:
    """How far torch's own function is from the textbook's and from the steps."""
    torchs = functional.scaled_dot_product_attention(Q[None], K[None], V[None], allowed)[0]
    textbook = scaled_dot_product_attention(Q, K, V, allowed)[0]
    return torch.maximum((torchs - textbook).abs().max(), (torchs - output).abs().max())


def pair_scores(scores: Tensor, K: Tensor, it: int, referent: int) -> Numbers:
    """Who answers to whom, before scaling; and what the keys' matrix in both roles would make of it."""
    shared = K @ K.T
    return {
        "pronoun_score": scores[it, referent],
        "pronoun_self_score": scores[it, it],
        "referent_to_pronoun_score": scores[referent, it],
        "shared_pronoun_score": shared[it, referent],
        "shared_pronoun_self_score": shared[it, it],
        "shared_asymmetry": (shared - shared.T).abs().max(),
        "asymmetry": (scores - scores.T).abs().max(),
    }
