"""Gradient clipping: a gradient that is too long is shortened, by its norm (the direction stays) or number by number (it does not)."""

from __future__ import annotations

import torch
from torch import Tensor


def clip_by_norm(gradient: Tensor, limit: float) -> Tensor:
    """g · min(1, c/|g|), over all numbers of all layers at once. Source: Pascanu, Mikolov and Bengio 2013."""
    return gradient * min(1.0, limit / float(gradient.norm()))


def clip_by_value(gradient: Tensor, limit: float) -> Tensor:
    """Each number into -c ... c: the large ones lose, the small ones stay, so the direction turns."""
    return gradient.clamp(-limit, limit)


def cosine(a: Tensor, b: Tensor) -> float:
    return float(torch.nn.functional.cosine_similarity(a.flatten(), b.flatten(), dim=0))
