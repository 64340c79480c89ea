"""Quantisation: numbers become small integers times a scale; one scale for too many numbers serves the largest and ruins the rest.

A matrix W is (C, D): C output channels, each a row.
"""

from __future__ import annotations

import torch
from torch import Tensor


def absmax_scale(x: Tensor, bits: int, dim: int | None = None) -> Tensor:
    """The scale that maps the largest magnitude to the largest integer; with dim=-1 one for every row, (C, 1)."""
    largest: Tensor = x.abs().max() if dim is None else x.abs().amax(dim, keepdim=True)
    return largest.div(2 ** (bits - 1) - 1)


def quantize(x: Tensor, scale: Tensor) -> Tensor:
    """Whole numbers, rounded to the nearest; with the absmax scale they lie in -(2^(b-1) - 1) ... 2^(b-1) - 1."""
    return torch.round(x / scale)


def dequantize(whole: Tensor, scale: Tensor) -> Tensor:
    """What the whole numbers stand for. The error is at most half a scale."""
    return whole * scale


def symmetric(x: Tensor, bits: int) -> Tensor:
    """There and back with one scale for the whole tensor."""
    scale = absmax_scale(x, bits)
    return dequantize(quantize(x, scale), scale)


def per_channel(x: Tensor, bits: int) -> Tensor:
    """There and back with a scale for every row: an outlier costs its own row only."""
    scale = absmax_scale(x, bits, dim=-1)
    return dequantize(quantize(x, scale), scale)


def outliers_apart(x: Tensor, bits: int, threshold: float) -> Tensor:
    """Magnitudes beyond the threshold stay as they are, the rest gets one scale. Source of the idea: Dettmers et al. 2022."""
    large = x.abs() > threshold
    return torch.where(large, x, symmetric(x.masked_fill(large, 0.0), bits))


def affine(x: Tensor, bits: int) -> Tensor:
    """There and back with a scale and a zero point: all 2^b levels lie between the smallest and the largest number (and 0 is one)."""
    low, high = x.min().clamp(max=0), x.max().clamp(min=0)
    scale = (high - low) / (2**bits - 1)
    zero = torch.round(-low / scale)
    whole = (quantize(x, scale) + zero).clamp(0, 2**bits - 1)  # unsigned
    return dequantize(whole - zero, scale)


def rms_error(x: Tensor, restored: Tensor) -> float:
    """Root mean square of what was lost."""
    return float((x - restored).square().mean().sqrt())
