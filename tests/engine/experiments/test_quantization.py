"""Quantisation against torch's own quantised tensors, the closed form of the rounding error, and a single outlier."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from engine.experiments.quantization import EXPERIMENT, with_outlier
from engine.textbook.quantization import absmax_scale, affine, per_channel, quantize, symmetric
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def weights(rows: int = 5, columns: int = 7) -> Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(2), dtype=torch.float32)


def test_symmetric_is_torchs() -> None:
    """One scale gives the numbers of torch's fake quantisation with zero point 0."""
    x = weights()
    scale = float(absmax_scale(x, 8))

    expected = torch.fake_quantize_per_tensor_affine(x, scale, 0, -127, 127)

    assert torch.allclose(expected, symmetric(x, 8), atol=1e-6)


def test_per_channel_is_torchs() -> None:
    """A scale a row gives the numbers of torch's per-channel fake quantisation over axis 0, also where C != D."""
    x = weights() * torch.tensor([[0.01], [1], [50], [2], [3]])
    scales = absmax_scale(x, 4, dim=-1)[:, 0]

    expected = torch.fake_quantize_per_channel_affine(x, scales, torch.zeros(5, dtype=torch.int32), 0, -7, 7)

    assert torch.allclose(expected, per_channel(x, 4), atol=1e-6)


@pytest.mark.parametrize("shift", [0.0, 3.0])
def test_affine_is_torchs(shift: float) -> None:
    """With a zero point the numbers are those of torch's fake quantisation between the smallest and the largest number."""
    x = weights() + shift
    low, high = min(float(x.min()), 0.0), float(x.max())
    scale = (high - low) / 255
    zero = round(-low / scale)

    expected = torch.fake_quantize_per_tensor_affine(x, scale, zero, 0, 255)

    assert torch.allclose(expected, affine(x, 8), atol=1e-6)


@pytest.mark.parametrize("bits", [2, 4, 8])
def test_range_and_largest_error(bits: int) -> None:
    """The integers reach ±(2^(b-1) - 1) and no further, and no number is off by more than half a scale."""
    x = weights()
    whole = quantize(x, absmax_scale(x, bits))

    assert 2 ** (bits - 1) - 1 == float(whole.abs().max())
    assert float((x - symmetric(x, bits)).abs().max()) <= float(absmax_scale(x, bits)) / 2 + 1e-6


def test_one_outlier() -> None:
    """int8 loses .0085 a weight, .226 when one weight is 100 and the others use 11 levels; per channel only its row suffers."""
    found = quantities()

    assert 0.0086 == pytest.approx(found["clean_error"], abs=0.001)
    assert 0.226 == pytest.approx(found["one_scale_error"], abs=0.004)
    assert 11 == pytest.approx(found["levels_used"], abs=2)
    assert found["other_channels_error"] < found["clean_error"]
    assert found["other_channels_error"] < found["per_channel_error"] < found["one_scale_error"] / 5
    assert found["outliers_apart_error"] == pytest.approx(found["clean_error"], rel=0.05)


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("outlier", [1.0, 3.0, 100.0])
def test_levels_that_the_other_weights_use(bits: int, outlier: float) -> None:
    """All of them, also the one that the outlier stands on with others: counted weight by weight."""
    generator = torch.Generator().manual_seed(0)
    W = with_outlier(torch.randn(64, 64, generator=generator, dtype=torch.float64), outlier)
    step = float(W.abs().max()) / (2 ** (bits - 1) - 1)
    used = {round(w / step) for row, cells in enumerate(W.tolist()) for column, w in enumerate(cells) if (row, column) != (1, 2)}

    assert len(used) == quantities(bits=bits, outlier=outlier)["levels_used"]


def test_error_is_that_of_uniform_rounding() -> None:
    """Rounding to steps of s loses s/√12 on average, the standard deviation of a uniform error."""
    assert 100 / 127 / math.sqrt(12) == pytest.approx(quantities()["one_scale_error"], rel=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_outputs(seed: int) -> None:
    """The outputs of the other channels are off by more than a tenth with one scale, by less than 1 % with a scale a channel."""
    found = quantities(seed=seed)

    assert found["output_error_one_scale"] > 10
    assert found["output_error_per_channel"] < 1


@pytest.mark.parametrize("bits", [4, 8])
def test_one_sided_numbers_need_a_zero_point(bits: int) -> None:
    """GELU outputs lose about half as much with a zero point."""
    found = quantities(bits=bits)

    assert 0.5 == pytest.approx(found["gelu_affine_error"] / found["gelu_symmetric_error"], abs=0.08)


def test_curves_pass_through_the_quantities() -> None:
    """At the chosen outlier and at the chosen bits the curves hold the quantities."""
    result = run(outlier=16.0, bits=5)
    found = {quantity.name: quantity.value for quantity in result.quantities}
    curves = {series.name: dict(zip(series.x, series.y, strict=True)) for series in result.series}

    for name in ("one_scale_error", "per_channel_error"):
        assert found[name] == curves[f"{name}_over_outlier"][16.0] == curves[f"{name}_over_bits"][5.0]


def test_only_one_weight_is_replaced() -> None:
    """The outlier changes one weight and leaves the given ones alone."""
    clean = weights()
    changed = with_outlier(clean, 100.0)

    assert 1 == int((clean != changed).sum())
