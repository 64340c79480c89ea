"""Rotary positions: queries and keys are turned by an angle that grows with their position, so a score sees the distance only.

x is (..., T, d), its dimensions taken in pairs; angles are (T, d/2). Source: Su et al. 2021.
"""

from __future__ import annotations

import torch
from torch import Tensor


def rotate_interleaved(x: Tensor, angles: Tensor) -> Tensor:
    """The paper's layout: dimensions (0, 1), (2, 3), ... are pairs."""
    even, odd, c, s = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack((even * c - odd * s, even * s + odd * c), dim=-1).flatten(-2)


def rotate_half(x: Tensor, angles: Tensor) -> Tensor:
    """The layout of many libraries: dimensions (0, d/2), (1, d/2 + 1), ... are pairs. Weights made for one do not fit the other."""
    first, second = x.chunk(2, dim=-1)
    c, s = angles.cos(), angles.sin()
    return torch.cat((first * c - second * s, first * s + second * c), dim=-1)


def halves_from_pairs(x: Tensor) -> Tensor:
    """The even dimensions, then the odd ones: applied to the rows of W_Q and W_K it carries weights to the other layout."""
    return torch.cat((x[..., 0::2], x[..., 1::2]), dim=-1)
