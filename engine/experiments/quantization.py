"""With one int8 scale for all weights a single outlier costs the others nearly all their levels; a scale for each channel confines it."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import gelu

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.quantization import absmax_scale, affine, outliers_apart, per_channel, quantize, rms_error, symmetric

CHANNELS, WIDTH, TOKENS = 64, 64, 32
SHOWN = (4, 6)
THRESHOLD = 6.0
OUTLIERS = tuple(2.0 ** (tick / 2) for tick in range(4, 17))  # 4 ... 256, the x axis
BITS = tuple(range(2, 9))
OUTLIER_LABEL, BITS_LABEL = Label("outlier", "离群值"), Label("bits", "位数")


def run(*, bits: int, outlier: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    clean = torch.randn(CHANNELS, WIDTH, generator=generator, dtype=torch.float64)  # (C, D)
    tokens = torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64)  # (T, D)
    W = with_outlier(clean, outlier)
    return Result(
        quantities=(
            *_errors(clean, W, bits),
            *_levels(W, bits),
            *_outputs(tokens, W, bits),
            *_one_sided(gelu(clean), bits),
        ),
        matrices=_corner(W, bits),
        series=_curves(clean, outlier, bits),
        notes=_notes(bits),
    )


def with_outlier(clean: Tensor, outlier: float) -> Tensor:
    """The same weights with one of them, in channel 2, replaced."""
    W = clean.clone()
    W[1, 2] = outlier
    return W


def _errors(clean: Tensor, W: Tensor, bits: int) -> tuple[Quantity, ...]:
    others = torch.arange(CHANNELS) != 1
    return (
        wrong("one_scale_error", rms_error(W, symmetric(W, bits)), "error with an outlier, one scale", "误差：有离群值，共用一个缩放"),
        right(
            "per_channel_error",
            rms_error(W, per_channel(W, bits)),
            "error with an outlier, a scale a channel",
            "误差：有离群值，每通道一个缩放",
        ),
        measured(
            "clean_error",
            rms_error(clean, symmetric(clean, bits)),
            "error without the outlier, one scale",
            "误差：没有离群值，共用一个缩放",
        ),
        right(
            "other_channels_error", rms_error(W[others], per_channel(W, bits)[others]), "... in the 63 other channels", "……其余 63 个通道"
        ),
        right(
            "outliers_apart_error",
            rms_error(W, outliers_apart(W, bits, THRESHOLD)),
            "error, beyond 6 kept in full",
            "误差：超过 6 的保留原精度",
        ),
    )


def distinct(whole: Tensor) -> int:
    """How many different integers there are."""
    return len(set(whole.flatten().tolist()))


def _levels(W: Tensor, bits: int) -> tuple[Quantity, ...]:
    whole = quantize(W, absmax_scale(W, bits))
    rows = quantize(W, absmax_scale(W, bits, dim=-1))
    return (
        measured("levels", 2**bits - 1, f"levels of {bits} bits, symmetric", f"{bits} 位对称量化的级数"),
        wrong(
            "levels_used",
            distinct(whole[whole != whole[1, 2]]),
            "levels that the other weights use, one scale",
            "其余权重用到的级数，共用缩放",
        ),
        right("levels_used_per_channel", distinct(rows[0]), "levels that channel 1 uses, its own scale", "通道 1 用到的级数，自有缩放"),
        wrong(
            "zeros_percent",
            100 * number((whole == 0).double().mean()),
            "weights rounded to 0, one scale",
            "被舍入为 0 的权重，共用缩放",
            "%",
        ),
        right(
            "zeros_percent_per_channel",
            100 * number((rows == 0).double().mean()),
            "weights rounded to 0, a scale a channel",
            "被舍入为 0 的权重，每通道缩放",
            "%",
        ),
    )


def _outputs(tokens: Tensor, W: Tensor, bits: int) -> tuple[Quantity, ...]:
    """The relative error of X Wᵀ in the channels without an outlier, which is what the next layer sees."""
    others = torch.arange(CHANNELS) != 1
    exact = (tokens @ W.T)[:, others]

    def off(restored: Tensor) -> float:
        return number(((tokens @ restored.T)[:, others] - exact).norm() / exact.norm())

    return (
        wrong(
            "output_error_one_scale",
            100 * off(symmetric(W, bits)),
            "outputs of the other channels off by, one scale",
            "其余通道输出的误差，共用缩放",
            "%",
        ),
        right("output_error_per_channel", 100 * off(per_channel(W, bits)), "... a scale a channel", "……每通道缩放", "%"),
    )


def _one_sided(activations: Tensor, bits: int) -> tuple[Quantity, ...]:
    """GELU's outputs begin at -0.17: symmetric steps are wasted on negative numbers that do not occur."""
    return (
        wrong(
            "gelu_symmetric_error", rms_error(activations, symmetric(activations, bits)), "GELU outputs, symmetric", "GELU 输出，对称量化"
        ),
        right(
            "gelu_affine_error", rms_error(activations, affine(activations, bits)), "GELU outputs, with a zero point", "GELU 输出，带零点"
        ),
    )


