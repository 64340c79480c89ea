"""What a skip connection does to a gradient, against products of Jacobians."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from engine.experiments.residual_gradient import EXPERIMENT
from engine.textbook.residual_stack import gradient_by_depth, plain_block, residual_block, singular_values, stack_weights
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

GENERATOR = torch.Generator().manual_seed(0)
X = torch.randn(1, 5, generator=GENERATOR, dtype=torch.float64)
WEIGHTS = stack_weights(4, 5, 1.2, GENERATOR)


def jacobian(x: Tensor, W: Tensor) -> Tensor:
    """Of tanh(xW), by hand: row = output, column = input."""
    return torch.diag(1 - torch.tanh(x[0] @ W) ** 2) @ W.T


@pytest.mark.parametrize("skip", [0, 1])
def test_gradient_is_a_product_of_jacobians(skip: int) -> None:
    """The gradient at each layer is the output's gradient times J, or I + J, of every layer above."""
    inputs, eye = [X], torch.eye(5, dtype=torch.float64)
    for W in WEIGHTS:
        inputs.append(skip * inputs[-1] + torch.tanh(inputs[-1] @ W))
    gradient, norms = torch.ones(5, dtype=torch.float64) / math.sqrt(5), []
    for x, W in zip(reversed(inputs[:-1]), reversed(WEIGHTS), strict=True):
        gradient = gradient @ (skip * eye + jacobian(x, W))
        norms.append(float(gradient.norm()))

    found = gradient_by_depth(residual_block if skip else plain_block, X, WEIGHTS, torch.tanh)

    assert norms[::-1] == pytest.approx(found.tolist())


def test_a_residual_jacobian_is_i_plus_j() -> None:
    """The singular values are those of J, and of I + J with the skip."""
    J = jacobian(X, WEIGHTS[0])

    assert torch.linalg.svdvals(J).tolist() == pytest.approx(singular_values(plain_block, X[0], WEIGHTS[0], torch.tanh).tolist())
    around = torch.linalg.svdvals(torch.eye(5, dtype=torch.float64) + J)
    assert around.tolist() == pytest.approx(singular_values(residual_block, X[0], WEIGHTS[0], torch.tanh).tolist())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
def test_only_the_skip_keeps_the_gradient(activation: str, seed: int) -> None:
    """Over 20 layers of gain .5 the plain gradient is gone; the other one is there (ReLU, never negative, makes it grow)."""
    found = quantities(activation=activation, seed=seed)

    assert found["plain_gradient"] < 1e-4
    assert 0.3 < found["skip_gradient"] < 100


def test_sigmoid_stays_below_its_bound() -> None:
    """A sigmoid's slope is at most a quarter: ten layers of W = I leave at most .25^10 = 9.5e-7."""
    x = torch.zeros(1, 3, dtype=torch.float64)
    identity = torch.eye(3, dtype=torch.float64).expand(10, 3, 3)
    left = float(gradient_by_depth(plain_block, x, identity, torch.sigmoid)[0])

    assert 9.5e-7 == pytest.approx(quantities(layers=10, activation="sigmoid")["slope_power"], rel=0.01)
    assert 1e-8 < left < 0.25**10


def test_depth_costs_a_factor_per_layer() -> None:
    """Without the skip the loss is geometric: 100 layers lose five times the orders of magnitude that 20 lose."""
    shallow, deep = quantities(), quantities(layers=100)

    assert 5.0 == pytest.approx(math.log(deep["plain_gradient"]) / math.log(shallow["plain_gradient"]), rel=0.1)
    assert deep["skip_gradient"] > 1


def test_curves_end_at_the_quantities() -> None:
    """After all layers have been passed, the curve is at the first layer's gradient."""
    result = run(layers=7)
    found = {quantity.name: quantity.value for quantity in result.quantities}
    curves = {series.name: series for series in result.series}

    for arm in ("plain", "skip"):
        assert 7 == len(curves[f"{arm}_gradient_over_layers"].y)
        assert math.log10(found[f"{arm}_gradient"]) == pytest.approx(curves[f"{arm}_gradient_over_layers"].y[-1])
        assert found[f"{arm}_smallest_singular"] == curves[f"{arm}_singular_values"].y[-1]


def test_an_explosion_is_said() -> None:
    """With a large gain both stacks explode, and notes say so."""
    assert 2 == len(run(gain=2.0, activation="relu", layers=100).notes)
