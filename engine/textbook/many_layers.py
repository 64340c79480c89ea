"""Many random layers at once: their weights lie in one stack, and one call computes them all. Their mean is not one layer's luck."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn.functional import normalize

from engine.textbook.attention import MultiHeadAttention


@dataclass(frozen=True)
class ManyLayers:
    """A layer wired right, N layers' weights for it by name, (N, ...), and tokens (N, T, D), with another first and another last token."""

    right: MultiHeadAttention
    weights: dict[str, Tensor]
    x: Tensor
    first_changed: Tensor
    last_changed: Tensor
    mask: Tensor | None

    @classmethod
    def random(cls, right: MultiHeadAttention, count: int, tokens: int, mask: Tensor | None, generator: torch.Generator) -> Self:
        """Layers of the same shape: weights from N(0, 1/D), no bias, tokens from N(0, 1)."""
        d_model = right.W_Q.in_features

        def draw(*size: int) -> Tensor:
            return torch.randn(count, *size, generator=generator, dtype=torch.float64)

        weights = {
            name: torch.zeros(count, *each.shape, dtype=torch.float64) if name.endswith("bias") else draw(*each.shape) / math.sqrt(d_model)
            for name, each in right.named_parameters()
        }
        x = draw(tokens, d_model)
        first, last = x.clone(), x.clone()
        first[:, 0], last[:, -1] = draw(d_model), draw(d_model)
        return cls(right, weights, x, first, last, mask)

    def outputs(self, layer: MultiHeadAttention, x: Tensor) -> tuple[Tensor, Tensor]:
        """What each layer, wired as `layer` is, makes of its tokens: (N, T, D), and its weights (N, h, T, T)."""

        def one(weights: dict[str, Tensor], x: Tensor) -> tuple[Tensor, Tensor]:
            output, attention = functional_call(layer, weights, (x[None],), {"mask": self.mask})
            return output[0], attention[0]

        output, attention = vmap(one)(self.weights, x)
        return output, attention

    @cached_property
    def as_it_should_be(self) -> tuple[Tensor, Tensor]:
        """Outputs and weights of the right layers."""
        return self.outputs(self.right, self.x)

    def leak(self, layer: MultiHeadAttention) -> float:
        """How far the outputs before the last token move when the last token changes: the largest move, mean over the layers."""
        return _largest((self.outputs(layer, self.last_changed)[0] - self.outputs(layer, self.x)[0])[:, :-1])

    def reach(self) -> float:
        """How far the output of the last token moves when the first token changes."""
        return _largest((self.outputs(self.right, self.first_changed)[0] - self.as_it_should_be[0])[:, -1:])

    def error(self, layer: MultiHeadAttention) -> float:
        """The largest difference from the right layers."""
        return _largest(self.outputs(layer, self.x)[0] - self.as_it_should_be[0])

    def change(self, layer: MultiHeadAttention) -> float:
        """The norm of the difference, as a share of the right output's."""
        output = self.as_it_should_be[0].flatten(1)
        moved = self.outputs(layer, self.x)[0].flatten(1) - output
        return float((moved.norm(dim=1) / output.norm(dim=1)).mean())

    def similarity(self) -> float:
        """The mean cosine of two heads' weights; 1 for a single head."""
        heads = self.right.heads
        attention = normalize(self.as_it_should_be[1].flatten(2), dim=-1)  # (N, h, T·T)
        cosines = (attention @ attention.transpose(1, 2)).sum((1, 2)) - heads  # without each head's cosine with itself
        return float((cosines / (heads * (heads - 1))).mean()) if heads > 1 else 1.0


def _largest(moved: Tensor) -> float:
    """The largest of each layer's (N, T, D), mean over the layers."""
    return float(moved.abs().amax((1, 2)).mean()) if moved.numel() else 0.0
