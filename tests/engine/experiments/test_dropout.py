"""Dropout against torch's own, and the means and variances it must give."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.dropout import EXPERIMENT, RATES
from engine.textbook.dropout import draw_kept, inverted_dropout, plain_dropout, shrink_at_test
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_kept_numbers_are_enlarged_as_torch_does(p: float) -> None:
    """With the mask that torch drew, our inverted dropout gives torch's numbers."""
    x = torch.arange(1.0, 400.0, dtype=torch.float64)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        torchs = functional.dropout(x, p, training=True)

    assert_close(torchs, inverted_dropout(x, torchs != 0, p))
    assert_close(x, functional.dropout(x, p, training=False))


def test_a_share_p_is_dropped() -> None:
    """draw_kept keeps each number with probability 1 - p, not p."""
    kept = draw_kept(torch.empty(100, 100), 0.2, torch.Generator().manual_seed(0))

    assert 0.8 == pytest.approx(float(kept.double().mean()), abs=0.02)
    assert 20.0 == pytest.approx(quantities(p=0.2)["dropped_percent"], abs=1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_only_inverted_dropout_needs_nothing_at_test_time(p: float, seed: int) -> None:
    """Training and test have the same mean; shrinking again, or not enlarging, loses a share p."""
    found = quantities(p=p, seed=seed)

    assert found["test_mean"] == pytest.approx(found["training_mean"], abs=0.1)
    assert 1 - p == pytest.approx(found["shrunk_test_mean"] / found["test_mean"])
    assert 1 - p == pytest.approx(found["plain_training_mean"] / found["training_mean"])


def test_plain_dropout_and_shrinking_belong_together() -> None:
    """Plain dropout in training with 1 - p at test is a pair whose means agree."""
    x = torch.ones(50_000, dtype=torch.float64)
    kept = draw_kept(x, 0.3, torch.Generator().manual_seed(0))

    assert float(plain_dropout(x, kept).mean()) == pytest.approx(float(shrink_at_test(x, 0.3).mean()), abs=0.01)


@pytest.mark.parametrize("p", [0.0, 0.3, 0.8])
def test_variance_grows(p: float) -> None:
    """The variance in training is (σ² + p·μ²)/(1 - p): 1 without dropout, more with it."""
    found = quantities(p=p)

    assert (1 + p) / (1 - p) == pytest.approx(found["expected_variance"])
    assert found["expected_variance"] == pytest.approx(found["training_variance"], rel=0.05)


def test_rows_of_attention_no_longer_sum_to_1() -> None:
    """Under dropout rows sum to less or more than 1 in training, and to 1 at test time; a kept weight is its old self over 1 - p."""
    found = quantities(p=0.3)
    dropped, weights = (next(each for each in run(p=0.3).matrices if each.name == name) for name in ("dropped_weights", "weights"))

    assert found["row_sum_min"] < 0.95 < 1.05 < found["row_sum_max"]
    assert 1.0 == pytest.approx(found["row_sum_test"])
    for after, before in zip(sum(dropped.values, ()), sum(weights.values, ()), strict=True):
        assert after == pytest.approx(before / 0.7) or after == 0.0


def test_sdpa_drops_at_test_time_too() -> None:
    """The note is true: F.scaled_dot_product_attention has no training switch, dropout_p acts always."""
    q = torch.randn(1, 1, 6, 4, generator=torch.Generator().manual_seed(0))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        once, again = (functional.scaled_dot_product_attention(q, q, q, dropout_p=0.5) for _ in range(2))

    assert not torch.equal(once, again)
    assert any("dropout_p" in each.en for each in run().notes)


def test_without_dropout_all_agree() -> None:
    """At p = 0 every mean is the same and the rows keep their sums."""
    found = quantities(p=0.0)

    assert found["test_mean"] == found["training_mean"] == found["shrunk_test_mean"] == found["plain_training_mean"]
    assert 1.0 == pytest.approx(found["row_sum_min"]) == pytest.approx(found["row_sum_max"])


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_curves_pass_through_the_quantities(p: float) -> None:
    """Each curve at p is the quantity of that name."""
    result = run(p=p)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    for series in (each for each in result.series if each.name.endswith("_over_p")):
        assert found[series.name.removesuffix("_over_p")] == pytest.approx(series.y[RATES.index(p)])


def test_the_same_input_in_both_modes() -> None:
    """Three passes in training differ, by dropout and by BatchNorm; in eval mode an input of ones stays ones, and nothing varies."""
    found = quantities(p=0.5, seed=1)
    dropout, norm = (
        next(each.values for each in run(p=0.5, seed=1).matrices if each.name == f"{name}_passes") for name in ("dropout", "norm")
    )

    assert 3 == len(set(norm[:3])) == len(set(dropout[:3]))
    assert {0.0, 2.0} == set(sum(dropout[:3], ()))
    assert (1.0,) * 8 == dropout[3]
    assert 0.0 == found["dropout_eval_spread"]
    assert 1.0 == pytest.approx(found["dropout_train_spread"], abs=0.1)  # √(p/(1 - p))
