"""LayerNorm brings a token's own D numbers to mean 0 and variance 1, dividing by D: others, shifts and (but for ε) scales do not matter."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._norm_invariances import INVARIANCE_MEASURES, Norm, invariance, leaks
from engine.experiments._normalized_cells import CELL_MEASURES, COLUMNS, ROWS, SENTENCES, TOKENS, WIDTH, along, normalized
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Measure, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.normalization import LayerNorm, RMSNorm, layer_norm, layer_norm_eps_outside, layer_norm_sample_variance, rms_norm
from engine.textbook.random_weights import count_parameters
from engine.textbook.weight_statistics import skewness

SKEWED = 20_000  # exponential numbers in one row
WIDTHS = tuple(2**power for power in range(1, 10))  # 2 ... 512, the x axis
SCALES = tuple(10.0**power for power in range(-3, 4))


def run(*, line: str, width: int, scale: float, shift: float, epsilon: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(SENTENCES, TOKENS, WIDTH, generator=generator, dtype=torch.float64)  # (B, T, D)
    tokens = tokens + torch.arange(WIDTH, dtype=torch.float64)  # features with means of their own, for BatchNorm to remove
    skewed = torch.empty(SKEWED, dtype=torch.float64).exponential_(generator=generator)
    return {
        **of_one_hot(scale * one_hot(width), epsilon),
        **invariance(tokens, scale, shift, epsilon),
        **leaks(tokens, epsilon),
        **spread_and_shape(tokens, skewed, epsilon),
        "layer_norm_parameters": count_parameters(LayerNorm(width)),
        "rms_norm_parameters": count_parameters(RMSNorm(width)),
        **(states := normalized(tokens, epsilon)),
        **along(line, states),
        **curves(scale, epsilon),
        "epsilon_share": epsilon / (float((scale * one_hot(width)).var(correction=0)) + epsilon),
    }


def one_hot(width: int) -> Tensor:
    """[1, 0, ..., 0]: its LayerNorm is √(D - 1), then -1/√(D - 1)."""
    return torch.eye(width, dtype=torch.float64)[0]


def of_one_hot(x: Tensor, eps: float) -> Numbers:
    first, rest = layer_norm(x, eps)[:2]
    return {
        "ddof1_first": layer_norm_sample_variance(x, eps)[0],
        "layer_norm_first": first,
        "layer_norm_rest": rest,
        "eps_outside_first": layer_norm_eps_outside(x, eps)[0],
        "rms_norm_first": rms_norm(x, eps)[0],
    }


def spread_and_shape(tokens: Tensor, skewed: Tensor, eps: float) -> Numbers:
    rows = layer_norm(tokens, eps)
    return {
        "row_mean": rows.mean(-1).abs().max(),
        "row_std": rows.std(-1, correction=0).mean(),
        "skew_before": skewness(skewed),
        "skew_after": skewness(layer_norm(skewed, eps)),
    }


def curves(scale: float, eps: float) -> Numbers:
    def share(norm: Norm) -> list[Tensor]:
        return [norm(scale * one_hot(width), eps)[0] / math.sqrt(width - 1) for width in WIDTHS]

    def std(norm: Norm) -> list[Tensor]:
        return [norm(each * one_hot(WIDTH), eps).std(correction=0) for each in SCALES]

    return {
        "ddof1_share_over_width": (WIDTHS, share(layer_norm_sample_variance)),
        "layer_norm_share_over_width": (WIDTHS, share(layer_norm)),
        "eps_outside_std_over_scale": (SCALES, std(layer_norm_eps_outside)),
        "layer_norm_std_over_scale": (SCALES, std(layer_norm)),
    }


WIDTH_LABEL, SCALE_LABEL = Label("width D", "宽度 D"), Label("scale", "缩放倍数")
OVER_WIDTH, OVER_SCALE = (WIDTH_LABEL, "width", True), (SCALE_LABEL, "scale", True)  # the axis, the figure, log
UP_TO_ROOT = (0, math.sqrt(WIDTHS[-1]))  # a normalised number is at most √D

MEASURES: tuple[Measure, ...] = (
    wrong("ddof1_first", "first number of a one-hot, variance over D - 1", "独热向量的首个数，方差除以 D − 1", within=UP_TO_ROOT),
    right("layer_norm_first", "first number of a one-hot, LayerNorm", "独热向量的首个数，LayerNorm", within=UP_TO_ROOT),
    right("layer_norm_rest", "other numbers of a one-hot, LayerNorm", "独热向量的其余数，LayerNorm", within=(-1, 0)),
    wrong("eps_outside_first", "first number of a one-hot, ε outside the root", "独热向量的首个数，ε 放在根号外", within=UP_TO_ROOT),
    measured("rms_norm_first", "first number of a one-hot, RMSNorm", "独热向量的首个数，RMSNorm", within=UP_TO_ROOT),
    *INVARIANCE_MEASURES,
    right("row_mean", "largest |mean| of a token after LayerNorm", "LayerNorm 后词元 |均值| 的最大值"),
    right("row_std", "std within a token after LayerNorm, mean over tokens", "LayerNorm 后词元内的标准差，对词元平均", within=SHARE),
    measured("skew_before", "skewness of exponential data, before LayerNorm", "指数分布数据的偏度，LayerNorm 之前"),
    measured("skew_after", "skewness of exponential data, after LayerNorm", "指数分布数据的偏度，LayerNorm 之后"),
    measured("layer_norm_parameters", "parameters of LayerNorm", "LayerNorm 的参数量", within=(2 * WIDTHS[0], 2 * WIDTHS[-1])),
    measured("rms_norm_parameters", "parameters of RMSNorm", "RMSNorm 的参数量", within=(WIDTHS[0], WIDTHS[-1])),
    Curve(
        "ddof1_share_over_width", Label("first number / √(D - 1), over D - 1", "首个数 / √(D - 1)，方差除以 D - 1"), *OVER_WIDTH, "wrong"
    ),
    Curve("layer_norm_share_over_width", Label("first number / √(D - 1), LayerNorm", "首个数 / √(D - 1)，LayerNorm"), *OVER_WIDTH, "right"),
    Curve(
        "eps_outside_std_over_scale",
        Label("std of a normed one-hot, ε outside", "归一化后独热向量的标准差，ε 在根号外"),
        *OVER_SCALE,
        "wrong",
    ),
    Curve(
        "layer_norm_std_over_scale",
        Label("std of a normed one-hot, LayerNorm", "归一化后独热向量的标准差，LayerNorm"),
        *OVER_SCALE,
        "right",
    ),
    note(
        "epsilon_counts",
        "epsilon_share > 0.01",
        "At this scale ε is {epsilon_share:.0%} of what the one-hot vector is divided by, squared: its LayerNorm starts with "
        "{layer_norm_first:.3g}, not √(D - 1).",
        "在这个缩放下，ε 占独热向量所除平方的 {epsilon_share:.0%}：LayerNorm 的首个数是 {layer_norm_first:.3g}，而不是 √(D − 1)。",
    ),
    note(
        "scale_counts",
        "layer_norm_scale_change > 0.001",
        "The scale is ignored only where ε is small beside the variance: here it changes LayerNorm by up to {layer_norm_scale_change:.2g}.",
        "只有 ε 远小于方差时才与缩放无关：这里缩放使 LayerNorm 最多变化 {layer_norm_scale_change:.2g}。",
    ),
    *CELL_MEASURES,
)

EXPERIMENT = Experiment(
    title=Label("layer normalisation", "层归一化"),
    summary=Label(
        "LayerNorm, BatchNorm, RMSNorm: which axis, which divisor, where ε goes, and what does not change.",
        "LayerNorm、BatchNorm 与 RMSNorm：沿哪个轴、除以几、ε 放哪里，以及什么不变。",
    ),
    keywords=("LayerNorm", "RMSNorm", "QK-norm", "normalization", "LN", "epsilon", "层归一化", "均方根", "归一化"),
    parameters=(
        choice(
            "line",
            Label("row or column", "行或列"),
            *((name, f"row {name}: a token", f"行 {name}：一个词元") for name in ROWS),
            *((name, f"column {name}: a feature", f"列 {name}：一个特征") for name in COLUMNS),
        ),
        Parameter("width", WIDTH_LABEL, 4, WIDTHS[0], WIDTHS[-1], 2, "log"),
        Parameter("scale", SCALE_LABEL, 1.0, SCALES[0], SCALES[-1], 10, "log"),
        Parameter("shift", Label("shift", "平移量"), 7.0, -10.0, 10.0, 0.5),
        Parameter("epsilon", Label("ε", "ε"), 1e-5, 1e-8, 0.1, 10, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("line_numbers",),
            caption=Label(
                "LayerNorm brings every row to μ = 0, σ = 1, a token by itself; BatchNorm every column, over all tokens.",
                "LayerNorm 让每一行 μ = 0、σ = 1，只看词元自己；BatchNorm 则让每一列如此，要看所有词元。",
            ),
        ),
        Figure("heatmap", ("layer_normed", "batch_normed", "sentence_normed", "rms_normed")),
        Figure("heatmap", ("tokens",)),
        Figure("curve", ("ddof1_share_over_width", "layer_norm_share_over_width"), over="width"),
        Figure("curve", ("eps_outside_std_over_scale", "layer_norm_std_over_scale"), over="scale"),
        Figure("bars", ("layer_norm_leak", "whole_sentence_leak", "layer_norm_batch_leak", "batch_norm_leak")),
    ),
    arms=("ddof1_first", "layer_norm_first"),
    presets=(
        Preset(
            Label("a column", "看一列"),
            {"line": "d4"},
            Label(
                "Feature d4 over all tokens: BatchNorm takes its large mean out, LayerNorm leaves a mean above 0.",
                "所有词元的特征 d4：BatchNorm 去掉了它很大的均值，LayerNorm 之后均值仍大于 0。",
            ),
            "layer_norm_line_mean > 0.5 and batch_norm_line_mean < 0.001 and batch_norm_line_std > 0.99",
        ),
        Preset(
            Label("ε = 0.1", "ε = 0.1"),
            {"epsilon": 0.1},
            Label(
                "A large ε keeps every token's deviation below 1, and the one-hot's first number below √3.",
                "ε 大了，每个词元的标准差都小于 1，独热向量的首个数也小于 √3。",
            ),
            "row_std < 0.99 and layer_norm_first < 1.5",
            show="eps_outside_std_over_scale",
        ),
        Preset(
            Label("D = 512", "D = 512"),
            {"width": 512},
            Label(
                "Wide, dividing by D - 1 instead of D makes no difference that anybody would see.",
                "很宽的时候，除以 D − 1 还是 D 看不出差别。",
            ),
            "ddof1_first > 22.5 and layer_norm_first < 22.61",
            show="ddof1_share_over_width",
        ),
    ),
    run=run,
)
