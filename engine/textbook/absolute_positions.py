"""Absolute positions: a vector for every place in the sequence, added to the token before the first layer.

Letters: T positions, D = d_model, one frequency for every pair of dimensions.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

BASE = 10000.0


def frequencies(width: int, base: float = BASE) -> Tensor:
    """(width/2,) radians a position: 1 for the first pair, then ever slower, base^(-2i/width)."""
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def wavelengths(width: int, base: float = BASE) -> Tensor:
    """(width/2,) positions to a full turn: from 2π to almost 2π·base."""
    return 2 * math.pi / frequencies(width, base)


def sinusoidal(positions: Tensor, width: int) -> Tensor:
    """(T,) -> (T, D): sin in the even dimensions, cos in the odd ones. Source: Vaswani et al. 2017, section 3.5."""
    angles = positions[:, None] * frequencies(width)  # (T, D/2)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


def shift_matrix(distance: int, width: int) -> Tensor:
    """M_k (D, D) with PE(p + k) = M_k PE(p) for every p: each pair of dimensions is turned by its own angle."""
    angles = distance * frequencies(width)
    even = torch.arange(0, width, 2)
    turn = torch.zeros(width, width, dtype=torch.float64)
    turn[even, even], turn[even, even + 1] = angles.cos(), angles.sin()
    turn[even + 1, even], turn[even + 1, even + 1] = -angles.sin(), angles.cos()
    return turn


def absolute_scores(query: Tensor, key: Tensor, query_position: Tensor, key_position: Tensor) -> Tensor:
    """(x + p)·(y + r), every row of a query against every row of a key: the four terms x·y + x·r + p·y + p·r."""
    return (query + query_position) @ (key + key_position).transpose(-2, -1)


def look_up_position(table: Tensor, positions: Tensor) -> Tensor:
    """Learned positions are rows of a table (L, D), as in BERT. Raises IndexError beyond the last row: nothing was learned for it."""
    beyond = [position for position in positions.tolist() if not 0 <= position < len(table)]
    if beyond:
        raise IndexError(f"position {beyond[0]} is outside the table of {len(table)} rows (0..{len(table) - 1})")
    return table[positions]
