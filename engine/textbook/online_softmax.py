"""Online softmax, the idea inside FlashAttention: keys come block by block, and no row of scores is ever held whole.

Every row keeps three things: its largest score so far m, its denominator l = Σ e^(s - m), its unnormalised output o = Σ e^(s - m) v.
When a larger score comes, what was summed before is rescaled by e^(m_old - m_new). Source: Milakov and Gimelshein 2018; Dao et al. 2022.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Running:
    """m (T, 1), l (T, 1) and o (T, d_v) after some of the keys."""

    largest: Tensor
    denominator: Tensor
    output: Tensor

    def result(self) -> Tensor:
        """The only division, at the very end; a row without any allowed key is 0."""
        return self.output / self.denominator.masked_fill(self.denominator == 0, 1.0)


def initial_state(queries: int, width: int) -> Running:
    column = torch.zeros(queries, 1, dtype=torch.float64)
    return Running(column - math.inf, column, torch.zeros(queries, width, dtype=torch.float64))


def take_block(state: Running, scores: Tensor, value: Tensor) -> Running:
    """One more block: scores (T, b), value (b, d_v)."""
    largest = torch.maximum(state.largest, scores.amax(-1, keepdim=True))
    at = largest.masked_fill(largest == -math.inf, 0.0)  # nothing allowed so far: -inf - -inf would be NaN
    shrink, powers = torch.exp(state.largest - at), torch.exp(scores - at)
    return Running(largest, shrink * state.denominator + powers.sum(-1, keepdim=True), shrink * state.output + powers @ value)


def take_block_without_rescaling(state: Running, scores: Tensor, value: Tensor) -> Running:
    """Wrong: the earlier sums still belong to an older, smaller maximum, so early keys weigh too much."""
    largest = torch.maximum(state.largest, scores.amax(-1, keepdim=True))
    powers = torch.exp(scores - largest.masked_fill(largest == -math.inf, 0.0))
    return Running(largest, state.denominator + powers.sum(-1, keepdim=True), state.output + powers @ value)


def blocks(query: Tensor, key: Tensor, value: Tensor, block: int, mask: Tensor | None = None) -> Iterator[tuple[Tensor, Tensor]]:
    """The scores (T, b) and the values (b, d_v) of one block of keys after the other."""
    for start in range(0, len(key), block):
        part = slice(start, start + block)
        scores = query @ key[part].T / math.sqrt(query.shape[-1])
        yield scores if mask is None else scores.masked_fill(~mask[:, part], -math.inf), value[part]


def online_attention(query: Tensor, key: Tensor, value: Tensor, block: int, mask: Tensor | None = None) -> Tensor:
    """What softmax(QKᵀ/√d)V gives, (T, d_v), from blocks of keys."""
    state = initial_state(len(query), value.shape[-1])
    for scores, values in blocks(query, key, value, block, mask):
        state = take_block(state, scores, values)
    return state.result()


def states(query: Tensor, key: Tensor, value: Tensor, block: int, mask: Tensor | None) -> list[Running]:
    """What every row keeps, after each block."""
    history = [initial_state(len(query), value.shape[-1])]
    for scores, values in blocks(query, key, value, block, mask):
        history.append(take_block(history[-1], scores, values))
    return history[1:]


# What it costs.

FP16, FP32 = 2, 4  # bytes


def score_bytes(length: int, heads: int) -> float:
    """n² scores a head: what is written to memory and read again when the row is held whole."""
    return heads * length**2 * FP16


def statistics_bytes(length: int, heads: int) -> float:
    """A maximum and a denominator a row."""
    return 2 * heads * length * FP32


def attention_flops(length: int, heads: int, width: int) -> float:
    """QKᵀ and PV, two operations a multiply-add. Blocks change the order, not the number."""
    return 4 * heads * length**2 * width
