"""Softmax's Jacobian, against autograd, finite differences and closed forms."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from engine.experiments.softmax_jacobian import EXPERIMENT, by_autograd
from engine.parameter import Value
from engine.result import Series
from engine.textbook.softmax import jacobian_norm, softmax_jacobian, softmax_jacobian_wrong
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)
SCORES = torch.tensor([1.0, -2.0, 0.5, 3.0, 0.5], dtype=torch.float64)


def curve(name: str, **given: Value) -> Series:
    return next(series for series in run(**given).series if series.name == name)


def test_formula_equals_the_derivative_of_torchs_softmax() -> None:
    """diag(p) - ppᵀ is what torch's functional Jacobian finds, and what central differences find."""
    formula = softmax_jacobian(torch.softmax(SCORES, -1))
    steps = 1e-5 * torch.eye(5, dtype=torch.float64)
    differences = (torch.softmax(SCORES + steps, -1) - torch.softmax(SCORES - steps, -1)).T / 2e-5

    assert_close(formula, torch.func.jacrev(lambda z: torch.softmax(z, -1))(SCORES), rtol=0, atol=1e-12)
    assert_close(formula, differences, rtol=0, atol=1e-9)
    assert_close(formula, by_autograd(SCORES), rtol=0, atol=1e-12)


def test_jacobian_norm_equals_the_norm_of_the_matrix() -> None:
    """The Frobenius norm from sums of powers is that of the matrix; 0 for a one-hot row."""
    weights = torch.softmax(SCORES, -1)

    assert float(torch.linalg.matrix_norm(softmax_jacobian(weights))) == pytest.approx(float(jacobian_norm(weights)), abs=1e-12)
    assert 0.0 == float(jacobian_norm(torch.tensor([0.0, 1.0, 0.0])))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("keys", [2, 4, 64])
def test_only_the_right_form_agrees(keys: int, seed: int) -> None:
    """-p_i·p_j equals autograd and its rows sum to 0; -p_i·p_i and the diagonal alone do neither."""
    found = quantities(keys=keys, seed=seed)

    assert 0.0 == pytest.approx(found["right_error"], abs=1e-12)
    assert 0.0 == pytest.approx(found["right_row_sum"], abs=1e-12)
    assert min(found["wrong_error"], found["diagonal_only_error"]) > 1e-4
    assert found["wrong_row_sum"] > 1e-2


def test_equal_scores_hide_the_mistake() -> None:
    """With uniform weights p_i = p_j, so the wrong form is right by accident: test it on unequal scores."""
    weights = torch.full((4,), 0.25, dtype=torch.float64)

    assert_close(softmax_jacobian_wrong(weights), softmax_jacobian(weights), rtol=0, atol=1e-12)
    assert 0.0 == pytest.approx(quantities(spread=0.0)["wrong_error"], abs=1e-12)


@pytest.mark.parametrize("spread", [0.0, 1.0, 5.0, 30.0])
def test_spectral_norm_is_at_most_a_half(spread: float) -> None:
    """No step in the scores moves the weights by more than half of it; two equal scores reach the half."""
    for seed in range(10):
        assert quantities(spread=spread, keys=8, seed=seed)["spectral_norm"] <= 0.5 + 1e-12
    assert 0.5 == pytest.approx(quantities(spread=0.0, keys=2)["spectral_norm"])


def test_trace_is_1_minus_the_squares() -> None:
    """tr J = 1 - Σp²: 1 - 1/n when uniform, nearly 0 when one key has all."""
    assert 1 - 1 / 64 == pytest.approx(quantities(spread=0.0, keys=64)["trace"])
    weights = next(matrix.values[0] for matrix in run(spread=2.0).matrices if matrix.name == "weights")
    assert 1 - sum(p * p for p in weights) == pytest.approx(quantities(spread=2.0)["trace"])
    assert max(weights) == quantities(spread=2.0)["top_weight"]


def test_saturation_at_64_keys() -> None:
    """Scores of spread 8, as at d_k = 64 unscaled, leave a mean trace near .30; spread 1 leaves .96."""
    raw, scaled = (sum(quantities(keys=64, spread=spread, seed=seed)["mean_trace"] for seed in range(5)) / 5 for spread in (8.0, 1.0))

    assert 0.30 == pytest.approx(raw, abs=0.04)
    assert 0.96 == pytest.approx(scaled, abs=0.01)


def test_the_norm_does_not_tell_the_arms_apart() -> None:
    """The median Frobenius norm at 64 keys is about .18 at spread 1 and hardly less at spread 8: look at the trace instead."""
    found = quantities(keys=64, spread=8.0)

    assert 0.18 == pytest.approx(quantities(keys=64)["median_norm"], abs=0.02)
    assert found["median_norm"] > 0.14
    assert found["mean_top_weight"] > 0.7


def test_curves() -> None:
    """The trace falls with every step of the spread and passes through the quantity; the norm rises first and falls later."""
    trace, norm = curve("trace_over_spread", keys=64), curve("norm_over_spread", keys=64)

    assert list(trace.y) == sorted(trace.y, reverse=True)
    assert quantities(keys=64, spread=4.0)["mean_trace"] == pytest.approx(trace.y[trace.x.index(4.0)])
    assert 0 < norm.y.index(max(norm.y)) < len(norm.y) - 1
    assert math.sqrt(63) / 64 == pytest.approx(norm.y[0])


def test_many_keys_are_cut_for_the_eye() -> None:
    """With 64 keys the first six are shown and a note says so; with four all are shown."""
    assert 6 == len(run(keys=64).matrices[0].rows)
    assert ["The first 6 of 64 keys are shown; the numbers are of all."] == [note.en for note in run(keys=64).notes]
    assert (4, ()) == (len(run().matrices[0].rows), run().notes)
