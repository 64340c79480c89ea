"""Losses and their gradients against torch's functions and autograd."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.cross_entropy import EXPERIMENT, GAPS
from engine.textbook.losses import (
    best_gap,
    cross_entropy,
    cross_entropy_gradient,
    mean_squared_error,
    mean_squared_error_gradient,
    one_hot_gap,
    smoothed,
)
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

LOGITS = torch.tensor([[2.0, -1.0, 0.5, 7.0], [-9.0, 12.0, 3.0, 3.0], [300.0, -300.0, 0.0, 1.0]], dtype=torch.float64)
LABELS = torch.tensor([0, 0, 1])
TARGETS = functional.one_hot(LABELS, 4).double()


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
def test_cross_entropy_is_torchs(epsilon: float) -> None:
    """With smoothed targets it is torch's cross_entropy with label_smoothing, also where exp would overflow."""
    theirs = functional.cross_entropy(LOGITS, LABELS, label_smoothing=epsilon, reduction="none")

    assert_close(theirs, cross_entropy(LOGITS, smoothed(TARGETS, epsilon)))


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_gradients_are_autograds(epsilon: float) -> None:
    """Both closed forms are what autograd finds, for hard and for smoothed targets."""
    targets = smoothed(TARGETS, epsilon)
    for loss, gradient in ((cross_entropy, cross_entropy_gradient), (mean_squared_error, mean_squared_error_gradient)):
        leaf = LOGITS.clone().requires_grad_()
        (found,) = torch.autograd.grad(loss(leaf, targets).sum(), leaf)
        assert_close(found, gradient(LOGITS, targets))


def test_a_sure_mistake_teaches_only_cross_entropy() -> None:
    """At a gap of -8 squared error's gradient is below 1e-4, cross-entropy's is -1; at 0 both teach."""
    wrong, even = quantities(gap=-8.0), quantities(gap=0.0)

    assert -1e-4 < wrong["mse_gradient"] < 0.0
    assert -1.0 == pytest.approx(wrong["ce_gradient"], abs=1e-3)
    assert even["mse_gradient"] < -0.01
    assert -0.9 == pytest.approx(even["ce_gradient"])


def test_squared_error_of_two_classes_goes_with_p_times_1_minus_p() -> None:
    """For two classes the gradient is 2·(p - 1)·p·(1 - p): the product that a sure softmax makes small."""
    for gap in (-6.0, -1.0, 2.0):
        p = 1 / (1 + math.exp(-gap))
        assert 2 * (p - 1) * p * (1 - p) == pytest.approx(quantities(gap=gap, classes=2)["mse_gradient"])


def test_smoothing_gives_a_finite_best_gap() -> None:
    """At ε = .1 and V = 10 the best gap is ln 91 = 4.51 with a loss of .5003, and every other gap loses more."""
    found = quantities()
    around = one_hot_gap(torch.tensor([4.4, 4.51, 4.6], dtype=torch.float64), 10)
    losses = cross_entropy(around, smoothed(one_hot_gap(torch.tensor(1.0, dtype=torch.float64), 10), 0.1)).tolist()

    assert math.log(91) == pytest.approx(found["best_gap"])
    assert 0.5003 == pytest.approx(found["least_smoothed_loss"], abs=1e-4)
    assert losses[1] == pytest.approx(found["least_smoothed_loss"], abs=1e-5)
    assert losses[1] < min(losses[0], losses[2])


def test_hard_labels_have_no_best_gap() -> None:
    """Without smoothing the best gap is infinite: the Result stays finite and a note says so."""
    assert math.inf == best_gap(10, 0.0)
    assert 1e9 == quantities(smoothing=0.0)["best_gap"]
    assert len(run(smoothing=0.0, gap=0.0).notes) == 1
    assert quantities(smoothing=0.0)["ce_loss"] == quantities(smoothing=0.0)["smoothed_loss"]


def test_the_first_loss_is_ln_v() -> None:
    """Equal logits over 50,257 tokens lose ln V = 10.82."""
    found = quantities(gap=0.0, classes=50257)

    assert 10.825 == pytest.approx(found["initial_loss"], abs=1e-3)
    assert found["initial_loss"] == pytest.approx(found["ce_loss"])


@pytest.mark.parametrize("gap", [-8.0, 6.0])
def test_curves_pass_through_the_quantities(gap: float) -> None:
    """Each curve at the gap is the size of the quantity of that name."""
    result = run(gap=gap)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    for series in result.series:
        assert abs(found[series.name.removesuffix("_over_gap")]) == pytest.approx(series.y[GAPS.index(gap)])


@pytest.mark.parametrize("classes", [2, 10, 1000])
@pytest.mark.parametrize("gap", [-8.0, 0.0, 3.0])
def test_mean_squared_error_is_torchs(classes: int, gap: float) -> None:
    """What is called mse is a mean over the classes, and so is its gradient."""
    logits = torch.tensor([gap, *[0.0] * (classes - 1)], dtype=torch.float64, requires_grad=True)
    target = functional.one_hot(torch.tensor(0), classes).double()
    loss = functional.mse_loss(logits.softmax(-1), target)
    (gradient,) = torch.autograd.grad(loss, logits)
    found = quantities(gap=gap, classes=classes)

    assert (float(loss.detach()), float(gradient[0])) == pytest.approx((found["mse_loss"], found["mse_gradient"]))
