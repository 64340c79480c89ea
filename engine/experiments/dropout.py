"""In training, dropout and BatchNorm give the same input other outputs every time; in eval mode one, and the mean has to be the same."""

from __future__ import annotations

import torch

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments import _batch_norm
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Grid, Measure, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.dropout import draw_kept, inverted_dropout, plain_dropout, shrink_at_test

NUMBERS = 20_000
MEAN, SPREAD = 1.0, 1.0  # of the numbers that are dropped
RATES = tuple(tick / 20 for tick in range(19))  # 0 ... 0.9, the x axis
TOKENS = 5
PASSES, SHOWN, WIDTH = 40, 3, 8  # times that the same input goes through a layer; those that are shown; numbers of it


def run(*, p: float, batch: int, steps: int, momentum: float, seed: int) -> Numbers:
    norm = _batch_norm.batch_norm_numbers(batch, steps, momentum, seed)
    return {
        **dropout_numbers(p, seed),
        **norm,
        **passes(p, seed),
        "norm_passes": torch.cat((norm["outputs_training"][:SHOWN], norm["outputs_test"][:1])),
    }


def passes(p: float, seed: int) -> Numbers:
    """One input of ones, again and again through dropout in training, and once in eval mode."""
    x, generator = torch.ones(WIDTH, dtype=torch.float64), torch.Generator().manual_seed(seed + 1000)
    trained = torch.stack([inverted_dropout(x, draw_kept(x, p, generator), p) for _ in range(PASSES)])
    return {
        "dropout_passes": torch.cat((trained[:SHOWN], x[None])),
        "dropout_train_spread": trained.std(0).mean(),
        "dropout_eval_spread": x.expand(PASSES, -1).std(0).mean(),
    }


def dropout_numbers(p: float, seed: int) -> Numbers:
    """What training and test see of the same numbers."""
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
ROWS = ("train 1", "train 2", "train 3", "eval")

MEASURES: tuple[Measure, ...] = (
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
    wrong(
        "dropout_train_spread",
        "one input 40 times: mean std of the outputs, training",
        "同一输入 40 次：输出标准差的平均，训练",
    ),
    right(
        "dropout_eval_spread",
        "one input 40 times: mean std of the outputs, eval mode",
        "同一输入 40 次：输出标准差的平均，eval",
    ),
    Grid("dropout_passes", Label("dropout: four passes of an input of ones", "dropout：全 1 的输入通过四次"), ROWS, "d{1}"),
    Grid("norm_passes", Label("BatchNorm: four passes of one sample", "BatchNorm：同一样本通过四次"), ROWS, "d{1}"),
    Grid("dropped_weights", Label("weights in training", "训练时的权重"), rows="q{1}", columns="k{1}", kind="weights"),
    Grid("weights", Label("weights at test time", "测试时的权重"), rows="q{1}", columns="k{1}", kind="weights", arm="right"),
    Curve("training_mean_over_p", Label("mean, training", "均值，训练"), P, "mean", arm="right"),
    Curve("shrunk_test_mean_over_p", Label("mean, shrunk at test", "均值，测试时缩小"), P, "mean", arm="wrong"),
    Curve("training_variance_over_p", Label("variance, training", "方差，训练"), P, "variance"),
    *_batch_norm.MEASURES,
    note(
        "always_on",
        "p > 0",
        "F.scaled_dot_product_attention drops whenever dropout_p > 0, also after model.eval(): pass 0 at test time.",
        "F.scaled_dot_product_attention 只要 dropout_p > 0 就会丢弃，model.eval() 之后也一样：测试时要传 0。",
    ),
    note("nothing_dropped", "p == 0", "p = 0 drops nothing: all ways agree.", "p = 0 什么都不丢：各种做法一致。"),
)

EXPERIMENT = Experiment(
    title=Label("dropout and BatchNorm: train and eval", "dropout 与 BatchNorm：训练与 eval"),
    summary=Label(
        "The same input in training and in eval mode: dropout by luck, BatchNorm by its neighbours, and what each remembers.",
        "同一输入在训练与 eval 模式下：dropout 靠运气，BatchNorm 看邻居，又各自记住什么。",
    ),
    keywords=(
        "regularisation",
        "regularization",
        "inverted dropout",
        "train and eval mode",
        "attention dropout",
        "正则化",
        "随机失活",
        "丢弃",
        "batch normalization",
        "BN",
        "running mean",
        "running statistics",
        "批归一化",
        "滑动平均",
        "训练模式",
        "BatchNorm",
        "batch normalisation",
        "滑动统计量",
    ),
    parameters=(Parameter("p", P, 0.1, RATES[0], RATES[-1], 0.05), *_batch_norm.PARAMETERS, SEED),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("dropout_passes", "norm_passes"),
            caption=Label(
                "In training the same input comes out differently every time; after model.eval() it is always the same.",
                "训练时，同一输入每次出来都不一样；model.eval() 之后则始终相同。",
            ),
        ),
        Figure("curve", ("training_mean_over_p", "shrunk_test_mean_over_p"), over="p", mark="shrunk_test_mean"),
        Figure("heatmap", ("dropped_weights", "weights")),
        Figure("bars", ("training_mean", "plain_training_mean", "test_mean", "shrunk_test_mean")),
        Figure("curve", ("training_variance_over_p",), over="p", mark="training_variance"),
        Figure("bars", ("dropout_train_spread", "dropout_eval_spread")),
        *_batch_norm.FIGURES,
    ),
    arms=("shrunk_test_mean", "test_mean"),
    presets=(
        Preset(
            Label("p = 0.5", "p = 0.5"),
            {"p": 0.5},
            Label(
                "Half of the numbers are gone, the others doubled: the mean stays, the variance does not.",
                "一半的数没了，另一半翻倍：均值不变，方差变大。",
            ),
            "training_mean > 0.95 and training_mean < 1.05 and training_variance > 2.5",
        ),
        Preset(
            Label("a batch of 64", "批大小 64"),
            {"batch": 64},
            Label(
                "The more neighbours, the less a sample's BatchNorm depends on which they are.",
                "邻居越多，样本的 BatchNorm 就越不取决于它们是谁。",
            ),
            "training_mode_spread < 0.25",
        ),
        Preset(
            Label("eval too early", "过早切到 eval"),
            {"steps": 5},
            Label(
                "After five batches more than half of the running statistics is still their start, and eval mode is wrong.",
                "只见过 5 批时，滑动统计量一半以上仍是初始值，eval 模式给出的就是错的。",
            ),
            "start_left > 0.5 and mode_difference > 1",
        ),
    ),
    formerly=("batch_norm",),
    run=run,
)
