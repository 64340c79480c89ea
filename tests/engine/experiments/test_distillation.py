"""Distillation's soft loss and its gradient, against torch's kl_div and autograd."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from engine.experiments.distillation import CLASSES, EXPERIMENT, TEACHER
from engine.textbook.divergence import kl, matching_gradient, soft_gradient, soft_loss
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def logits(seed: int) -> tuple[Tensor, Tensor]:
    student, teacher = 3 * torch.randn(2, 4, 7, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return student, teacher


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0, 32.0])
def test_loss_and_gradient_are_torchs(temperature: float) -> None:
    """torch's kl_div of the softened answers is our loss, and its gradient by autograd ours."""
    student, teacher = logits(1)
    student.requires_grad_()
    logs, target = (student / temperature).log_softmax(-1), (teacher / temperature).softmax(-1)
    expected = functional.kl_div(logs, target, reduction="none").sum(-1)
    (slope,) = torch.autograd.grad(expected.sum(), student)

    assert torch.allclose(expected, soft_loss(student, teacher, temperature), rtol=1e-10)
    assert torch.allclose(slope, soft_gradient(student, teacher, temperature), rtol=1e-9, atol=1e-14)


def test_kl_of_itself_and_of_a_certainty() -> None:
    """KL of a distribution with itself is 0; a certain p costs -ln q of that class; zeros of p add nothing."""
    q = torch.tensor([0.2, 0.5, 0.3], dtype=torch.float64)

    assert 0.0 == float(kl(q, q))
    assert -math.log(0.5) == pytest.approx(float(kl(torch.tensor([0.0, 1.0, 0.0], dtype=torch.float64), q)))


def test_the_factor_restores_the_gradient() -> None:
    """From T = 4 to 16 the gradient falls to less than a tenth, and times T² it stays within a quarter."""
    cool, hot = quantities(temperature=4.0), quantities(temperature=16.0)

    assert hot["plain_gradient"] < 0.1 * cool["plain_gradient"]
    assert cool["scaled_gradient"] == pytest.approx(hot["scaled_gradient"], rel=0.25)
    assert 100 * 0.5 > 2 * cool["plain_soft_share"]
    assert 40 < cool["scaled_soft_share"] < 65


def test_hot_distillation_matches_logits() -> None:
    """T²·gradient tends to (z - v)/V of centred logits, off by O(1/T)."""
    student, teacher = logits(2)

    assert torch.allclose(matching_gradient(student, teacher), 1e8 * soft_gradient(student, teacher, 1e4), rtol=0, atol=1e-2)
    assert quantities(temperature=16.0)["matching_cosine"] > 0.99
    assert 1.0 == pytest.approx(quantities(temperature=16.0)["matching_ratio"], abs=0.1)


def test_a_soft_answer_says_more() -> None:
    """Heat lets the near miss show: lynx goes from a tenth to a quarter at T = 4, and the entropy rises towards ln 6."""
    found, hot = quantities(), quantities(temperature=16.0)

    assert math.exp(4) / sum(math.exp(each) for each in TEACHER) == pytest.approx(found["lynx_at_one"])
    assert found["lynx_at_temperature"] > 2 * found["lynx_at_one"]
    assert math.exp((4 + 4) / 4) == pytest.approx(found["lynx_over_bus"])
    assert found["target_entropy"] < hot["target_entropy"] < math.log(len(CLASSES))
    assert run(temperature=1.0).notes


def test_curves_and_matrix_are_the_quantities() -> None:
    """At T = 4 the curves and the matrix say what the quantities say."""
    result, found = run(), quantities()
    curves = {series.name: series.y for series in result.series}

    assert found["plain_gradient"] == curves["plain_gradient_over_temperature"][2]
    assert found["scaled_gradient"] == pytest.approx(curves["scaled_gradient_over_temperature"][2])
    assert found["lynx_at_temperature"] == pytest.approx(result.matrices[0].values[2][1])


@pytest.mark.parametrize("seed", range(3))
def test_one_over_t_squared_is_a_limit(seed: int) -> None:
    """From T = 1 to 4 the gradient shrinks ten times, not sixteen; from 8 to 16 nearly four times, as 1/T² says."""
    cool, warm, hot = (quantities(temperature=temperature, seed=seed) for temperature in (4.0, 8.0, 16.0))

    assert 10 == pytest.approx(cool["gradient_shrinks"], abs=0.3)
    assert 16 == cool["temperature_squared"]
    assert 4 == pytest.approx(hot["gradient_shrinks"] / warm["gradient_shrinks"], rel=0.05)
