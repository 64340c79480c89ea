"""LayerNorm, BatchNorm and RMSNorm, against torch at small widths, where a wrong divisor shows."""

from __future__ import annotations

import math
import statistics

import pytest
import torch
from torch import Tensor, nn

from engine.experiments.layer_norm import EXPERIMENT
from engine.textbook.normalization import LayerNorm, RMSNorm, batch_norm, layer_norm, layer_norm_whole_sentence, rms_norm
from engine.textbook.weight_statistics import skewness
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def tokens(width: int, scale: float = 1.0) -> Tensor:
    generator = torch.Generator().manual_seed(width)
    return 3 + scale * torch.randn(2, 5, width, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("width", [2, 3, 4, 768])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("eps", [1e-12, 1e-5, 0.1])
def test_normalisations_are_torchs(width: int, scale: float, eps: float) -> None:
    """LayerNorm, RMSNorm and BatchNorm are torch's, at small widths, with spreads far below √ε too."""
    x = tokens(width, scale)
    over_batch = nn.BatchNorm1d(width, eps=eps, affine=False, track_running_stats=False)(x.reshape(-1, width)).reshape(x.shape)

    assert torch.allclose(nn.functional.layer_norm(x, (width,), eps=eps), layer_norm(x, eps), rtol=1e-9, atol=1e-11)
    assert torch.allclose(nn.functional.rms_norm(x, (width,), eps=eps), rms_norm(x, eps), rtol=1e-9, atol=1e-11)
    assert torch.allclose(over_batch, batch_norm(x, eps), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("ours", "torchs"), [(LayerNorm, nn.LayerNorm), (RMSNorm, nn.RMSNorm)])
def test_modules_are_torchs(ours: type[nn.Module], torchs: type[nn.Module]) -> None:
    """The modules with a learned weight and bias are torch's, and have its parameter names."""
    mine, theirs = ours(5, eps=1e-3).double(), torchs(5, eps=1e-3).double()
    with torch.no_grad():
        for index, parameter in enumerate(theirs.parameters()):
            parameter.copy_(torch.arange(5) - 1.5 * index)
    mine.load_state_dict(theirs.state_dict())
    x = tokens(5, 0.1)

    assert torch.allclose(theirs(x), mine(x), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("width", [2, 4, 64, 512])
def test_one_hot(width: int) -> None:
    """LayerNorm of [1, 0, ..., 0] is √(D-1) and -1/√(D-1); with the variance over D-1 it is smaller by √((D-1)/D)."""
    found = quantities(width=width, epsilon=1e-8)
    root = math.sqrt(width - 1)

    assert (root, -1 / root) == pytest.approx((found["layer_norm_first"], found["layer_norm_rest"]), rel=1e-4)
    assert root * math.sqrt((width - 1) / width) == pytest.approx(found["ddof1_first"], rel=1e-4)


def test_a_sample_variance_shows_at_four_numbers() -> None:
    """[1, 0, 0, 0] becomes 1.732, and 1.5 with the wrong divisor; at D = 512 both agree to a thousandth."""
    found, wide = quantities(), quantities(width=512)

    assert (1.732, 1.5) == pytest.approx((found["layer_norm_first"], found["ddof1_first"]), abs=1e-3)
    assert wide["layer_norm_first"] == pytest.approx(wide["ddof1_first"], rel=1e-3)


def test_where_epsilon_goes() -> None:
    """With a spread of √ε/7 LayerNorm shrinks the token; with ε outside of the root it does not."""
    found = quantities(scale=0.001, epsilon=1e-5)
    variance = 0.25 * 0.75 * 1e-6

    assert 0.75e-3 / math.sqrt(variance + 1e-5) == pytest.approx(found["layer_norm_first"])
    assert 0.75e-3 / (math.sqrt(variance) + 1e-5) == pytest.approx(found["eps_outside_first"])
    assert found["eps_outside_first"] > 5 * found["layer_norm_first"]


def test_what_does_not_change() -> None:
    """A shift and a scale leave LayerNorm alone; RMSNorm keeps the scale and not the shift; on centred tokens they are one."""
    found = quantities(shift=7.0, scale=1000.0, epsilon=1e-8)

    assert 0.0 == pytest.approx(found["layer_norm_shift_change"], abs=1e-9)
    assert 0.0 == pytest.approx(found["layer_norm_scale_change"], abs=1e-6)
    assert 0.0 == pytest.approx(found["rms_norm_scale_change"], abs=1e-6)
    assert found["rms_norm_shift_change"] > 0.5
    assert 0.0 == pytest.approx(found["rms_norm_centred_difference"], abs=1e-12)


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_who_leaks(seed: int) -> None:
    """Another token never moves a token's LayerNorm; it does when the whole sentence or the batch is normalised at once."""
    found = quantities(seed=seed)

    assert (0.0, 0.0) == (found["layer_norm_leak"], found["layer_norm_batch_leak"])
    assert found["whole_sentence_leak"] > 0.1
    assert found["batch_norm_leak"] > 0.1
    assert 0.0 == found["batch_norm_of_one"]


def test_whole_sentence_is_torchs_two_axes() -> None:
    """The wrong form is what torch does when it is given the last two axes."""
    x = tokens(4)

    assert torch.allclose(nn.functional.layer_norm(x, (5, 4), eps=1e-3), layer_norm_whole_sentence(x, 1e-3), rtol=0, atol=1e-12)


def test_rows_and_columns() -> None:
    """LayerNorm's rows and BatchNorm's columns have mean 0; the others' do not."""
    found = {matrix.name: torch.tensor(matrix.values, dtype=torch.float64) for matrix in run().matrices}

    assert 0.0 == pytest.approx(float(found["layer_normed"].mean(1).abs().max()), abs=1e-12)
    assert 0.0 == pytest.approx(float(found["batch_normed"].mean(0).abs().max()), abs=1e-12)
    assert min(float(found[name].mean(1).abs().max()) for name in ("batch_normed", "sentence_normed", "rms_normed")) > 0.1
    assert 1.0 == pytest.approx(quantities()["row_std"], abs=1e-3)


@pytest.mark.parametrize("line", ["a1", "b3", "d1", "d4"])
def test_a_chosen_line(line: str) -> None:
    """A row's or column's numbers are those of the matrices, with the mean and deviation that Python's statistics give."""
    found = {matrix.name: matrix for matrix in run(line=line, seed=3).matrices}
    for name, row in zip(
        ("tokens", "layer_normed", "batch_normed", "sentence_normed", "rms_normed"), found["line_numbers"].values, strict=True
    ):
        cells = found[name].values
        rows, columns = found[name].rows, found[name].columns
        numbers = cells[rows.index(line)] if line in rows else [each[columns.index(line)] for each in cells]

        assert [*numbers, statistics.fmean(numbers), statistics.pstdev(numbers)] == pytest.approx(list(row))


def test_a_row_or_a_column_is_normal() -> None:
    """A row has mean 0 and deviation 1 after LayerNorm and not after BatchNorm; of a column the opposite is true."""
    row, column = quantities(line="a2"), quantities(line="d4")

    assert (0.0, 1.0) == pytest.approx((row["layer_norm_line_mean"], row["layer_norm_line_std"]), abs=1e-4)
    assert (0.0, 1.0) == pytest.approx((column["batch_norm_line_mean"], column["batch_norm_line_std"]), abs=1e-4)
    assert abs(row["batch_norm_line_mean"]) > 0.1
    assert column["layer_norm_line_mean"] > 0.1


def test_skewness_stays() -> None:
    """LayerNorm does not make data normal: exponential data have skewness 2 before and after."""
    found = quantities()

    assert 2.0 == pytest.approx(found["skew_before"], abs=0.15)
    assert found["skew_before"] == pytest.approx(found["skew_after"], rel=1e-4)
    assert 0.0 == pytest.approx(float(skewness(torch.tensor([-2.0, 0.0, 2.0]))))
    assert 1 / math.sqrt(2) == pytest.approx(float(skewness(torch.tensor([0.0, 0.0, 3.0]))))


def test_parameters() -> None:
    """LayerNorm has a weight and a bias for every feature, RMSNorm a weight only."""
    found = quantities(width=256)

    assert (512, 256) == (found["layer_norm_parameters"], found["rms_norm_parameters"])


def test_curves_pass_through_the_quantities() -> None:
    """The curves at the slider's width and scale are the quantities."""
    found, curves = quantities(width=64), {series.name: series.y for series in run(width=64).series}

    assert found["ddof1_first"] == pytest.approx(curves["ddof1_share_over_width"][5] * math.sqrt(63))
    assert found["layer_norm_first"] == pytest.approx(curves["layer_norm_share_over_width"][5] * math.sqrt(63))
    assert curves["eps_outside_std_over_scale"][0] > 5 * curves["layer_norm_std_over_scale"][0]
    assert 1.0 == pytest.approx(curves["layer_norm_std_over_scale"][-1], abs=1e-6)
