"""Sinusoidal positions against the formula written out, Hugging Face's table, and the expansion of a score."""

from __future__ import annotations

import math

import pytest
import torch

from engine.experiments._shifted_text import draw
from engine.experiments.positions_sinusoidal import EXPERIMENT
from engine.textbook.absolute_positions import absolute_scores, shift_matrix, sinusoidal
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("width", [2, 8, 512])
@pytest.mark.parametrize("position", [0, 1, 77, 5000])
def test_formula(width: int, position: int) -> None:
    """Dimension 2i is sin(p / 10000^(2i/D)), dimension 2i + 1 its cos."""
    expected = [f(position / 10000 ** (2 * i / width)) for i in range(width // 2) for f in (math.sin, math.cos)]

    assert expected == pytest.approx(sinusoidal(torch.tensor([position]), width)[0].tolist(), abs=1e-9)


def test_is_the_librarys() -> None:
    """Hugging Face's table of the original Transformer (sines first, then cosines) holds the same numbers."""
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    theirs = MarianSinusoidalPositionalEmbedding(20, 16).create_weight()
    ours = sinusoidal(torch.arange(20), 16)

    assert torch.allclose(theirs.double(), torch.cat((ours[:, 0::2], ours[:, 1::2]), -1), atol=1e-6)


@pytest.mark.parametrize(("width", "position", "distance"), [(512, 5, 3), (8, 0, 100), (64, 100, 1)])
def test_a_shift_is_a_turn(width: int, position: int, distance: int) -> None:
    """M_k PE(p) = PE(p + k) for any p, M_k is a rotation, and a sum is no shift."""
    found = quantities(width=width, position=position, distance=distance)
    turn = shift_matrix(distance, width)

    assert found["turn_error"] < 1e-12
    assert found["sum_error"] > 1
    assert torch.allclose(turn @ turn.T, torch.eye(width, dtype=torch.float64), atol=1e-12)


def test_reference_numbers() -> None:
    """At D = 512: |PE| = 16, PE(5) + PE(3) misses PE(8) by 20.7, wavelengths 2π to 60,611, 54 rises in 199 steps."""
    found = quantities()

    assert 16 == pytest.approx(found["norm"])
    assert 20.7 == pytest.approx(found["sum_error"], abs=0.05)
    assert 2 * math.pi == pytest.approx(found["shortest_wavelength"])
    assert 60_611 == pytest.approx(found["longest_wavelength"], abs=1)
    assert 54 == found["rises"]
    assert found["dot_spread"] < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_a_shift_of_the_text_changes_scores(seed: int) -> None:
    """Dot products of positions do not change with a shift; through W_Q and W_K they do, and so do the scores."""
    found = quantities(seed=seed)

    assert found["shifted_dots_change"] < 1e-12
    assert found["shifted_projected_change"] > 0.1
    assert found["shifted_scores_change"] > 0.1
    assert 0.0 == quantities(seed=seed, shift=0)["shifted_scores_change"]


def test_four_terms() -> None:
    """A score of sums is the sum of four products."""
    x, W, _ = draw(8, 1)
    y, p, r = x.flip(0), W[:6], W[2:]

    assert torch.allclose(x @ y.T + x @ r.T + p @ y.T + p @ r.T, absolute_scores(x, y, p, r))


def test_dots_are_equal_along_diagonals() -> None:
    """The drawn dot products depend on the distance only, and the diagonal is D/2."""
    dots = next(torch.tensor(matrix.values) for matrix in run().matrices if matrix.name == "dots")

    assert dots[1:, 1:].tolist() == [pytest.approx(row, abs=1e-6) for row in dots[:-1, :-1].tolist()]
    assert 4.0 == pytest.approx(float(dots[0, 0]))


@pytest.mark.parametrize("width", [8, 512])
def test_embeddings_are_scaled_to_positions(width: int) -> None:
    """From N(0, 1/D) an embedding has length 1 beside a position's √(D/2); times √D it is √2 times as long as the position."""
    found = quantities(width=width)

    assert 1.0 == pytest.approx(found["embedding_length"], rel=0.1)
    assert math.sqrt(2) == pytest.approx(found["scaled_embedding_length"] / found["norm"], rel=0.1)


def test_xavier_is_not_one_over_d() -> None:
    """Xavier's variance of a (30,000, 512) table is 6.6e-5, not 1/512."""
    found = quantities()

    assert 6.6e-5 == pytest.approx(found["xavier_variance"], rel=0.01)
    assert 1 / 512 == found["needed_variance"]


def test_positions_and_dimensions_are_named_as_the_formula_counts() -> None:
    """Row p5 is PE(5), columns 2i and 2i + 1 are the sine and the cosine of pair i: both count from 0, as the slider does."""
    matrix = next(matrix for matrix in run().matrices if matrix.name == "encoding")
    cells = {
        (row, column): cell
        for row, cells in zip(matrix.rows, matrix.values, strict=True)
        for column, cell in zip(matrix.columns, cells, strict=True)
    }
    expected = {
        (f"p{p}", str(2 * i + half)): f(p / 10000 ** (2 * i / 8))
        for p in range(6)
        for i in range(4)
        for half, f in enumerate((math.sin, math.cos))
    }

    assert expected == pytest.approx(cells)
    assert all(
        matrix.rows == (tuple(f"p{p}" for p in range(6))) for matrix in run().matrices if matrix.name in ("encoding_shifted", "dots")
    )


def test_pairs_count_from_0() -> None:
    """The wavelength over i is 2π·10000^(2i/D)."""
    curve = next(series for series in run(width=8).series if series.name == "log10_wavelength_over_pair")

    assert (0, 1, 2, 3) == curve.x
    assert [math.log10(2 * math.pi * 10000 ** (2 * i / 8)) for i in curve.x] == pytest.approx(list(curve.y))
