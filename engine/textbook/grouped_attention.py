"""Grouped queries: several query heads share one key and value head, so that the cache shrinks by h/g. And MLA, which caches a latent.

Letters: h query heads, g key-value heads (g = h: multi-head, g = 1: multi-query), T queries, S keys, d width, c latent width.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.textbook.attention import scaled_dot_product_attention


def repeat_groups(shared: Tensor, heads: int) -> Tensor:
    """(g, S, d) -> (h, S, d) in the order 0, 0, 1, 1: neighbouring query heads share. Source: Ainslie et al. 2023."""
    return shared.repeat_interleave(heads // len(shared), dim=0)


def loop_over_heads(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The definition: query head i reads group i // (h/g). (h, T, d)"""
    share = len(query) // len(key)
    return torch.stack([scaled_dot_product_attention(query[i], key[i // share], value[i // share])[0] for i in range(len(query))])


def tile_groups(shared: Tensor, heads: int) -> Tensor:
    """Wrong: 0, 1, 0, 1. Every shape fits, and for g = 1 and g = h the order is right by accident."""
    return shared.repeat(heads // len(shared), 1, 1)


def grouped_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """query (h, T, d), key and value (g, S, d) -> (h, T, d). Only the g heads are cached; they are repeated when they are read."""
    heads = len(query)
    return scaled_dot_product_attention(query, repeat_groups(key, heads), repeat_groups(value, heads), mask)[0]


def mean_pooled(each: Tensor, groups: int) -> Tensor:
    """(h, S, d) -> (g, S, d): how a multi-head checkpoint becomes a grouped one before it is trained a little further."""
    heads, *shape = each.shape
    return each.reshape(groups, heads // groups, *shape).mean(1)


# Multi-head latent attention: keys and values are rebuilt from one cached latent a token. Source: DeepSeek-V2, 2024.


def latent_scores(query: Tensor, latent: Tensor, W_UK: Tensor) -> Tensor:
    """query (h, T, d), latent (S, c), W_UK (h, d, c): every head's keys W_UK c are rebuilt, then q·k. (h, T, S)"""
    key = latent @ W_UK.transpose(-2, -1)  # (h, S, d)
    return query @ key.transpose(-2, -1)


def absorbed_scores(query: Tensor, latent: Tensor, W_UK: Tensor) -> Tensor:
    """The same as (W_UKᵀ q)·c: the query goes to the latents, and no key is ever rebuilt. (h, T, S)"""
    return (query @ W_UK) @ latent.T


def rotated_latent_scores(query: Tensor, latent: Tensor, W_UK: Tensor, turns: Tensor) -> Tensor:
    """Every rebuilt key turned by its position's own R (S, d, d): that stands between q and W_UK, so it cannot be absorbed.

    It is why MLA keeps a few rotated dimensions apart from the latent. (h, T, S)
    """
    key = latent @ W_UK.transpose(-2, -1)  # (h, S, d)
    return query @ torch.einsum("sij,hsj->hsi", turns, key).transpose(-2, -1)


def rotation_matrices(keys: int, width: int) -> Tensor:
    """(S, d, d): the first two dimensions turned by a radian a position."""
    result = torch.eye(width, dtype=torch.float64).repeat(keys, 1, 1)
    for position in range(keys):
        c, s = math.cos(position), math.sin(position)
        result[position, :2, :2] = torch.tensor([[c, -s], [s, c]])
    return result
