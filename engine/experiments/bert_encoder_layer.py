"""A BERT layer is attention, sum, LayerNorm, GELU feed-forward, sum, LayerNorm: move a norm or drop a sum, and the shapes still fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Step
from engine.shorthand import SEED
from engine.textbook.attention import MultiHeadAttention, merge_heads, scaled_dot_product_attention, split_heads
from engine.textbook.bert import BASE, LARGE, BertShape, EncoderLayer
from engine.textbook.feed_forward import FeedForward
from engine.textbook.normalization import layer_norm
from engine.textbook.random_weights import build_on_meta, count_parameters, with_normal_weights

Arm = Literal["", "right", "wrong"]
Forward = Callable[[EncoderLayer, Tensor, Tensor], Tensor]

WIDTH, INNER = 4, 16
SENTENCE = ("[CLS]", "kitten", "likes", "fresh", "fish", "[SEP]")


def run(*, tokens: int, padded: int, heads: int, seed: int) -> Result:
    layer = with_normal_weights(lambda: EncoderLayer(BertShape(d_model=WIDTH, heads=heads, width=INNER)), 1 / math.sqrt(WIDTH), seed)
    padded = min(padded, tokens - 1)
    x = torch.randn(1, len(SENTENCE), WIDTH, generator=torch.Generator().manual_seed(seed + 1000), dtype=torch.float64)[:, :tokens]
    mask = (torch.arange(tokens) < tokens - padded).expand(tokens, tokens)  # (T, S): no query reads the padding
    return Result(
        quantities=(*_errors(layer, x, mask), *_padding(layer, x, mask), *_sizes()),
        matrices=_matrices(layer, x, mask, (*SENTENCE[: tokens - padded], *("[PAD]",) * padded)),
        steps=_steps(tokens, heads),
        notes=(NOTHING_HIDDEN,) if padded == 0 else (),
    )


NOTHING_HIDDEN = Label("Without padding nothing is hidden: both leaks are the same.", "没有填充时无需遮蔽：两种泄漏相同。")

# Ways to wire the same parts.


def without_residual(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """Wrong: nothing is added back."""
    x = layer.attention_norm(layer.attention(x, mask=mask)[0])
    return torch.as_tensor(layer.output_norm(layer.feed_forward(x)))


def norm_inside(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """Wrong: x + LN(f(x)), which normalises the part before the sum and never the sum."""
    x = x + layer.attention_norm(layer.attention(x, mask=mask)[0])
    return x + torch.as_tensor(layer.output_norm(layer.feed_forward(x)))


def pre_norm(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """Another architecture: x + f(LN(x)), as in GPT-2."""
    x = x + layer.attention(layer.attention_norm(x), mask=mask)[0]
    return x + torch.as_tensor(layer.feed_forward(layer.output_norm(x)))


def without_output_projection(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """Wrong: the heads are joined, but W_O does not mix them."""
    attention = layer.attention
    query, key, value = (split_heads(project(x), attention.heads) for project in (attention.W_Q, attention.W_K, attention.W_V))
    x = layer.attention_norm(x + merge_heads(scaled_dot_product_attention(query, key, value, mask)[0]))
    return torch.as_tensor(layer.output_norm(x + layer.feed_forward(x)))


def with_relu(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """The original Transformer's activation in BERT's layer."""
    x = layer.attention_norm(x + layer.attention(x, mask=mask)[0])
    feed_forward = layer.feed_forward
    return torch.as_tensor(layer.output_norm(x + feed_forward.down(functional.relu(feed_forward.up(x)))))


def by_torch(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """The same layer in torch's own functions: a second opinion."""
    attention, first, second, feed_forward = layer.attention, layer.attention_norm, layer.output_norm, layer.feed_forward
    query, key, value = (split_heads(project(x), attention.heads) for project in (attention.W_Q, attention.W_K, attention.W_V))
    read = attention.W_O(merge_heads(functional.scaled_dot_product_attention(query, key, value, mask)))
    x = functional.layer_norm(x + read, (x.shape[-1],), first.weight, first.bias, first.eps)
    bent = feed_forward.down(functional.gelu(feed_forward.up(x)))
    return functional.layer_norm(x + bent, (x.shape[-1],), second.weight, second.bias, second.eps)


