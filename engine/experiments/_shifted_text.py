"""Part of positions_sinusoidal: the same tokens read further on, through a layer's W_Q and W_K: what changes in their scores."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import Measure, Rows, measured, note, right, wrong
from engine.textbook.absolute_positions import absolute_scores

TOKENS = 6


def draw(width: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens (T, D), and W_Q, W_K (D, D) that keep a vector's size."""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(TOKENS, width, generator=generator, dtype=torch.float64) / math.sqrt(2)  # about as long as PE
    W_Q, W_K = (torch.randn(width, width, generator=generator, dtype=torch.float64) / math.sqrt(width) for _ in range(2))
    return tokens, W_Q, W_K


def shifted_text(table: Tensor, width: int, shift: int, seed: int) -> Numbers:
    """The same tokens read at 0, 1, 2 ... and at shift, shift + 1 ...: what changes in their scores."""
    X, W_Q, W_K = draw(width, seed)
    here, moved = table[:TOKENS], table[shift : shift + TOKENS]

    def change(tokens: Tensor, left: Tensor, right_: Tensor) -> Tensor:
        before, after = (absolute_scores(tokens @ left, tokens @ right_, places @ left, places @ right_) for places in (here, moved))
        return (after - before).abs().max() / math.sqrt(width)

    nothing, same = torch.zeros_like(X), torch.eye(width, dtype=torch.float64)
    return {
        "shifted_scores_change": change(X, W_Q, W_K),
        "shifted_dots_change": change(nothing, same, same),
        "shifted_projected_change": change(nothing, W_Q, W_K),
    }


def four_terms(places: Tensor, seed: int) -> list[tuple[Tensor]]:
    """(x + p)·(y + r) = x·y + x·r + p·y + p·r, through W_Q and W_K: how large each part is."""
    X, W_Q, W_K = draw(places.shape[1], seed)
    queries, keys = (X @ W_Q, places @ W_Q), (X @ W_K, places @ W_K)
    return [((query @ key.T).square().mean().sqrt() / math.sqrt(places.shape[1]),) for query in queries for key in keys]


SHIFTED_TEXT_MEASURES: tuple[Measure, ...] = (
    wrong("shifted_scores_change", "text shifted: largest change of a score", "整体平移：分数的最大变化"),
    right("shifted_dots_change", "text shifted: largest change of PE·PE, no W_Q and W_K", "整体平移：PE·PE 的最大变化，不乘 W_Q 与 W_K"),
    measured(
        "shifted_projected_change", "text shifted: largest change of PE·PE through W_Q, W_K", "整体平移：PE·PE 的最大变化，乘上 W_Q 与 W_K"
    ),
    Rows(
        "four_terms",
        Label("four parts of a score", "一个分数的四部分"),
        (Label("part", "部分"), Label("typical size", "典型大小")),
        rows=(
            Label("token with token", "词与词"),
            Label("token with position", "词与位置"),
            Label("position with token", "位置与词"),
            Label("position with position", "位置与位置"),
        ),
    ),
    note("still", "shift == 0", "A shift by 0 changes nothing.", "平移 0 不改变任何东西。"),
)
