"""LoRA: a frozen matrix plus a trained product of two thin ones. Source: Hu et al. 2021.

W is (D, D), B (D, r), A (r, D); a row of x (N, D) becomes x (W + α/r · B A)ᵀ.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Adapter:
    """B A scaled by α/r. B starts at 0, so that the adapted model starts as the pretrained one; A starts random, so that B can learn."""

    B: Tensor
    A: Tensor
    alpha: float

    @property
    def scale(self) -> float:
        return self.alpha / self.A.shape[0]

    def update(self) -> Tensor:
        """ΔW (D, D), of rank r at most."""
        return self.scale * self.B @ self.A

    def apply(self, W: Tensor, x: Tensor) -> Tensor:
        """Unmerged, as in training: two thin products beside the frozen one."""
        return x @ W.T + self.scale * (x @ self.A.T) @ self.B.T

    def merge(self, W: Tensor) -> Tensor:
        """One matrix for serving: no extra work and no extra parameters."""
        return W + self.update()


def gradients(adapter: Adapter, error: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """Of the loss |y - target|²/2N with respect to B and A, from the error y - target: each is a product with the other matrix."""
    of_update = error.T @ x / len(x)  # (D, D), the gradient of ΔW
    return adapter.scale * of_update @ adapter.A.T, adapter.scale * adapter.B.T @ of_update


def train(adapter: Adapter, W: Tensor, x: Tensor, target: Tensor, rate: float, steps: int) -> tuple[Adapter, list[float]]:
    """Plain gradient descent on B and A, W frozen: the adapter after it, and the loss before every step and at the end."""
    errors = [adapter.apply(W, x) - target]
    for _ in range(steps):
        of_B, of_A = gradients(adapter, errors[-1], x)
        adapter = Adapter(adapter.B - rate * of_B, adapter.A - rate * of_A, adapter.alpha)
        errors.append(adapter.apply(W, x) - target)
    return adapter, (torch.stack(errors).square().sum((1, 2)) / (2 * len(x))).tolist()


def best_share(change: Tensor, rank: int) -> float:
    """How much of a full fine-tuning's change the best update of a rank can express (Eckart and Young): Σ of its largest σ² over all."""
    squares = torch.linalg.svdvals(change) ** 2
    return float(squares[:rank].sum() / squares.sum())


def adapter_parameters(inputs: int, outputs: int, rank: int) -> int:
    """r·D_in for A, D_out·r for B."""
    return rank * (inputs + outputs)