WRONG: tuple[tuple[str, Forward, str, str], ...] = (
    ("norm_inside_error", norm_inside, "error of x + LN(f(x))", "误差：写成 x + LN(f(x))"),
    ("without_residual_error", without_residual, "error without the sums", "误差：去掉残差"),
    ("pre_norm_error", pre_norm, "difference to pre-norm, x + f(LN(x))", "与前置归一化 x + f(LN(x)) 之差"),
    ("without_output_projection_error", without_output_projection, "error without W_O", "误差：去掉 W_O"),
    ("relu_error", with_relu, "difference with ReLU", "换成 ReLU 之差"),
)


def _errors(layer: EncoderLayer, x: Tensor, mask: Tensor) -> tuple[Quantity, ...]:
    output = layer(x, mask)[0]

    def error(name: str, forward: Forward, en: str, zh: str, arm: Arm) -> Quantity:
        return Quantity(name, number((forward(layer, x, mask) - output).abs().max()), Label(en, zh), arm=arm)

    return (
        error("torch_difference", by_torch, "difference to torch's own functions", "与 torch 自带函数之差", "right"),
        *(error(*each, "wrong") for each in WRONG),
        Quantity(
            "output_row_mean", number(output.mean(-1).abs().max()), Label("largest mean of an output token", "输出词元均值的最大绝对值")
        ),
        Quantity("output_row_std", number(output.std(-1, correction=0).mean()), Label("spread of an output token", "输出词元内的标准差")),
    )


def _padding(layer: EncoderLayer, x: Tensor, mask: Tensor) -> tuple[Quantity, ...]:
    """How far the other outputs move when the last token changes; with padding it must not."""
    changed = x.clone()
    changed[:, -1] += 3

    def leak(allowed: Tensor | None) -> float:
        return number((layer(changed, allowed)[0] - layer(x, allowed)[0])[:, :-1].abs().max())

    return (
        Quantity("padding_leak", leak(mask), Label("last token changes: the others move by", "末词元改变：其余输出的变化"), arm="right"),
        Quantity("unmasked_padding_leak", leak(None), Label("the same without a mask", "同上，不加掩码"), arm="wrong"),
    )


@cache
def _sizes() -> tuple[Quantity, ...]:
    """Counted on modules of the real sizes; the meta device allocates nothing."""
    base, large = (count_parameters(build_on_meta(partial(EncoderLayer, shape))) for shape in (BASE, LARGE))
    return (
        Quantity("layer_parameters_base", base, Label("parameters, a layer of BERT-base", "参数量，BERT-base 的一层")),
        Quantity("layer_parameters_large", large, Label("parameters, a layer of BERT-large", "参数量，BERT-large 的一层")),
    )


