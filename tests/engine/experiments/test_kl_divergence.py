"""KL in both directions, against torch's distributions, moment matching and arithmetic."""

from __future__ import annotations

import math

import pytest
import torch
from torch.distributions import Normal, kl_divergence

from engine.experiments.kl_divergence import EXPERIMENT, hump
from engine.textbook.divergence import kl
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def test_kl_of_humps_is_the_normal_distributions() -> None:
    """On a fine grid KL of two humps is the closed form of two normal distributions."""
    x = torch.linspace(-20, 20, 4001, dtype=torch.float64)
    p, q = Normal(torch.tensor(0.5, dtype=torch.float64), 1.0), Normal(torch.tensor(-1.0, dtype=torch.float64), 2.0)

    assert float(kl_divergence(p, q)) == pytest.approx(float(kl(hump(x, 0.5, 1.0), hump(x, -1.0, 2.0))), rel=1e-6)


@pytest.mark.parametrize(("distance", "share"), [(5.0, 0.6), (3.0, 0.5), (2.0, 0.2)])
def test_forward_matches_moments(distance: float, share: float) -> None:
    """The normal nearest by KL(p, q) has p's own mean and variance: it covers both humps."""
    found = quantities(distance=distance, share=share)
    mean = (1 - 2 * share) * distance / 2
    variance = 0.8**2 + share * (1 - share) * distance**2

    assert mean == pytest.approx(found["covering_mean"], abs=0.07)
    assert math.sqrt(variance) == pytest.approx(found["covering_spread"], abs=0.06)


@pytest.mark.parametrize(("share", "side"), [(0.6, -1), (0.4, 1)])
def test_backward_seeks_the_larger_hump(share: float, side: int) -> None:
    """The normal nearest by KL(q, p) sits on the larger of two far humps, as narrow as it, at a price of -ln(its share)."""
    found = quantities(share=share)

    assert (side * 2.5, 0.8) == pytest.approx((found["seeking_mean"], found["seeking_spread"]))
    assert -math.log(0.6) == pytest.approx(found["seeking_backward"], abs=0.01)


def test_each_fit_wins_by_its_own_measure() -> None:
    """Each fit has the smaller divergence in its own direction, by far; the covering one fills the valley that p does not have."""
    found = quantities()

    assert found["seeking_backward"] < found["covering_backward"] / 1.9
    assert found["covering_forward"] < found["seeking_forward"] / 5
    assert found["valley_covering"] > 0.9
    assert found["valley_p"] < 0.02


def test_arithmetic() -> None:
    """Both directions of three classes by hand; cross-entropy is entropy plus KL."""
    found, p, q = quantities(), (0.7, 0.2, 0.1), (0.4, 0.3, 0.3)

    assert sum(a * math.log(a / b) for a, b in zip(p, q, strict=True)) == pytest.approx(found["forward_example"])
    assert sum(b * math.log(b / a) for a, b in zip(p, q, strict=True)) == pytest.approx(found["backward_example"])
    assert 0.0 == pytest.approx(found["identity_error"], abs=1e-12)


def test_one_hump_is_found_by_both() -> None:
    """Where the humps coincide both fits are p, and a note says so."""
    found = quantities(distance=0.0)

    assert (0.0, 0.8, 0.0, 0.8) == pytest.approx(
        (found["covering_mean"], found["covering_spread"], found["seeking_mean"], found["seeking_spread"])
    )
    assert run(distance=0.0).notes
