"""Sampling against the logits processors of Hugging Face."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from transformers import MinPLogitsWarper, RepetitionPenaltyLogitsProcessor, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from engine.experiments._sampling_by_confidence import draw
from engine.experiments.sampling import EXPERIMENT
from engine.textbook.decoding import apply_temperature, keep_min_p, keep_top_k, keep_top_p, penalise
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def logits(spread: float, words: int = 50) -> Tensor:
    return spread * torch.randn(words, generator=torch.Generator().manual_seed(3), dtype=torch.float64)


@pytest.mark.parametrize("spread", [0.1, 1, 10])
@pytest.mark.parametrize("level", [0.05, 0.5, 0.9, 1.0])
def test_steps_are_those_of_the_library(spread: float, level: float) -> None:
    """Temperature, top-k, top-p and min-p keep the same tokens with the same logits."""
    z, ids = logits(spread), torch.LongTensor([[0]])

    assert TemperatureLogitsWarper(2.5)(ids, z[None])[0].tolist() == apply_temperature(z, 2.5).tolist()
    assert TopKLogitsWarper(int(50 * level))(ids, z[None])[0].tolist() == keep_top_k(z, int(50 * level)).tolist()
    assert TopPLogitsWarper(level)(ids, z[None])[0].tolist() == keep_top_p(z, level).tolist()
    assert MinPLogitsWarper(level)(ids, z[None])[0].tolist() == keep_min_p(z, level).tolist()


def test_penalty_is_that_of_the_library() -> None:
    """Positive logits are divided, negative ones multiplied, a token said twice counts once."""
    z = logits(2.0, 6)
    said = [0, 3, 4, 3]

    assert {True, False} == {bool(z[token] > 0) for token in said}
    assert RepetitionPenaltyLogitsProcessor(1.7)(torch.tensor([said]), z[None].clone())[0].tolist() == penalise(z, said, 1.7).tolist()


def test_steps_keep_at_least_one() -> None:
    """However strict, the favourite stays."""
    for kept in (keep_top_k(logits(1), 1), keep_top_p(logits(1), 1e-9), keep_min_p(logits(1), 1.0)):
        assert 1 == int((kept > -math.inf).sum())


def test_top_p_adapts() -> None:
    """At p = .9 an unsure model keeps more than 800 of 1000 words, a sure one 1; top-k keeps 50 of either: .08 or .99 of the mass."""
    found = quantities(top_k=50)

    assert 834 == pytest.approx(found["nucleus_flat"], abs=15)
    assert 1 == found["nucleus_peaked"]
    assert 50 == found["top_k_flat"] == found["top_k_peaked"]
    assert 0.09 == pytest.approx(found["top_k_mass_flat"], abs=0.01)
    assert found["top_k_mass_peaked"] > 0.98


@pytest.mark.parametrize(("temperature", "nats"), [(0.2, 0.04), (0.5, 0.46), (1.0, 1.00), (2.0, 1.39), (5.0, 1.57)])
def test_entropy_by_temperature(temperature: float, nats: float) -> None:
    """Logits 2, 1, 0, -1, -2 have .04, .46, 1.00, 1.39, 1.57 nats at T = .2, .5, 1, 2, 5."""
    assert nats == pytest.approx(quantities(temperature=temperature)["word_entropy"], abs=0.006)


def test_penalty_on_a_negative_logit() -> None:
    """p = .039 becomes .054 when the logit is divided (a reward), .024 by the right rule, .026 when the probability is divided."""
    found = quantities(penalty=1.5)

    assert 0.039 == pytest.approx(found["repeat_unpenalised"], abs=5e-4)
    assert 0.054 == pytest.approx(found["repeat_logit_divided"], abs=5e-4)
    assert 0.024 == pytest.approx(found["repeat_penalised"], abs=5e-4)
    assert (0.0391 / 1.5) / (0.9609 + 0.0391 / 1.5) == pytest.approx(found["repeat_probability_divided"], abs=1e-4)


def test_penalty_depends_on_what_softmax_ignores() -> None:
    """Adding 3 to all logits changes no probability, but it changes what the penalty does."""
    found = quantities()

    assert abs(found["repeat_shifted"] - found["repeat_penalised"]) > 1e-3


def test_order_matters() -> None:
    """Hot logits before top-p keep more words than top-p before the heat."""
    found = quantities(temperature=2.0)

    assert (4, 3) == (found["kept_heated_first"], found["kept_heated_last"])


def test_stages_renormalise() -> None:
    """After each step the words left share the whole probability, in unchanged proportion."""
    _, hot, by_k, by_p, by_min = run(temperature=2.0, top_k=3, top_p=0.8, min_p=0.7).matrices[0].values

    assert by_k == pytest.approx([p / sum(hot[:3]) if i < 3 else 0 for i, p in enumerate(hot)])
    assert (2, 1) == (sum(p > 0 for p in by_p), sum(p > 0 for p in by_min))


def test_a_sure_model_is_sure() -> None:
    """The peaked distribution differs from the flat one in one word only."""
    models = draw(0)

    assert 1 == int((models.flat != models.peaked).sum())