def _matrices(layer: EncoderLayer, x: Tensor, mask: Tensor, words: tuple[str, ...]) -> tuple[Matrix, ...]:
    read, weights = layer.attention(x, mask=mask)
    attended = layer.attention_norm(x + read)
    widened = layer.feed_forward.up(attended)  # the biases are 0, so each cell is a dot product
    bent = layer.feed_forward.activation(widened)
    narrowed = layer.feed_forward.down(bent)
    features, inner = names("d", WIDTH), names("w", INNER)

    def of_tokens(name: str, values: Tensor, en: str, zh: str, formula: str, product_of: tuple[str, str] | None = None) -> Matrix:
        columns = features if values.shape[-1] == WIDTH else inner
        return Matrix(name, grid(values[0]), Label(en, zh), words, columns, formula, product_of=product_of)

    return (
        *(
            Matrix(f"head_{i}", grid(each), Label(f"weights of head {i}", f"头 {i} 的权重"), words, words, kind="weights")
            for i, each in enumerate(weights[0], start=1)
        ),
        of_tokens("x", x, "tokens", "词元", "X"),
        of_tokens("read", read, "what attention read", "注意力读到的内容", r"A = \mathrm{MultiHead}(X)"),
        of_tokens("attended", attended, "after the first sum and LayerNorm", "第一次残差与 LayerNorm 之后", r"Y = \mathrm{LN}(X + A)"),
        of_tokens("widened", widened, "widened", "加宽之后", "Y W_1", ("attended", "W_1")),
        of_tokens("bent", bent, "after GELU", "GELU 之后", r"H = \mathrm{GELU}(Y W_1)"),
        of_tokens("narrowed", narrowed, "narrowed", "收窄之后", "H W_2", ("bent", "W_2")),
        of_tokens("output", layer(x, mask)[0], "output of the layer", "本层输出", r"\mathrm{LN}(Y + H W_2)"),
        Matrix("W_1", grid(layer.feed_forward.up.weight.T), Label("W_1, widens", "W_1，加宽"), features, inner, "W_1"),
        Matrix("W_2", grid(layer.feed_forward.down.weight.T), Label("W_2, narrows", "W_2，收窄"), inner, features, "W_2"),
    )


def _steps(tokens: int, heads: int) -> tuple[Step, ...]:
    whole = (1, tokens, WIDTH)
    return (
        Step(Label("tokens from the layer below", "来自下一层的词元"), "X", whole, "x"),
        Step(
            Label("weights, one matrix a head", "权重，每个头一个矩阵"),
            r"\mathrm{softmax}\left(\frac{Q_i K_i^\top}{\sqrt{d}}\right)",
            (1, heads, tokens, tokens),
            "head_1",
        ),
        Step(
            Label("heads joined and mixed by W_O", "各头拼接，再由 W_O 混合"),
            r"A = \mathrm{concat}(P_1 V_1, \ldots, P_h V_h) W_O",
            whole,
            "read",
        ),
        Step(Label("sum, then LayerNorm", "先相加，再 LayerNorm"), r"Y = \mathrm{LN}(X + A)", whole, "attended"),
        Step(Label("intermediate: four times wider", "中间层：宽四倍"), "Y W_1 + b_1", (1, tokens, INNER), "widened"),
        Step(Label("GELU", "GELU"), r"H = \mathrm{GELU}(Y W_1 + b_1)", (1, tokens, INNER), "bent"),
        Step(Label("output: narrowed again", "输出：再收窄"), "H W_2 + b_2", whole, "narrowed"),
        Step(Label("sum, then LayerNorm", "先相加，再 LayerNorm"), r"\mathrm{LN}(Y + H W_2 + b_2)", whole, "output"),
    )


def cost(*, tokens: int, padded: int, heads: int, seed: int) -> Cost:
    weights = 4 * WIDTH**2 + 2 * WIDTH * INNER
    cells = tokens * (8 * WIDTH + 3 * INNER) + 4 * heads * tokens**2
    return Cost(bytes=8 * (weights + 4 * cells), flops=12 * (2 * tokens * weights + 4 * tokens**2 * WIDTH + 20 * cells))


EXPERIMENT = Experiment(
    title=Label("one BERT encoder layer", "一层 BERT 编码器"),
    summary=Label("Every number of a layer, beside the ways it is often wired wrong.", "一层之中的每个数，以及常见的接错方式。"),
    parameters=(
        Parameter("tokens", Label("tokens T", "词元数 T"), 6, 2, 6),
        Parameter("padded", Label("of them padding", "其中的填充"), 1, 0, 3),
        Parameter("heads", Label("heads h", "头数 h"), 2, 1, 4, 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(EncoderLayer, MultiHeadAttention, FeedForward, layer_norm, norm_inside, pre_norm),
    arms=("norm_inside_error", "torch_difference"),
)
