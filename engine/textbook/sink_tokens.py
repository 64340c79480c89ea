"""Attention sinks: softmax cannot give weight to nothing, so a head with nothing to say gives it to a token that says nothing.

Scores are (..., T, S). Source: Xiao et al. 2023 (StreamingLLM); a learned sink per head is in gpt-oss.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.textbook.attention import causal_mask, sliding_window_mask


def window_with_sinks_mask(queries: int, keys: int, width: int, sinks: int) -> Tensor:
    """(T, S): the last `width` keys, and the first `sinks` ones, which are never dropped from the cache."""
    return sliding_window_mask(queries, keys, width) | (causal_mask(queries, keys) & (torch.arange(keys) < sinks))


def softmax_with_sink(scores: Tensor, sink: float) -> Tensor:
    """Weights e^s / (e^sink + Σ e^s): rows sum to less than 1, and no token has to take what is left over. sink = 0 is "off by one"."""
    extra = torch.full((*scores.shape[:-1], 1), sink, dtype=scores.dtype)
    return torch.softmax(torch.cat((extra, scores), -1), -1)[..., 1:]
