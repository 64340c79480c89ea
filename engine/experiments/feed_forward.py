"""The feed-forward part treats each token by itself, holds two thirds of a layer, and without its activation cannot learn XOR."""

from __future__ import annotations

import math
from functools import cache, lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, Range, Rows, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.activations import Activation, gelu
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.feed_forward import FeedForward, SwiGLU, as_one_matrix, swiglu_width
from engine.textbook.normalization import LayerNorm
from engine.textbook.random_weights import build_on_meta, count_parameters, with_normal_weights
from engine.textbook.xor import ANSWERS, CORNERS, learn_xor, plane, xor_outputs

TOKENS, WIDTH = 5, 4  # of the layer that is shown cell by cell
SAMPLES = 256  # tokens for the ranks
EXPANSIONS = tuple(range(1, 9))  # the x axis
STEPS, CELLS = 300, 17  # of the training on XOR; of the plane that it answers


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


def identity(x: Tensor) -> Tensor:
    """No activation at all."""
    return x


@lru_cache(16)  # the slider of the steps walks along one training
def trained_on_xor(units: int, seed: int) -> tuple[Tensor, Tensor]:
    return learn_xor((identity, gelu), units, seed, STEPS)


def xor(units: int, steps: int, seed: int) -> Numbers:
    """The same two layers from the same weights, without and with the activation, after so many steps of training."""
    weights, errors = trained_on_xor(units, seed)
    straight, bent = weights[steps]
    answers = (ANSWERS, xor_outputs(straight, CORNERS, identity), xor_outputs(bent, CORNERS, gelu))
    return {
        "linear_xor_error": errors[steps, 0],
        "gelu_xor_error": errors[steps, 1],
        "xor_answers": torch.stack(answers, -1),
        "linear_plane": plane(straight, identity, CELLS),
        "gelu_plane": plane(bent, gelu, CELLS),
        "linear_xor_over_steps": (range(STEPS + 1), errors[:, 0].clamp(max=TALLEST)),
        "gelu_xor_over_steps": (range(STEPS + 1), errors[:, 1].clamp(max=TALLEST)),
        "units": units,
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


RANK: Range = (0, EXPANSIONS[-1] * WIDTH)
EXPANSION = Label("width / d_model", "中间层宽度 / d_model")
STEP = Label("XOR steps", "异或步数")
TALLEST = 1.0  # of the curves: the first steps reach 60, beside which .25 and nothing look the same

PLACES = tuple(f"{2 * place / (CELLS - 1) - 0.5:.3g}" for place in range(CELLS))

MEASURES = (
    wrong("linear_xor_error", "XOR: mean squared error of four answers, no activation", "异或：四个回答的平均平方误差，无激活"),
    right("gelu_xor_error", "XOR: mean squared error of four answers, GELU", "异或：四个回答的平均平方误差，GELU"),
    wrong("linear_collapse_error", "largest distance to one matrix, no activation", "与单个矩阵的最大差，无激活"),
    right("gelu_collapse_error", "largest distance to one matrix, GELU", "与单个矩阵的最大差，GELU"),
    wrong("linear_hidden_rank", "rank of the widened tokens, no activation", "加宽后词元的秩，无激活", within=RANK),
    right("gelu_hidden_rank", "rank of the widened tokens, GELU", "加宽后词元的秩，GELU", within=RANK),
    measured("permutation_difference", "tokens permuted: largest difference of their outputs", "打乱词元：对应输出的最大差"),
    measured("other_token_change", "one token changed: largest change of the others' outputs", "改变一个词元：其余词元输出的最大变化"),
    measured("ffn_parameters", "parameters of the feed-forward part", "前馈网络的参数量"),
    measured("attention_parameters", "parameters of the attention", "注意力的参数量"),
    measured("layer_parameters", "parameters of a layer with two LayerNorms", "整层的参数量，含两个 LayerNorm"),
    measured("ffn_share", "feed-forward's share of a layer's parameters", "前馈网络占整层参数的比例", within=SHARE),
    measured("swiglu_exact_width", "SwiGLU: width 8/3 d_model", "SwiGLU：宽度 8/3 d_model"),
    measured("swiglu_rounded_width", "SwiGLU: width 8/3 d_model, rounded up to 256", "SwiGLU：宽度 8/3 d_model，向上取到 256 的倍数"),
    right("swiglu_parameters", "SwiGLU: parameters at the rounded width", "SwiGLU：取整宽度下的参数量"),
    wrong("swiglu_unreduced_parameters", "SwiGLU: parameters at width 4 d_model", "SwiGLU：宽度 4 d_model 时的参数量"),
    measured("plain_weights", "weights of a plain 4x layer, 8 d_model²", "普通 4 倍前馈的权重数，8 d_model²"),
    Grid(
        "xor_answers",
        Label("XOR of two inputs, and what each layer answers", "两个输入的异或，以及两种前馈层的回答"),
        ("0, 0", "0, 1", "1, 0", "1, 1"),
        ("XOR", "linear", "GELU"),
    ),
    Grid("linear_plane", Label("no activation: answers around the corners", "无激活：四个角周围的回答"), PLACES, PLACES, arm="wrong"),
    Grid("gelu_plane", Label("GELU: answers around the corners", "GELU：四个角周围的回答"), PLACES, PLACES, arm="right"),
    Curve(
        "linear_xor_over_steps",
        Label("XOR: squared error up to 1, no activation", "异或：平方误差（最多画到 1），无激活"),
        STEP,
        "xor",
        arm="wrong",
    ),
    Curve("gelu_xor_over_steps", Label("XOR: squared error up to 1, GELU", "异或：平方误差（最多画到 1），GELU"), STEP, "xor", arm="right"),
    Grid("bent", Label("after GELU", "GELU 之后"), "t{1}", "w{1}", r"H = \mathrm{GELU}(X W_1)"),
    Grid("tokens", Label("tokens", "词元"), "t{1}", "d{1}", "X"),
    Grid("W_1", Label("W_1, widens", "W_1，加宽"), "d{1}", "w{1}", "W_1"),
    Grid("widened", Label("widened", "加宽之后"), "t{1}", "w{1}", "X W_1", product_of=("tokens", "W_1")),
    Grid("W_2", Label("W_2, narrows", "W_2，收窄"), "w{1}", "d{1}", "W_2"),
    Grid("output", Label("output", "输出"), "t{1}", "d{1}", "H W_2", product_of=("bent", "W_2")),
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
    Walk(Label("tokens, each by itself", "各个词元，互不相干"), "X", (1, TOKENS, "d_model"), "tokens"),
    Walk(Label("widen", "加宽"), "X W_1 + b_1", (1, TOKENS, "inner"), "widened"),
    Walk(
        Label("bend; without it W_1 W_2 is one matrix", "弯折；否则 W_1 W_2 只是一个矩阵"),
        r"\mathrm{GELU}(X W_1 + b_1)",
        (1, TOKENS, "inner"),
        "bent",
    ),
    Walk(Label("narrow", "收窄"), r"\mathrm{GELU}(X W_1 + b_1) W_2 + b_2", (1, TOKENS, "d_model"), "output"),
    note(
        "not_learned",
        "gelu_xor_error > 0.02",
        "After {xor_steps} steps the {units} units with GELU have not learned XOR: more steps or units help. Without it nothing does.",
        "{xor_steps} 步之后，{units} 个带 GELU 的单元还没有学会异或：多训练几步或多给几个单元就行；没有激活则怎样都不行。",
    ),
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
