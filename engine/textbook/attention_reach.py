"""How far back a token of the last layer can see, and how much each input token moves it: measured, not by formula."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.textbook.dependence import depends_on
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

    x (n, d) is run n + 1 times as one batch: with token j taken from `other` (n, d), and as it is.
    """
    n = len(x)
    changed = x.repeat(n + 1, 1, 1)  # (n + 1, n, d): sequence j has another token j, the last one has none
    changed[torch.arange(n), torch.arange(n)] = other
    return [(after[:n] - after[n]).abs().amax(-1).T for after in attention_layers(changed, layers, mask)]


def dependence(x: Tensor, layers: Sequence[Projections], mask: Tensor) -> list[Tensor]:
    """Whether output i depends on input j, after each layer: a list of (n, n), row i, column j."""
    each = torch.arange(len(x))
    copies = x.repeat(len(x), 1, 1).requires_grad_()  # (n, n, d): of sequence i output i is asked
    return [depends_on(after[each, each], copies) for after in attention_layers(copies, layers, mask)]


def receptive_field(depends: Tensor) -> int:
    """From dependence (n, n): how many inputs the last output depends on."""
    return int(depends[-1].sum())
