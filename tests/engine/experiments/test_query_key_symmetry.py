"""One matrix for queries and keys, or two, against nn.MultiheadAttention and by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from engine.experiments.query_key_symmetry import EXPERIMENT, WIDTHS, off_diagonal
from engine.parameter import Value
from engine.result import Matrix
from engine.textbook.projections import (
    asymmetry,
    cross_attention,
    random_projections,
    scores,
    self_attention,
    self_weight,
    sharing_query_and_key,
    without_projections,
)
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def matrix(name: str, **given: Value) -> Matrix:
    return next(matrix for matrix in run(**given).matrices if matrix.name == name)


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_attention_equals_torchs_layer() -> None:
    """With T != S and different widths the projected attention is nn.MultiheadAttention with one head and W_O = 1."""
    p = random_projections(generator(), d_x=4, d=4, d_context=6)
    x, context = (
        torch.randn(3, 4, generator=generator(), dtype=torch.float64),
        torch.randn(5, 6, generator=generator(), dtype=torch.float64),
    )
    torchs = nn.MultiheadAttention(4, 1, bias=False, kdim=6, vdim=6, batch_first=True, dtype=torch.float64)
    own = {"q_proj_weight": p.W_Q.T, "k_proj_weight": p.W_K.T, "v_proj_weight": p.W_V.T, "out_proj.weight": torch.eye(4)}
    torchs.load_state_dict(own)
    expected_output, expected_weights = torchs(x[None], context[None], context[None])

    output, weights = cross_attention(x, context, p)

    assert_close(expected_output[0], output, rtol=0, atol=1e-12)
    assert_close(expected_weights[0], weights, rtol=0, atol=1e-12)
    assert_close(torch.softmax(scores(x, context, p), -1), weights, rtol=0, atol=1e-12)


def test_self_attention_is_cross_attention_with_itself() -> None:
    """One sequence asks and answers, through three different matrices."""
    p = random_projections(generator(), d_x=4, d=3)
    x = torch.randn(5, 4, generator=generator(), dtype=torch.float64)

    assert_close(cross_attention(x, x, p)[0], self_attention(x, p)[0], rtol=0, atol=0)
    assert asymmetry(scores(x, x, p)) > 0.1
    assert 0.0 == pytest.approx(asymmetry(scores(x, x, without_projections(4))), abs=1e-12)
    assert_close(x @ p.W_Q @ p.W_Q.T @ x.T / math.sqrt(3), scores(x, x, sharing_query_and_key(p)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_shared_matrices_make_scores_symmetric(seed: int) -> None:
    """S = Sᵀ exactly when W_Q = W_K, not otherwise; the weights are not symmetric, because every row has its own denominator."""
    found = quantities(seed=seed)

    assert 0.0 == pytest.approx(found["shared_asymmetry"], abs=1e-12)
    assert found["separate_asymmetry"] > 1
    assert found["shared_weight_asymmetry"] > 0.01


def test_a_token_is_its_own_best_match() -> None:
    """At d = 64 and 32 tokens a shared matrix scores a token with itself near √64 = 8 and gives it nearly all; separate ones about 1/32."""
    found = [quantities(seed=seed) for seed in range(10)]

    def mean(name: str) -> float:
        return sum(each[name] for each in found) / 10

    assert 8.0 == pytest.approx(mean("shared_diagonal"), rel=0.05)
    assert 0.0 == pytest.approx(mean("shared_off_diagonal"), abs=0.2)
    assert 0.94 == pytest.approx(mean("shared_self_weight"), abs=0.04)
    assert 0.0 == pytest.approx(mean("separate_diagonal"), abs=0.2)
    assert 1 / 32 == pytest.approx(mean("separate_self_weight"), abs=0.02)
    assert 1 / 32 == found[0]["uniform_weight"]


def test_means_by_hand() -> None:
    """The diagonal's mean and the others' mean do not mix."""
    square = torch.tensor([[0.5, 1.0], [3.0, 0.1]], dtype=torch.float64)

    assert 0.3 == pytest.approx(self_weight(square))
    assert 2.0 == pytest.approx(off_diagonal(square))
    assert 2.0 == asymmetry(square)


@pytest.mark.parametrize("d_model", [2, 64, 256])
def test_curves_pass_through_the_quantities(d_model: int) -> None:
    """Each curve at d_model is the quantity; the shared one rises to 1, the separate one stays low."""
    result = run(d_model=d_model)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    for series in result.series:
        assert found[series.name.removesuffix("_over_d")] == pytest.approx(series.y[WIDTHS.index(d_model)], rel=1e-9)
    shared, separate = result.series
    assert shared.y[-1] > 0.999
    assert separate.y[-1] < 0.15


def test_few_tokens_are_shown_whole() -> None:
    """Four tokens are shown whole, without a note, and every row of weights sums to 1; of 32 six are shown."""
    weights = matrix("shared_weights", tokens=4)

    assert [1.0] * 4 == pytest.approx([sum(row) for row in weights.values])
    assert () == run(tokens=4).notes
    assert (6, 1) == (len(matrix("shared_weights").rows), len(run().notes))
    assert list(zip(*matrix("shared_scores").values, strict=True)) == [pytest.approx(row) for row in matrix("shared_scores").values]
