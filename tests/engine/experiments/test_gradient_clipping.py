"""Gradient clipping, against torch's clip_grad_norm_ and clip_grad_value_, and a run with torch's SGD."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from engine.experiments.gradient_clipping import BAD_STEP, EXPERIMENT, RATE, gradient, heavy_tailed, spoiled, task, train
from engine.textbook.clip_gradients import clip_by_norm, clip_by_value, cosine
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def with_gradient(values: torch.Tensor) -> nn.Parameter:
    weights = nn.Parameter(torch.zeros_like(values))
    weights.grad = values.clone()
    return weights


@pytest.mark.parametrize("limit", [0.25, 1.0, 1000.0])
def test_both_ways_are_torchs(limit: float) -> None:
    """torch's two functions on the same gradient; a limit above its length changes nothing."""
    values = heavy_tailed(3)
    by_norm, by_value = with_gradient(values), with_gradient(values)
    nn.utils.clip_grad_norm_([by_norm], limit)
    nn.utils.clip_grad_value_([by_value], limit)

    assert torch.allclose(torch.as_tensor(by_norm.grad), clip_by_norm(values, limit), rtol=1e-5)  # torch adds 1e-6 to the length
    assert torch.equal(torch.as_tensor(by_value.grad), clip_by_value(values, limit))


@pytest.mark.parametrize("seed", range(5))
def test_only_the_norm_keeps_the_direction(seed: int) -> None:
    """Clipped by its norm a gradient points where it pointed and is as long as the limit; number by number it turns and is longer."""
    found = quantities(seed=seed, limit=0.5)

    assert 1.0 == pytest.approx(found["norm_cosine"])
    assert found["value_cosine"] < 0.95
    assert 0.5 == pytest.approx(found["norm_length"])
    assert found["value_length"] > 0.5


def test_training_is_torchs() -> None:
    """The losses are those of torch's SGD with clip_grad_norm_ on the same batches, the bad one among them."""
    wanted, batches = task(0)
    weights = nn.Parameter(torch.zeros(8, dtype=torch.float64))
    optimizer, losses = torch.optim.SGD([weights], lr=RATE), []
    for step, x in enumerate(batches):
        losses.append(float((weights - wanted).detach().square().sum()))
        inputs, targets = spoiled(wanted, x, 20.0 if step == BAD_STEP else 1.0)
        weights.grad = gradient(weights.detach(), inputs, targets)
        (expected,) = torch.autograd.grad((inputs @ weights - targets).square().mean(), weights)
        assert torch.allclose(expected, weights.grad, rtol=1e-9, atol=1e-12)
        nn.utils.clip_grad_norm_([weights], 1.0)
        optimizer.step()

    assert losses == pytest.approx(list(train(wanted, batches, 20.0, 1.0, "norm")[:-1]), rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_a_bad_batch(seed: int) -> None:
    """Unclipped the loss leaps from nothing to far off; clipped the weights move by no more than rate · limit."""
    found = quantities(seed=seed)

    assert found["loss_before"] < 0.1
    assert found["spike_unclipped"] > 10
    assert found["spike_clipped"] ** 0.5 <= found["clipped_before"] ** 0.5 + RATE * 1.0 + 1e-9


def test_cosine_and_note() -> None:
    """Opposite vectors have cosine -1; a limit above the gradient's length is noted."""
    assert -1.0 == pytest.approx(cosine(torch.tensor([1.0, 2.0]), torch.tensor([-2.0, -4.0])))
    assert len(run(limit=32.0).notes) == 1
    assert not run(limit=0.25).notes
