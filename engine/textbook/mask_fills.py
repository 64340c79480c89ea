"""The masks by name, and every way to make scores forbidden that is found in code: one is right, the others leak or break."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from engine.textbook.attention import (
    causal_mask,
    mask_after_softmax,
    mask_by_adding,
    mask_with_minus_1e9,
    mask_with_zero,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
    softmax,
)

PADDED = 2  # keys of padding at the end, when there are more keys than that
WINDOW = 3
PREFIX = 2

Fill = Callable[[Tensor, Tensor], Tensor]

KINDS: dict[str, Callable[[int, int], Tensor]] = {
    "none": lambda queries, keys: torch.ones(queries, keys, dtype=torch.bool),
    "causal": causal_mask,
    "padding": lambda queries, keys: padding_mask(torch.tensor([max(1, keys - PADDED)]), keys)[0].expand(queries, keys),
    "window": partial(sliding_window_mask, width=WINDOW),
    "prefix": partial(prefix_mask, prefix=PREFIX),
}
FILLS: dict[str, Fill] = {
    "-inf": softmax,
    "-1e9": mask_with_minus_1e9,
    "-1e4": partial(mask_by_adding, amount=-1e4),
    "-1e-9": partial(mask_by_adding, amount=-1e-9),
    "0": mask_with_zero,
    "after-softmax": mask_after_softmax,
}


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, fill: Fill) -> tuple[Tensor, Tensor]:
    """Output (..., T, d) and weights (..., T, S), with one of the ways to apply a mask."""
    weights = fill(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask)
    return weights @ value, weights
