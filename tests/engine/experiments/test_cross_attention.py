"""Cross-attention, against nn.MultiheadAttention with T != S and an encoder of another width, and by hand."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from engine.experiments.cross_attention import EXPERIMENT, draw
from engine.parameter import Value
from engine.result import Matrix
from engine.textbook.projections import cross_attention
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def matrix(name: str, **given: Value) -> Matrix:
    return next(matrix for matrix in run(**given).matrices if matrix.name == name)


@pytest.mark.parametrize(("decoder_tokens", "encoder_tokens"), [(3, 5), (5, 3), (1, 6), (6, 1), (4, 4)])
def test_weights_are_T_by_S(decoder_tokens: int, encoder_tokens: int) -> None:  # noqa: N802
    """A row of weights for every decoder token over every encoder token, and as many outputs as decoder tokens."""
    given: dict[str, Value] = {"decoder_tokens": decoder_tokens, "encoder_tokens": encoder_tokens}
    found, weights = quantities(**given), matrix("weights", **given).values

    assert (decoder_tokens, encoder_tokens, decoder_tokens) == (found["weight_rows"], found["weight_columns"], found["output_rows"])
    assert [1.0] * decoder_tokens == pytest.approx([sum(row) for row in weights])
    assert {encoder_tokens} == {len(row) for row in weights}


def test_output_equals_torchs_layer() -> None:
    """The output shown is nn.MultiheadAttention's with the encoder's width as kdim and vdim, for T = 2 and S = 6."""
    decoder, y, x, *_ = draw(2, 6, seed=1)
    torchs = nn.MultiheadAttention(4, 1, bias=False, kdim=6, vdim=6, batch_first=True, dtype=torch.float64)
    p = decoder.across
    own = {"q_proj_weight": p.W_Q.T, "k_proj_weight": p.W_K.T, "v_proj_weight": p.W_V.T, "out_proj.weight": torch.eye(4)}
    torchs.load_state_dict(own)

    expected = torchs(y[None], x[None], x[None])[0][0]

    shown = torch.tensor(matrix("output", decoder_tokens=2, encoder_tokens=6, seed=1).values, dtype=torch.float64)
    assert_close(expected, shown, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("order", ["reverse", "rotate", "swap"])
def test_the_encoders_order_does_not_matter(order: str, seed: int) -> None:
    """Reordering keys and values together moves no output and only reorders the columns; reordering the keys alone is another sum."""
    found = quantities(order=order, seed=seed)

    assert 0.0 == pytest.approx(found["reordered_change"], abs=1e-12)
    assert 0.0 == pytest.approx(found["reordered_column_change"], abs=1e-12)
    assert found["keys_only_change"] > 1e-3


def test_reordered_columns_keep_their_names() -> None:
    """In the reordered weights column e5 holds what it held before."""
    before, after = matrix("weights"), matrix("reordered_weights")

    assert ("e5", "e4", "e3", "e2", "e1") == after.columns
    assert [row[4] for row in before.values] == pytest.approx([row[0] for row in after.values])


@pytest.mark.parametrize("seed", range(5))
def test_decoder_self_attention_does_not_see_the_encoder(seed: int) -> None:
    """Another encoder token moves cross-attention and leaves decoder self-attention exactly where it is."""
    found = quantities(seed=seed)

    assert 0.0 == found["self_encoder_effect"]
    assert found["cross_encoder_effect"] > 1e-3


def test_which_projection_sees_which_input() -> None:
    """Q moves with the decoder only, K and V with the encoder only, self-attention with the decoder, cross-attention with both."""
    rows = {getattr(row[0], "en", row[0]): tuple(bool(moved) for moved in row[1:]) for row in run().tables[0].rows}

    assert {
        "Q = Y W_Q": (True, False),
        "K = X W_K": (False, True),
        "V = X W_V": (False, True),
        "self-attention": (True, False),
        "cross-attention": (True, True),
    } == rows


def test_decoder_tokens_do_not_see_each_other() -> None:
    """In cross-attention another last decoder token moves its own output only."""
    decoder, y, x, y2, _ = draw(4, 3, seed=0)

    moved = (cross_attention(y2, x, decoder.across)[0] - cross_attention(y, x, decoder.across)[0]).abs().amax(-1)

    assert [0.0, 0.0, 0.0] == moved[:3].tolist()
    assert float(moved[3]) > 1e-3


def test_self_weights_are_causal_and_square() -> None:
    """Decoder self-attention is T×T and sees no later token; the first row is 1, 0, 0."""
    own = matrix("self_weights")

    assert own.rows == own.columns
    assert (1.0, 0.0, 0.0) == own.values[0]


def test_one_encoder_token_gets_everything() -> None:
    """With one encoder token all weights are 1, no order exists, and a note says so."""
    result = run(encoder_tokens=1)

    assert ((1.0,), (1.0,), (1.0,)) == matrix("weights", encoder_tokens=1).values
    assert 1 == len(result.notes)
    assert () == run().notes
