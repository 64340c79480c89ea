"""In training mode a sample's BatchNorm depends on its neighbours; in test mode on means and variances that were remembered."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.normalization import batch_norm
from engine.textbook.running_statistics import (
    RunningStatistics,
    fold_into_linear,
    initial_statistics,
    normalize_at_test,
    normalize_in_training,
    statistics_after,
    update_statistics,
)

Arm = Literal["right", "wrong"]

FEATURES, MOST_STEPS, COMPANIES = 4, 200, 40  # features; batches of training; batches that one sample is put into
MEAN, SPREAD = 3.0, 2.0  # of the numbers that come in
EPS = 1e-5
SIZES = (2, 4, 8, 16, 32, 64)
BATCH, STEPS = Label("batch size N", "批大小 N"), Label("batches seen", "已见批数")


def run(*, batch: int, steps: int, momentum: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    batches = draw(generator, MOST_STEPS, batch)  # (200, N, D)
    companies = draw(generator, COMPANIES, SIZES[-1])
    sample = draw(generator, 1, 1)[0, 0]  # (D,): the one whose answer is wanted
    history = statistics_after(batches, initial_statistics(FEATURES), momentum)
    now = history[steps]
    trained, tested = in_company(sample, companies[:, : batch - 1], now)
    return Result(
        quantities=(
            wrong(
                "training_mode_spread",
                wander(trained),
                "one sample in 40 batches, training mode: spread",
                "同一样本放进 40 个批：训练模式下输出的标准差",
            ),
            right("test_mode_spread", wander(tested), "... test mode", "……测试模式下"),
            *_alone(sample, now),
            *_remembered(now, momentum, steps),
            measured(
                "mode_difference",
                mode_difference(batches[0], now),
                "one batch: training mode against test mode",
                "同一批：训练模式与测试模式之差",
            ),
            measured(
                "variance_ratio",
                batch / (batch - 1),
                "variance remembered / variance divided by, N/(N - 1)",
                "记住的方差 ÷ 归一化用的方差，N/(N − 1)",
            ),
            right(
                "folded_error", folded_error(generator, now), "test mode folded into the layer before: error", "测试模式并入前一层：误差"
            ),
        ),
        matrices=(
            _outputs("outputs_training", trained, "training mode: the sample in six batches", "训练模式：同一样本在六个批中", "wrong"),
            _outputs("outputs_test", tested, "test mode: the sample in six batches", "测试模式：同一样本在六个批中", "right"),
        ),
        series=(*_history(history), _noise(sample, companies, now)),
        notes=_notes(steps, momentum),
    )


def draw(generator: torch.Generator, count: int, size: int) -> Tensor:
    """(count, N, D) from N(3, 2²)."""
    return MEAN + SPREAD * torch.randn(count, size, FEATURES, generator=generator, dtype=torch.float64)


def in_company(sample: Tensor, companies: Tensor, now: RunningStatistics) -> tuple[Tensor, Tensor]:
    """The sample's output (count, D) as the first of every batch, in training mode and in test mode."""
    together = torch.cat((sample.expand(len(companies), 1, -1), companies), dim=1)
    return (
        torch.stack([normalize_in_training(each, EPS)[0] for each in together]),
        torch.stack([normalize_at_test(each, now, EPS)[0] for each in together]),
    )


def wander(outputs: Tensor) -> float:
    """How much a feature varies from batch to batch, the mean over features."""
    return number(outputs.std(0).mean())


def _alone(sample: Tensor, now: RunningStatistics) -> tuple[Quantity, ...]:
    """A batch of one, as a service has it."""
    single = sample[None]
    return (
        wrong(
            "alone_training",
            number(normalize_in_training(single, EPS).abs().max()),
            "a batch of one, training mode: largest output",
            "批大小为 1，训练模式：最大输出",
        ),
        right("alone_test", number(normalize_at_test(single, now, EPS).abs().max()), "... test mode", "……测试模式"),
    )


