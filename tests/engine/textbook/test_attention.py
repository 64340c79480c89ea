"""The textbook page against torch's own functions and closed forms."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.testing import assert_close

from engine.textbook import attention
from engine.textbook.attention import MultiHeadAttention, scaled_dot_product_attention

INF = math.inf


def normal(*shape: int, seed: int = 0, spread: float = 3.0) -> Tensor:
    return spread * torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def near(actual: Tensor, expected: Tensor) -> None:
    assert_close(actual, expected, rtol=0, atol=1e-12)


class TestSoftmax:
    def test_equals_torch(self) -> None:
        """Without a mask it is torch.softmax."""
        scores = normal(2, 3, 5, 7)

        near(attention.softmax(scores), torch.softmax(scores, -1))

    def test_large_scores_do_not_overflow(self) -> None:
        """Scores of ±1000, where exp overflows, give what the scores shifted to 0 give."""
        scores = torch.tensor([[1000.0, 1001.0, -1000.0]], dtype=torch.float64)

        near(attention.softmax(scores), torch.softmax(scores - 1001, -1))

    def test_row_with_nothing_to_attend_to_is_zero(self) -> None:
        """A fully masked row gives weights of 0 where the usual softmax gives NaN, and the other rows are not touched."""
        scores, mask = normal(2, 3), torch.tensor([[False, False, False], [True, False, True]])

        weights = attention.softmax(scores, mask)

        assert [0.0, 0.0, 0.0] == weights[0].tolist()
        near(weights[1, [0, 2]], torch.softmax(scores[1, [0, 2]], -1))
        assert bool(torch.softmax(scores.masked_fill(~mask, -INF), -1)[0].isnan().all())

    def test_single_allowed_key_gets_everything(self) -> None:
        """One allowed key gets the weight 1, whatever its score, also a very low one."""
        scores = torch.tensor([[-800.0, 900.0]], dtype=torch.float64)

        assert [[1.0, 0.0]] == attention.softmax(scores, torch.tensor([[True, False]])).tolist()

    def test_gradient(self) -> None:
        """The gradient is right by finite differences, and finite, also with a fully masked row."""
        mask = torch.tensor([[True, True, False], [False, False, False], [True, False, False]])

        assert torch.autograd.gradcheck(lambda scores: attention.softmax(scores, mask), (normal(3, 3).requires_grad_(),))


class TestScaledDotProductAttention:
    def test_equals_torch(self) -> None:
        """It is F.scaled_dot_product_attention for batches, heads, T != S and d_k != d_v."""
        query, key, value = normal(2, 3, 5, 4), normal(2, 3, 7, 4, seed=1), normal(2, 3, 7, 6, seed=2)

        output, weights = scaled_dot_product_attention(query, key, value)

        near(output, functional.scaled_dot_product_attention(query, key, value))
        assert (2, 3, 5, 7) == tuple(weights.shape)
        near(weights.sum(-1), torch.ones(2, 3, 5, dtype=torch.float64))

    def test_equals_torch_under_any_mask(self) -> None:
        """A random boolean mask, True = attend, means what it means to torch, also in a row that it masks completely."""
        query, key, value = normal(2, 3, 5, 4), normal(2, 3, 7, 4, seed=1), normal(2, 3, 7, 6, seed=2)
        mask = normal(2, 1, 5, 7, seed=3) > 0
        mask[0, 0, 2] = False

        output, weights = scaled_dot_product_attention(query, key, value, mask)

        near(output, functional.scaled_dot_product_attention(query, key, value, mask))
        assert 0.0 == float(weights.masked_select(~mask).abs().max())

    def test_equals_torch_when_causal(self) -> None:
        """For T = S the causal mask is torch's is_causal=True."""
        query, key, value = normal(2, 3, 6, 4), normal(2, 3, 6, 4, seed=1), normal(2, 3, 6, 4, seed=2)

        output, _ = scaled_dot_product_attention(query, key, value, attention.causal_mask(6, 6))

        near(output, functional.scaled_dot_product_attention(query, key, value, is_causal=True))

    def test_padding_equals_the_shorter_sequence(self) -> None:
        """Masked padding gives each sequence of a batch the output that it has alone."""
        query, key, value = normal(2, 4, 8), normal(2, 6, 8, seed=1), normal(2, 6, 8, seed=2)

        output, _ = scaled_dot_product_attention(query, key, value, attention.padding_mask(torch.tensor([3, 5]), 6))

        for row, length in enumerate((3, 5)):
            near(output[row], scaled_dot_product_attention(query[row], key[row, :length], value[row, :length])[0])

    def test_scale(self) -> None:
        """The scale replaces 1/√d_k."""
        query, key, value = normal(3, 16), normal(5, 16, seed=1), normal(5, 2, seed=2)

        _, weights = scaled_dot_product_attention(query, key, value, scale=1.0)

        near(weights, torch.softmax(query @ key.T, -1))

    def test_by_hand(self) -> None:
        """q·k = (0, 2 ln 3) at d_k = 4 gives the weights 1/4 and 3/4."""
        query = torch.tensor([[math.log(3), 0, 0, 0]], dtype=torch.float64)
        key = torch.tensor([[0, 5, 0, 0], [2, 0, 7, 0]], dtype=torch.float64)
        value = torch.tensor([[8.0], [-8.0]], dtype=torch.float64)

        output, weights = scaled_dot_product_attention(query, key, value)

        near(weights, torch.tensor([[0.25, 0.75]], dtype=torch.float64))
        near(output, torch.tensor([[-4.0]], dtype=torch.float64))


