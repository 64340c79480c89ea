"""The feed-forward part treats each token by itself, holds two thirds of a layer's parameters, and is one matrix without its activation."""

from __future__ import annotations

import math
from functools import cache
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Step, Table
from engine.shorthand import SEED
from engine.textbook.activations import Activation, gelu
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.feed_forward import FeedForward, SwiGLU, as_one_matrix, swiglu_width
from engine.textbook.normalization import LayerNorm
from engine.textbook.random_weights import build_on_meta, count_parameters, with_normal_weights

Arm = Literal["", "right", "wrong"]

TOKENS, WIDTH = 5, 4  # of the layer that is shown cell by cell
SAMPLES = 256  # tokens for the ranks
EXPANSIONS = tuple(range(1, 9))  # the x axis
EXPANSION = Label("width / d_model", "中间层宽度 / d_model")


def identity(x: Tensor) -> Tensor:
    """No activation at all."""
    return x


def run(*, d_model: int, expansion: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed + 1000)
    tokens = torch.randn(SAMPLES, WIDTH, generator=generator, dtype=torch.float64)
    bent, straight = (small_layer(expansion, activation, seed) for activation in (gelu, identity))
    return Result(
        quantities=(*_one_matrix(bent, straight, tokens), *_by_itself(bent, tokens[:TOKENS]), *_sizes(d_model, expansion)),
        matrices=_matrices(bent, tokens[:TOKENS]),
        series=_shares(d_model),
        tables=(_parts(d_model, expansion),),
        steps=_steps(d_model, expansion),
    )


def small_layer(expansion: int, activation: Activation, seed: int) -> FeedForward:
    """Weights N(0, 1/D), no bias; the same weights whatever the activation."""
    return with_normal_weights(lambda: FeedForward(WIDTH, expansion * WIDTH, activation), 1 / math.sqrt(WIDTH), seed)


def _one_matrix(bent: FeedForward, straight: FeedForward, tokens: Tensor) -> tuple[Quantity, ...]:
    weight, bias = as_one_matrix(straight)
    collapsed = tokens @ weight.T + bias

    def rank(layer: FeedForward) -> float:
        return float(torch.linalg.matrix_rank(layer.activation(layer.up(tokens))))

    return (
        _measure(
            "linear_collapse_error",
            (straight(tokens) - collapsed).abs().max(),
            "no activation: distance to one matrix",
            "无激活：与单个矩阵之差",
            "wrong",
        ),
        _measure(
            "gelu_collapse_error", (bent(tokens) - collapsed).abs().max(), "GELU: distance to one matrix", "GELU：与单个矩阵之差", "right"
        ),
        Quantity(
            "linear_hidden_rank", rank(straight), Label("no activation: rank of the widened tokens", "无激活：加宽后词元的秩"), arm="wrong"
        ),
        Quantity("gelu_hidden_rank", rank(bent), Label("GELU: rank of the widened tokens", "GELU：加宽后词元的秩"), arm="right"),
    )


def _by_itself(layer: FeedForward, tokens: Tensor) -> tuple[Quantity, ...]:
    order = torch.arange(TOKENS).flip(0)
    changed = tokens.clone()
    changed[-1] += 1
    return (
        _measure(
            "permutation_difference",
            (layer(tokens[order]) - layer(tokens)[order]).abs().max(),
            "permuted tokens: outputs off",
            "打乱词元：输出之差",
        ),
        _measure(
            "other_token_change",
            (layer(changed) - layer(tokens))[:-1].abs().max(),
            "another token changes: moved by",
            "别的词元变了：自己变了多少",
        ),
    )


def _sizes(d_model: int, expansion: int) -> tuple[Quantity, ...]:
    """Counted on the modules; the meta device allocates nothing."""
    attention, feed_forward, norms = sizes(d_model, expansion)
    width = swiglu_width(d_model)
    return (
        _count("ffn_parameters", feed_forward, "parameters, feed-forward", "参数量：前馈网络"),
        _count("attention_parameters", attention, "parameters, attention", "参数量：注意力"),
        _count(
            "layer_parameters", attention + feed_forward + norms, "parameters, layer with two LayerNorms", "参数量：整层，含两个 LayerNorm"
        ),
        Quantity("ffn_share", feed_forward / (attention + feed_forward + norms), Label("share of the feed-forward", "前馈网络所占比例")),
        Quantity("swiglu_exact_width", 8 * d_model / 3, Label("SwiGLU: 8/3 d_model", "SwiGLU：8/3 d_model")),
        _count("swiglu_rounded_width", width, "SwiGLU: rounded up to 256", "SwiGLU：向上取到 256 的倍数"),
        _count("swiglu_parameters", swiglu_size(d_model, width), "SwiGLU: parameters at that width", "SwiGLU：该宽度下的参数量", "right"),
        _count(
            "swiglu_unreduced_parameters",
            swiglu_size(d_model, 4 * d_model),
            "SwiGLU: parameters at 4 d_model",
            "SwiGLU：宽度 4 d_model 时的参数量",
            "wrong",
        ),
        _count("plain_weights", 8 * d_model**2, "weights of a plain 4x layer, 8 d_model²", "普通 4 倍前馈的权重数，8 d_model²"),
    )


