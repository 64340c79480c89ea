"""Where padding goes, against torch's attention function and the same prompt without padding."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from engine.experiments.padding_side import EXPERIMENT
from engine.textbook.absolute_positions import frequencies
from engine.textbook.attention import causal_mask
from engine.textbook.multi_head_variants import random_layer
from engine.textbook.padding import attend_rotated, causal_and_padding_mask, position_ids, prefill
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("seed", [0, 7, 99])
@pytest.mark.parametrize("layers", [1, 4])
def test_only_the_right_ways_give_the_unpadded_answer(seed: int, layers: int) -> None:
    """The last place of right padding, a missing mask and counted padding are off; the last token, and left padding done right, are not."""
    found = quantities(seed=seed, layers=layers)

    assert min(found[name] for name in ("right_last_error", "left_unmasked_error", "left_counted_error")) > 0.1
    assert max(found[name] for name in ("right_gathered_error", "left_error", "left_rotary_error")) < 1e-12


def test_one_layer_is_torchs() -> None:
    """A layer that reads a left-padded row is torch's function with the mask written out cell by cell."""
    layer, x = random_layer(8, 2, 3), torch.randn(4, 8, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    mask = torch.tensor([[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 1]], dtype=torch.bool)
    normed = functional.layer_norm(x, (8,))
    Q, K, V = (projection(normed).view(4, 2, 4).transpose(0, 1) for projection in (layer.W_Q, layer.W_K, layer.W_V))
    expected = x + layer.W_O(functional.scaled_dot_product_attention(Q, K, V, mask).transpose(0, 1).reshape(4, 8))

    assert torch.allclose(
        expected, prefill([layer], x, causal_and_padding_mask(torch.tensor([False, True, True, True]))), rtol=0, atol=1e-12
    )


def test_rotated_attention_is_complex_multiplication() -> None:
    """Queries and keys as complex numbers times e^(i·place·θ), and torch's function on their products, give the rotated layer."""
    layer, x = random_layer(8, 2, 3), torch.randn(5, 8, generator=torch.Generator().manual_seed(6), dtype=torch.float64)
    turns = torch.polar(torch.ones(5, 2, dtype=torch.float64), torch.arange(5)[:, None] * frequencies(4))
    normed = functional.layer_norm(x, (8,))
    Q, K, V = (projection(normed).view(5, 2, 4).transpose(0, 1) for projection in (layer.W_Q, layer.W_K, layer.W_V))
    q, k = (torch.complex(each[..., :2], each[..., 2:]) * turns for each in (Q, K))
    scores = (q @ k.conj().transpose(-1, -2)).real / 2
    weights = scores.masked_fill(~causal_mask(5, 5), -torch.inf).softmax(-1)
    expected = x + layer.W_O((weights @ V).transpose(0, 1).reshape(5, 8))

    assert torch.allclose(expected, prefill([layer], x, causal_mask, attend_rotated), rtol=0, atol=1e-12)


def test_positions_count_tokens() -> None:
    """Padding, on either side, does not move a token's position."""
    assert [0, 0, 0, 1, 2] == position_ids(torch.tensor([False, False, True, True, True])).tolist()
    assert [0, 1, 1] == position_ids(torch.tensor([True, True, False])).tolist()


def test_rows_with_nothing_to_read() -> None:
    """Left padding leaves a row without any key for every padding, 0/0 in the usual softmax; right padding none."""
    found = quantities(padding=3)

    assert (3, 0) == (found["empty_rows_left"], found["empty_rows_right"])


def test_without_padding_all_ways_agree() -> None:
    """With no padding every error is 0, and a note says so."""
    assert 0.0 == pytest.approx(max(quantities(padding=0).values()), abs=1e-12)
    assert run(padding=0).notes


def test_the_table_shows_the_rows() -> None:
    """The table spells the places and the positions of each way, with the error that the quantities give."""
    found, rows = quantities(tokens=2, padding=1), run(tokens=2, padding=1).tables[0].rows

    assert ["w1 w2 ·", "w1 w2 ·", "· w1 w2", "· w1 w2", "· w1 w2"] == [row[1] for row in rows]
    assert ["0 1 2", "0 1 2", "0 0 1", "0 1 2", "0 0 1"] == [row[2] for row in rows]
    assert [row[3] for row in rows] == [value for name, value in found.items() if name.endswith("_error") and "rotary" not in name]