def _corner(W: Tensor, bits: int) -> tuple[Matrix, ...]:
    rows, columns = names("c", SHOWN[0]), names("w", SHOWN[1])

    def corner(values: Tensor) -> tuple[tuple[float, ...], ...]:
        return grid(values[: SHOWN[0], : SHOWN[1]])

    one, each = quantize(W, absmax_scale(W, bits)), quantize(W, absmax_scale(W, bits, dim=-1))
    formula = r"q = \mathrm{round}\left(\frac{w}{s}\right)"
    return (
        Matrix(
            "whole_one_scale",
            corner(one),
            Label("integers, one scale (a corner)", "整数，共用缩放（一角）"),
            rows,
            columns,
            formula,
            arm="wrong",
        ),
        Matrix(
            "whole_per_channel", corner(each), Label("integers, a scale a channel", "整数，每通道缩放"), rows, columns, formula, arm="right"
        ),
        Matrix("weights", corner(W), Label("weights", "权重"), rows, columns, "w"),
    )


def _curves(clean: Tensor, outlier: float, bits: int) -> tuple[Series, ...]:
    changed, W = [with_outlier(clean, each) for each in OUTLIERS], with_outlier(clean, outlier)
    one, each = [rms_error(w, symmetric(w, bits)) for w in changed], [rms_error(w, per_channel(w, bits)) for w in changed]
    one_by_bits, each_by_bits = [rms_error(W, symmetric(W, b)) for b in BITS], [rms_error(W, per_channel(W, b)) for b in BITS]
    by_bits, shared, own = (
        tuple(map(float, BITS)),
        Label("error, one scale", "误差，共用缩放"),
        Label("error, a scale a channel", "误差，每通道缩放"),
    )
    return (
        Series("one_scale_error_over_outlier", OUTLIERS, tuple(one), shared, OUTLIER_LABEL, "outlier", True, "wrong"),
        Series("per_channel_error_over_outlier", OUTLIERS, tuple(each), own, OUTLIER_LABEL, "outlier", True, "right"),
        Series("one_scale_error_over_bits", by_bits, tuple(one_by_bits), shared, BITS_LABEL, "bits", arm="wrong"),
        Series("per_channel_error_over_bits", by_bits, tuple(each_by_bits), own, BITS_LABEL, "bits", arm="right"),
    )


def _notes(bits: int) -> tuple[Label, ...]:
    ternary = Label("Two bits leave -1, 0 and 1 only.", "两位只剩 −1、0、1。")
    return (ternary,) if bits == 2 else ()


def cost(*, bits: int, outlier: float, seed: int) -> Cost:
    cells = CHANNELS * WIDTH
    return Cost(bytes=8 * 30 * cells, flops=60 * 10 * cells + 6 * cells * TOKENS)


EXPERIMENT = Experiment(
    title=Label("quantisation and one outlier", "量化与一个离群值"),
    summary=Label("int8 and fewer bits, one scale against one a channel.", "int8 与更低位数：共用一个缩放，还是每通道一个。"),
    parameters=(
        Parameter("bits", BITS_LABEL, 8, BITS[0], BITS[-1]),
        Parameter("outlier", OUTLIER_LABEL, 100.0, 1.0, 256.0, 1.0),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(absmax_scale, quantize, symmetric, per_channel, outliers_apart, affine),
    arms=("one_scale_error", "per_channel_error"),
)
