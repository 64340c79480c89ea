"""Normalisation: which numbers are brought to one mean and spread. A token's own (LayerNorm, RMSNorm) or a feature's over the batch.

Tokens are (..., D), D numbers each. Variances are means of squares: divided by D, not by D - 1.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def normalize(x: Tensor, dim: int | tuple[int, ...], eps: float) -> Tensor:
    """(x - μ)/√(σ² + ε) with mean and variance over `dim`; ε inside the root keeps the slope finite where all numbers are equal."""
    centred = x - x.mean(dim, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(dim, keepdim=True) + eps)


def layer_norm(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Each token by itself, over its D numbers. Source: Ba, Kiros and Hinton 2016."""
    return normalize(x, -1, eps)


def rms_norm(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Each token divided by its root mean square; nothing is subtracted. Source: Zhang and Sennrich 2019; LLaMA."""
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps)


def batch_norm(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Each feature by itself, over all tokens of the batch, as in training: a token's output depends on its neighbours."""
    return normalize(x, tuple(range(x.dim() - 1)), eps)


class LayerNorm(nn.Module):
    """layer_norm, then a learned weight and bias for every feature: 2·D parameters."""

    def __init__(self, width: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        return layer_norm(x, self.eps) * self.weight + self.bias


class RMSNorm(nn.Module):
    """rms_norm, then a learned weight for every feature: D parameters."""

    def __init__(self, width: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.eps) * self.weight


# Wrong, and often copied: at D = 512 nobody notices the first two.


def layer_norm_sample_variance(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Wrong: torch.var divides by D - 1 unless it is told not to."""
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps)


def layer_norm_eps_outside(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Wrong: ε added to σ, not to σ². Tokens with a spread below √ε come out far larger than they should."""
    centred = x - x.mean(-1, keepdim=True)
    return centred / ((centred**2).mean(-1, keepdim=True).sqrt() + eps)


def layer_norm_whole_sentence(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Wrong: one mean and variance for all tokens of a sentence (..., T, D), so that tokens leak into each other."""
    return normalize(x, (-2, -1), eps)
