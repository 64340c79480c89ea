"""BatchNorm's two modes, against torch's own module batch by batch."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from engine.catalog import load
from engine.experiments._batch_norm import EPS, FEATURES, MEAN, SPREAD
from engine.textbook.running_statistics import (
    fold_into_linear,
    initial_statistics,
    normalize_at_test,
    normalize_in_training,
    statistics_after,
)
from tests.engine.runs import runs_of

run, quantities = runs_of(load("batch_norm"))


def batches(size: int, features: int = 3) -> list[Tensor]:
    generator = torch.Generator().manual_seed(size)
    return list(5 + 0.3 * torch.randn(7, size, features, generator=generator, dtype=torch.float64))


@pytest.mark.parametrize("size", [2, 3, 50])
@pytest.mark.parametrize("momentum", [0.1, 0.9])
def test_both_modes_are_torchs(size: int, momentum: float) -> None:
    """After the same batches torch remembers the same mean and variance, and its training and test outputs are ours."""
    theirs = nn.BatchNorm1d(3, eps=1e-3, momentum=momentum, affine=False).double()
    seen = batches(size)
    trained = [theirs(batch) for batch in seen]
    now = statistics_after(seen, initial_statistics(3), momentum)[-1]

    assert torch.allclose(torch.stack(trained), torch.stack([normalize_in_training(batch, 1e-3) for batch in seen]), rtol=0, atol=1e-10)
    assert torch.allclose(torch.as_tensor(theirs.running_mean), now.mean, rtol=1e-12, atol=0)
    assert torch.allclose(torch.as_tensor(theirs.running_var), now.variance, rtol=1e-12, atol=0)
    assert torch.allclose(theirs.eval()(seen[0]), normalize_at_test(seen[0], now, 1e-3), rtol=0, atol=1e-10)


def test_folding_is_exact() -> None:
    """A linear layer and torch's test-time BatchNorm after it are one linear layer."""
    linear, norm = nn.Linear(5, 3).double(), nn.BatchNorm1d(3, eps=EPS, affine=False).double()
    for batch in batches(9):
        norm(batch)
    now = statistics_after(batches(9), initial_statistics(3), 0.1)[-1]
    x = batches(4, 5)[0]
    weight, bias = fold_into_linear(linear.weight, linear.bias, now, EPS)

    assert torch.allclose(norm.eval()(linear(x)), x @ weight.T + bias, rtol=0, atol=1e-10)
    assert 0.0 == pytest.approx(quantities()["folded_error"], abs=1e-12)


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_neighbours_matter_in_training_mode_only(seed: int) -> None:
    """In training mode one sample gets another output in every batch, less so in large ones; in test mode always the same."""
    small, large = quantities(seed=seed, batch=4), quantities(seed=seed, batch=64)

    assert small["training_mode_spread"] > 2 * large["training_mode_spread"] > 0.01
    assert 0.0 == small["test_mode_spread"] == large["test_mode_spread"]


def test_a_batch_of_one() -> None:
    """Alone, x - mean is 0 in training mode whatever x is; torch refuses it; test mode answers."""
    found = quantities()

    assert 0.0 == found["alone_training"]
    assert found["alone_test"] > 0.1
    with pytest.raises(ValueError, match="more than 1 value per channel"):
        nn.BatchNorm1d(FEATURES)(torch.ones(1, FEATURES))


def test_what_is_remembered() -> None:
    """After k batches (1 - m)^k of the start is left; in the end the data's mean and unbiased variance are known."""
    early, late = quantities(steps=0), quantities(steps=200, batch=64, momentum=0.05)

    assert (0.0, 1.0, 1.0) == (early["running_mean"], early["running_variance"], early["start_left"])
    assert (MEAN, SPREAD**2) == pytest.approx((late["running_mean"], late["running_variance"]), rel=0.05)
    assert 0.9**10 == pytest.approx(quantities(steps=10)["start_left"])
    assert 2.0 == quantities(batch=2)["variance_ratio"]
    assert [True, False] == [any("Too few batches" in each.en for each in run(steps=steps).notes) for steps in (0, 50)]


def test_curves_end_where_the_quantities_are() -> None:
    """The running curves at the slider's step and the spread at its batch size are the quantities."""
    found, curves = quantities(steps=50, batch=8), {series.name: series.y for series in run(steps=50, batch=8).series}

    assert found["running_mean"] == curves["running_mean_over_steps"][50]
    assert found["running_variance"] == curves["running_variance_over_steps"][50]
    assert found["training_mode_spread"] == pytest.approx(curves["training_mode_spread_over_batch"][2])
