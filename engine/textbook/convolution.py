"""Causal convolutions: every layer sees k tokens, so the past that a token knows grows layer by layer, and faster with gaps between the k.

Letters: B batch, T tokens, D width, k kernel. dilation = the gap between the tokens that a kernel looks at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad


def causal_convolution(x: Tensor, kernel: Tensor, dilation: int = 1) -> Tensor:
    """(B, T, D) -> (B, T, D): Σ_j x[t - j·dilation] W_j over the kernel (k, D, D); before the first token there are zeros."""
    tokens = x.shape[1]
    shifted = (pad(x, (0, 0, back * dilation, 0))[:, :tokens] for back in range(len(kernel)))
    return torch.as_tensor(sum(each @ W for each, W in zip(shifted, kernel, strict=True)))


def convolution_layers(x: Tensor, kernels: Tensor, dilations: Sequence[int]) -> list[Tensor]:
    """x (B, T, D) after each of the layers, kernels (L, k, D, D): tanh of a convolution."""
    outputs = []
    for kernel, dilation in zip(kernels, dilations, strict=True):
        x = torch.tanh(causal_convolution(x, kernel, dilation))
        outputs.append(x)
    return outputs


def receptive_field(kernel: int, dilations: Sequence[int]) -> int:
    """1 + Σ (k - 1)·dilation: neighbouring kernels overlap, so L layers of k see fewer than L·k tokens."""
    return 1 + sum((kernel - 1) * dilation for dilation in dilations)


def layers_to_cover(tokens: int, kernel: int) -> int:
    """How many plain layers until the last token has seen the first: about T/k."""
    return math.ceil((tokens - 1) / (kernel - 1))


def dilated_layers_to_cover(tokens: int, kernel: int) -> int:
    """The same with dilations 1, 2, 4, ...: about log T."""
    return math.ceil(math.log2((tokens - 1) / (kernel - 1) + 1))


def change_one_token(x: Tensor, other: Tensor) -> Tensor:
    """(T, D) -> (T + 1, T, D): x itself, then x with each of its tokens in turn taken from `other` (T, D)."""
    tokens = len(x)
    changed = x.repeat(tokens + 1, 1, 1)
    changed[torch.arange(1, tokens + 1), torch.arange(tokens)] = other
    return changed


def last_token_sensitivity(output: Tensor) -> Tensor:
    """How far the last output moved with each changed token: (T + 1, D), the unchanged one first, -> (T,)."""
    return (output[1:] - output[0]).abs().amax(-1)
