"""Rotary positions against complex numbers, Hugging Face's LLaMA, and its scaled variants."""

from __future__ import annotations

import pytest
import torch

from engine.experiments.positions_rotary import EXPERIMENT
from engine.textbook.absolute_positions import frequencies
from engine.textbook.longer_context import interpolated, ntk_aware, unfinished_turns, yarn, yarn_score_factor
from engine.textbook.rotary_positions import halves_from_pairs, rotate_half, rotate_interleaved
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(8), dtype=torch.float64)


def test_interleaved_is_a_product_of_complex_numbers() -> None:
    """Pairs (0, 1), (2, 3), ... taken as complex numbers are multiplied by e^(i m θ)."""
    x, angles = drawn(2, 5, 8), torch.arange(5)[:, None] * frequencies(8)

    expected = torch.view_as_real(torch.view_as_complex(x.reshape(2, 5, 4, 2)) * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    assert torch.allclose(expected, rotate_interleaved(x, angles), atol=1e-12)


def test_half_is_the_librarys() -> None:
    """The other layout is that of Hugging Face's LLaMA."""
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    x, angles = drawn(1, 3, 5, 8), torch.arange(5)[:, None] * frequencies(8)
    both = torch.cat((angles, angles), -1)[None]

    expected, _ = apply_rotary_pos_emb(x, x, both.cos(), both.sin())

    assert torch.allclose(expected, rotate_half(x, angles), atol=1e-12)
    assert torch.allclose(rotate_half(halves_from_pairs(x), angles), halves_from_pairs(rotate_interleaved(x, angles)), atol=1e-12)


@pytest.mark.parametrize(("m", "n", "shift"), [(5, 2, 100), (0, 100, 1000), (7, 7, 10)])
def test_score_sees_the_distance(m: int, n: int, shift: int) -> None:
    """Moving both changes nothing, moving one does; a vector keeps its length."""
    found = quantities(query_position=m, key_position=n, shift=shift)

    assert found["shift_change"] < 1e-11
    assert found["one_sided_shift_change"] > 0.1
    assert found["norm_error"] < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_layouts(seed: int) -> None:
    """Weights of the other layout give another score; reordered they give the same."""
    found = quantities(seed=seed)

    assert found["other_layout_error"] > 0.1
    assert found["reordered_layout_error"] < 1e-12


def test_reference_numbers() -> None:
    """At d = 128, 23 of 64 frequencies never complete a turn in 2048 positions, and q = k = 1 rises in 85 of 199 steps."""
    found = quantities()

    assert (64, 23, 85) == (found["frequencies"], found["unfinished"], found["rises"])
    assert 23 == sum(2 * torch.pi / frequency > 2048 for frequency in frequencies(128).tolist())
    assert 0 == unfinished_turns(frequencies(128), 10**6)


@pytest.mark.parametrize("width", [8, 128])
def test_stretching(width: int) -> None:
    """Interpolation divides every frequency by s; the NTK base keeps the first and divides the last by s."""
    found = quantities(width=width, stretch=8.0)

    assert 0.125 == found["pi_first_ratio"]
    assert 1.0 == found["ntk_first_ratio"]
    assert 0.125 == pytest.approx(found["ntk_last_ratio"])
    assert torch.equal(frequencies(width), interpolated(width, 1.0))


def test_ntk_is_the_librarys() -> None:
    """Hugging Face's dynamic NTK, at a text s times as long as in training, has factor·s - (factor - 1) as its stretch: s at factor 1."""
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = LlamaConfig(hidden_size=128, num_attention_heads=1, max_position_embeddings=64)
    config.rope_parameters = {"rope_type": "dynamic", "factor": 1.0, "rope_theta": 10000.0}

    theirs, _ = ROPE_INIT_FUNCTIONS["dynamic"](config, torch.device("cpu"), seq_len=64 * 8)

    assert torch.allclose(theirs.double(), ntk_aware(128, 8.0), rtol=1e-5)


@pytest.mark.parametrize("width", [8, 64, 128])
@pytest.mark.parametrize(("stretch", "trained"), [(8.0, 2048), (32.0, 32768), (2.0, 256)])
def test_yarn_is_the_librarys(width: int, stretch: float, trained: int) -> None:
    """Frequencies and the factor on cos and sin are Hugging Face's; both q and k carry it, so scores get its square."""
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = LlamaConfig(hidden_size=width, num_attention_heads=1, max_position_embeddings=int(stretch * trained))
    config.rope_parameters = {
        "rope_type": "yarn",
        "factor": stretch,
        "rope_theta": 10000.0,
        "original_max_position_embeddings": trained,
    }

    theirs, factor = ROPE_INIT_FUNCTIONS["yarn"](config, torch.device("cpu"))

    assert torch.allclose(theirs.double(), yarn(width, stretch, trained), rtol=1e-5)
    assert factor**2 == pytest.approx(yarn_score_factor(stretch))


def test_yarn_keeps_the_fast_pairs() -> None:
    """Interpolation slows every pair, so neighbours blur; YaRN leaves the fast ones alone and shows no slow one an unseen angle."""
    found = quantities()
    turns = [2048 * frequency / (2 * torch.pi) for frequency in frequencies(128).tolist()]

    assert (0, 1) == (found["kept_pi"], found["kept_ntk"])
    assert sum(turn >= 32 for turn in turns) == pytest.approx(found["kept_yarn"], abs=1)
    assert (0, 0.125) == (found["unseen_yarn"], found["yarn_last_ratio"])
    assert 64 == quantities(stretch=1.0)["kept_yarn"]


def test_unseen_angles() -> None:
    """Unchanged, every slow pair comes to unseen angles; interpolated none does; a stretch of 1 leaves nothing unseen."""
    found = quantities()

    assert (23, 0) == (found["unseen_plain"], found["unseen_interpolated"])
    assert 0 < found["unseen_ntk"] < 23
    assert 0 == quantities(stretch=1.0)["unseen_plain"]


def test_scores_are_equal_along_diagonals() -> None:
    """One q and one k at all positions give a matrix whose diagonals are constant, and not symmetric."""
    scores = torch.tensor(run().matrices[0].values, dtype=torch.float64)

    assert torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-11)
    assert float((scores - scores.T).abs().max()) > 0.1


def test_positions_and_pairs_are_named_as_the_formula_counts() -> None:
    """Row p2, column i holds the angle 2·θ_i, and the curves over the pairs begin at i = 0."""
    result = run()
    angles = next(matrix for matrix in result.matrices if matrix.name == "angles")

    assert (tuple(f"p{m}" for m in range(6)), tuple("0123")) == (angles.rows, angles.columns)
    assert [2 * 10000 ** (-2 * i / 8) for i in range(4)] == pytest.approx(list(angles.values[2]))
    assert {tuple(range(64))} == {series.x for series in result.series if series.name.endswith("_over_pair")}
