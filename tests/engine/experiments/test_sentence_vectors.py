"""Sentence vectors, against loops over tokens and pairs, closed forms, and torch's cross_entropy."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from engine.experiments.sentence_vectors import EXPERIMENT
from engine.textbook.sentence_vectors import cosines, info_nce, mean_pooled, mean_pooled_with_padding, subtract_mean
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(4), dtype=torch.float64)


def test_pooling_is_each_sentences_own_mean() -> None:
    """Pooled with the mask, a padded batch gives every sentence's mean as if it were alone; without it, it does not."""
    tokens, lengths = drawn(3, 5, 4), (5, 2, 1)
    present = torch.arange(5) < torch.tensor(lengths)[:, None]
    alone = torch.stack([tokens[row, :length].mean(0) for row, length in enumerate(lengths)])

    assert torch.allclose(alone, mean_pooled(tokens, present), rtol=0, atol=1e-12)
    assert float((alone - mean_pooled_with_padding(tokens))[1:].abs().min(-1).values.min()) > 1e-3


def test_cosines_are_torchs() -> None:
    """Every pair of different vectors once, by torch's cosine_similarity."""
    x = drawn(4, 6)
    expected = [float(functional.cosine_similarity(x[i], x[j], dim=0)) for i in range(4) for j in range(i + 1, 4)]

    assert expected == pytest.approx(cosines(x).tolist())


@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_info_nce_is_cross_entropy(temperature: float) -> None:
    """With the pairs as classes it is torch's cross_entropy of cosines over τ."""
    queries, keys = drawn(2, 7, 5)
    scores = functional.cosine_similarity(queries[:, None], keys[None], dim=-1) / temperature

    assert float(functional.cross_entropy(scores, torch.arange(7))) == pytest.approx(float(info_nce(queries, keys, temperature)))


@pytest.mark.parametrize("width", [8, 64, 1024])
def test_random_vectors_are_nearly_orthogonal(width: int) -> None:
    """Cosines of random vectors spread by 1/√D."""
    found = quantities(width=width)

    assert 1 / math.sqrt(width) == found["expected_spread"] == pytest.approx(found["cosine_spread"], rel=0.1)


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_a_shared_direction_makes_all_alike(seed: int) -> None:
    """A shared 1.5 per number gives unrelated vectors a mean cosine of .69, c²/(1 + c²); centring brings it back to 0."""
    found = quantities(seed=seed, width=1024)

    assert 0.69 == pytest.approx(found["mean_cosine"], abs=0.01)
    assert found["expected_cosine"] == pytest.approx(found["mean_cosine"], abs=0.01)
    assert 0.0 == pytest.approx(found["centred_mean_cosine"], abs=0.02)
    assert 0.0 == pytest.approx(float(subtract_mean(drawn(5, 3)).mean(0).abs().max()), abs=1e-12)


def test_padding_in_the_mean() -> None:
    """Padding turns the pooled vector; with the mask it is the sentence's own; without padding both are, and a note says so."""
    found, none = quantities(padding=8), quantities(padding=0)

    assert found["padded_pool_cosine"] < 0.8
    assert 1.0 == pytest.approx(found["masked_pool_cosine"])
    assert 1.0 == pytest.approx(none["padded_pool_cosine"])
    assert (1, 0) == (len(run(padding=0).notes), len(run().notes))


def test_contrastive_loss() -> None:
    """Unrelated partners lose ln N at τ = 1 and more when it is colder; noisy copies lose almost nothing."""
    found, cold = quantities(), quantities(temperature=0.05)

    assert math.log(128) == pytest.approx(found["chance_loss"]) == pytest.approx(found["random_loss_at_one"], abs=0.05)
    assert cold["random_loss"] > found["random_loss"] > found["random_loss_at_one"]
    assert found["view_loss"] < 0.1


def test_curves_pass_through_the_quantities() -> None:
    """Each curve at the present width or shared direction is the quantity of that name."""
    result = run(width=256, common=1.5)
    found = {quantity.name: quantity.value for quantity in result.quantities}
    curves = {series.name: dict(zip(series.x, series.y, strict=True)) for series in result.series}

    assert found["cosine_spread"] == pytest.approx(curves["cosine_spread_over_width"][256.0])
    assert found["mean_cosine"] == pytest.approx(curves["mean_cosine_over_common"][1.5])
    assert found["centred_mean_cosine"] == pytest.approx(curves["centred_mean_cosine_over_common"][1.5])
