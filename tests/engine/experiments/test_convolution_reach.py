"""Convolutions against torch's, and how far each layer sees."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.convolution_reach import DILATIONS, EXPERIMENT, TOKENS
from engine.textbook.convolution import causal_convolution, change_one_token, dilated_layers_to_cover, layers_to_cover, receptive_field
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("dilation", [1, 3])
def test_convolution_is_torchs(dilation: int) -> None:
    """A causal convolution is F.conv1d with zeros on the left only; torch's kernel begins with the oldest token."""
    generator = torch.Generator().manual_seed(0)
    x, kernel = torch.randn(2, 9, 4, generator=generator), torch.randn(3, 4, 4, generator=generator)
    padded = functional.pad(x.transpose(1, 2), (2 * dilation, 0))
    theirs = functional.conv1d(padded, kernel.flip(0).permute(2, 1, 0), dilation=dilation).transpose(1, 2)

    assert_close(theirs, causal_convolution(x, kernel, dilation))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("kernel", [2, 3, 7])
@pytest.mark.parametrize("layers", [1, 4, 8])
def test_measured_reach_is_the_formula(kernel: int, layers: int, seed: int) -> None:
    """By perturbation the last token sees 1 + L(k-1) tokens, with dilation 1 + (2^L - 1)(k-1), as far as there are tokens."""
    found = quantities(kernel=kernel, layers=layers, seed=seed)

    assert 1 + layers * (kernel - 1) == found["convolution_formula"] == found["convolution_field"]
    assert 1 + (2**layers - 1) * (kernel - 1) == found["dilated_formula"]
    assert min(TOKENS, found["dilated_formula"]) == found["dilated_field"]


def test_attention_sees_all_at_once() -> None:
    """One attention layer sees all 64 tokens, at any setting."""
    for kernel, layers in ((2, 1), (7, 8)):
        assert 64 == quantities(kernel=kernel, layers=layers)["attention_field"]


def test_overlaps_are_counted_once() -> None:
    """Kernel times layers is too many as soon as there are two layers: 12 instead of 9."""
    found = quantities()

    assert (12, 9) == (found["kernel_times_layers"], found["convolution_field"])
    assert quantities(layers=1)["kernel_times_layers"] == quantities(layers=1)["convolution_field"]


@pytest.mark.parametrize("kernel", [2, 3, 4, 7])
def test_layers_to_cover_are_the_fewest(kernel: int) -> None:
    """That many layers see all tokens, one fewer do not, both plain and dilated."""
    for tokens in (5, 64, 1000):
        plain, dilated = layers_to_cover(tokens, kernel), dilated_layers_to_cover(tokens, kernel)
        gaps = tuple(2**layer for layer in range(dilated))

        assert receptive_field(kernel, (1,) * (plain - 1)) < tokens <= receptive_field(kernel, (1,) * plain)
        assert receptive_field(kernel, gaps[:-1]) < tokens <= receptive_field(kernel, gaps)


def test_one_token_is_changed_at_a_time() -> None:
    """Row 0 is the sequence itself, row j+1 differs from it in token j only."""
    x, other = torch.zeros(3, 2), torch.ones(3, 2)

    assert [0, 1, 2] == [int((row != 0).any(-1).nonzero()) for row in change_one_token(x, other)[1:]]
    assert torch.equal(x, change_one_token(x, other)[0])


def test_what_is_out_of_reach_is_not_felt() -> None:
    """In the matrix the oldest shown token moves only attention; the newest moves all."""
    felt = [matrix.values[0] for matrix in run(kernel=3, layers=2).matrices]

    assert [True] * 5 == [cell > 0 for cell in felt[0][-5:]]
    assert 0.0 == felt[0][-6] < felt[2][0]


def test_curves_pass_through_the_quantities() -> None:
    """Each curve at L layers is the field of that name."""
    result = run(layers=5)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    assert 8 == len(DILATIONS)
    for series in result.series:
        assert found[series.name.removesuffix("_over_layers")] == series.y[4]
