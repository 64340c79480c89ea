"""Relative positions: something that knows only the distance between query and key is added to their score.

Letters: h heads, T queries, S keys, d width of a head. Distances are key minus query: negative looks back.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def distances(queries: int, keys: int) -> Tensor:
    """(T, S): how far each key is behind (negative) or ahead of each query."""
    return torch.arange(keys) - torch.arange(queries)[:, None]


def clipped(distance: Tensor, farthest: int) -> Tensor:
    """Row of a table of 2·farthest + 1 distances; all that is farther shares the outermost rows, so no text is too long."""
    return distance.clamp(-farthest, farthest) + farthest


def relative_key_scores(query: Tensor, table: Tensor, keys: int) -> Tensor:
    """query (T, d) · table (2k + 1, d) at each distance: (T, S), added to QKᵀ. Source: Shaw et al. 2018; later BERT variants."""
    rows = table[clipped(distances(len(query), keys), len(table) // 2)]  # (T, S, d)
    return (rows @ query[:, :, None])[..., 0]


def t5_bucket(distance: Tensor, buckets: int = 32, farthest: int = 128, both_ways: bool = True) -> Tensor:
    """Near distances have a bucket each, far ones share logarithmically wider ones. Source: Raffel et al. 2020.

    Looking both ways, half of the buckets serve what is ahead; otherwise what is ahead counts as distance 0.
    """
    offset = torch.zeros_like(distance)
    if both_ways:
        buckets //= 2
        offset = (distance > 0) * buckets
    back = distance.abs() if both_ways else (-distance).clamp(min=0)
    exact = buckets // 2
    wide = exact + (torch.log(back.clamp(min=1) / exact) / math.log(farthest / exact) * (buckets - exact)).long()
    return offset + torch.where(back < exact, back, wide.clamp(max=buckets - 1))


def alibi_slopes(heads: int) -> Tensor:
    """(h,): 2^(-8i/h). Heads that are no power of two take every second slope of the next power for the rest. Source: Press et al. 2022."""
    power = 2 ** math.floor(math.log2(heads))
    slopes = 2 ** (-8 * torch.arange(1, power + 1, dtype=torch.float64) / power)
    between = 2 ** (-4 * torch.arange(1, 2 * power + 1, 2, dtype=torch.float64) / power)
    return torch.cat((slopes, between[: heads - power]))


def alibi_bias(heads: int, queries: int, keys: int) -> Tensor:
    """(h, T, S): -slope times how far back the key is; the last query is lined up with the last key. Nothing is learned."""
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -alibi_slopes(heads)[:, None, None] * back
