"""Additive scores, against layers of torch and an integral, beside dot products."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from engine.experiments.additive_vs_dot import EXPERIMENT
from engine.parameter import Value
from engine.result import Series
from engine.textbook.additive_attention import additive_scores, dot_scores
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def curve(name: str, **given: Value) -> Series:
    return next(series for series in run(**given).series if series.name == name)


def mean(name: str, **given: Value) -> float:
    return sum(quantities(**given, seed=seed)[name] for seed in range(5)) / 5


def test_additive_scores_pair_by_pair() -> None:
    """Every cell is v(tanh(W(q) + U(k))) with torch's own layers, for T != S and a hidden width of its own."""
    W, U, v = (nn.Linear(a, b, bias=False, dtype=torch.float64) for a, b in ((4, 7), (4, 7), (7, 1)))
    query, key = torch.randn(3, 4, dtype=torch.float64), torch.randn(5, 4, dtype=torch.float64)

    with torch.no_grad():
        expected = torch.stack([torch.stack([v(torch.tanh(W(q) + U(k)))[0] for k in key]) for q in query])
        found = additive_scores(query, key, W.weight.T, U.weight.T, v.weight[0])

    assert_close(expected, found, rtol=0, atol=1e-12)


def test_dot_scores_pair_by_pair() -> None:
    """Every cell is q·k."""
    query, key = torch.randn(3, 4, dtype=torch.float64), torch.randn(5, 4, dtype=torch.float64)

    assert_close(torch.stack([torch.stack([q.dot(k) for k in key]) for q in query]), dot_scores(query, key), rtol=0, atol=1e-12)


@pytest.mark.parametrize("d_k", [16, 64, 256, 1024])
def test_spread_over_width(d_k: int) -> None:
    """Dot products spread by √d_k, scaled ones by 1, additive ones by about .7 whatever d_k is."""
    assert math.sqrt(d_k) == pytest.approx(mean("dot_std", d_k=d_k), rel=0.1)
    assert 1.0 == pytest.approx(mean("scaled_std", d_k=d_k), rel=0.1)
    assert 0.5 < mean("additive_std", d_k=d_k) < 0.9


@pytest.mark.parametrize("sigma", [0.5, 1.0, 4.0])
def test_spread_is_that_of_tanh(sigma: float) -> None:
    """At d_k = 1024 the hidden units are N(0, 2σ²), so the additive variance is E tanh², an integral."""
    z = torch.linspace(-8, 8, 20001, dtype=torch.float64)
    density = torch.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    variance = torch.trapezoid(torch.tanh(math.sqrt(2) * sigma * z) ** 2 * density, z)

    assert math.sqrt(float(variance)) == pytest.approx(mean("additive_std", d_k=1024, sigma=sigma), rel=0.06)


def test_only_the_unscaled_dot_product_saturates() -> None:
    """At d_k = 1024 most rows of unscaled dot products are saturated; of additive and of scaled ones none, and these two are alike."""
    found = quantities(d_k=1024)

    assert found["dot_saturated_percent"] > 50
    assert (0.0, 0.0) == (found["additive_saturated_percent"], found["scaled_saturated_percent"])
    assert found["dot_entropy"] < 0.5 < 3.3 < min(found["scaled_entropy"], found["additive_entropy"])


def test_additive_scores_are_bounded() -> None:
    """At σ = 10 the additive score stays below Σ|v_i| and spreads by about 1; the scaled dot product has grown with σ²."""
    found = quantities(sigma=10.0)

    assert found["additive_largest"] <= found["additive_bound"]
    assert found["additive_std"] < 1.2
    assert 100.0 == pytest.approx(found["scaled_std"], rel=0.1)


def test_costs() -> None:
    """The additive score has 2d² + d parameters and takes a tanh for every pair and hidden unit."""
    found = quantities(d_k=16)

    assert 2 * 16 * 16 + 16 == found["additive_parameters"]
    assert 16 * 64 * 16 == found["additive_tanh"]
    assert [0.0, 528.0] == [row[1] for row in run(d_k=16).tables[0].rows]


def test_curves_pass_through_the_quantities() -> None:
    """The curves over d_k and over σ agree with the numbers at their place."""
    found = quantities(d_k=32, sigma=2.0)

    for arm in ("dot", "additive", "scaled"):
        assert found[f"{arm}_std"] == pytest.approx(curve(f"{arm}_std_over_dk", sigma=2.0).y[4])
        assert found[f"{arm}_saturated_percent"] == pytest.approx(curve(f"{arm}_saturated_over_dk", sigma=2.0).y[4])
    assert found["additive_std"] == pytest.approx(curve("additive_std_over_sigma", d_k=32).y[3])
    assert found["scaled_std"] == pytest.approx(curve("scaled_std_over_sigma", d_k=32).y[3])


def test_a_wide_curve_is_said_to_be_narrow() -> None:
    """Beyond d_k = 64 the curve over σ stays at 64, and a note says so."""
    assert curve("additive_std_over_sigma", d_k=64) == curve("additive_std_over_sigma", d_k=512)
    assert ["The curve over σ is drawn at d_k = 64."] == [note.en for note in run(d_k=512).notes]
    assert () == run(d_k=64).notes
