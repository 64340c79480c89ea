"""A batch for generation: prompts of different lengths are filled up with padding; its side decides where the next token comes from.

One row of the batch at a time: T places, of which `present` (T,) holds True for a token and False for padding.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.textbook.absolute_positions import frequencies
from engine.textbook.attention import MultiHeadAttention, causal_mask, scaled_dot_product_attention
from engine.textbook.cached_decoding import Attend, Kept, MaskOf, attend_and_keep, empty_cache, forward
from engine.textbook.rotary_positions import rotate_half


def position_ids(present: Tensor) -> Tensor:
    """(T,) positions that count tokens only: the first token is at 0 however much padding comes before it. Padding gets 0."""
    return (present.long().cumsum(0) - 1).clamp_min(0)


def causal_and_padding_mask(present: Tensor) -> MaskOf:
    """No later key, and no padding. A place with padding on its left only may attend to nothing at all."""
    return lambda queries, keys: causal_mask(queries, keys) & present[:keys]


def prefill(layers: Sequence[MultiHeadAttention], x: Tensor, mask_of: MaskOf, attend: Attend = attend_and_keep) -> Tensor:
    """The stack's output at every place, (T, D) -> (T, D)."""
    return forward(layers, x[None], empty_cache(layers), mask_of, attend)[0][0]


def attend_rotated(layer: MultiHeadAttention, x: Tensor, kept: Kept, mask_of: MaskOf) -> tuple[Tensor, Kept]:
    """As attend_and_keep, with queries and keys turned by their place, padding counted: a score sees the distance only."""
    width = layer.W_Q.out_features // layer.heads
    angles = torch.arange(kept[0].shape[2], kept[0].shape[2] + x.shape[1])[:, None] * frequencies(width)  # (T, d/2)
    query = rotate_half(layer.split(layer.W_Q(x), layer.heads), angles)
    key = torch.cat((kept[0], rotate_half(layer.split(layer.W_K(x), layer.heads), angles)), dim=2)
    value = torch.cat((kept[1], layer.split(layer.W_V(x), layer.heads)), dim=2)
    output, _ = scaled_dot_product_attention(query, key, value, mask_of(x.shape[1], key.shape[2]))
    return layer.W_O(layer.merge(output)), (key, value)
