"""How far back a token of the last layer can see: measured by changing one input token after the other, not by formula."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.textbook.projections import Projections, self_attention


def attention_layers(x: Tensor, layers: Sequence[Projections], mask: Tensor) -> list[Tensor]:
    """x (..., n, d) after each of the layers; a layer adds what it read to what was there, x + Attn(x)."""
    outputs = []
    for layer in layers:
        x = x + self_attention(x, layer, mask)[0]
        outputs.append(x)
    return outputs


def input_influence(x: Tensor, other: Tensor, layers: Sequence[Projections], mask: Tensor) -> list[Tensor]:
    """How far output i moves when input j becomes another token, after each layer: a list of (n, n), row i, column j.

    x (n, d) is run n + 1 times as one batch: as it is, and with token j taken from `other` (n, d). Where a mask keeps
    j from i the change is exactly 0, because a weight of exactly 0 times anything finite is 0.
    """
    n = len(x)
    changed = x.repeat(n, 1, 1)  # (n, n, d): sequence j has another token j
    changed[torch.arange(n), torch.arange(n)] = other
    before, after = attention_layers(x, layers, mask), attention_layers(changed, layers, mask)
    return [(moved - still).abs().amax(-1).T for still, moved in zip(before, after, strict=True)]


def receptive_field(changes: Tensor) -> int:
    """From influence (n, n): how many inputs the last output depends on."""
    return int((changes[-1] > 0).sum())