class TestMasks:
    def test_causal_ends_bottom_right(self) -> None:
        """With more keys than queries the last query sees all keys."""
        assert [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]] == attention.causal_mask(3, 5).int().tolist()

    def test_causal_with_more_queries_than_keys(self) -> None:
        """With more queries than keys the first queries see nothing."""
        assert [[0, 0], [1, 0], [1, 1]] == attention.causal_mask(3, 2).int().tolist()

    def test_top_left_is_what_torch_does(self) -> None:
        """is_causal=True aligns top-left: with one query and six keys it returns the first value."""
        query, key, value = normal(1, 1, 4), normal(1, 6, 4, seed=1), normal(1, 6, 4, seed=2)

        output, _ = scaled_dot_product_attention(query, key, value, attention.causal_mask_top_left(1, 6))

        near(output, functional.scaled_dot_product_attention(query, key, value, is_causal=True))
        near(output[0, 0], value[0, 0])

    def test_padding(self) -> None:
        """Keys from a sequence's length on are padding, one row for each sequence of the batch."""
        assert [[[1, 1, 0, 0]], [[1, 1, 1, 1]]] == attention.padding_mask(torch.tensor([2, 4]), 4).int().tolist()

    def test_padding_has_the_opposite_sign_in_torchs_module(self) -> None:
        """nn.MultiheadAttention's key_padding_mask is the same mask with True and False exchanged."""
        theirs = nn.MultiheadAttention(4, 2, batch_first=True, dtype=torch.float64).requires_grad_(False)
        x, mask = normal(1, 5, 4), attention.padding_mask(torch.tensor([3]), 5)

        _, weights = theirs(x, x, x, key_padding_mask=~mask[:, 0])

        assert [0.0, 0.0] == weights[0, 0, 3:].tolist()
        assert float(weights[0, 0, :3].min()) > 0

    def test_sliding_window(self) -> None:
        """Each query sees its own key and the width - 1 before it."""
        expected = [[0, 1, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 1, 1]]

        assert expected == attention.sliding_window_mask(3, 5, 2).int().tolist()

    def test_sliding_window_reaches_back_through_layers(self) -> None:
        """L layers of width w let a token see L·(w - 1) tokens back and no further."""
        step = attention.sliding_window_mask(12, 12, 4).double()

        seen = torch.linalg.matrix_power(step, 3)[-1] > 0

        assert [False, False] + 10 * [True] == seen.tolist()

    def test_prefix(self) -> None:
        """The prefix is seen by all, the rest is causal."""
        assert [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]] == attention.prefix_mask(4, 4, 2).int().tolist()


class TestHeads:
    def test_split_gives_each_head_its_columns(self) -> None:
        """Head i of token t holds columns i·d to (i+1)·d of that token."""
        x = normal(2, 5, 12)

        heads = attention.split_heads(x, 3)

        for i in range(3):
            near(heads[:, i], x[:, :, 4 * i : 4 * i + 4])

    def test_merge_undoes_split(self) -> None:
        """Merging is the exact inverse of splitting."""
        x = normal(2, 5, 12)

        assert torch.equal(x, attention.merge_heads(attention.split_heads(x, 3)))

    def test_split_by_view_mixes_tokens(self) -> None:
        """The wrong split fills the first head with the first tokens only."""
        x = normal(1, 6, 4)

        assert torch.equal(x[0, :3].reshape(6, 2), attention.split_heads_by_view(x, 2)[0, 0])

    def test_merge_by_view_undoes_only_the_wrong_split(self) -> None:
        """Merging by view inverts splitting by view, not the right split."""
        x = normal(2, 5, 12)

        assert torch.equal(x, attention.merge_heads_by_view(attention.split_heads_by_view(x, 3)))
        assert not torch.equal(x, attention.merge_heads_by_view(attention.split_heads(x, 3)))

    def test_merge_by_transpose_puts_later_tokens_first(self) -> None:
        """The wrong merge fills the first row with one feature of all tokens."""
        x = normal(1, 2, 6, 2)

        assert torch.equal(x[0, 0, :4, 0], attention.merge_heads_by_transpose(x)[0, 0])


