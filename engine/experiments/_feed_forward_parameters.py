"""Part of feed_forward: what of a layer's parameters the feed-forward part holds, and the width at which SwiGLU has as many."""

from __future__ import annotations

from functools import cache

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import SHARE, Curve, Measure, Rows, measured, right, wrong
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.feed_forward import FeedForward, SwiGLU, swiglu_width
from engine.textbook.normalization import LayerNorm
from engine.textbook.random_weights import build_on_meta, count_parameters

EXPANSIONS = tuple(range(1, 9))  # the x axis


@cache
def parameter_counts(d_model: int, expansion: int) -> tuple[int, int, int]:
    """Of a layer's attention, of its feed-forward part and of its two norms; the meta device allocates nothing."""
    attention = count_parameters(MultiHeadAttention(d_model, 1, device="meta"))
    feed_forward = count_parameters(build_on_meta(lambda: FeedForward(d_model, expansion * d_model)))
    return attention, feed_forward, 2 * count_parameters(build_on_meta(lambda: LayerNorm(d_model)))


def parameters_of_layer(d_model: int, expansion: int) -> Numbers:
    attention, feed_forward, norms = parameter_counts(d_model, expansion)
    layer = attention + feed_forward + norms
    return {
        "ffn_parameters": feed_forward,
        "attention_parameters": attention,
        "layer_parameters": layer,
        "ffn_share": feed_forward / layer,
        "parts": [(attention,), (feed_forward,), (norms,), (layer,)],
        "squares": 2 * expansion,
        "biases": expansion + 1,
    }


def parameters_of_swiglu(d_model: int) -> Numbers:
    width, unreduced = swiglu_width(d_model), 4 * d_model
    return {
        "swiglu_exact_width": 8 * d_model / 3,
        "swiglu_rounded_width": width,
        "swiglu_parameters": count_parameters(build_on_meta(lambda: SwiGLU(d_model, width))),
        "swiglu_unreduced_parameters": count_parameters(build_on_meta(lambda: SwiGLU(d_model, unreduced))),
        "plain_weights": 8 * d_model**2,
    }


def shares(d_model: int) -> Numbers:
    counts = [parameter_counts(d_model, expansion) for expansion in EXPANSIONS]
    return {
        "ffn_share_over_expansion": (EXPANSIONS, [each[1] / sum(each) for each in counts]),
        "attention_share_over_expansion": (EXPANSIONS, [each[0] / sum(each) for each in counts]),
    }


EXPANSION = Label("width / d_model", "中间层宽度 / d_model")

PARAMETER_MEASURES: tuple[Measure, ...] = (
    measured("ffn_parameters", "parameters of the feed-forward part", "前馈网络的参数量"),
    measured("attention_parameters", "parameters of the attention", "注意力的参数量"),
    measured("layer_parameters", "parameters of a layer with two LayerNorms", "整层的参数量，含两个 LayerNorm"),
    measured("ffn_share", "feed-forward's share of a layer's parameters", "前馈网络占整层参数的比例", within=SHARE),
    measured("swiglu_exact_width", "SwiGLU: width 8/3 d_model", "SwiGLU：宽度 8/3 d_model"),
    measured("swiglu_rounded_width", "SwiGLU: width 8/3 d_model, rounded up to 256", "SwiGLU：宽度 8/3 d_model，向上取到 256 的倍数"),
    right("swiglu_parameters", "SwiGLU: parameters at the rounded width", "SwiGLU：取整宽度下的参数量"),
    wrong("swiglu_unreduced_parameters", "SwiGLU: parameters at width 4 d_model", "SwiGLU：宽度 4 d_model 时的参数量"),
    measured("plain_weights", "weights of a plain 4x layer, 8 d_model²", "普通 4 倍前馈的权重数，8 d_model²"),
    Curve(
        "ffn_share_over_expansion", Label("share of a layer's parameters, feed-forward", "占整层参数的比例，前馈网络"), EXPANSION, "share"
    ),
    Curve(
        "attention_share_over_expansion", Label("share of a layer's parameters, attention", "占整层参数的比例，注意力"), EXPANSION, "share"
    ),
    Rows(
        "parts",
        Label("parameters of a layer", "一层的参数量"),
        (Label("part", "部分"), Label("parameters", "参数量")),
        (
            Label("attention: 4·D² + 4·D", "注意力：4·D² + 4·D"),
            Label("feed-forward: {squares}·D² + {biases}·D", "前馈：{squares}·D² + {biases}·D"),
            Label("two LayerNorms: 4·D", "两个 LayerNorm：4·D"),
            Label("the layer", "整层"),
        ),
    ),
)
