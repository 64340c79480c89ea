"""Part of attention_mask: where queries and keys differ in number, a causal mask starts at the top left or ends at the bottom right."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import Arm, Grid, measured
from engine.preset import Preset
from engine.textbook.attention import causal_mask, causal_mask_top_left, scaled_dot_product_attention
from engine.textbook.mask_averages import largest

MOST = 8  # queries, and keys


def alignment(Q: Tensor, K: Tensor, V: Tensor) -> Numbers:
    """Where queries and keys differ in number, a causal mask can start at the top left (torch) or end at the bottom right (decoding)."""
    queries, keys = len(Q), len(K)
    torchs = functional.scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=True)[0]
    decoding = scaled_dot_product_attention(Q, K, V, causal_mask(queries, keys))[0]
    return {
        "last_query_sees": float(causal_mask(queries, keys)[-1].sum()),
        "last_query_sees_top_left": float(causal_mask_top_left(queries, keys)[-1].sum()),
        "is_causal_error": largest((torchs - decoding)[-1]),
        "is_causal_first_value": largest((torchs - V[:1])[-1]),
    }


def both_alignments(Q: Tensor, K: Tensor, V: Tensor) -> Numbers:
    """The weights of both, where a cache holds more keys than there are queries: (T, S)."""
    queries, keys = len(Q), len(K)
    return {
        "weights_is_causal": scaled_dot_product_attention(Q, K, V, causal_mask_top_left(queries, keys))[1],
        "weights_decoding": scaled_dot_product_attention(Q, K, V, causal_mask(queries, keys))[1],
    }


ALIGNMENT_NUMBERS = (
    measured(
        "last_query_sees", "keys seen by the last query, this causal mask", "最后一个查询可见的键数，这里的因果掩码", within=(1, MOST)
    ),
    measured(
        "last_query_sees_top_left",
        "keys seen by the last query, is_causal=True",
        "最后一个查询可见的键数，is_causal=True",
        within=(1, MOST),
    ),
    measured("is_causal_error", "largest error of the last output, is_causal=True", "最后一个输出的最大误差，is_causal=True"),
    measured(
        "is_causal_first_value",
        "last output, is_causal=True: largest distance to V's first row",
        "is_causal=True 的最后输出：与 V 首行的最大差",
    ),
)


def _weights(name: str, en: str, zh: str, arm: Arm) -> Grid:
    return Grid(name, Label(f"weights, {en}", f"权重，{zh}"), "q{1}", "k{1}", kind="weights", arm=arm)


ALIGNMENT_WEIGHTS = (
    _weights("weights_is_causal", "is_causal=True: the triangle starts at the top left", "is_causal=True：三角形从左上角开始", "wrong"),
    _weights("weights_decoding", "for decoding: it ends at the bottom right", "用于解码：到右下角结束", "right"),
)
ALIGNMENT_FIGURE = Figure(
    "heatmap",
    ("weights_is_causal", "weights_decoding"),
    caption=Label(
        "A triangle from the top left hides the newest keys from the last query; one that ends at the bottom right hides none.",
        "从左上角开始的三角形，会让最后一个查询看不到最新的键；到右下角结束的，一个也不遮。",
    ),
)
ALIGNMENT_PRESET = Preset(
    Label("1 query, 6 keys", "1 个查询，6 个键"),
    {"queries": 1, "keys": 6, "changed": 5},
    Label(
        "With a cache the one query is the newest and sees all six keys; is_causal=True would show it the first only.",
        "有缓存时，唯一的查询是最新的，能看全部 6 个键；is_causal=True 只让它看第一个。",
    ),
    "last_query_sees == 6 and last_query_sees_top_left == 1",
)
