"""A BERT layer is attention, sum, LayerNorm, GELU feed-forward, sum, LayerNorm: move a norm or drop a sum, and the shapes still fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import torch
from torch import Tensor
from torch.nn import functional

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Grid, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import merge_heads, scaled_dot_product_attention, split_heads
from engine.textbook.bert import BASE, LARGE, BertShape, EncoderLayer
from engine.textbook.differences import largest
from engine.textbook.random_weights import build_on_meta, count_parameters, with_normal_weights

Forward = Callable[[EncoderLayer, Tensor, Tensor], Tensor]

WIDTH, INNER = 4, 16
SENTENCE = ("[CLS]", "kitten", "likes", "fresh", "fish", "[SEP]")


def run(*, tokens: int, padded: int, heads: int, seed: int) -> Numbers:
    layer = with_normal_weights(lambda: EncoderLayer(BertShape(d_model=WIDTH, heads=heads, width=INNER)), 1 / math.sqrt(WIDTH), seed)
    padded = min(padded, tokens - 1)
    x = torch.randn(1, len(SENTENCE), WIDTH, generator=torch.Generator().manual_seed(seed + 1000), dtype=torch.float64)[:, :tokens]
    mask = (torch.arange(tokens) < tokens - padded).expand(tokens, tokens)  # (T, S): no query reads the padding
    output = layer(x, mask)[0]
    return {
        "torch_difference": largest(by_torch(layer, x, mask) - output),
        **{name: largest(forward(layer, x, mask) - output) for name, forward in WRONG.items()},
        "output_row_mean": largest(output.mean(-1)),
        "output_row_std": output.std(-1, correction=0).mean(),
        "padding_leak": leak(layer, x, mask),
        "unmasked_padding_leak": leak(layer, x, None),
        **parameters_of_a_layer(),
        **stages(layer, x, mask),
        "words": (*SENTENCE[: tokens - padded], *("[PAD]",) * padded),
    }


def leak(layer: EncoderLayer, x: Tensor, mask: Tensor | None) -> Tensor:
    """How far the other outputs move when the last token changes; with padding it must not."""
    changed = x.clone()
    changed[:, -1] += 3
    return largest((layer(changed, mask)[0] - layer(x, mask)[0])[:, :-1])


@cache
def parameters_of_a_layer() -> Numbers:
    """Counted on modules of the real sizes; the meta device allocates nothing."""
    base, large = (count_parameters(build_on_meta(partial(EncoderLayer, shape))) for shape in (BASE, LARGE))
    return {"layer_parameters_base": base, "layer_parameters_large": large}


def stages(layer: EncoderLayer, x: Tensor, mask: Tensor) -> Numbers:
    """What the layer makes of one sequence x (1, T, D), each stage as (T, its width)."""
    read, weights = layer.attention(x, mask=mask)
    attended = layer.attention_norm(x + read)
    widened = layer.feed_forward.up(attended)  # the biases are 0, so each cell is a dot product
    bent = layer.feed_forward.activation(widened)
    narrowed = layer.feed_forward.down(bent)
    every = {"x": x, "read": read, "attended": attended, "widened": widened, "bent": bent, "narrowed": narrowed}
    return {
        "head_{1}": weights[0],
        **{name: stage[0] for name, stage in every.items()},
        "output": layer(x, mask)[0][0],
        "W_1": layer.feed_forward.up.weight.T,
        "W_2": layer.feed_forward.down.weight.T,
    }


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


WRONG: dict[str, Forward] = {
    "norm_inside_error": norm_inside,
    "without_residual_error": without_residual,
    "pre_norm_error": pre_norm,
    "without_output_projection_error": without_output_projection,
    "relu_error": with_relu,
}

MEASURES = (
    right("torch_difference", "outputs, largest difference to torch's layer: as BERT does it", "输出与 torch 的层的最大差：BERT 的写法"),
    wrong("norm_inside_error", "outputs, largest difference to torch's layer: x + LN(f(x))", "输出与 torch 的层的最大差：x + LN(f(x))"),
    wrong(
        "without_residual_error", "outputs, largest difference to torch's layer: without the sums", "输出与 torch 的层的最大差：去掉残差"
    ),
    wrong("pre_norm_error", "outputs, largest difference to torch's layer: pre-norm", "输出与 torch 的层的最大差：前置归一化"),
    wrong(
        "without_output_projection_error",
        "outputs, largest difference to torch's layer: without W_O",
        "输出与 torch 的层的最大差：去掉 W_O",
    ),
    wrong("relu_error", "outputs, largest difference to torch's layer: ReLU for GELU", "输出与 torch 的层的最大差：GELU 换成 ReLU"),
    measured("output_row_mean", "largest |mean| of an output token", "输出词元 |均值| 的最大值"),
    measured("output_row_std", "std within an output token, mean over tokens", "输出词元内的标准差，对词元平均", within=(0, 1)),
    right("padding_leak", "last token changes: largest move of the others, masked", "改变末词元：其余输出的最大变化，加掩码"),
    wrong("unmasked_padding_leak", "last token changes: largest move of the others, no mask", "改变末词元：其余输出的最大变化，不加掩码"),
    measured("layer_parameters_base", "parameters, a layer of BERT-base", "参数量，BERT-base 的一层"),
    measured("layer_parameters_large", "parameters, a layer of BERT-large", "参数量，BERT-large 的一层"),
    Grid("head_{1}", Label("weights of head {1}", "头 {1} 的权重"), "{words}", "{words}", kind="weights"),
    Grid("x", Label("tokens", "词元"), "{words}", "d{1}", "X"),
    Grid("read", Label("what attention read", "注意力读到的内容"), "{words}", "d{1}", r"A = \mathrm{MultiHead}(X)"),
    Grid(
        "attended",
        Label("after the first sum and LayerNorm", "第一次残差与 LayerNorm 之后"),
        "{words}",
        "d{1}",
        r"Y = \mathrm{LN}(X + A)",
    ),
    Grid("widened", Label("widened", "加宽之后"), "{words}", "w{1}", "Y W_1", product_of=("attended", "W_1")),
    Grid("bent", Label("after GELU", "GELU 之后"), "{words}", "w{1}", r"H = \mathrm{GELU}(Y W_1)"),
    Grid("narrowed", Label("narrowed", "收窄之后"), "{words}", "d{1}", "H W_2", product_of=("bent", "W_2")),
    Grid("output", Label("output of the layer", "本层输出"), "{words}", "d{1}", r"\mathrm{LN}(Y + H W_2)"),
    Grid("W_1", Label("W_1, widens", "W_1，加宽"), "d{1}", "w{1}", "W_1"),
    Grid("W_2", Label("W_2, narrows", "W_2，收窄"), "w{1}", "d{1}", "W_2"),
    Walk(Label("tokens from the layer below", "来自下一层的词元"), "X", (1, "tokens", WIDTH), "x"),
    Walk(
        Label("weights, one matrix a head", "权重，每个头一个矩阵"),
        r"\mathrm{softmax}\left(\frac{Q_i K_i^\top}{\sqrt{d}}\right)",
        (1, "heads", "tokens", "tokens"),
        "head_1",
    ),
    Walk(
        Label("heads joined and mixed by W_O", "各头拼接，再由 W_O 混合"),
        r"A = \mathrm{concat}(P_1 V_1, \ldots, P_h V_h) W_O",
        (1, "tokens", WIDTH),
        "read",
    ),
    Walk(Label("sum, then LayerNorm", "先相加，再 LayerNorm"), r"Y = \mathrm{LN}(X + A)", (1, "tokens", WIDTH), "attended"),
    Walk(Label("intermediate: four times wider", "中间层：宽四倍"), "Y W_1 + b_1", (1, "tokens", INNER), "widened"),
    Walk(Label("GELU", "GELU"), r"H = \mathrm{GELU}(Y W_1 + b_1)", (1, "tokens", INNER), "bent"),
    Walk(Label("output: narrowed again", "输出：再收窄"), "H W_2 + b_2", (1, "tokens", WIDTH), "narrowed"),
    Walk(Label("sum, then LayerNorm", "先相加，再 LayerNorm"), r"\mathrm{LN}(Y + H W_2 + b_2)", (1, "tokens", WIDTH), "output"),
    note(
        "nothing_hidden", "padded == 0", "Without padding nothing is hidden: both leaks are the same.", "没有填充时无需遮蔽：两种泄漏相同。"
    ),
)

EXPERIMENT = Experiment(
    title=Label("one BERT encoder layer", "一层 BERT 编码器"),
    summary=Label("Every number of a layer, beside the ways it is often wired wrong.", "一层之中的每个数，以及常见的接错方式。"),
    keywords=("Transformer block", "encoder block", "post-norm", "residual", "Add & Norm", "编码器层", "残差", "模块"),
    parameters=(
        Parameter("tokens", Label("tokens T", "词元数 T"), 6, 2, 6),
        Parameter("padded", Label("of them padding", "其中的填充"), 1, 0, 3),
        Parameter("heads", Label("heads h", "头数 h"), 2, 1, 4, 2, "log", divisor_of=WIDTH),
        SEED,
    ),
    presets=(
        Preset(
            Label("no padding", "没有填充"),
            {"padded": 0},
            Label(
                "Without padding nothing is masked: the last token moves all others, as it should in an encoder.",
                "没有填充就什么都不掩：改最后一个词元，其余的都会变，编码器本该如此。",
            ),
            "padding_leak > 0.01",
        ),
        Preset(
            Label("half padding", "一半是填充"),
            {"padded": 3},
            Label(
                "Three of six tokens are padding: masked they move nobody, unmasked they move every word.",
                "六个词元有三个是填充：掩住就谁都不影响，不掩则每个词都跟着变。",
            ),
            "padded == 3 and padding_leak < 1e-9 and unmasked_padding_leak > 0.1",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("torch_difference", *WRONG),
            caption=Label(
                "Drop a sum or W_O, move a LayerNorm, swap the activation: every shape still fits, and the layer computes something else.",
                "去掉残差或 W_O、挪动 LayerNorm、换掉激活函数：形状都对得上，算出来的却是另一回事。",
            ),
        ),
        Figure("steps", ("x", "head_{1}", "read", "attended", "widened", "bent", "narrowed", "output")),
        Figure("heatmap", ("head_{1}",)),
        Figure("bars", ("unmasked_padding_leak", "padding_leak")),
        Figure("heatmap", ("W_1", "W_2")),
    ),
    arms=("norm_inside_error", "torch_difference"),
)
