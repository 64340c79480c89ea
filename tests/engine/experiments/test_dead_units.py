"""Dead units, against torch's autograd through a whole layer and the normal distribution's closed form."""

from __future__ import annotations

import math
from functools import partial
from statistics import NormalDist

import pytest
import torch
from torch.nn import functional

from engine.experiments.dead_units import EXPERIMENT, SAMPLES, UNITS
from engine.textbook.activations import Activation, gelu, relu
from engine.textbook.dead_units import gradient_of_weights, leaky_relu, never_fires, pre_activation
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize(
    ("ours", "torchs"),
    [(relu, functional.relu), (gelu, functional.gelu), (partial(leaky_relu, leak=0.2), partial(functional.leaky_relu, negative_slope=0.2))],
)
def test_gradient_is_autograds(ours: Activation, torchs: Activation) -> None:
    """The gradient of a layer's weights is what autograd finds through torch's linear layer and activation."""
    x, back = torch.randn(2, 9, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    weight = torch.randn(5, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64).requires_grad_()
    bias = torch.linspace(-3, 1, 5, dtype=torch.float64)
    (expected,) = torch.autograd.grad((torchs(functional.linear(x, weight, bias)) * back).sum(), weight)

    assert torch.allclose(expected, gradient_of_weights(x, weight.detach(), bias, ours, back), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("bias", [-3.5, -3.0, -2.5])
def test_how_many_are_silent(bias: float) -> None:
    """Inputs are normal with spread 1: a unit is silent for 1000 samples with probability Φ(-b)^1000, 26 % at a bias of -3."""
    expected = NormalDist().cdf(-bias) ** SAMPLES
    found = [quantities(bias=bias, seed=seed)["dead_percent"] for seed in range(3)]

    assert 100 * expected == pytest.approx(sum(found) / 3, abs=300 * math.sqrt(expected * (1 - expected) / (3 * UNITS)))


def test_silent_by_hand() -> None:
    """Silent is the unit that is below 0 for all samples, not for most."""
    inputs = torch.tensor([[-1.0, -1.0, 2.0], [-3.0, 0.5, 1.0]])

    assert [True, False, False] == never_fires(inputs).tolist()
    assert torch.equal(inputs + 1, pre_activation(inputs, torch.eye(3), torch.ones(3)))


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_the_silent_get_no_gradient(seed: int) -> None:
    """With ReLU exactly the silent units have gradient 0, with a leak none has; GELU's and SiLU's are small and not 0."""
    found = quantities(seed=seed)

    assert found["dead_percent"] == found["relu_no_gradient_percent"] > 5
    assert 0.0 == found["relu_dead_gradient"] == found["leaky_no_gradient_percent"]
    assert min(found[f"{name}_dead_gradient"] for name in ("leaky", "gelu", "silu")) > 1e-3


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_who_wakes_up(seed: int) -> None:
    """Taught to give 1 from a bias of -3, ReLU never fires, GELU sinks, and a leak brings the unit back; from 0 all fire."""
    found, awake = quantities(seed=seed), quantities(seed=seed, bias=0.0)

    assert (0.0, 0.0) == (found["relu_fires_after"], found["gelu_fires_after"])
    assert found["leaky_fires_after"] > 90
    assert min(awake["relu_fires_after"], awake["gelu_fires_after"]) > 90


def test_notes_and_slopes() -> None:
    """A note says when nothing is silent, that ReLU learns then, and where GELU falls; the table has GELU's slope at -1, -0.083."""
    slopes = {row[0]: row[1:] for row in run().tables[0].rows}

    assert (1, 2) == (len(run().notes), len(run(bias=0.0).notes))
    assert -0.083 == pytest.approx(float(str(slopes["GELU"][1])), abs=1e-3)
    assert (0.0, 0.1) == (slopes["ReLU"][0], slopes["leaky ReLU"][0])
    assert quantities()["dead_percent"] == {series.name: series.y for series in run().series}["dead_over_bias"][4]