def copied(d_model: int, heads: int) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """Our layer and torch's with the same weights and biases that are not 0."""
    theirs = nn.MultiheadAttention(d_model, heads, batch_first=True, dtype=torch.float64)
    ours = MultiHeadAttention(d_model, heads, dtype=torch.float64)
    with torch.no_grad():
        for seed, each in enumerate((ours.W_Q, ours.W_K, ours.W_V, ours.W_O)):
            each.weight.copy_(normal(d_model, d_model, seed=seed, spread=0.7))
            each.bias.copy_(normal(d_model, seed=10 + seed, spread=0.7))
        theirs.in_proj_weight.copy_(torch.cat([ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.W_Q.bias, ours.W_K.bias, ours.W_V.bias]))
        theirs.out_proj.load_state_dict(ours.W_O.state_dict())
    return ours, theirs


class TestMultiHeadAttention:
    @pytest.mark.parametrize("heads", [1, 3, 6])
    def test_self_attention_equals_torch(self, heads: int) -> None:
        """With copied weights and a causal mask it is nn.MultiheadAttention, output and weights of every head."""
        ours, theirs = copied(12, heads)
        x, mask = normal(2, 5, 12), attention.causal_mask(5, 5)

        output, weights = ours(x, mask=mask)

        expected, expected_weights = theirs(x, x, x, attn_mask=~mask, average_attn_weights=False)
        near(output, expected)
        near(weights, expected_weights)

    def test_cross_attention_equals_torch(self) -> None:
        """With T = 3 queries and a padded context of S = 5 keys it is nn.MultiheadAttention."""
        ours, theirs = copied(12, 3)
        x, context = normal(2, 3, 12), normal(2, 5, 12, seed=1)
        mask = attention.padding_mask(torch.tensor([2, 5]), 5)

        output, weights = ours(x, context, mask[:, None])

        expected, expected_weights = theirs(x, context, context, key_padding_mask=~mask[:, 0], average_attn_weights=False)
        near(output, expected)
        near(weights, expected_weights)

    @pytest.mark.parametrize("heads", [1, 4, 12, 24])
    def test_heads_cost_no_parameters(self, heads: int) -> None:
        """At d = 768 there are 2,362,368 parameters for every number of heads, as in torch's layer."""
        ours, theirs = (layer(768, heads, device="meta") for layer in (MultiHeadAttention, nn.MultiheadAttention))

        assert 2_362_368 == sum(each.numel() for each in ours.parameters()) == sum(each.numel() for each in theirs.parameters())

    def test_heads_divide_the_width(self) -> None:
        """A width that the heads do not divide is refused with both numbers."""
        with pytest.raises(ValueError, match="10 cannot be cut into 4"):
            MultiHeadAttention(10, 4)


class TestWrongMasks:
    scores = torch.tensor([[0.0, math.log(2), math.log(5)]], dtype=torch.float64)
    mask = torch.tensor([[True, True, False]])
    nothing = torch.tensor([[False, False, False]])

    def test_minus_1e9(self) -> None:
        """-1e9 masks a key, and makes a fully masked row uniform."""
        near(attention.mask_with_minus_1e9(self.scores, self.mask), torch.tensor([[1 / 3, 2 / 3, 0]], dtype=torch.float64))
        near(attention.mask_with_minus_1e9(self.scores, self.nothing), torch.full((1, 3), 1 / 3, dtype=torch.float64))

    def test_adding_1e_minus_9(self) -> None:
        """Adding -1e-9 changes less than a billionth: nothing is masked."""
        weights = attention.mask_by_adding(self.scores, self.mask, -1e-9)

        assert_close(weights, torch.tensor([[1 / 8, 2 / 8, 5 / 8]], dtype=torch.float64), rtol=0, atol=1e-9)

    def test_adding_the_same_to_every_key(self) -> None:
        """Adding -1e4 masks a key, and gives a fully masked row the weights it has without a mask."""
        near(attention.mask_by_adding(self.scores, self.mask, -1e4), torch.tensor([[1 / 3, 2 / 3, 0]], dtype=torch.float64))
        assert_close(attention.mask_by_adding(self.scores, self.nothing, -1e4), torch.softmax(self.scores, -1), rtol=0, atol=1e-9)

    def test_zero(self) -> None:
        """A score of 0 counts as e^0 = 1: 1/(1 + 2 + 1)."""
        near(attention.mask_with_zero(self.scores, self.mask), torch.tensor([[1 / 4, 2 / 4, 1 / 4]], dtype=torch.float64))

    def test_after_softmax(self) -> None:
        """Masked after softmax, a row sums to less than 1."""
        near(attention.mask_after_softmax(self.scores, self.mask), torch.tensor([[1 / 8, 2 / 8, 0]], dtype=torch.float64))
