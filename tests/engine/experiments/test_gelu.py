"""GELU in its forms, against torch and the reference numbers."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from engine.experiments.gelu import EXPERIMENT
from engine.textbook.activations import gelu, gelu_misplaced, gelu_sigmoid, gelu_tanh, minimum, relu, silu, slope
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

FAR = torch.linspace(-8, 8, 801, dtype=torch.float64)  # the forms agree within |x| <= 1, so that is no test


def test_activations_are_torchs() -> None:
    """GELU in both forms, SiLU and ReLU give torch's own numbers far outside of -1..1 too."""
    assert torch.allclose(functional.gelu(FAR), gelu(FAR), rtol=0, atol=1e-14)
    assert torch.allclose(functional.gelu(FAR, approximate="tanh"), gelu_tanh(FAR), rtol=0, atol=1e-14)
    assert torch.allclose(functional.silu(FAR), silu(FAR), rtol=0, atol=1e-14)
    assert torch.equal(functional.relu(FAR), relu(FAR))


def test_exact_form_is_the_normal_distribution() -> None:
    """GELU is x times the normal distribution function, here by math.erfc."""
    expected = [x * 0.5 * math.erfc(-x / math.sqrt(2)) for x in FAR.tolist()]

    assert expected == pytest.approx(gelu(FAR).tolist(), abs=1e-14)


def test_slope_is_the_closed_form() -> None:
    """GELU' = Φ(x) + x·φ(x), SiLU' = σ(x)(1 + x(1 - σ(x)))."""
    density = torch.exp(-(FAR**2) / 2) / math.sqrt(2 * math.pi)
    gate = torch.sigmoid(FAR)

    assert torch.allclose(torch.special.ndtr(FAR) + FAR * density, slope(gelu, FAR), rtol=0, atol=1e-14)
    assert torch.allclose(gate * (1 + FAR * (1 - gate)), slope(silu, FAR), rtol=0, atol=1e-14)


def test_misplaced_parenthesis() -> None:
    """At -3 the wrong formula gives +2.68 where GELU gives -0.004; within |x| <= 1 it is off by a tenth at most."""
    found = quantities(x=-3.0)

    assert 2.683 == pytest.approx(found["misplaced_at_x"], abs=1e-3)
    assert -0.0040 == pytest.approx(found["gelu_at_x"], abs=1e-4)
    assert -0.0036 == pytest.approx(found["tanh_at_x"], abs=1e-4)
    assert found["misplaced_near_difference"] < 0.1 < 10 < found["misplaced_max_difference"]
    assert 0.0 == pytest.approx(float((gelu_misplaced(FAR) - gelu(FAR))[400]))


def test_largest_differences() -> None:
    """The tanh form is off by at most 4.73e-4, at 2.70; the sigmoid form by at most 2.03e-2, at 2.27."""
    found = quantities()

    assert 4.73e-4 == pytest.approx(found["tanh_max_difference"], abs=1e-6)
    assert 2.699 == pytest.approx(found["tanh_max_difference_at"], abs=2e-3)
    assert 2.03e-2 == pytest.approx(found["sigmoid_form_max_difference"], abs=1e-4)
    assert 2.27 == pytest.approx(found["sigmoid_form_max_difference_at"], abs=1e-2)
    assert 2.1e-2 > float((gelu_sigmoid(FAR) - gelu(FAR)).abs().max())


def test_minima() -> None:
    """GELU is smallest at -0.7518 with -0.16997, SiLU at -1.2785 with -0.2785: neither is monotone."""
    found = quantities()

    assert (-0.7518, -0.16997) == pytest.approx((found["gelu_minimum_at"], found["gelu_minimum"]), abs=1e-4)
    assert (-1.2785, -0.2785) == pytest.approx((found["silu_minimum_at"], found["silu_minimum"]), abs=1e-4)
    assert (1.0, -2.0) == pytest.approx(minimum(lambda x: (x - 1) ** 2 - 2, -5.0, 5.0))


def test_slopes() -> None:
    """At -1 ReLU lets no gradient through and GELU lets through -0.083; the sigmoid's slope is 1/4 at most, GELU's exceeds 1."""
    found = quantities(x=-1.0)

    assert 0.0 == found["relu_slope_at_x"]
    assert -0.0833 == pytest.approx(found["gelu_slope_at_x"], abs=1e-4)
    assert (0.25, 1.0) == pytest.approx((found["sigmoid_max_slope"], found["tanh_max_slope"]))
    assert 1.1289 == pytest.approx(found["gelu_max_slope"], abs=1e-4)


@pytest.mark.parametrize("x", [-6.0, -3.0, -0.5, 0.0, 2.5, 6.0])
def test_curves_pass_through_the_quantities(x: float) -> None:
    """Each curve at the slider's x is the quantity of that name."""
    result = run(x=x)
    found = {quantity.name: quantity.value for quantity in result.quantities}
    curves = {series.name: dict(zip((round(each, 6) for each in series.x), series.y, strict=True)) for series in result.series}

    for name in ("gelu", "relu", "silu", "gelu_slope", "relu_slope"):
        assert found[f"{name}_at_x"] == pytest.approx(curves[f"{name}_over_x"][x], abs=1e-12)
