"""What a mask lets through, on average over many draws: one draw's leak is anything between half and twice as much."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

from engine.assemble import Numbers
from engine.textbook.attention import causal_mask, scaled_dot_product_attention
from engine.textbook.mask_fills import Fill, attend

WIDTH = 4  # of queries, keys and values
DRAWS = 400


def averages(mask: Tensor, token: int, fill: Fill, seed: int) -> Numbers:
    """The same measures, each a mean over many draws of Q, K, V and of the changed token: (B, T, d) and (B, S, d)."""
    queries, keys = mask.shape
    generator = torch.Generator().manual_seed(seed + 1000)
    Q = torch.randn(DRAWS, queries, WIDTH, generator=generator, dtype=torch.float64)
    K, V = torch.randn(2, DRAWS, keys, WIDTH, generator=generator, dtype=torch.float64)
    K2, V2 = K.clone(), V.clone()
    K2[:, token], V2[:, token] = torch.randn(2, DRAWS, WIDTH, generator=generator, dtype=torch.float64)
    output, weights = attend(Q, K, V, mask, fill)
    unmasked = scaled_dot_product_attention(Q, K2, V2)[0] - scaled_dot_product_attention(Q, K, V)[0]
    blind, something = ~mask[:, token], mask.any(-1)
    torchs = functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
    decoding = scaled_dot_product_attention(Q, K, V, causal_mask(queries, keys))[0]
    return {
        "mean_leak": mean_largest((attend(Q, K2, V2, mask, fill)[0] - output)[:, blind]),
        "mean_unmasked_leak": mean_largest(unmasked[:, blind]),
        "mean_masked_weight": mean_largest(weights[:, ~mask]),
        "mean_flipped_masked_weight": mean_largest(scaled_dot_product_attention(Q, K, V, ~mask)[1][:, ~mask]),
        "mean_row_sum_min": weights[:, something].sum(-1).amin(-1).mean() if bool(something.any()) else 0.0,
        "mean_is_causal_error": mean_largest((torchs - decoding)[:, -1]),
    }


def mean_largest(values: Tensor) -> float:
    """Of every draw (B, ...) the largest magnitude, and of these the mean; 0 when there is nothing to look at."""
    return float(values.abs().flatten(1).amax(-1).mean()) if values[0].numel() else 0.0


def largest(values: Tensor) -> float:
    """The largest magnitude; 0 when there is nothing to look at."""
    return float(values.abs().max()) if values.numel() else 0.0


def usual_softmax_is_nan(query: Tensor, key: Tensor, mask: Tensor) -> bool:
    """A row with nothing to attend to is 0/0. Said as yes or no, so that a Result stays finite."""
    usual = torch.softmax((query @ key.T / math.sqrt(WIDTH)).masked_fill(~mask, -math.inf), -1)
    return bool(usual.isnan().any())


def row_sums(filled: Tensor, empty: Tensor) -> Numbers:
    """Of the rows that may attend to something; the empty ones apart."""
    sums = filled.sum(-1)
    return {
        "row_sum_min": min(sums[~empty].tolist(), default=0.0),
        "row_sum_max": max(sums[~empty].tolist(), default=0.0),
        "fully_masked_rows": float(empty.sum()),
        "fully_masked_row_sum": largest(sums[empty]),
    }
