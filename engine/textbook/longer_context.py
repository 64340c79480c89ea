"""Longer texts than in training: which of RoPE's frequencies are slowed down, so that no pair comes to an angle it never saw.

A frequency is what a pair of dimensions turns per position, in radians; `stretch` s is how many times longer the text is than in training.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.textbook.absolute_positions import BASE, frequencies

FAST, SLOW = 32, 1  # turns within the training length: from so many on a pair is left alone, below so many it is interpolated


def interpolated(width: int, stretch: float) -> Tensor:
    """Position interpolation: every angle divided by the stretch; neighbours come closer too. Source: Chen et al. 2023."""
    return frequencies(width) / stretch


def ntk_aware(width: int, stretch: float) -> Tensor:
    """A larger base: the fastest frequency stays, the slowest is divided by the stretch, the others lie between."""
    return frequencies(width, BASE * stretch ** (width / (width - 2)))


def unfinished_turns(each: Tensor, length: int) -> int:
    """How many frequencies do not complete a turn within the text: beyond it they come to angles that training never showed."""
    return int((each * length < 2 * torch.pi).sum())


def yarn(width: int, stretch: float, trained: int) -> Tensor:
    """Fast pairs stay, slow ones are interpolated, and between them it goes over in a straight line from pair to pair.

    As released, with the two limits rounded outwards; the paper's formula goes by turns instead. Source: Peng et al. 2023.
    """
    fast, slow = math.floor(pair_with_turns(FAST, width, trained)), math.ceil(pair_with_turns(SLOW, width, trained))
    fast, slow = max(fast, 0), min(slow, width - 1)
    interpolate = ((torch.arange(width // 2, dtype=torch.float64) - fast) / max(slow - fast, 1e-3)).clamp(0, 1)
    return frequencies(width) * (1 - interpolate + interpolate / stretch)


def pair_with_turns(turns: float, width: int, trained: int) -> float:
    """Which pair (a fraction of one) completes so many turns within the training length."""
    return width * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(BASE))


def yarn_score_factor(stretch: float) -> float:
    """What YaRN multiplies scores with, (0.1·ln s + 1)²: longer texts flatten softmax, this sharpens it again."""
    return (0.1 * math.log(stretch) + 1) ** 2
