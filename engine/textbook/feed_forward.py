"""The feed-forward half of a layer: every token by itself, widened, bent by an activation, narrowed again."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.textbook.activations import Activation, gelu, silu


class FeedForward(nn.Module):
    """down(activation(up(x))): (..., D) -> (..., W) -> (..., D). 2·D·W + W + D parameters; W = 4·D is usual."""

    def __init__(self, d_model: int, width: int, activation: Activation = gelu) -> None:
        super().__init__()
        self.activation = activation
        self.up, self.down = nn.Linear(d_model, width), nn.Linear(width, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return torch.as_tensor(self.down(self.activation(self.up(x))))


class SwiGLU(nn.Module):
    """down(silu(gate(x)) ⊗ up(x)): two projections in, one out, no bias. 3·D·W parameters. Source: Shazeer 2020; LLaMA."""

    def __init__(self, d_model: int, width: int) -> None:
        super().__init__()
        self.gate, self.up = (nn.Linear(d_model, width, bias=False) for _ in range(2))
        self.down = nn.Linear(width, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.as_tensor(self.down(silu(self.gate(x)) * self.up(x)))


def swiglu_width(d_model: int, multiple: int = 256) -> int:
    """The width at which three matrices cost what two of 4·D cost, 8/3·D, rounded up to a multiple: 11,008 for D = 4096."""
    return multiple * -(-(8 * d_model // 3) // multiple)


def as_one_matrix(layer: FeedForward) -> tuple[Tensor, Tensor]:
    """Weight (D, D) and bias (D,) of the single linear map that a feed-forward layer is when nothing bends between its matrices."""
    up, down = layer.up, layer.down
    return down.weight @ up.weight, down.weight @ up.bias + down.bias
