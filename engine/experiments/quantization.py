"""With one int8 scale for all weights a single large outlier costs the others most levels; a scale for each channel confines it."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import gelu

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.quantization import absmax_scale, affine, outliers_apart, per_channel, quantize, rms_error, symmetric

CHANNELS, WIDTH, TOKENS = 64, 64, 32
OUTLIER = (1, 2)  # where it stands: in channel 2
OTHERS = torch.arange(CHANNELS) != OUTLIER[0]  # (C,), True for the other channels
SHOWN = (slice(4), slice(6))
THRESHOLD = 6.0
OUTLIERS = tuple(2.0 ** (tick / 2) for tick in range(4, 17))  # 4 ... 256, the x axis
BITS = tuple(range(2, 9))


def run(*, bits: int, outlier: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    clean = torch.randn(CHANNELS, WIDTH, generator=generator, dtype=torch.float64)  # (C, D)
    tokens = torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64)  # (T, D)
    W = with_outlier(clean, outlier)
    return {
        **errors(clean, W, bits),
        **levels(W, bits),
        **output_errors(tokens, W, bits),
        **one_sided(gelu(clean), bits),
        "clean_largest": clean.abs().max(),
        **curves(clean, outlier, bits),
        "weights": W[SHOWN],
    }


def with_outlier(clean: Tensor, outlier: float) -> Tensor:
    """The same weights with one of them, in channel 2, replaced."""
    W = clean.clone()
    W[OUTLIER] = outlier
    return W


def errors(clean: Tensor, W: Tensor, bits: int) -> Numbers:
    return {
        "one_scale_error": rms_error(W, symmetric(W, bits)),
        "per_channel_error": rms_error(W, per_channel(W, bits)),
        "clean_error": rms_error(clean, symmetric(clean, bits)),
        "other_channels_error": rms_error(W[OTHERS], per_channel(W, bits)[OTHERS]),
        "outliers_apart_error": rms_error(W, outliers_apart(W, bits, THRESHOLD)),
    }


def levels(W: Tensor, bits: int) -> Numbers:
    """The integers that the weights become with one scale, and with a scale a channel."""
    one, each = quantize(W, absmax_scale(W, bits)), quantize(W, absmax_scale(W, bits, dim=-1))  # (C, D)
    others = torch.ones_like(W, dtype=torch.bool)
    others[OUTLIER] = False
    return {
        "levels": 2**bits - 1,
        "levels_used": distinct(one[others]),
        "levels_used_per_channel": distinct(each[0]),
        "zeros_percent": 100 * (one == 0).double().mean(),
        "zeros_percent_per_channel": 100 * (each == 0).double().mean(),
        "whole_one_scale": one[SHOWN],
        "whole_per_channel": each[SHOWN],
    }


def distinct(whole: Tensor) -> int:
    """How many different integers there are."""
    return len(set(whole.flatten().tolist()))


def output_errors(tokens: Tensor, W: Tensor, bits: int) -> Numbers:
    """The relative error of X Wᵀ in the channels without an outlier, which is what the next layer sees."""
    exact = (tokens @ W.T)[:, OTHERS]  # (T, C - 1)
    one, each = ((tokens @ restored.T)[:, OTHERS] for restored in (symmetric(W, bits), per_channel(W, bits)))
    return {
        "output_error_one_scale": 100 * ((one - exact).norm() / exact.norm()),
        "output_error_per_channel": 100 * ((each - exact).norm() / exact.norm()),
    }


def one_sided(activations: Tensor, bits: int) -> Numbers:
    """GELU's outputs begin at -0.17: symmetric steps are wasted on negative numbers that do not occur."""
    return {
        "gelu_symmetric_error": rms_error(activations, symmetric(activations, bits)),
        "gelu_affine_error": rms_error(activations, affine(activations, bits)),
    }


def curves(clean: Tensor, outlier: float, bits: int) -> Numbers:
    changed, W = [with_outlier(clean, each) for each in OUTLIERS], with_outlier(clean, outlier)
    return {
        "one_scale_error_over_outlier": (OUTLIERS, [rms_error(each, symmetric(each, bits)) for each in changed]),
        "per_channel_error_over_outlier": (OUTLIERS, [rms_error(each, per_channel(each, bits)) for each in changed]),
        "one_scale_error_over_bits": (BITS, [rms_error(W, symmetric(W, each)) for each in BITS]),
        "per_channel_error_over_bits": (BITS, [rms_error(W, per_channel(W, each)) for each in BITS]),
    }


OUTLIER_LABEL, BITS_LABEL = Label("outlier", "离群值"), Label("bits", "位数")
SHARED, OWN = (
    Label("RMS error of all weights, one scale", "全部权重的均方根误差，共用缩放"),
    Label("RMS error of all weights, a scale a channel", "全部权重的均方根误差，每通道缩放"),
)
ROUNDED = r"q = \mathrm{round}\left(\frac{w}{s}\right)"
LEVELS = 2 ** BITS[-1] - 1