@cache
def sizes(d_model: int, expansion: int) -> tuple[int, int, int]:
    """Parameters of a layer's attention, of its feed-forward part and of its two norms."""
    attention = count_parameters(MultiHeadAttention(d_model, 1, device="meta"))
    feed_forward = count_parameters(build_on_meta(lambda: FeedForward(d_model, expansion * d_model)))
    return attention, feed_forward, 2 * count_parameters(build_on_meta(lambda: LayerNorm(d_model)))


def swiglu_size(d_model: int, width: int) -> int:
    return count_parameters(build_on_meta(lambda: SwiGLU(d_model, width)))


def _measure(name: str, value: Tensor, en: str, zh: str, arm: Arm = "") -> Quantity:
    return Quantity(name, number(value), Label(en, zh), arm=arm)


def _count(name: str, value: int, en: str, zh: str, arm: Arm = "") -> Quantity:
    return Quantity(name, value, Label(en, zh), arm=arm)


def _matrices(layer: FeedForward, tokens: Tensor) -> tuple[Matrix, ...]:
    widened = layer.up(tokens)  # (n, W); the biases are 0, so each cell is a dot product
    rows, features, inner = names("t", TOKENS), names("d", WIDTH), names("w", widened.shape[-1])
    return (
        Matrix("bent", grid(layer.activation(widened)), Label("after GELU", "GELU 之后"), rows, inner, r"H = \mathrm{GELU}(X W_1)"),
        Matrix("tokens", grid(tokens), Label("tokens", "词元"), rows, features, "X"),
        Matrix("W_1", grid(layer.up.weight.T), Label("W_1, widens", "W_1，加宽"), features, inner, "W_1"),
        Matrix("widened", grid(widened), Label("widened", "加宽之后"), rows, inner, "X W_1", product_of=("tokens", "W_1")),
        Matrix("W_2", grid(layer.down.weight.T), Label("W_2, narrows", "W_2，收窄"), inner, features, "W_2"),
        Matrix("output", grid(layer(tokens)), Label("output", "输出"), rows, features, "H W_2", product_of=("bent", "W_2")),
    )


def _shares(d_model: int) -> tuple[Series, ...]:
    counts = [sizes(d_model, expansion) for expansion in EXPANSIONS]
    x = tuple(map(float, EXPANSIONS))
    ffn, attention = (tuple(each[part] / sum(each) for each in counts) for part in (1, 0))
    return (
        Series("ffn_share_over_expansion", x, ffn, Label("feed-forward's share", "前馈网络所占比例"), EXPANSION, "share"),
        Series("attention_share_over_expansion", x, attention, Label("attention's share", "注意力所占比例"), EXPANSION, "share"),
    )


def _parts(d_model: int, expansion: int) -> Table:
    attention, feed_forward, norms = sizes(d_model, expansion)
    rows = (
        (Label("attention: 4·D² + 4·D", "注意力：4·D² + 4·D"), attention),
        (Label(f"feed-forward: {2 * expansion}·D² + {expansion + 1}·D", f"前馈：{2 * expansion}·D² + {expansion + 1}·D"), feed_forward),
        (Label("two LayerNorms: 4·D", "两个 LayerNorm：4·D"), norms),
        (Label("the layer", "整层"), attention + feed_forward + norms),
    )
    return Table("parts", Label("parameters of a layer", "一层的参数量"), (Label("part", "部分"), Label("parameters", "参数量")), rows)


def _steps(d_model: int, expansion: int) -> tuple[Step, ...]:
    narrow, wide = (1, TOKENS, d_model), (1, TOKENS, expansion * d_model)
    return (
        Step(Label("tokens, each by itself", "各个词元，互不相干"), "X", narrow, "tokens"),
        Step(Label("widen", "加宽"), "X W_1 + b_1", wide, "widened"),
        Step(
            Label("bend; without it W_1 W_2 is one matrix", "弯折；否则 W_1 W_2 只是一个矩阵"), r"\mathrm{GELU}(X W_1 + b_1)", wide, "bent"
        ),
        Step(Label("narrow", "收窄"), r"\mathrm{GELU}(X W_1 + b_1) W_2 + b_2", narrow, "output"),
    )


def cost(*, d_model: int, expansion: int, seed: int) -> Cost:
    weights = 2 * WIDTH**2 * expansion
    # d_model costs nothing: its modules are counted on the meta device
    return Cost(bytes=8 * (3 * weights + 8 * SAMPLES * WIDTH * expansion), flops=20 * SAMPLES * weights)


EXPERIMENT = Experiment(
    title=Label("feed-forward layer", "前馈网络"),
    summary=Label(
        "Per token, four times wider, two thirds of the parameters; without its activation a single matrix.",
        "逐词元计算、宽四倍、占三分之二的参数；去掉激活函数就只是一个矩阵。",
    ),
    parameters=(
        Parameter("d_model", Label("d_model (for the counts)", "d_model（用于计数）"), 768, 64, 8192, 64),
        Parameter("expansion", EXPANSION, 4, 1, 8),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(FeedForward, as_one_matrix, SwiGLU, swiglu_width),
    arms=("linear_collapse_error", "gelu_collapse_error"),
)
