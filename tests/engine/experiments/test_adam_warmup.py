"""Adam, AdamW and the schedule, against torch.optim and closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from engine.assemble import assemble
from engine.catalog import load
from engine.experiments import _adam_warmup
from engine.measures import Scalar
from engine.parameter import Value
from engine.result import Series
from engine.textbook.optimizers import Adam, adam, adam_l2_step, adamw_step, warmup_rate

START = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
GRADIENTS = torch.randn(7, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * torch.tensor([1e-5, 1.0, 1e4])


DEFAULTS = {parameter.name: parameter.default for parameter in _adam_warmup.PARAMETERS}


def quantities(**given: Value) -> dict[str, float]:
    """The numbers of this part; nothing is trained for them."""
    numbers = _adam_warmup.adam_numbers(**{**DEFAULTS, **given})  # type: ignore[arg-type]  # by their names
    return {name: value for name, value in numbers.items() if isinstance(value, float | int)}


def curve_of(name: str, **given: Value) -> Series:
    result = assemble(_adam_warmup.MEASURES, _adam_warmup.adam_numbers(**{**DEFAULTS, **given}), {})  # type: ignore[arg-type]
    return next(series for series in result.series if series.name == name)


def test_the_old_name_is_the_merged_experiment() -> None:
    """What a deck wrote of adam_warmup, its parameters and its numbers, is there under that name."""
    merged = load("adam_warmup")
    measured = {each.name for each in merged.measures if isinstance(each, Scalar)}

    assert merged is load("pre_vs_post_norm")
    assert set(DEFAULTS) <= {parameter.name for parameter in merged.parameters}
    assert set(quantities()) <= measured


@pytest.mark.parametrize(("step", "torchs"), [(adamw_step, torch.optim.AdamW), (adam_l2_step, torch.optim.Adam)])
@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_steps_are_torchs(
    step: Callable[[Tensor, Tensor, Adam, float], tuple[Tensor, Adam]], torchs: type[torch.optim.Adam], decay: float
) -> None:
    """Seven steps with gradients of very different sizes end where torch.optim.AdamW, and Adam with weight_decay, end."""
    theta, state = START, adam(START, 0.01, 0.8, 0.95)
    parameter = torch.nn.Parameter(START.clone())
    optimizer = torchs([parameter], lr=0.01, betas=(0.8, 0.95), weight_decay=decay)
    for gradient in GRADIENTS:
        theta, state = step(theta, gradient, state, decay)
        parameter.grad = gradient.clone()
        optimizer.step()

    assert_close(parameter.detach(), theta)


@pytest.mark.parametrize("gradient", [1e-6, 1.0, 1e6])
def test_first_step_has_the_rate_as_length(gradient: float) -> None:
    """Whatever the gradient's size, Adam's first step is one learning rate; plain SGD's is as large as the gradient."""
    found = quantities(gradient=gradient)

    assert 1.0 == pytest.approx(found["first_step"], abs=1e-9)
    assert gradient == pytest.approx(found["sgd_first_step"])


def test_without_correction_the_first_step_is_too_long() -> None:
    """(1-β₁)/√(1-β₂) = 3.16 learning rates at the usual values, and more in the steps that follow."""
    found = quantities()

    assert 3.1623 == pytest.approx(found["uncorrected_first_step"], abs=1e-4)
    assert 6.5 == pytest.approx(found["uncorrected_longest_step"], abs=0.1)
    assert 1.0 == pytest.approx(found["longest_step"])
    assert 0.4 / math.sqrt(0.05) == pytest.approx(quantities(beta_1=0.6, beta_2=0.95)["uncorrected_first_step"])


def test_the_schedule_peaks_at_the_end_of_the_warm_up() -> None:
    """At d_model = 512 the rate rises to 6.99e-4 at step 4000: in a line before, like 1/√step after."""
    rates = [warmup_rate(step, 512, 4000) for step in (1000, 2000, 4000, 16000)]

    assert 6.99e-4 == pytest.approx(quantities()["peak_rate"], abs=5e-7)
    assert [1 / 4, 1 / 2, 1, 1 / 2] == pytest.approx([rate / quantities()["peak_rate"] for rate in rates])
    assert 1 / math.sqrt(512 * 4000) == pytest.approx(quantities()["peak_rate"])


def test_the_peak_is_on_the_curve() -> None:
    """The schedule's curve has its highest point at the slider's warm-up."""
    for warmup in (500, 2500, 16000):
        curve = curve_of("rate_over_steps", warmup=warmup)
        assert warmup == curve.x[curve.y.index(max(curve.y))]


def test_adamw_decays_all_weights_alike() -> None:
    """AdamW takes the same from every weight; L2 in Adam takes ten times too much without a gradient, nothing beside a large one."""
    found = quantities()

    assert 0.00995 == pytest.approx(found["expected_lost"], rel=1e-3)
    assert found["expected_lost"] == pytest.approx(found["adamw_lost_no_gradient"], rel=1e-9)
    assert found["expected_lost"] == pytest.approx(found["adamw_lost_large_gradient"], rel=1e-2)
    assert 0.098 == pytest.approx(found["l2_lost_no_gradient"], abs=0.002)
    assert abs(found["l2_lost_large_gradient"]) < 1e-4


def test_no_decay_takes_nothing() -> None:
    """At a decay of 0 nothing is lost."""
    found = quantities(decay=0.0)

    assert [0.0] * 4 == [found[f"{arm}_lost_{size}_gradient"] for arm in ("l2", "adamw") for size in ("no", "large")]


def test_a_schedule_is_drawn_over_its_steps() -> None:
    """The axis of the schedule counts steps, and its highest point stands at the warm-up's end: w times the first step's rate."""
    found, curve = quantities(warmup=500), curve_of("rate_over_steps", warmup=500)

    assert "step" == curve.x_label.en
    assert 500 == curve.x[curve.y.index(max(curve.y))]
    assert 500 == pytest.approx(found["peak_rate"] / found["first_rate"])