MEASURES = (
    wrong("one_scale_error", "RMS error of all weights with the outlier, one scale", "全部权重的均方根误差，有离群值，共用缩放"),
    right(
        "per_channel_error", "RMS error of all weights with the outlier, a scale a channel", "全部权重的均方根误差，有离群值，每通道缩放"
    ),
    measured("clean_error", "RMS error of all weights without the outlier, one scale", "全部权重的均方根误差，没有离群值，共用缩放"),
    right("other_channels_error", "RMS error in the 63 other channels, a scale a channel", "其余 63 个通道的均方根误差，每通道缩放"),
    right("outliers_apart_error", "RMS error of all weights, those beyond 6 kept in full", "全部权重的均方根误差，超过 6 的保留原精度"),
    measured("levels", "levels of {bits} bits, symmetric", "{bits} 位对称量化的级数", within=(2 ** BITS[0] - 1, LEVELS)),
    wrong("levels_used", "levels that the other weights use, one scale", "其余权重用到的级数，共用缩放", within=(1, LEVELS)),
    right("levels_used_per_channel", "levels that channel 1 uses, its own scale", "通道 1 用到的级数，自有缩放", within=(1, WIDTH)),
    wrong("zeros_percent", "weights rounded to 0, one scale", "被舍入为 0 的权重，共用缩放", "%", PERCENT),
    right("zeros_percent_per_channel", "weights rounded to 0, a scale a channel", "被舍入为 0 的权重，每通道缩放", "%", PERCENT),
    wrong("output_error_one_scale", "other channels' outputs: relative error, one scale", "其余通道的输出：相对误差，共用缩放", "%"),
    right(
        "output_error_per_channel",
        "other channels' outputs: relative error, a scale a channel",
        "其余通道的输出：相对误差，每通道缩放",
        "%",
    ),
    wrong("gelu_symmetric_error", "RMS error of GELU outputs, symmetric", "GELU 输出的均方根误差，对称量化"),
    right("gelu_affine_error", "RMS error of GELU outputs, with a zero point", "GELU 输出的均方根误差，带零点"),
    Grid("whole_one_scale", Label("integers: one scale (a corner)", "整数：共用缩放（一角）"), "c{1}", "w{1}", ROUNDED, arm="wrong"),
    Grid("whole_per_channel", Label("integers: a scale a channel", "整数：每通道缩放"), "c{1}", "w{1}", ROUNDED, arm="right"),
    Grid("weights", Label("weights", "权重"), "c{1}", "w{1}", "w"),
    Curve("one_scale_error_over_outlier", SHARED, OUTLIER_LABEL, "outlier", log_x=True, arm="wrong"),
    Curve("per_channel_error_over_outlier", OWN, OUTLIER_LABEL, "outlier", log_x=True, arm="right"),
    Curve("one_scale_error_over_bits", SHARED, BITS_LABEL, "bits", arm="wrong"),
    Curve("per_channel_error_over_bits", OWN, BITS_LABEL, "bits", arm="right"),
    note("ternary", "bits == 2", "Two bits leave -1, 0 and 1 only.", "两位只剩 −1、0、1。"),
    note(
        "no_outlier",
        "outlier <= clean_largest",
        "{outlier:g} is no outlier: the other weights go as far as {clean_largest:.2g}.",
        "{outlier:g} 算不上离群值：其余权重最大到 {clean_largest:.2g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("quantisation and one outlier", "量化与一个离群值"),
    summary=Label("int8 and fewer bits, one scale against one a channel.", "int8 与更低位数：共用一个缩放，还是每通道一个。"),
    keywords=("int8", "int4", "LLM.int8", "GPTQ", "AWQ", "absmax", "zero point", "outlier", "量化", "离群值", "低比特"),
    parameters=(Parameter("bits", BITS_LABEL, 8, BITS[0], BITS[-1]), Parameter("outlier", OUTLIER_LABEL, 100.0, 1.0, 256.0, 1.0), SEED),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("whole_one_scale", "whole_per_channel"),
            caption=Label(
                "With one scale for all, a single large weight takes the range, and the others round to a few steps around 0.",
                "共用一个缩放，一个大权重就占满了整个范围，其余的只能落在 0 附近的几级上。",
            ),
        ),
        Figure("curve", ("one_scale_error_over_outlier", "per_channel_error_over_outlier"), over="outlier", mark="one_scale_error"),
        Figure("curve", ("one_scale_error_over_bits", "per_channel_error_over_bits"), over="bits", mark="one_scale_error"),
        Figure("bars", ("levels_used", "levels_used_per_channel"), mark="levels"),
        Figure("heatmap", ("weights",)),
    ),
    arms=("one_scale_error", "per_channel_error"),
    presets=(
        Preset(
            Label("no outlier", "没有离群值"),
            {"outlier": 1.0},
            Label("Without an outlier one scale is nearly as good as one a channel.", "没有离群值时，一个缩放与逐通道缩放几乎一样好。"),
            "one_scale_error < 0.02",
        ),
        Preset(
            Label("outlier 256", "离群值 256"),
            {"outlier": 256.0},
            Label("Two thirds of the weights become 0 for the sake of one.", "为了一个权重，三分之二的权重变成了 0。"),
            "zeros_percent > 60 and levels_used < 8",
            show="one_scale_error_over_outlier",
        ),
        Preset(
            Label("2 bits", "2 位"),
            {"bits": 2},
            Label(
                "Three levels, -1, 0 and 1: with one scale nothing but the outlier is left.",
                "只有 −1、0、1 三级：共用一个缩放时，除了离群值什么都不剩。",
            ),
            "levels == 3 and zeros_percent > 99",
        ),
    ),
    run=run,
)
