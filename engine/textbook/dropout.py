"""Dropout: while a network learns, numbers are switched off at random; the kept ones are enlarged so that nothing has to change afterwards.

`kept` is a boolean mask, True where a number stays, drawn with probability 1 - p each.
"""

from __future__ import annotations

import torch
from torch import Tensor


def draw_kept(like: Tensor, p: float, generator: torch.Generator) -> Tensor:
    """A mask of the same shape: each number stays with probability 1 - p."""
    return torch.rand(like.shape, generator=generator, dtype=torch.float64) >= p


def inverted_dropout(x: Tensor, kept: Tensor, p: float) -> Tensor:
    """What every library does in training: the kept numbers times 1/(1-p), so that the mean stays. At test time: nothing at all."""
    return x * kept / (1 - p)


def plain_dropout(x: Tensor, kept: Tensor) -> Tensor:
    """The original form: nothing is enlarged in training, so at test time everything must shrink by 1 - p. Srivastava et al. 2014."""
    return x * kept


def shrink_at_test(x: Tensor, p: float) -> Tensor:
    """Right after plain dropout, wrong after inverted dropout: there the mean was kept already."""
    return x * (1 - p)
