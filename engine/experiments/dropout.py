"""Inverted dropout keeps the mean in training and does nothing at test time; shrinking by 1 - p once more loses a share p of the signal."""

from __future__ import annotations

import torch

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.textbook.attention import softmax
from engine.textbook.dropout import draw_kept, inverted_dropout, plain_dropout, shrink_at_test

NUMBERS = 20_000
MEAN, SPREAD = 1.0, 1.0  # of the numbers that are dropped
RATES = tuple(tick / 20 for tick in range(19))  # 0 ... 0.9, the x axis
TOKENS = 5


def run(*, p: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    x = MEAN + SPREAD * torch.randn(NUMBERS, generator=generator, dtype=torch.float64)
    luck = torch.rand(NUMBERS, generator=generator, dtype=torch.float64)  # one throw a number: a larger p drops more of the same
    weights = softmax(torch.randn(TOKENS, TOKENS, generator=generator, dtype=torch.float64))
    dropped = inverted_dropout(weights, draw_kept(weights, p, generator), p)
    trained = inverted_dropout(x, luck >= p, p)
    trained_by_rate = [inverted_dropout(x, luck >= rate, rate) for rate in RATES]
    return {
        # Training and test must agree on the mean, or the layer after sees another signal than it learned with.
        "shrunk_test_mean": shrink_at_test(x, p).mean(),
        "test_mean": x.mean(),
        "training_mean": trained.mean(),
        "plain_training_mean": plain_dropout(x, luck >= p).mean(),
        # The mean is kept, the variance is not.
        "training_variance": trained.var(),
        "expected_variance": (SPREAD**2 + p * MEAN**2) / (1 - p),
        "test_variance": x.var(),
        "dropped_percent": 100 * (luck < p).double().mean(),
        "row_sum_min": dropped.sum(-1).min(),
        "row_sum_max": dropped.sum(-1).max(),
        "row_sum_test": weights.sum(-1)[0],
        "dropped_weights": dropped,
        "weights": weights,
        "training_mean_over_p": (RATES, [each.mean() for each in trained_by_rate]),
        "shrunk_test_mean_over_p": (RATES, [shrink_at_test(x, rate).mean() for rate in RATES]),
        "training_variance_over_p": (RATES, [each.var() for each in trained_by_rate]),
    }


P = Label("p", "p")
MEANS = (0, 2 * MEAN)  # of 20,000 numbers: far wider than they wander
ROW_SUMS = (0, 10)  # up to 1/(1 - p), when all weights of a row are kept

MEASURES = (
    wrong("shrunk_test_mean", "mean of 20,000 numbers at test, times 1 - p again", "20,000 个数的均值，测试时又乘 1 − p", within=MEANS),
    right("test_mean", "mean of 20,000 numbers at test, nothing done", "20,000 个数的均值，测试时什么都不做", within=MEANS),
    right(
        "training_mean", "mean of 20,000 numbers in training, inverted dropout", "20,000 个数的均值，训练时反向缩放 dropout", within=MEANS
    ),
    wrong("plain_training_mean", "mean of 20,000 numbers in training, not enlarged", "20,000 个数的均值，训练时不放大", within=MEANS),
    measured("training_variance", "variance of 20,000 numbers in training", "20,000 个数的方差，训练时"),
    measured("expected_variance", "variance in training by formula, (σ² + p·μ²)/(1 - p)", "按公式的训练方差，(σ² + p·μ²)/(1 − p)"),
    measured("test_variance", "variance of 20,000 numbers at test", "20,000 个数的方差，测试时"),
    measured("dropped_percent", "numbers dropped", "被丢弃的数", "%", PERCENT),
    measured("row_sum_min", "smallest row sum of the attention weights, training", "注意力权重的最小行和，训练时", within=ROW_SUMS),
    measured("row_sum_max", "largest row sum of the attention weights, training", "注意力权重的最大行和，训练时", within=ROW_SUMS),
    measured("row_sum_test", "row sum of the attention weights, test", "注意力权重的行和，测试时", within=SHARE),
    Grid("dropped_weights", Label("weights in training", "训练时的权重"), rows="q{1}", columns="k{1}", kind="weights"),
    Grid("weights", Label("weights at test time", "测试时的权重"), rows="q{1}", columns="k{1}", kind="weights", arm="right"),
    Curve("training_mean_over_p", Label("mean, training", "均值，训练"), P, "mean", arm="right"),
    Curve("shrunk_test_mean_over_p", Label("mean, shrunk at test", "均值，测试时缩小"), P, "mean", arm="wrong"),
    Curve("training_variance_over_p", Label("variance, training", "方差，训练"), P, "variance"),
    note(
        "always_on",
        "p > 0",
        "F.scaled_dot_product_attention drops whenever dropout_p > 0, also after model.eval(): pass 0 at test time.",
        "F.scaled_dot_product_attention 只要 dropout_p > 0 就会丢弃，model.eval() 之后也一样：测试时要传 0。",
    ),
    note("nothing_dropped", "p == 0", "p = 0 drops nothing: all ways agree.", "p = 0 什么都不丢：各种做法一致。"),
)

EXPERIMENT = Experiment(
    title=Label("dropout", "dropout"),
    summary=Label(
        "What training and test see of the same numbers, and what dropout does to rows of attention.",
        "同样的数，训练与测试时各看到什么；dropout 又怎样改变注意力的行。",
    ),
    parameters=(Parameter("p", P, 0.1, RATES[0], RATES[-1], 0.05), SEED),
    measures=MEASURES,
    figures=(
        Figure("curve", ("training_mean_over_p", "shrunk_test_mean_over_p"), over="p", mark="shrunk_test_mean"),
        Figure("heatmap", ("dropped_weights", "weights")),
        Figure("bars", ("training_mean", "plain_training_mean", "test_mean", "shrunk_test_mean")),
        Figure("curve", ("training_variance_over_p",), over="p", mark="training_variance"),
    ),
    arms=("shrunk_test_mean", "test_mean"),
    run=run,
)
