"""ALiBi subtracts from each score a slope times the distance: no parameters, a window for each head that does not grow with the text."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import causal_mask, softmax
from engine.textbook.relative_positions import alibi_bias, alibi_slopes
from engine.textbook.weight_statistics import entropy

SHOWN = 6
QUERIES = 16  # rows that a window is averaged over
LENGTHS = tuple(2**power for power in range(4, 12))  # 16 ... 2048, the x axis
LONGEST = 1024  # to choose; a text twice as long is on the axis too


def run(*, heads: int, head: int, length: int, sigma: float, seed: int) -> Numbers:
    chosen = min(head, heads)
    generator = torch.Generator().manual_seed(seed)
    scores = sigma * torch.randn(QUERIES, LENGTHS[-1] * 2, generator=generator, dtype=torch.float64)
    slopes = alibi_slopes(heads).tolist()
    slope = slopes[chosen - 1]
    return {
        "plain_window": window(scores, length, 0.0),
        "alibi_window": window(scores, length, slope),
        "plain_growth": window(scores, 2 * length, 0.0) / window(scores, length, 0.0),
        "alibi_growth": window(scores, 2 * length, slope) / window(scores, length, slope),
        "slope": slope,
        "first_slope": slopes[0],
        "last_slope": slopes[-1],
        "shift_change": shift_change(heads, length),
        "parameters": 0,
        "half_distance": math.log(2) / slope,
        **corner(alibi_bias(heads, SHOWN, SHOWN)[chosen - 1], scores[:SHOWN, :SHOWN]),
        "plain_window_over_length": (LENGTHS, [window(scores, each, 0.0) for each in LENGTHS]),
        "alibi_window_over_length": (LENGTHS, [window(scores, each, slope) for each in LENGTHS]),
        "log2_inverse_slope_over_head": (range(1, heads + 1), [-math.log2(each) for each in slopes]),
        "chosen": chosen,
        "power_of_two": 1 << (heads.bit_length() - 1),
    }


def window(scores: Tensor, length: int, slope: float) -> float:
    """e to the entropy of the weights on `length` tokens: as many as would share the weight if all had the same."""
    bias = -slope * torch.arange(length - 1, -1, -1, dtype=torch.float64)  # what the last query gives each key
    return math.exp(entropy(softmax(scores[:, -length:] + bias)))


def shift_change(heads: int, length: int) -> Tensor:
    """Among the last tokens of a longer text the bias is that of the text alone."""
    count = min(length, SHOWN)
    return (alibi_bias(heads, count, length)[:, :, -count:] - alibi_bias(heads, count, count)).abs().max()


def corner(bias: Tensor, scores: Tensor) -> Numbers:
    """What a causal head does with the first tokens. (6, 6) each"""
    mask = causal_mask(SHOWN, SHOWN)
    return {
        "bias": bias.masked_fill(~mask, -math.inf),
        "weights_alibi": softmax(scores + bias, mask),
        "weights_plain": softmax(scores, mask),
    }


LENGTH, HEAD = Label("tokens n", "词元数 n"), Label("head", "头")
WINDOWS, SLOPES = (1, LONGEST), (0, 1)

MEASURES = (
    wrong(
        "plain_window", "e^(mean entropy): tokens that share the weight, no positions", "e^平均熵：分得权重的词元数，无位置", within=WINDOWS
    ),
    right(
        "alibi_window",
        "e^(mean entropy): tokens that share the weight, head {chosen}",
        "e^平均熵：分得权重的词元数，头 {chosen}",
        within=WINDOWS,
    ),
    wrong("plain_growth", "tokens sharing the weight: text doubled / text, no positions", "分得权重的词元数：文本加倍后之比，无位置"),
    right("alibi_growth", "tokens sharing the weight: text doubled / text, head {chosen}", "分得权重的词元数：文本加倍后之比，头 {chosen}"),
    measured("slope", "slope of head {chosen}", "头 {chosen} 的斜率", within=SLOPES),
    measured("first_slope", "slope of the first head", "首个头的斜率", within=SLOPES),
    measured("last_slope", "slope of the last head", "末个头的斜率", within=SLOPES),
    measured("shift_change", "text shifted: largest change of the bias", "整体平移：偏置的最大变化"),
    measured("parameters", "learned numbers", "要学习的参数量"),
    measured("half_distance", "distance at which head {chosen} halves a weight", "头 {chosen} 使权重减半的距离"),
    Grid("bias", Label("bias of head {chosen}", "头 {chosen} 的偏置"), rows="q{1}", columns="k{1}", formula="-m (i - j)"),
    Grid(
        "weights_alibi",
        Label("weights with the bias", "加偏置的权重"),
        rows="q{1}",
        columns="k{1}",
        formula=r"\mathrm{softmax}(S - m (i - j))",
        kind="weights",
        arm="right",
    ),
    Grid(
        "weights_plain",
        Label("weights without it", "不加偏置的权重"),
        rows="q{1}",
        columns="k{1}",
        formula=r"\mathrm{softmax}(S)",
        kind="weights",
        arm="wrong",
    ),
    Curve(
        "plain_window_over_length",
        Label("tokens that share the weight, no positions", "分得权重的词元数，无位置"),
        LENGTH,
        "window",
        log_x=True,
        arm="wrong",
    ),
    Curve(
        "alibi_window_over_length",
        Label("tokens that share the weight, head {chosen}", "分得权重的词元数，头 {chosen}"),
        LENGTH,
        "window",
        log_x=True,
        arm="right",
    ),
    Curve("log2_inverse_slope_over_head", Label("-log2 of the slope", "斜率的 −log2"), HEAD, "slopes"),
    note("no_such_head", "head > heads", "There is no head {head}; head {heads} is shown.", "没有第 {head} 个头，显示的是头 {heads}。"),
    note(
        "uneven",
        "heads != power_of_two",
        "No power of two: the missing slopes are taken from between.",
        "头数不是 2 的幂：缺的斜率从中间补。",
    ),
    note(
        "few_anyway",
        "alibi_window >= plain_window",
        "Here a few large scores take the weight anyway: ALiBi narrows nothing.",
        "这里少数几个大分数本就占去了权重：ALiBi 没有让窗口变窄。",
    ),
    note(
        "wide",
        "alibi_growth > 1.1",
        "The slope of head {chosen} is {slope:.2g}: its window is nearly as wide as this text and grows with it, {alibi_growth:.2f} times.",
        "头 {chosen} 的斜率是 {slope:.2g}：它的窗口几乎与这段文本一样宽，还会随文本变宽，为 {alibi_growth:.2f} 倍。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("ALiBi", "ALiBi"),
    summary=Label(
        "A straight penalty for distance, one slope a head, on random scores.", "对距离的线性惩罚，每个头一个斜率，作用在随机分数上。"
    ),
    keywords=("attention with linear biases", "extrapolation", "length generalisation", "BLOOM", "外推", "线性偏置", "位置编码"),
    parameters=(
        Parameter("heads", Label("heads h", "头数 h"), 8, 1, 16),
        Parameter("head", HEAD, 3, 1, 16),
        Parameter("length", LENGTH, 256, LENGTHS[0], LONGEST, 2, "log"),
        Parameter("sigma", Label("std of the scores", "分数的标准差"), 1.0, 0.0, 5.0, 0.5),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("plain_window_over_length", "alibi_window_over_length"),
            over="length",
            mark="alibi_window",
            caption=Label(
                "Each step of distance costs a head a fixed penalty: it looks back only so far, however long the text grows.",
                "每远一步，就扣一个固定的分：文本再长，一个头也只看得到那么远。",
            ),
        ),
        Figure("heatmap", ("weights_plain", "weights_alibi")),
        Figure("heatmap", ("bias",)),
        Figure("curve", ("log2_inverse_slope_over_head",), over="head"),
    ),
    arms=("plain_window", "alibi_window"),
    presets=(
        Preset(
            Label("head 1", "第 1 个头"),
            {"head": 1},
            Label("The steepest slope, 1/2: about four tokens share the weight.", "最陡的斜率 1/2：约四个词元分享权重。"),
            "alibi_window < 6",
            show="weights_plain",
        ),
        Preset(
            Label("head 8", "第 8 个头"),
            {"head": 8},
            Label(
                "The gentlest, 1/256: at this length it looks nearly as far as without positions.",
                "最缓的斜率 1/256：在这个长度上，看得几乎和没有位置时一样远。",
            ),
            "slope < 0.004 and alibi_window > 100",
        ),
        Preset(
            Label("no scores", "没有分数"),
            {"sigma": 0.0},
            Label(
                "Nothing but the penalty: without it all tokens would share alike, with it the near ones do.",
                "只剩惩罚：没有它，所有词元平分；有了它，近处的分得多。",
            ),
            "plain_window > 255 and alibi_window < 30",
        ),
    ),
    run=run,
)
