"""BatchNorm as it is used: the batch's own mean and variance in training, and at test time the ones remembered from training.

Samples are (N, D), D features each. Source: Ioffe and Szegedy 2015; the numbers are torch's BatchNorm1d.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.textbook.normalization import batch_norm


@dataclass(frozen=True)
class RunningStatistics:
    """A running mean and variance of every feature, (D,) each; nothing learned, part of the checkpoint all the same."""

    mean: Tensor
    variance: Tensor


def initial_statistics(features: int) -> RunningStatistics:
    """Before the first batch: mean 0, variance 1."""
    return RunningStatistics(torch.zeros(features, dtype=torch.float64), torch.ones(features, dtype=torch.float64))


def update_statistics(old: RunningStatistics, batch: Tensor, momentum: float) -> RunningStatistics:
    """(1 - m)·old + m·new: `momentum` is the share of the new batch. The variance remembered is over N - 1, unlike the one divided by."""
    return RunningStatistics(
        (1 - momentum) * old.mean + momentum * batch.mean(0), (1 - momentum) * old.variance + momentum * batch.var(0, correction=1)
    )


def statistics_after(batches: Iterable[Tensor], start: RunningStatistics, momentum: float) -> list[RunningStatistics]:
    """What is remembered before the first batch and after every batch."""
    steps = [start]
    for batch in batches:
        steps.append(update_statistics(steps[-1], batch, momentum))
    return steps


def normalize_in_training(batch: Tensor, eps: float) -> Tensor:
    """(N, D) by the batch's own statistics: a sample's output depends on its neighbours, and alone it is always 0."""
    return batch_norm(batch, eps)


def normalize_at_test(batch: Tensor, remembered: RunningStatistics, eps: float) -> Tensor:
    """(N, D) by what was remembered: each sample by itself, a fixed linear map."""
    return (batch - remembered.mean) / torch.sqrt(remembered.variance + eps)


def fold_into_linear(weight: Tensor, bias: Tensor, remembered: RunningStatistics, eps: float) -> tuple[Tensor, Tensor]:
    """weight (D, D_in) and bias (D,) of the linear layer before, with the test-time norm multiplied into them: one layer less to run."""
    scale = 1 / torch.sqrt(remembered.variance + eps)
    return weight * scale[:, None], (bias - remembered.mean) * scale
