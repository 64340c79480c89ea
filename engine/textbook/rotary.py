"""Rotary positions: queries and keys are turned by an angle that grows with their position, so a score sees the distance only.

x is (..., T, d), its dimensions taken in pairs; angles are (T, d/2). Source: Su et al. 2021.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.textbook.positions import BASE, frequencies


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


# Longer texts than in training.


def interpolated(width: int, stretch: float) -> Tensor:
    """Position interpolation: every angle divided by the stretch; neighbours come closer too. Source: Chen et al. 2023."""
    return frequencies(width) / stretch


def ntk_aware(width: int, stretch: float) -> Tensor:
    """A larger base: the fastest frequency stays, the slowest is divided by the stretch, the others lie between."""
    return frequencies(width, BASE * stretch ** (width / (width - 2)))


def unfinished_turns(each: Tensor, length: int) -> int:
    """How many frequencies do not complete a turn within the text: beyond it they come to angles that training never showed."""
    return int((each * length < 2 * torch.pi).sum())
