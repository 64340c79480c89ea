"""How sharp a row of weights is."""

from __future__ import annotations

import math

import pytest
import torch

from engine.textbook.weight_statistics import entropy, jacobian_trace, largest_weight, saturated_percent

UNIFORM = torch.full((3, 8), 1 / 8, dtype=torch.float64)
ONE_HOT = torch.eye(8, dtype=torch.float64)


def test_entropy() -> None:
    """ln n for uniform rows, 0 for one-hot rows, although 0·ln 0 is not a number."""
    assert math.log(8) == pytest.approx(entropy(UNIFORM), abs=1e-12)
    assert 0.0 == entropy(ONE_HOT)


def test_largest_weight_is_a_mean_over_rows() -> None:
    """The mean of every row's largest weight, not the largest of all."""
    assert 0.75 == largest_weight(torch.tensor([[0.5, 0.5], [0.0, 1.0]], dtype=torch.float64))


def test_saturated_percent_counts_rows_above_99_percent() -> None:
    """A row counts when one key has more than .99; exactly .99 does not."""
    weights = torch.tensor([[0.991, 0.009], [0.99, 0.01], [0.5, 0.5], [0.0, 1.0]], dtype=torch.float64)

    assert 50.0 == saturated_percent(weights)


def test_jacobian_trace_equals_autograd() -> None:
    """1 - Σp² is the trace of softmax's Jacobian."""
    scores = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
    jacobian = torch.func.jacrev(lambda z: torch.softmax(z, -1))(scores)

    assert float(jacobian.trace()) == pytest.approx(jacobian_trace(torch.softmax(scores, -1)), abs=1e-12)
