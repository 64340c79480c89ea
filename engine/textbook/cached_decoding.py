"""The KV cache: keys and values of tokens already read are kept, so a new token costs one row of work instead of all rows.

Letters: B batch, h heads, T new tokens, S tokens so far (cached and new), d width of a head, D = h·d.
The stack is x + Attention(LayerNorm(x)), layer after layer. A feed-forward part reads one token at a time, needs no cache, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from engine.textbook.attention import MultiHeadAttention, causal_mask, scaled_dot_product_attention

Kept = tuple[Tensor, Tensor]  # one layer's keys and values, (B, h, S, d) each
MaskOf = Callable[[int, int], Tensor]  # (T, S), True = may attend


def empty_cache(layers: Sequence[MultiHeadAttention]) -> tuple[Kept, ...]:
    """Nothing read yet: S = 0 in every layer."""
    return tuple(
        (torch.zeros(1, layer.heads, 0, layer.W_K.out_features // layer.heads, dtype=layer.W_K.weight.dtype),) * 2 for layer in layers
    )


def attend_and_keep(layer: MultiHeadAttention, x: Tensor, kept: Kept, mask_of: MaskOf) -> tuple[Tensor, Kept]:
    """x (B, T, D) holds the new tokens only. All three of q, k and v are computed for them; k and v join the cache."""
    query = layer.split(layer.W_Q(x), layer.heads)  # (B, h, T, d)
    key = torch.cat((kept[0], layer.split(layer.W_K(x), layer.heads)), dim=2)  # (B, h, S, d)
    value = torch.cat((kept[1], layer.split(layer.W_V(x), layer.heads)), dim=2)  # (B, h, S, d)
    output, _ = scaled_dot_product_attention(query, key, value, mask_of(x.shape[1], key.shape[2]))
    return layer.W_O(layer.merge(output)), (key, value)


def attend_with_query_only(layer: MultiHeadAttention, x: Tensor, kept: Kept, mask_of: MaskOf) -> tuple[Tensor, Kept]:
    """Wrong: only q of the new token is computed, so it reads the old tokens and neither itself nor the ones generated before it."""
    query = layer.split(layer.W_Q(x), layer.heads)
    output, _ = scaled_dot_product_attention(query, *kept)
    return layer.W_O(layer.merge(output)), kept


Attend = Callable[[MultiHeadAttention, Tensor, Kept, MaskOf], tuple[Tensor, Kept]]


def forward(
    layers: Sequence[MultiHeadAttention],
    x: Tensor,  # (B, T, D)
    cache: Sequence[Kept],
    mask_of: MaskOf = causal_mask,
    attend: Attend = attend_and_keep,
) -> tuple[Tensor, tuple[Kept, ...]]:
    """The new tokens through all layers: their outputs (B, T, D) and the longer cache."""
    longer = []
    for layer, kept in zip(layers, cache, strict=True):
        attended, kept = attend(layer, layer_norm(x, x.shape[-1:]), kept, mask_of)
        x = x + attended
        longer.append(kept)
    return x, tuple(longer)


def decode(layers: Sequence[MultiHeadAttention], x: Tensor, cache: Sequence[Kept], attend: Attend = attend_and_keep) -> Tensor:
    """One token at a time, as in generation: (B, T, D) -> (B, T, D)."""
    outputs = []
    for token in x.unbind(1):
        output, cache = forward(layers, token[:, None], cache, attend=attend)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


def generate(
    stack: list[MultiHeadAttention], x: Tensor, prompt: int, mask_of: MaskOf = causal_mask, attend: Attend = attend_and_keep
) -> Tensor:
    """Prefill reads the prompt at once and fills the cache, then each further token is one step."""
    read, cache = forward(stack, x[:, :prompt], empty_cache(stack), mask_of)
    return torch.cat((read, decode(stack, x[:, prompt:], cache, attend)), dim=1)


def see_all(queries: int, keys: int) -> Tensor:
    """No causal mask: what is missing when a prompt is read as an encoder reads it."""
    return torch.ones(queries, keys, dtype=torch.bool)


def keys_of(layers: Sequence[MultiHeadAttention], x: Tensor) -> Tensor:
    """Every layer's keys after the tokens x (1, S, D) were read at once: (L, h, S, d)."""
    return torch.stack([keys[0] for keys, _ in forward(layers, x, empty_cache(layers))[1]])
