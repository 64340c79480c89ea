"""Inverted dropout keeps the mean in training and does nothing at test time; shrinking by 1 - p once more loses a share p of the signal."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import softmax
from engine.textbook.dropout import draw_kept, inverted_dropout, plain_dropout, shrink_at_test

NUMBERS = 20_000
MEAN, SPREAD = 1.0, 1.0  # of the numbers that are dropped
RATES = tuple(tick / 20 for tick in range(19))  # 0 ... 0.9, the x axis
TOKENS = 5
P = Label("p", "p")


def run(*, p: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    x = MEAN + SPREAD * torch.randn(NUMBERS, generator=generator, dtype=torch.float64)
    luck = torch.rand(NUMBERS, generator=generator, dtype=torch.float64)  # one throw a number: a larger p drops more of the same
    weights = softmax(torch.randn(TOKENS, TOKENS, generator=generator, dtype=torch.float64))
    kept = draw_kept(weights, p, generator)
    dropped = inverted_dropout(weights, kept, p)
    sums = dropped.sum(-1)
    return Result(
        quantities=(
            *_means(x, luck >= p, p),
            *_variances(x, luck >= p, p),
            measured("dropped_percent", 100 * float((luck < p).double().mean()), "numbers dropped", "被丢弃的数", "%"),
            measured("row_sum_min", float(sums.min()), "attention rows in training: smallest sum", "训练时注意力各行：最小的行和"),
            measured("row_sum_max", float(sums.max()), "attention rows in training: largest sum", "训练时注意力各行：最大的行和"),
            measured("row_sum_test", float(weights.sum(-1)[0]), "attention rows at test time: sum", "测试时注意力各行：行和"),
        ),
        matrices=_matrices(weights, dropped),
        series=_curves(x, luck),
        notes=_notes(p),
    )


def _means(x: Tensor, kept: Tensor, p: float) -> tuple[Quantity, ...]:
    """Training and test must agree on the mean, or the layer after sees another signal than it learned with."""
    return (
        wrong("shrunk_test_mean", float(shrink_at_test(x, p).mean()), "test mean, multiplied by 1 - p again", "测试时的均值，又乘了 1 − p"),
        right("test_mean", float(x.mean()), "test mean, nothing done", "测试时的均值，什么都不做"),
        right(
            "training_mean",
            float(inverted_dropout(x, kept, p).mean()),
            "training mean, inverted dropout",
            "训练时的均值，反向缩放的 dropout",
        ),
        wrong("plain_training_mean", float(plain_dropout(x, kept).mean()), "training mean, not enlarged", "训练时的均值，不放大"),
    )


def _variances(x: Tensor, kept: Tensor, p: float) -> tuple[Quantity, ...]:
    """The mean is kept, the variance is not: Var = (σ² + p·μ²)/(1 - p)."""
    return (
        measured("training_variance", float(inverted_dropout(x, kept, p).var()), "training variance", "训练时的方差"),
        measured("expected_variance", (SPREAD**2 + p * MEAN**2) / (1 - p), "(σ² + p·μ²)/(1 - p)", "(σ² + p·μ²)/(1 − p)"),
        measured("test_variance", float(x.var()), "test variance", "测试时的方差"),
    )


def _matrices(weights: Tensor, dropped: Tensor) -> tuple[Matrix, ...]:
    rows, columns = names("q", TOKENS), names("k", TOKENS)
    return (
        Matrix("dropped_weights", grid(dropped), Label("weights in training", "训练时的权重"), rows, columns, kind="weights"),
        Matrix("weights", grid(weights), Label("weights at test time", "测试时的权重"), rows, columns, kind="weights", arm="right"),
    )


def _curves(x: Tensor, luck: Tensor) -> tuple[Series, ...]:
    training = tuple(float(inverted_dropout(x, luck >= p, p).mean()) for p in RATES)
    variance = tuple(float(inverted_dropout(x, luck >= p, p).var()) for p in RATES)
    shrunk = tuple(float(shrink_at_test(x, p).mean()) for p in RATES)
    return (
        Series("training_mean_over_p", RATES, training, Label("mean, training", "均值，训练"), P, "mean", arm="right"),
        Series("shrunk_test_mean_over_p", RATES, shrunk, Label("mean, shrunk at test", "均值，测试时缩小"), P, "mean", arm="wrong"),
        Series("training_variance_over_p", RATES, variance, Label("variance, training", "方差，训练"), P, "variance"),
    )


def _notes(p: float) -> tuple[Label, ...]:
    always_on = Label(
        "F.scaled_dot_product_attention drops whenever dropout_p > 0, also after model.eval(): pass 0 at test time.",
        "F.scaled_dot_product_attention 只要 dropout_p > 0 就会丢弃，model.eval() 之后也一样：测试时要传 0。",
    )
    nothing = Label("p = 0 drops nothing: all ways agree.", "p = 0 什么都不丢：各种做法一致。")
    return (always_on,) if p else (nothing,)


def cost(*, p: float, seed: int) -> Cost:
    return Cost(bytes=8 * 8 * NUMBERS, flops=2 * 12 * NUMBERS * (len(RATES) + 2))


EXPERIMENT = Experiment(
    title=Label("dropout", "dropout"),
    summary=Label(
        "What training and test see of the same numbers, and what dropout does to rows of attention.",
        "同样的数，训练与测试时各看到什么；dropout 又怎样改变注意力的行。",
    ),
    parameters=(Parameter("p", P, 0.1, 0.0, 0.9, 0.05), SEED),
    run=run,
    cost=cost,
    shows=(inverted_dropout, plain_dropout, shrink_at_test),
    arms=("shrunk_test_mean", "test_mean"),
)
