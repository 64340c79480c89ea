"""LayerNorm brings each token's own D numbers to mean 0 and variance 1, dividing by D: other tokens, shifts and scales do not matter."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.normalization import (
    LayerNorm,
    RMSNorm,
    batch_norm,
    layer_norm,
    layer_norm_eps_outside,
    layer_norm_sample_variance,
    layer_norm_whole_sentence,
    normalize,
    rms_norm,
)
from engine.textbook.random_weights import count_parameters
from engine.textbook.weight_statistics import skewness

Arm = Literal["", "right", "wrong"]
Norm = Callable[[Tensor, float], Tensor]

SENTENCES, TOKENS, WIDTH = 2, 3, 4  # what is shown cell by cell
ROWS = ("a1", "a2", "a3", "b1", "b2", "b3")
SKEWED = 20_000  # exponential numbers in one row
WIDTHS = tuple(2**power for power in range(1, 10))  # 2 ... 512, the x axis
SCALES = tuple(10.0**power for power in range(-3, 4))
WIDTH_LABEL, SCALE_LABEL = Label("width D", "宽度 D"), Label("scale", "缩放倍数")


def run(*, width: int, scale: float, shift: float, epsilon: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(SENTENCES, TOKENS, WIDTH, generator=generator, dtype=torch.float64)  # (B, T, D)
    tokens = tokens + torch.arange(WIDTH, dtype=torch.float64)  # features with means of their own, for BatchNorm to remove
    skewed = torch.empty(SKEWED, dtype=torch.float64).exponential_(generator=generator)
    return Result(
        quantities=(
            *_one_hot(scale * one_hot(width), epsilon),
            *_invariance(tokens, scale, shift, epsilon),
            *_leaks(tokens, epsilon),
            *_shape_of_data(tokens, skewed, width, epsilon),
        ),
        matrices=_matrices(tokens, epsilon),
        series=_curves(scale, epsilon),
    )


def one_hot(width: int) -> Tensor:
    """[1, 0, ..., 0]: its LayerNorm is √(D - 1), then -1/√(D - 1)."""
    return torch.eye(width, dtype=torch.float64)[0]


def _one_hot(x: Tensor, eps: float) -> tuple[Quantity, ...]:
    normed = layer_norm(x, eps)
    return (
        wrong("ddof1_first", number(layer_norm_sample_variance(x, eps)[0]), "first number, variance over D - 1", "首个数，方差除以 D - 1"),
        right("layer_norm_first", number(normed[0]), "first number, LayerNorm", "首个数，LayerNorm"),
        right("layer_norm_rest", number(normed[1]), "the other numbers, LayerNorm", "其余的数，LayerNorm"),
        wrong("eps_outside_first", number(layer_norm_eps_outside(x, eps)[0]), "first number, ε outside the root", "首个数，ε 放在根号外"),
        measured("rms_norm_first", number(rms_norm(x, eps)[0]), "first number, RMSNorm", "首个数，RMSNorm"),
    )


def _invariance(tokens: Tensor, scale: float, shift: float, eps: float) -> tuple[Quantity, ...]:
    """What happens to the normalised tokens when x becomes x·scale + shift."""

    def change(norm: Norm, scale: float, shift: float) -> Tensor:
        return (norm(tokens * scale + shift, eps) - norm(tokens, eps)).abs().max()

    centred = tokens - tokens.mean(-1, keepdim=True)
    return (
        right(
            "layer_norm_shift_change", number(change(layer_norm, 1, shift)), "LayerNorm: change by the shift", "LayerNorm：平移引起的变化"
        ),
        measured("rms_norm_shift_change", number(change(rms_norm, 1, shift)), "RMSNorm: change by the shift", "RMSNorm：平移引起的变化"),
        right(
            "layer_norm_scale_change", number(change(layer_norm, scale, 0)), "LayerNorm: change by the scale", "LayerNorm：缩放引起的变化"
        ),
        measured("rms_norm_scale_change", number(change(rms_norm, scale, 0)), "RMSNorm: change by the scale", "RMSNorm：缩放引起的变化"),
        measured(
            "rms_norm_centred_difference",
            number((rms_norm(centred, eps) - layer_norm(tokens, eps)).abs().max()),
            "RMSNorm of centred tokens against LayerNorm",
            "先减均值的 RMSNorm 与 LayerNorm 之差",
        ),
    )


def _leaks(tokens: Tensor, eps: float) -> tuple[Quantity, ...]:
    """How far sentence a's first two tokens move when another token changes: its third, or all of sentence b."""
    third, other = tokens.clone(), tokens.clone()
    third[0, 2] *= -10
    other[1] *= -10

    def leak(norm: Norm, changed: Tensor) -> Tensor:
        return (norm(changed, eps) - norm(tokens, eps))[0, :2].abs().max()

    return (
        right("layer_norm_leak", number(leak(layer_norm, third)), "LayerNorm: moved by another token", "LayerNorm：受其他词元的影响"),
        wrong(
            "whole_sentence_leak",
            number(leak(layer_norm_whole_sentence, third)),
            "over the whole sentence: moved by it",
            "对整句归一化：受其影响",
        ),
        right(
            "layer_norm_batch_leak", number(leak(layer_norm, other)), "LayerNorm: moved by another sentence", "LayerNorm：受其他句子的影响"
        ),
        wrong("batch_norm_leak", number(leak(batch_norm, other)), "BatchNorm: moved by another sentence", "BatchNorm：受其他句子的影响"),
        wrong(
            "batch_norm_of_one",
            number(batch_norm(tokens[0, :1], eps).abs().max()),
            "BatchNorm of a single token",
            "只有一个词元时的 BatchNorm",
        ),
    )


