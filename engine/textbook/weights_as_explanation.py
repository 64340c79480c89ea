"""Do attention weights explain an output? Other weights can give the same output, and cutting an edge can change less than its weight says.

One query: weights p (n,) over values V (n, d_v). Sources: Jain and Wallace 2019; Brunner et al. 2020; Kobayashi et al. 2020.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.textbook.attention import softmax

ROUNDING = 1e-12


def silent_directions(value: Tensor) -> Tensor:
    """All δ with δV = 0 and Σδ = 0, one a row: added to weights they change no output and no row sum. V (n, d_v) -> (n - rank, n).

    They are the null space of [V; 1]ᵀ: there are n - d_v - 1 of them, none when a value is as wide as there are other keys.
    """
    columns = torch.cat((value, torch.ones(len(value), 1, dtype=value.dtype)), 1)  # (n, d_v + 1)
    left, singular, _ = torch.linalg.svd(columns)
    rank = int((singular > 1e-10 * singular[0]).sum())
    return torch.as_tensor(left[:, rank:].T)


def away_from(key: int, directions: Tensor) -> Tensor:
    """The silent direction that takes most weight from one key, (n,): its unit vector projected on the directions, with a minus."""
    return -(directions.T @ directions[:, key])


def furthest(weights: Tensor, direction: Tensor) -> Tensor:
    """As far along a direction as all weights stay >= 0: one of them becomes 0. (n,) and (n,) -> (n,)"""
    falling = direction < -1e-12
    if not bool(falling.any()):
        return weights
    return (weights + (weights[falling] / -direction[falling]).min() * direction).clamp_min(0)


def without_edge(scores: Tensor, value: Tensor, edge: int) -> Tensor:
    """The output (d_v,) when the query may not see one key: its score becomes -inf, the others share its weight."""
    mask = torch.arange(len(scores)) != edge
    return softmax(scores, mask) @ value


def edge_effects(scores: Tensor, value: Tensor) -> Tensor:
    """How far the output moves when one edge after the other is cut, (n,): p/(1 - p)·|output - v|, not p.

    A key whose value is what the others say anyway can have the largest weight and no effect.
    """
    output = softmax(scores) @ value
    return torch.stack([(without_edge(scores, value, edge) - output).norm() for edge in range(len(scores))])


def repeat_the_others(scores: Tensor, value: Tensor, key: int, share: float) -> Tensor:
    """The values with one of them moved towards what the other keys say without it; at share = 1 it says nothing of its own."""
    changed = value.clone()
    changed[key] = share * without_edge(scores, value, key) + (1 - share) * value[key]
    return changed


def without_rounding(values: Tensor) -> Tensor:
    """Values (n,) in which what differs by rounding only is equal."""
    return (values / ROUNDING).round() * ROUNDING


def ranks(values: Tensor) -> Tensor:
    """Each value's place among the others (n,), from 0; equal ones share the mean of their places."""
    below = (values[None] < values[:, None]).sum(1)
    equal = (values[None] == values[:, None]).sum(1) - 1
    return below + equal / 2


def agreement(a: Tensor, b: Tensor) -> float:
    """Spearman's rank correlation of two rows: 1 for the same order, -1 for the opposite one; nan where a row has no order."""
    centred = torch.stack([ranks(row).double() - (len(row) - 1) / 2 for row in (a, b)])
    size = math.sqrt(float((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    return float((centred[0] * centred[1]).sum()) / size if size else math.nan
