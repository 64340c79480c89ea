"""Part of dropout: in training mode a sample's BatchNorm depends on its neighbours, in test mode on what was remembered."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Curve, Grid, Measure, measured, note, right, wrong
from engine.parameter import Parameter
from engine.textbook.running_statistics import (
    RunningStatistics,
    fold_into_linear,
    initial_statistics,
    normalize_at_test,
    normalize_in_training,
    statistics_after,
)

FEATURES, MOST_STEPS, COMPANIES = 4, 200, 40  # features; batches of training; batches that one sample is put into
SHOWN = 6  # of those batches
MEAN, SPREAD = 3.0, 2.0  # of the numbers that come in
EPS = 1e-5
SIZES = (2, 4, 8, 16, 32, 64)


def batch_norm_numbers(batch: int, steps: int, momentum: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    batches = draw(generator, MOST_STEPS, batch)  # (200, N, D)
    companies = draw(generator, COMPANIES, SIZES[-1])  # (40, 64, D)
    sample = draw(generator, 1, 1)[0, 0]  # (D,): the one whose answer is wanted
    history = statistics_after(batches, initial_statistics(FEATURES), momentum)
    now, start_left = history[steps], (1 - momentum) ** steps
    together = batches_with(sample, companies, batch)
    trained, tested = outputs_in_training(together), outputs_at_test(together, now)
    return {
        "training_mode_spread": spread(trained),
        "test_mode_spread": spread(tested),
        "alone_training": normalize_in_training(sample[None], EPS).abs().max(),  # a batch of one, as a service has it
        "alone_test": normalize_at_test(sample[None], now, EPS).abs().max(),
        "running_mean": now.mean.mean(),
        "running_variance": now.variance.mean(),
        "start_left": start_left,
        "mode_difference": mode_difference(batches[0], now),
        "variance_ratio": batch / (batch - 1),
        "folded_error": folded_error(generator, now),
        "outputs_training": trained[:SHOWN],
        "outputs_test": tested[:SHOWN],
        "running_mean_over_steps": (range(len(history)), [each.mean.mean() for each in history]),
        "running_variance_over_steps": (range(len(history)), [each.variance.mean() for each in history]),
        "training_mode_spread_over_batch": (
            SIZES,
            [spread(outputs_in_training(batches_with(sample, companies, size))) for size in SIZES],
        ),
        "data_mean": MEAN,
        "data_variance": SPREAD**2,
    }


def draw(generator: torch.Generator, count: int, size: int) -> Tensor:
    """(count, N, D) from N(3, 2²)."""
    return MEAN + SPREAD * torch.randn(count, size, FEATURES, generator=generator, dtype=torch.float64)


def batches_with(sample: Tensor, companies: Tensor, size: int) -> Tensor:
    """The sample (D,) as the first of every batch: (40, N, D)."""
    return torch.cat((sample.expand(len(companies), 1, -1), companies[:, : size - 1]), dim=1)


def outputs_in_training(batches: Tensor) -> Tensor:
    """Of the first sample of every batch: (40, D)."""
    return torch.stack([normalize_in_training(each, EPS)[0] for each in batches])


def outputs_at_test(batches: Tensor, now: RunningStatistics) -> Tensor:
    return torch.stack([normalize_at_test(each, now, EPS)[0] for each in batches])


def spread(outputs: Tensor) -> Tensor:
    """How much a feature varies from batch to batch, the mean over features."""
    return outputs.std(0).mean()


def mode_difference(batch: Tensor, now: RunningStatistics) -> Tensor:
    return (normalize_in_training(batch, EPS) - normalize_at_test(batch, now, EPS)).abs().max()


def folded_error(generator: torch.Generator, now: RunningStatistics) -> Tensor:
    """A linear layer and the norm after it, against one linear layer."""
    weight, bias = torch.randn(FEATURES, FEATURES, generator=generator, dtype=torch.float64), torch.ones(FEATURES, dtype=torch.float64)
    x = torch.randn(8, FEATURES, generator=generator, dtype=torch.float64)
    one_weight, one_bias = fold_into_linear(weight, bias, now, EPS)
    return (normalize_at_test(x @ weight.T + bias, now, EPS) - (x @ one_weight.T + one_bias)).abs().max()


BATCH, STEPS = Label("batch size N", "批大小 N"), Label("batches seen", "已见批数")

MEASURES: tuple[Measure, ...] = (
    wrong(
        "training_mode_spread",
        "one sample in 40 batches: std of its outputs, training mode",
        "同一样本放进 40 个批：输出的标准差，训练模式",
    ),
    right("test_mode_spread", "one sample in 40 batches: std of its outputs, test mode", "同一样本放进 40 个批：输出的标准差，测试模式"),
    wrong("alone_training", "a batch of one: largest |output|, training mode", "批大小为 1：最大 |输出|，训练模式"),
    right("alone_test", "a batch of one: largest |output|, test mode", "批大小为 1：最大 |输出|，测试模式"),
    measured(
        "running_mean",
        "running mean, mean of 4 features (the data's is {data_mean:g})",
        "滑动均值，4 个特征平均（数据为 {data_mean:g}）",
        within=ANY,
    ),
    measured(
        "running_variance",
        "running variance, mean of 4 features (data: {data_variance:g})",
        "滑动方差，4 个特征平均（数据为 {data_variance:g}）",
    ),
    measured(
        "start_left",
        "share of the running statistics' start that is left, (1 - m)^k",
        "滑动统计量中初始值还剩的比例，(1 − m)^k",
        within=SHARE,
    ),
    measured("mode_difference", "one batch: largest difference, training to test mode", "同一批：训练与测试模式的最大差"),
    measured(
        "variance_ratio",
        "variance remembered / variance divided by, N/(N - 1)",
        "记住的方差 ÷ 归一化用的方差，N/(N − 1)",
        within=(1, 2),
    ),
    right("folded_error", "test mode folded into the layer before: largest error", "测试模式并入前一层：最大误差"),
    Grid(
        "outputs_training",
        Label("training mode: the sample in six batches", "训练模式：同一样本在六个批中"),
        rows="b{1}",
        columns="d{1}",
        arm="wrong",
    ),
    Grid(
        "outputs_test",
        Label("test mode: the sample in six batches", "测试模式：同一样本在六个批中"),
        rows="b{1}",
        columns="d{1}",
        arm="right",
    ),
    Curve("running_mean_over_steps", Label("running mean", "滑动均值"), STEPS, "running"),
    Curve("running_variance_over_steps", Label("running variance", "滑动方差"), STEPS, "running"),
    Curve(
        "training_mode_spread_over_batch",
        Label("std of one sample's outputs in 40 batches, training mode", "同一样本在 40 个批中输出的标准差，训练模式"),
        BATCH,
        "noise",
        log_x=True,
        arm="wrong",
    ),
    note(
        "early",
        "start_left > 0.1",
        "Too few batches: {start_left:.0%} of the running statistics is still the 0 and 1 they started from.",
        "批数太少：滑动统计量中还有 {start_left:.0%} 是初始的 0 与 1。",
    ),
)

PARAMETERS = (
    Parameter("batch", BATCH, 8, SIZES[0], SIZES[-1], 2, "log"),
    Parameter("steps", STEPS, 50, 0, MOST_STEPS, 5),
    Parameter("momentum", Label("momentum m, share of the new batch", "动量 m，新批所占比例"), 0.1, 0.01, 1.0, 0.01),
)

FIGURES = (
    Figure("heatmap", ("outputs_training", "outputs_test")),
    Figure("curve", ("training_mode_spread_over_batch",), over="batch", mark="training_mode_spread"),
    Figure("curve", ("running_mean_over_steps", "running_variance_over_steps"), over="steps", mark="running_variance"),
    Figure("bars", ("training_mode_spread", "test_mode_spread")),
    Figure("bars", ("alone_training", "alone_test")),
)