def _shape_of_data(tokens: Tensor, skewed: Tensor, width: int, eps: float) -> tuple[Quantity, ...]:
    rows = layer_norm(tokens, eps)
    return (
        right("row_mean", number(rows.mean(-1).abs().max()), "largest mean of a token", "词元均值的最大绝对值"),
        right("row_std", number(rows.std(-1, correction=0).mean()), "spread of a token's numbers", "词元内各数的标准差"),
        measured("skew_before", number(skewness(skewed)), "skewness of exponential data", "指数分布数据的偏度"),
        measured("skew_after", number(skewness(layer_norm(skewed, eps))), "skewness after LayerNorm", "LayerNorm 之后的偏度"),
        measured("layer_norm_parameters", count_parameters(LayerNorm(width)), "parameters of LayerNorm", "LayerNorm 的参数量"),
        measured("rms_norm_parameters", count_parameters(RMSNorm(width)), "parameters of RMSNorm", "RMSNorm 的参数量"),
    )


def _matrices(tokens: Tensor, eps: float) -> tuple[Matrix, ...]:
    """Two sentences of three tokens: rows with mean 0 (LayerNorm), columns with mean 0 (BatchNorm)."""

    def matrix(name: str, values: Tensor, en: str, zh: str, formula: str = "", arm: Arm = "") -> Matrix:
        columns = tuple(f"d{index + 1}" for index in range(WIDTH))
        return Matrix(name, grid(values.reshape(-1, WIDTH)), Label(en, zh), ROWS, columns, formula, arm=arm)

    return (
        matrix("tokens", tokens, "tokens of two sentences, a and b", "两个句子 a 与 b 的词元", "x"),
        matrix(
            "layer_normed",
            layer_norm(tokens, eps),
            "LayerNorm: every row",
            "LayerNorm：逐行",
            r"\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}",
            "right",
        ),
        matrix("batch_normed", batch_norm(tokens, eps), "BatchNorm: every column", "BatchNorm：逐列", arm="wrong"),
        matrix("sentence_normed", layer_norm_whole_sentence(tokens, eps), "wrong: every sentence at once", "错误：整句一起", arm="wrong"),
        matrix(
            "rms_normed",
            rms_norm(tokens, eps),
            "RMSNorm: every row, mean kept",
            "RMSNorm：逐行，保留均值",
            r"\frac{x}{\sqrt{\overline{x^2}+\epsilon}}",
        ),
    )


def _curves(scale: float, eps: float) -> tuple[Series, ...]:
    def over_width(name: str, norm: Norm, en: str, zh: str, arm: Arm) -> Series:
        y = tuple(number(norm(scale * one_hot(width), eps)[0] / math.sqrt(width - 1)) for width in WIDTHS)
        return Series(f"{name}_over_width", tuple(map(float, WIDTHS)), y, Label(en, zh), WIDTH_LABEL, "width", log_x=True, arm=arm)

    def over_scale(name: str, norm: Norm, en: str, zh: str, arm: Arm) -> Series:
        y = tuple(number(norm(each * one_hot(WIDTH), eps).std(correction=0)) for each in SCALES)
        return Series(f"{name}_over_scale", SCALES, y, Label(en, zh), SCALE_LABEL, "scale", log_x=True, arm=arm)

    return (
        over_width(
            "ddof1_share", layer_norm_sample_variance, "first number / √(D - 1), over D - 1", "首个数 / √(D - 1)，方差除以 D - 1", "wrong"
        ),
        over_width("layer_norm_share", layer_norm, "first number / √(D - 1), LayerNorm", "首个数 / √(D - 1)，LayerNorm", "right"),
        over_scale("eps_outside_std", layer_norm_eps_outside, "spread of the output, ε outside", "输出的标准差，ε 在根号外", "wrong"),
        over_scale("layer_norm_std", layer_norm, "spread of the output, LayerNorm", "输出的标准差，LayerNorm", "right"),
    )


def cost(*, width: int, scale: float, shift: float, epsilon: float, seed: int) -> Cost:
    return Cost(bytes=8 * (8 * SKEWED + width**2 + 8 * width), flops=40 * (SKEWED + width) + 20 * sum(WIDTHS))


EXPERIMENT = Experiment(
    title=Label("layer normalisation", "层归一化"),
    summary=Label(
        "LayerNorm, BatchNorm, RMSNorm: which axis, which divisor, where ε goes, and what does not change.",
        "LayerNorm、BatchNorm 与 RMSNorm：沿哪个轴、除以几、ε 放哪里，以及什么不变。",
    ),
    parameters=(
        Parameter("width", WIDTH_LABEL, 4, 2, 512, 2, "log"),
        Parameter("scale", SCALE_LABEL, 1.0, 0.001, 1000.0, 10, "log"),
        Parameter("shift", Label("shift", "平移量"), 7.0, -10.0, 10.0, 0.5),
        Parameter("epsilon", Label("ε", "ε"), 1e-5, 1e-8, 0.1, 10, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(layer_norm, normalize, LayerNorm, rms_norm, batch_norm, layer_norm_sample_variance, layer_norm_eps_outside),
    arms=("ddof1_first", "layer_norm_first"),
)