def _remembered(now: RunningStatistics, momentum: float, steps: int) -> tuple[Quantity, ...]:
    return (
        measured("running_mean", number(now.mean.mean()), f"running mean (the data's is {MEAN:g})", f"滑动均值（数据均值为 {MEAN:g}）"),
        measured(
            "running_variance",
            number(now.variance.mean()),
            f"running variance (the data's is {SPREAD**2:g})",
            f"滑动方差（数据方差为 {SPREAD**2:g}）",
        ),
        measured(
            "start_left",
            (1 - momentum) ** steps,
            "share of the start (0 and 1) left in them, (1 - m)^k",
            "初始值（0 与 1）还剩的比例，(1 − m)^k",
        ),
    )


def mode_difference(batch: Tensor, now: RunningStatistics) -> float:
    return number((normalize_in_training(batch, EPS) - normalize_at_test(batch, now, EPS)).abs().max())


def folded_error(generator: torch.Generator, now: RunningStatistics) -> float:
    """A linear layer and the norm after it, against one linear layer."""
    weight, bias = torch.randn(FEATURES, FEATURES, generator=generator, dtype=torch.float64), torch.ones(FEATURES, dtype=torch.float64)
    x = torch.randn(8, FEATURES, generator=generator, dtype=torch.float64)
    one_weight, one_bias = fold_into_linear(weight, bias, now, EPS)
    return number((normalize_at_test(x @ weight.T + bias, now, EPS) - (x @ one_weight.T + one_bias)).abs().max())


def _outputs(name: str, outputs: Tensor, en: str, zh: str, arm: Arm) -> Matrix:
    return Matrix(name, grid(outputs[:6]), Label(en, zh), names("b", 6), names("d", FEATURES), arm=arm)


def _history(history: list[RunningStatistics]) -> tuple[Series, ...]:
    x = tuple(float(step) for step in range(len(history)))
    means, variances = (
        tuple(number(part.mean()) for part in parts) for parts in zip(*((each.mean, each.variance) for each in history), strict=True)
    )
    return (
        Series("running_mean_over_steps", x, means, Label("running mean", "滑动均值"), STEPS, "running"),
        Series("running_variance_over_steps", x, variances, Label("running variance", "滑动方差"), STEPS, "running"),
    )


def _noise(sample: Tensor, companies: Tensor, now: RunningStatistics) -> Series:
    spreads = tuple(wander(in_company(sample, companies[:, : size - 1], now)[0]) for size in SIZES)
    label = Label("one sample's spread in training mode", "训练模式下同一样本输出的标准差")
    return Series("training_mode_spread_over_batch", tuple(map(float, SIZES)), spreads, label, BATCH, "noise", log_x=True, arm="wrong")


def _notes(steps: int, momentum: float) -> tuple[Label, ...]:
    early = Label(
        "Too few batches: the running statistics are still largely the 0 and 1 they started from.",
        "批数太少：滑动统计量大部分还是初始的 0 与 1。",
    )
    return (early,) if (1 - momentum) ** steps > 0.1 else ()


def cost(*, batch: int, steps: int, momentum: float, seed: int) -> Cost:
    size = max(batch, SIZES[-1])
    return Cost(
        bytes=8 * FEATURES * (2 * MOST_STEPS * batch + 4 * COMPANIES * size),
        flops=20 * FEATURES * (MOST_STEPS * batch + 8 * COMPANIES * size),
    )


EXPERIMENT = Experiment(
    title=Label("BatchNorm in training and at test time", "BatchNorm：训练与测试"),
    summary=Label(
        "One sample among other neighbours, a batch of one, and statistics remembered from training.",
        "同一样本换邻居、批大小为 1，以及训练时记下的滑动统计量。",
    ),
    parameters=(
        Parameter("batch", BATCH, 8, 2, SIZES[-1], 2, "log"),
        Parameter("steps", STEPS, 50, 0, MOST_STEPS, 5),
        Parameter("momentum", Label("momentum m, share of the new batch", "动量 m，新批所占比例"), 0.1, 0.01, 1.0, 0.01),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(normalize_in_training, normalize_at_test, update_statistics, fold_into_linear, batch_norm),
    arms=("training_mode_spread", "test_mode_spread"),
)
