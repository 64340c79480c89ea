"""The feed-forward part treats each token by itself, holds two thirds of a layer, and without its activation cannot learn XOR."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._feed_forward_parameters import (
    EXPANSION,
    EXPANSIONS,
    PARAMETER_MEASURES,
    parameters_of_layer,
    parameters_of_swiglu,
    shares,
)
from engine.experiments._xor_learned import STEP, STEPS, XOR_MEASURES, identity, xor
from engine.figures import Figure
from engine.label import Label
from engine.measures import Grid, Measure, Range, Walk, measured, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.activations import Activation, gelu
from engine.textbook.feed_forward import FeedForward, as_one_matrix
from engine.textbook.random_weights import with_normal_weights

TOKENS, WIDTH = 5, 4  # of the layer that is shown cell by cell
SAMPLES = 256  # tokens for the ranks


def run(*, d_model: int, expansion: int, xor_steps: int, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed + 1000)
    tokens = torch.randn(SAMPLES, WIDTH, generator=generator, dtype=torch.float64)
    bent, straight = (small_layer(expansion, activation, seed) for activation in (gelu, identity))
    return {
        **xor(2 * expansion, xor_steps, seed),
        **collapse(bent, straight, tokens),
        **each_by_itself(bent, tokens[:TOKENS]),
        **stages(bent, tokens[:TOKENS]),
        **parameters_of_layer(d_model, expansion),
        **parameters_of_swiglu(d_model),
        **shares(d_model),
        "inner": expansion * d_model,
    }


def small_layer(expansion: int, activation: Activation, seed: int) -> FeedForward:
    """Weights N(0, 1/D), no bias; the same weights whatever the activation."""
    return with_normal_weights(lambda: FeedForward(WIDTH, expansion * WIDTH, activation), 1 / math.sqrt(WIDTH), seed)


def collapse(bent: FeedForward, straight: FeedForward, tokens: Tensor) -> Numbers:
    """How far each layer is from the one matrix that the straight one is, and how many dimensions its wide middle fills."""
    weight, bias = as_one_matrix(straight)
    collapsed = tokens @ weight.T + bias
    return {
        "linear_collapse_error": (straight(tokens) - collapsed).abs().max(),
        "gelu_collapse_error": (bent(tokens) - collapsed).abs().max(),
        "linear_hidden_rank": hidden_rank(straight, tokens),
        "gelu_hidden_rank": hidden_rank(bent, tokens),
    }


def hidden_rank(layer: FeedForward, tokens: Tensor) -> float:
    return float(torch.linalg.matrix_rank(layer.activation(layer.up(tokens))))


def each_by_itself(layer: FeedForward, tokens: Tensor) -> Numbers:
    order = torch.arange(TOKENS).flip(0)
    changed = tokens.clone()
    changed[-1] += 1
    return {
        "permutation_difference": (layer(tokens[order]) - layer(tokens)[order]).abs().max(),
        "other_token_change": (layer(changed) - layer(tokens))[:-1].abs().max(),
    }


def stages(layer: FeedForward, tokens: Tensor) -> Numbers:
    widened = layer.up(tokens)  # (n, W); the biases are 0, so each cell is a dot product
    return {
        "bent": layer.activation(widened),
        "tokens": tokens,
        "W_1": layer.up.weight.T,
        "widened": widened,
        "W_2": layer.down.weight.T,
        "output": layer(tokens),
    }


RANK: Range = (0, EXPANSIONS[-1] * WIDTH)


MEASURES: tuple[Measure, ...] = (
    *XOR_MEASURES,
    wrong("linear_collapse_error", "largest distance to one matrix, no activation", "与单个矩阵的最大差，无激活"),
    right("gelu_collapse_error", "largest distance to one matrix, GELU", "与单个矩阵的最大差，GELU"),
    wrong("linear_hidden_rank", "rank of the widened tokens, no activation", "加宽后词元的秩，无激活", within=RANK),
    right("gelu_hidden_rank", "rank of the widened tokens, GELU", "加宽后词元的秩，GELU", within=RANK),
    measured("permutation_difference", "tokens permuted: largest difference of their outputs", "打乱词元：对应输出的最大差"),
    measured("other_token_change", "one token changed: largest change of the others' outputs", "改变一个词元：其余词元输出的最大变化"),
    Grid("bent", Label("after GELU", "GELU 之后"), "t{1}", "w{1}", r"H = \mathrm{GELU}(X W_1)"),
    Grid("tokens", Label("tokens", "词元"), "t{1}", "d{1}", "X"),
    Grid("W_1", Label("W_1, widens", "W_1，加宽"), "d{1}", "w{1}", "W_1"),
    Grid("widened", Label("widened", "加宽之后"), "t{1}", "w{1}", "X W_1", product_of=("tokens", "W_1")),
    Grid("W_2", Label("W_2, narrows", "W_2，收窄"), "w{1}", "d{1}", "W_2"),
    Grid("output", Label("output", "输出"), "t{1}", "d{1}", "H W_2", product_of=("bent", "W_2")),
    *PARAMETER_MEASURES,
    Walk(Label("tokens, each by itself", "各个词元，互不相干"), "X", (1, TOKENS, "d_model"), "tokens"),
    Walk(Label("widen", "加宽"), "X W_1 + b_1", (1, TOKENS, "inner"), "widened"),
    Walk(
        Label("bend; without it W_1 W_2 is one matrix", "弯折；否则 W_1 W_2 只是一个矩阵"),
        r"\mathrm{GELU}(X W_1 + b_1)",
        (1, TOKENS, "inner"),
        "bent",
    ),
    Walk(Label("narrow", "收窄"), r"\mathrm{GELU}(X W_1 + b_1) W_2 + b_2", (1, TOKENS, "d_model"), "output"),
)

EXPERIMENT = Experiment(
    title=Label("feed-forward layer", "前馈网络"),
    summary=Label(
        "Per token, four times wider, two thirds of the parameters; without its activation a single matrix that cannot do XOR.",
        "逐词元计算、宽四倍、占三分之二的参数；去掉激活函数就只是一个矩阵，连异或都学不会。",
    ),
    keywords=("FFN", "MLP", "SwiGLU", "GLU", "XOR", "position-wise", "4d", "前馈", "多层感知机", "门控", "异或"),
    parameters=(
        Parameter("d_model", Label("d_model (for the counts)", "d_model（用于计数）"), 768, 64, 8192, 64),
        Parameter("expansion", EXPANSION, 4, 1, 8),
        Parameter("xor_steps", STEP, 200, 0, STEPS, 10),
        SEED,
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("xor_answers",),
            caption=Label(
                "Whatever it is trained, a layer without its activation cannot give 0, 1, 1, 0: two matrices in a row are one.",
                "没有激活的前馈层怎么训练也给不出 0、1、1、0：两个矩阵相连还是一个矩阵。",
            ),
        ),
        Figure("curve", ("linear_xor_over_steps", "gelu_xor_over_steps"), over="xor_steps", mark="gelu_xor_error"),
        Figure("waves", ("linear_plane", "gelu_plane")),
        Figure("curve", ("ffn_share_over_expansion", "attention_share_over_expansion"), over="expansion", mark="ffn_share"),
        Figure("bars", ("linear_hidden_rank", "gelu_hidden_rank")),
        Figure("bars", ("linear_collapse_error", "gelu_collapse_error")),
        Figure("steps", ("tokens", "widened", "bent", "output")),
        Figure("heatmap", ("W_1", "W_2")),
        Figure("bars", ("swiglu_unreduced_parameters", "swiglu_parameters"), mark="plain_weights"),
        Figure("table", ("parts",)),
    ),
    arms=("linear_collapse_error", "gelu_collapse_error"),
    presets=(
        Preset(
            Label("untrained", "未训练"),
            {"xor_steps": 0},
            Label(
                "Both start from the same random weights, and neither knows XOR.",
                "两者从同样的随机权重出发，都还不会异或。",
            ),
            "gelu_xor_error > 0.25 and linear_xor_error > 0.25",
        ),
        Preset(
            Label("trained longer", "训练更久"),
            {"xor_steps": STEPS},
            Label(
                "With GELU the error goes to 0; without it every answer stays at a half, error 1/4.",
                "有 GELU 时误差趋于 0；没有时每个回答都停在 1/2，误差为 1/4。",
            ),
            "gelu_xor_error < 0.00001 and linear_xor_error > 0.249",
            show="linear_xor_over_steps",
        ),
        Preset(
            Label("width / d_model = 2", "宽度 / d_model = 2"),
            {"expansion": 2},
            Label(
                "Half as wide, the feed-forward part holds half of a layer's parameters instead of two thirds.",
                "宽度减半，前馈网络占一层参数的一半，而不是三分之二。",
            ),
            "ffn_share < 0.51 and ffn_share > 0.49",
            show="ffn_share_over_expansion",
        ),
    ),
)
