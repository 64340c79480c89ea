"""Attention, written to be read: softmax, masks, scaled dot products, heads, and the wrong versions that are often copied.

Letters: B batch, h heads, T queries, S keys, d_k and d_v the width of a key and of a value, D = d_model.
One mask convention everywhere: a boolean (T, S), True = this query may attend to this key, as in
torch's scaled_dot_product_attention. nn.MultiheadAttention means the opposite: True in its key_padding_mask = ignore.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn


def softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Weights (..., T, S) that sum to 1 in every row, over the allowed keys; a row without any allowed key is all 0.

    The usual softmax makes NaN of such a row, 0/0, and one NaN spoils every gradient. Nothing to read is read as nothing.
    """
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    largest = scores.amax(-1, keepdim=True)  # subtracted, so that exp never overflows
    largest = largest.masked_fill(largest == -math.inf, 0.0)  # -inf - -inf would be NaN
    powers = torch.exp(scores - largest)
    return powers / powers.sum(-1, keepdim=True).clamp_min(1.0)  # the largest gives e^0 = 1: less than 1 means no key at all


def scaled_dot_product_attention(
    query: Tensor,  # (..., T, d_k)
    key: Tensor,  # (..., S, d_k)
    value: Tensor,  # (..., S, d_v)
    mask: Tensor | None = None,  # (..., T, S), True = may attend
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """softmax(QKᵀ/√d_k)V and the weights: (..., T, d_v) and (..., T, S). Source: Vaswani et al. 2017, equation 1."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * scale  # (..., T, S)
    weights = softmax(scores, mask)  # (..., T, S)
    return weights @ value, weights  # (..., T, d_v)


# Masks: True = may attend.


def causal_mask(queries: int, keys: int) -> Tensor:
    """(T, S): no query sees a later key. The last query is the newest token, so it sees all keys (aligned bottom-right)."""
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)


def causal_mask_top_left(queries: int, keys: int) -> Tensor:
    """(T, S): what torch's is_causal=True means. Wrong for decoding: with one query and a cache of S keys it sees the first key only."""
    return torch.ones(queries, keys, dtype=torch.bool).tril()


def padding_mask(lengths: Tensor, keys: int) -> Tensor:
    """(B, 1, S) from lengths (B,): the keys after a sequence's end are padding. One row serves every query."""
    return torch.arange(keys) < lengths[:, None, None]


def sliding_window_mask(queries: int, keys: int, width: int) -> Tensor:
    """(T, S): the last `width` keys up to the query's own. L layers of it reach L·(width - 1) tokens back."""
    return causal_mask(queries, keys).triu(keys - queries - width + 1)


def prefix_mask(queries: int, keys: int, prefix: int) -> Tensor:
    """(T, S): the first `prefix` keys are seen by all, the others causally (a prompt read in both directions)."""
    return causal_mask(queries, keys) | (torch.arange(keys) < prefix)


# Heads.

Split = Callable[[Tensor, int], Tensor]
Merge = Callable[[Tensor], Tensor]


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(B, T, D) -> (B, h, T, d): cut every token's D numbers into h pieces, then bring the heads before the tokens."""
    batch, tokens, width = x.shape
    return x.reshape(batch, tokens, heads, width // heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(B, h, T, d) -> (B, T, D): the way back; the transpose first, so that a token's pieces lie side by side again."""
    batch, heads, tokens, width = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, heads * width)


class MultiHeadAttention(nn.Module):
    """h attentions of width D/h side by side, then W_O mixes them. 4·D² + 4·D parameters, whatever h is."""

    def __init__(
        self,
        d_model: int,
        heads: int,
        split: Split = split_heads,
        merge: Merge = merge_heads,
        device: str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if d_model % heads:
            raise ValueError(f"d_model = {d_model} cannot be cut into {heads} equal heads.")
        self.heads, self.split, self.merge = heads, split, merge
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model, device=device, dtype=dtype) for _ in range(4))

    def forward(self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """x (B, T, D) asks, context (B, S, D) answers (x itself in self-attention): output (B, T, D) and weights (B, h, T, S)."""
        context = x if context is None else context
        query = self.split(self.W_Q(x), self.heads)  # (B, h, T, d)
        key = self.split(self.W_K(context), self.heads)  # (B, h, S, d)
        value = self.split(self.W_V(context), self.heads)  # (B, h, S, d)
        output, weights = scaled_dot_product_attention(query, key, value, mask)  # (B, h, T, d), (B, h, T, S)
        return self.W_O(self.merge(output)), weights  # (B, T, D)


# Wrong, and often copied: every shape fits, the numbers do not.


def split_heads_by_view(x: Tensor, heads: int) -> Tensor:
    """Wrong: without the transpose a head gets all numbers of a few tokens, not a few numbers of all tokens."""
    batch, tokens, width = x.shape
    return x.reshape(batch, heads, tokens, width // heads)


def merge_heads_by_view(x: Tensor) -> Tensor:
    """Wrong after split_heads: one head's tokens are laid side by side as if they were one token's heads."""
    batch, heads, tokens, width = x.shape
    return x.reshape(batch, tokens, heads * width)


def merge_heads_by_transpose(x: Tensor) -> Tensor:
    """Wrong: it swaps tokens with features, so that a position is filled with later tokens and the future leaks."""
    batch, heads, tokens, width = x.shape
    return x.transpose(-1, -2).reshape(batch, tokens, heads * width)


def mask_with_minus_1e9(scores: Tensor, mask: Tensor) -> Tensor:
    """Nearly right: a row without any allowed key becomes uniform, and float16 cannot hold the number."""
    return torch.softmax(scores.masked_fill(~mask, -1e9), -1)


def mask_by_adding(scores: Tensor, mask: Tensor, amount: float) -> Tensor:
    """Wrong with -1e-9, a slip for -1e9: it masks nothing. With -1e4 a row without an allowed key looks unmasked: shifts do not matter."""
    return torch.softmax(scores + ~mask * amount, -1)


def mask_with_zero(scores: Tensor, mask: Tensor) -> Tensor:
    """Wrong: a score of 0 is an average key, e^0 = 1, not a forbidden one."""
    return torch.softmax(scores.masked_fill(~mask, 0.0), -1)


def mask_after_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Wrong: rows no longer sum to 1, and the forbidden keys still count in the denominator."""
    return torch.softmax(scores, -1) * mask
