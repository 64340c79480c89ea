"""What √d_k does, against closed forms and the reference numbers."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from engine.experiments._additive_arm import ROWS, weights
from engine.experiments._saturation_over_d_k import WIDTHS, draw
from engine.experiments.softmax_saturation import EXPERIMENT
from engine.parameter import Value
from engine.result import Series
from engine.textbook.saturation_gradient import gradients_at_queries
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def mean(name: str, **given: Value) -> float:
    """Over ten seeds: the keys of one seed are shared by all rows, so a single seed wanders."""
    return sum(quantities(**given, seed=seed)[name] for seed in range(10)) / 10


@pytest.mark.parametrize(("d_k", "percent"), [(16, 1.3), (64, 19.4), (256, 48.5), (1024, 70.3)])
def test_share_of_saturated_rows(d_k: int, percent: float) -> None:
    """Unscaled, 1/19/48/70 % of the rows put over .99 on one of 64 keys; scaled, none."""
    assert percent == pytest.approx(mean("raw_saturated_percent", d_k=d_k), abs=4)
    assert 0.0 == mean("scaled_saturated_percent", d_k=d_k)


@pytest.mark.parametrize("d_k", [64, 512, 4096])
def test_spread_grows_like_the_root(d_k: int) -> None:
    """Unscaled scores spread by √d_k, scaled ones by 1."""
    found = quantities(d_k=d_k)

    assert math.sqrt(d_k) == pytest.approx(found["raw_std"], rel=0.05)
    assert 1.0 == pytest.approx(found["scaled_std"], rel=0.05)


def test_spread_is_1_only_for_unit_entries() -> None:
    """For entries of another spread the scaled scores spread by σ_q·σ_k, not by 1."""
    found = quantities(sigma_q=3.0, sigma_k=0.5)

    assert 1.5 == pytest.approx(found["scaled_std"], rel=0.05)
    assert 12.0 == pytest.approx(found["expected_std"])
    assert 12.0 == pytest.approx(found["raw_std"], rel=0.05)


def test_jacobian_trace() -> None:
    """tr J = 1 - Σp² is about .96 scaled and .30 raw at d_k = 64, .07 raw at d_k = 1024."""
    assert 0.96 == pytest.approx(mean("scaled_jacobian_trace"), abs=0.01)
    assert 0.30 == pytest.approx(mean("raw_jacobian_trace"), abs=0.03)
    assert 0.07 == pytest.approx(mean("raw_jacobian_trace", d_k=1024), abs=0.03)


def test_expected_largest_weight() -> None:
    """Scaled scores are near N(0, 1), whose largest weight of 2, 8, 32 keys is .7235, .362, .163 on average."""
    for keys, weight in ((2, 0.7235), (8, 0.362), (32, 0.163)):
        assert weight == pytest.approx(mean("scaled_max_weight", keys=keys, d_k=1024), rel=0.08)


def test_without_width_the_arms_agree() -> None:
    """At d_k = 1 there is nothing to divide by: both arms give the same numbers."""
    found = quantities(d_k=1)

    assert found["raw_entropy"] == found["scaled_entropy"]
    assert found["raw_std"] == found["scaled_std"]


def test_entropy_is_bounded_by_uniform() -> None:
    """Entropy stays below ln(keys), and scaled rows keep most of it."""
    found = quantities(keys=512, d_k=256)

    assert math.log(512) == pytest.approx(found["max_entropy"])
    assert found["raw_entropy"] < 0.2 * found["max_entropy"] < 0.9 * found["max_entropy"] < found["scaled_entropy"] < found["max_entropy"]


@pytest.mark.parametrize("d_k", [4, 64, 4096])
def test_curves_pass_through_the_quantities(d_k: int) -> None:
    """The curves, added up width by width, agree with the direct product at every width."""
    result = run(d_k=d_k, sigma_q=2.0)
    found = {quantity.name: quantity.value for quantity in result.quantities}
    curves = {series.name: at(series, d_k) for series in result.series}

    for arm in ("raw", "scaled"):
        for measure, quantity in (("saturated", "saturated_percent"), ("std", "std"), ("entropy", "entropy"), ("trace", "jacobian_trace")):
            assert found[f"{arm}_{quantity}"] == pytest.approx(curves[f"{arm}_{measure}_over_dk"], rel=1e-9, abs=1e-12)


def at(series: Series, d_k: int) -> float:
    return series.y[series.x.index(d_k)]


def test_row_shown_is_the_middling_one() -> None:
    """The row shown has the median peak; its eight largest weights come in the same order in both arms."""
    query, key = draw(64, 0)
    peaks = torch.softmax(query[:, :64] @ key[:, :64].T, -1).amax(-1)

    raw, scaled = run().matrices

    assert float(peaks.sort().values[100]) == pytest.approx(raw.values[0][0], abs=1e-12)
    assert raw.columns == scaled.columns
    assert sorted(raw.values[0], reverse=True) == list(raw.values[0])
    assert raw.values[0][0] > scaled.values[0][0]


def test_few_keys_show_few_columns() -> None:
    """With two keys two weights are shown, and they are all there is."""
    raw, _ = run(keys=2).matrices

    assert 2 == len(raw.columns)
    assert 1.0 == pytest.approx(sum(raw.values[0]))


def test_a_smaller_width_uses_the_same_sample() -> None:
    """Moving d_k changes only d_k: the curves stay where they are."""
    assert run(d_k=2).series == run(d_k=WIDTHS[-1]).series


@pytest.mark.parametrize("sigma", [1.0, 10.0])
@pytest.mark.parametrize("d_k", [4, 256])
def test_qk_norm_bounds_the_scores(sigma: float, d_k: int) -> None:
    """With QK-norm a score is at most √d_k, whatever σ is; without it σ = 10 saturates every row that σ = 1 does not."""
    found = quantities(d_k=d_k, sigma_q=sigma, sigma_k=sigma)

    assert found["normed_largest"] <= found["normed_bound"] == d_k**0.5
    assert found["normed_std"] == pytest.approx(1.0, abs=0.05)
    assert found["normed_saturated_percent"] == 0.0
    assert (sigma == 10.0) == (found["scaled_saturated_percent"] > 50)


def test_gradient_of_the_typical_query_and_of_all() -> None:
    """At d_k = 1024 the median row passes far less gradient unscaled, the mean row several times more, W_Q more still."""
    assert mean("median_gradient_ratio", d_k=1024) < 0.1
    assert 6 < mean("mean_gradient_ratio", d_k=1024) < 14
    assert 18 < mean("projection_gradient_ratio", d_k=1024) < 32


def test_gradient_at_queries_is_autograds() -> None:
    """The chain written out is what backward gives for the queries."""
    query, key = (each[:, :8].clone() for each in draw(4, 0))
    pulls = torch.randn(200, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    leaf = query.requires_grad_()
    scores = leaf @ key.T / math.sqrt(8)
    (expected,) = torch.autograd.grad((torch.softmax(scores, -1) * pulls).sum(), leaf)

    torch.testing.assert_close(gradients_at_queries(torch.softmax(scores.detach(), -1), pulls, key, 1 / math.sqrt(8)), expected)


@pytest.mark.parametrize("d_k", [1, 64, 4096])
def test_additive_scores_keep_their_spread(d_k: int) -> None:
    """Each score is vᵀ tanh(W q + U k) of the same queries and keys, so its spread is below 1 at every width; the dot product's is √d_k."""
    query, key = (each[:, :d_k].float() for each in draw(64, 0))
    W, U, v = weights(4096, 0)
    scale = nn.Linear(d_k, 64, bias=False), nn.Linear(d_k, 64, bias=False)
    with torch.no_grad():
        for layer, matrix in zip(scale, (W, U), strict=True):
            layer.weight.copy_((matrix[:d_k] / math.sqrt(d_k)).T)
        by_pair = torch.stack([torch.tanh(scale[0](each) + scale[1](key)) @ v for each in query[:ROWS]])

    found = quantities(d_k=d_k)

    assert float(by_pair.std()) == pytest.approx(found["additive_std"], rel=1e-4)
    assert found["additive_std"] < 1.1


def test_additive_scores_do_not_saturate_with_large_entries() -> None:
    """With σ = 10 most scaled rows are saturated; the tanh bounds the additive score by Σ|v|, and no row is."""
    found = quantities(sigma_q=10.0, sigma_k=10.0)

    assert found["scaled_saturated_percent"] > 50
    assert 0.0 == found["additive_saturated_percent"]


def test_the_cause_is_said_with_its_number() -> None:
    """A caption says that one key wins; a note why, with the spread of this setting, wherever a row is saturated."""
    causes = [[note.en for note in run(**given).notes if "spread by σ_q σ_k √d_k" in note.en] for given in ({"d_k": 4096}, {"d_k": 1})]

    assert [1, 0] == [len(found) for found in causes]
    assert "= 64, and softmax" in causes[0][0]
    assert 148 == round(math.exp(5))
