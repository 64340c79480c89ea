"""A row of scores with every key masked: what the usual softmax and torch's own modules make of it, and how far a NaN gets.

Two padding tokens stand before three real ones, under a causal mask: the first rows have nothing to attend to.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.textbook.attention import causal_mask

PADDING, TOKENS, WIDTH = 2, 5, 4

Numbers = dict[str, float]


def empty_row_numbers(empty: bool, seed: int) -> Numbers:
    """Yes or no as 1 or 0, and shares of what is NaN; all 0 where no row is `empty`."""
    padding = torch.arange(TOKENS) < (PADDING if empty else 0)
    generator = torch.Generator().manual_seed(seed + 2000)
    x = torch.randn(1, TOKENS, WIDTH, generator=generator, dtype=torch.float64)
    mask = causal_mask(TOKENS, TOKENS) & ~padding  # (T, T), True = may attend
    return {**modules(x, mask, padding | empty), **gradients(x[0], mask, generator)}


def modules(x: Tensor, mask: Tensor, padding: Tensor) -> Numbers:
    """torch's function with the mask (T, T); its module with nothing but padding (T,), True = ignore."""
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        multihead = nn.MultiheadAttention(WIDTH, 1, batch_first=True, dtype=torch.float64)
        return {
            "sdpa_nan": float(functional.scaled_dot_product_attention(x, x, x, mask).isnan().any()),
            "multihead_nan": float(multihead(x, x, x, padding[None])[0].isnan().any()),
            "multihead_without_weights_nan": float(multihead(x, x, x, padding[None], need_weights=False)[0].isnan().any()),
        }


def gradients(x: Tensor, mask: Tensor, generator: torch.Generator) -> Numbers:
    """How far a NaN gets, with the softmax that everybody writes, when the loss leaves the empty rows out.

    Forward, their 0 weights meet values of NaN in the next layer; backward, W_V's gradient is PᵀG, and NaN · 0 is NaN. W_Q is spared:
    what comes back to a masked score is set to 0.
    """
    W_Q, W_V = (torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64).requires_grad_() for _ in range(2))

    def layer(x: Tensor) -> Tensor:
        weights = torch.softmax((x @ W_Q @ x.T / math.sqrt(WIDTH)).masked_fill(~mask, -math.inf), -1)
        return weights @ (x @ W_V)

    output = layer(x)
    at_query, at_value = torch.autograd.grad(output[mask.any(-1)].sum(), (W_Q, W_V))
    return {
        "query_gradient_nan": share_of_nan(at_query),
        "value_gradient_nan": share_of_nan(at_value),
        "rows_nan": share_of_nan(output),
        "next_layer_rows_nan": share_of_nan(layer(output)),
    }


def share_of_nan(values: Tensor) -> float:
    return float(values.isnan().double().mean())
