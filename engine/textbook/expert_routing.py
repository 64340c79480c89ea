"""Mixture of experts: a router sends each token to a few of many feed-forward networks; the art is to keep all of them busy.

Letters: N tokens, E experts, k experts a token, D = d_model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def route(logits: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """logits (N, E) -> the chosen experts (N, k) and their weights, a softmax over the chosen: they sum to 1."""
    chosen = logits.topk(k, dim=-1)
    return chosen.indices, torch.softmax(chosen.values, -1)


def mixture(x: Tensor, logits: Tensor, experts: Sequence[Callable[[Tensor], Tensor]], k: int) -> Tensor:
    """x (N, D) -> (N, D): each expert reads only the tokens that were sent to it."""
    indices, weights = route(logits, k)
    output = torch.zeros_like(x)
    for number, expert in enumerate(experts):
        tokens, slot = (indices == number).nonzero(as_tuple=True)
        output[tokens] += weights[tokens, slot, None] * expert(x[tokens])
    return output


def expert_load(logits: Tensor, k: int) -> Tensor:
    """(E,): each expert's share of all assignments, 1/E when balanced."""
    indices = logits.topk(k, dim=-1).indices
    return torch.bincount(indices.flatten(), minlength=logits.shape[-1]).double() / indices.numel()


def balance_loss(logits: Tensor, k: int) -> float:
    """E · Σ load · mean probability: 1 when balanced, more when the busy experts are also the likely ones. Source: Fedus et al. 2021."""
    probability = torch.softmax(logits, -1).mean(0)
    return float(logits.shape[-1] * (expert_load(logits, k) * probability).sum())


def dropped_tokens(logits: Tensor, k: int, capacity: float) -> float:
    """The share of assignments beyond what an expert may take, `capacity` times its even share: those tokens skip it."""
    even = 1 / logits.shape[-1]
    return float((expert_load(logits, k) - capacity * even).clamp(min=0).sum())


def balanced_by_bias(logits: Tensor, k: int, step: float, steps: int) -> list[float]:
    """The largest load before each step: each expert has an offset, lowered while it is busy. Source: DeepSeek-V3, 2024."""
    offset, largest = torch.zeros(logits.shape[-1], dtype=logits.dtype), []
    for _ in range(steps):
        shares = expert_load(logits + offset, k)
        largest.append(float(shares.max()))
        offset = offset - step * torch.sign(shares - 1 / logits.shape[-1])
    return largest
