"""A convolution sees 1 + L(k-1) tokens after L layers, with doubling dilation about 2^L(k-1); one attention layer sees all there are."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.convolution import (
    change_one_token,
    convolution_layers,
    dilated_layers_to_cover,
    last_token_sensitivity,
    layers_to_cover,
    receptive_field,
)
from engine.textbook.dependence import depends_on
from engine.textbook.recurrent import last_attends

TOKENS = 64
WIDTH = 4
NARROWEST, WIDEST = 2, 7  # kernels
DEEPEST = 8
SHOWN = 12  # the last tokens, in the matrix
DILATIONS = tuple(2**layer for layer in range(DEEPEST))  # 1, 2, 4, ...


def run(*, kernel: int, layers: int, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    x, other = torch.randn(2, TOKENS, WIDTH, generator=generator, dtype=torch.float64)
    read = draw(kernel, generator)
    convolution, dilated, (attention,) = ([last_token_sensitivity(each) for each in way] for way in read(change_one_token(x, other)))
    seen = tokens_seen(read, x)
    return {
        "convolution_field": seen[0][layers - 1],
        "attention_field": seen[2][0],
        "dilated_field": seen[1][layers - 1],
        **formulas(kernel, layers),
        "felt_by_convolution": convolution[layers - 1][None, -SHOWN:],
        "felt_by_dilated": dilated[layers - 1][None, -SHOWN:],
        "felt_by_attention": attention[None, -SHOWN:],
        **curves(*seen),
        "tokens": TOKENS,
    }


Read = Callable[[Tensor], tuple[list[Tensor], ...]]  # texts (B, T, D) -> last outputs (B, D), for each way a list of layers


def draw(kernel: int, generator: torch.Generator) -> Read:
    """Convolutions, dilated convolutions and one layer of attention, with random weights."""
    W_Q, W_K, W_V = torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(WIDTH)
    kernels = torch.randn(DEEPEST, kernel, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(kernel * WIDTH)

    def read(texts: Tensor) -> tuple[list[Tensor], ...]:
        plain, dilated = ([each[:, -1] for each in convolution_layers(texts, kernels, gaps)] for gaps in ((1,) * DEEPEST, DILATIONS))
        return plain, dilated, [last_attends(W_Q, W_K, W_V, texts)]

    return read


def tokens_seen(read: Read, x: Tensor) -> list[list[int]]:
    """How many tokens the last output depends on, for each way after each layer."""
    text = x[None].requires_grad_()
    return [[int(depends_on(output, text).sum()) for output in way] for way in read(text)]


def formulas(kernel: int, layers: int) -> Numbers:
    dilated = receptive_field(kernel, DILATIONS[:layers])
    return {
        "convolution_formula": receptive_field(kernel, (1,) * layers),
        "dilated_formula": dilated,
        "kernel_times_layers": kernel * layers,
        "convolution_layers_needed": layers_to_cover(TOKENS, kernel),
        "dilated_layers_needed": dilated_layers_to_cover(TOKENS, kernel),
        "attention_layers_needed": 1,
    }


def curves(convolution: list[int], dilated: list[int], attention: list[int]) -> Numbers:
    depths = range(1, DEEPEST + 1)
    return {
        "convolution_field_over_layers": (depths, convolution),
        "dilated_field_over_layers": (depths, dilated),
        "attention_field_over_layers": (depths, attention * DEEPEST),
    }


LAYERS = Label("layers L", "层数 L")
LAST = (("o{tokens}",), tuple(str(-back) for back in reversed(range(SHOWN))))  # the last output, and the last tokens before it
SEEN = (1, TOKENS)
DEEP = (1, layers_to_cover(TOKENS, NARROWEST))

MEASURES = (
    wrong("convolution_field", "tokens seen, convolution", "可见词元数，卷积", within=SEEN),
    right("attention_field", "tokens seen, one attention layer", "可见词元数，一层注意力", within=SEEN),
    measured("dilated_field", "tokens seen, dilated convolution", "可见词元数，空洞卷积", within=SEEN),
    measured(
        "convolution_formula",
        "tokens seen by formula, 1 + L(k - 1)",
        "按公式的可见词元数，1 + L(k − 1)",
        within=(2, receptive_field(WIDEST, (1,) * DEEPEST)),
    ),
    measured(
        "dilated_formula",
        "tokens seen by formula, dilated, 1 + (2^L - 1)(k - 1)",
        "按公式的可见词元数，空洞，1 + (2^L − 1)(k − 1)",
        within=(2, receptive_field(WIDEST, DILATIONS)),
    ),
    wrong(
        "kernel_times_layers",
        "tokens seen if it were k·L, the overlaps forgotten",
        "按 k·L 算的可见词元数，忘了重叠",
        within=(NARROWEST, WIDEST * DEEPEST),
    ),
    wrong("convolution_layers_needed", "layers to see all, convolution", "看全所需层数，卷积", within=DEEP),
    measured("dilated_layers_needed", "layers to see all, dilated", "看全所需层数，空洞卷积", within=DEEP),
    right("attention_layers_needed", "layers to see all, attention", "看全所需层数，注意力", within=(1, 1)),
    Grid(
        "felt_by_convolution", Label("change of the last output, convolution", "最后输出的变化，卷积"), *LAST, "", "magnitude", arm="wrong"
    ),
    Grid("felt_by_dilated", Label("change of the last output, dilated convolution", "最后输出的变化，空洞卷积"), *LAST, "", "magnitude"),
    Grid("felt_by_attention", Label("change of the last output, attention", "最后输出的变化，注意力"), *LAST, "", "magnitude", arm="right"),
    Curve(
        "convolution_field_over_layers",
        Label("tokens that the last output sees, convolution", "最后一个输出看到的词元数，卷积"),
        LAYERS,
        "tokens seen",
        arm="wrong",
    ),
    Curve(
        "dilated_field_over_layers",
        Label("tokens that the last output sees, dilated", "最后一个输出看到的词元数，空洞卷积"),
        LAYERS,
        "tokens seen",
    ),
    Curve(
        "attention_field_over_layers",
        Label("tokens that the last output sees, attention", "最后一个输出看到的词元数，注意力"),
        LAYERS,
        "tokens seen",
        arm="right",
    ),
    note(
        "beyond",
        "dilated_formula > tokens",
        "The sequence has {tokens} tokens: the dilated stack could see further than it begins.",
        "序列只有 {tokens} 个词元：空洞卷积本可以看得更远。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("how far a convolution sees", "卷积能看多远"),
    summary=Label(
        "Change one token after the other and see whether the last output notices: convolution, dilated convolution, attention.",
        "逐个改动词元，看最后的输出是否察觉：卷积、空洞卷积、注意力。",
    ),
    keywords=("CNN", "receptive field", "dilated convolution", "WaveNet", "TextCNN", "卷积神经网络", "感受野", "空洞卷积", "膨胀卷积"),
    parameters=(
        Parameter("kernel", Label("kernel k", "卷积核宽 k"), 3, NARROWEST, WIDEST),
        Parameter("layers", LAYERS, 4, 1, DEEPEST),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("convolution_field_over_layers", "dilated_field_over_layers", "attention_field_over_layers"),
            over="layers",
            mark="convolution_field",
            caption=Label(
                "A convolution layer sees k - 1 tokens more, dilation doubles that layer by layer; one attention layer sees all.",
                "每层卷积只多看 k − 1 个词元，空洞卷积逐层翻倍；一层注意力就看到全部。",
            ),
        ),
        Figure("heatmap", ("felt_by_convolution", "felt_by_dilated", "felt_by_attention")),
        Figure("bars", ("convolution_layers_needed", "dilated_layers_needed", "attention_layers_needed")),
    ),
    arms=("convolution_field", "attention_field"),
    presets=(
        Preset(
            Label("one layer", "一层"),
            {"layers": 1},
            Label("One layer of convolution sees k tokens, dilated or not.", "一层卷积只看到 k 个词元，空洞与否都一样。"),
            "dilated_field == convolution_field and convolution_field == kernel",
        ),
        Preset(
            Label("eight layers", "八层"),
            {"layers": 8},
            Label(
                "Dilation has reached all 64 tokens long ago; plain convolution is at 17.",
                "空洞卷积早就看到全部 64 个词元；普通卷积才 17 个。",
            ),
            "dilated_field == 64 and convolution_field == 17",
        ),
        Preset(
            Label("k = 7, eight layers", "k = 7，八层"),
            {"kernel": 7, "layers": 8},
            Label(
                "Even eight wide layers do not see 64 tokens: 1 + 8·6 = 49, not 8·7.",
                "八层宽核也看不全 64 个词元：1 + 8·6 = 49，不是 8·7。",
            ),
            "convolution_field == 49 and kernel_times_layers == 56",
        ),
    ),
    run=run,
)
