"""Behind a softmax, squared error sends almost no gradient when the model is surely wrong; cross-entropy sends the whole mistake, p - y."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series
from engine.shorthand import measured, right, wrong
from engine.textbook.losses import (
    best_gap,
    cross_entropy,
    cross_entropy_gradient,
    one_hot_gap,
    smoothed,
    squared_error,
    squared_error_gradient,
)
from engine.textbook.weight_statistics import entropy

GAPS = tuple(float(gap) for gap in range(-16, 17, 2))  # the x axis
GAP = Label("right class ahead by", "正确类别的 logit 领先量")


def run(*, gap: float, classes: int, smoothing: float) -> Result:
    target = one_hot_gap(torch.tensor(1.0, dtype=torch.float64), classes)  # (V,), the first class is the right one
    soft = smoothed(target, smoothing)
    logits = one_hot_gap(torch.tensor(gap, dtype=torch.float64), classes)
    best = best_gap(classes, smoothing)
    return Result(
        quantities=(
            *_gradients(logits, target),
            *_losses(logits, target, soft),
            measured("right_class_probability", float(logits.softmax(-1)[0]), "probability of the right class", "正确类别的概率"),
            measured("initial_loss", math.log(classes), "loss of equal logits, ln V", "logits 全相等时的损失，ln V"),
            measured("best_gap", min(best, 1e9), "gap at which the smoothed loss is least", "平滑损失最小处的领先量"),
            measured("least_smoothed_loss", entropy(soft), "least smoothed loss", "平滑损失的最小值"),
        ),
        series=(*_gradient_curves(target), *_loss_curves(target, soft)),
        notes=_notes(gap, smoothing),
    )


def _gradients(logits: Tensor, target: Tensor) -> tuple[Quantity, ...]:
    """What the right class's logit is told; negative = rise."""
    return (
        wrong("mse_gradient", float(squared_error_gradient(logits, target)[0]), "gradient, squared error", "梯度，平方误差"),
        right("ce_gradient", float(cross_entropy_gradient(logits, target)[0]), "gradient, cross-entropy", "梯度，交叉熵"),
    )


def _losses(logits: Tensor, target: Tensor, soft: Tensor) -> tuple[Quantity, ...]:
    return (
        wrong("mse_loss", float(squared_error(logits, target)), "squared error", "平方误差"),
        right("ce_loss", float(cross_entropy(logits, target)), "cross-entropy", "交叉熵"),
        measured("smoothed_loss", float(cross_entropy(logits, soft)), "cross-entropy, smoothed label", "交叉熵，平滑标签"),
    )


def _gradient_curves(target: Tensor) -> tuple[Series, ...]:
    logits = one_hot_gap(torch.tensor(GAPS, dtype=torch.float64), len(target))  # (gaps, V)
    mse, ce = (tuple(each(logits, target)[:, 0].abs().tolist()) for each in (squared_error_gradient, cross_entropy_gradient))
    return (
        Series("mse_gradient_over_gap", GAPS, mse, Label("|gradient|, squared error", "|梯度|，平方误差"), GAP, "gradient", arm="wrong"),
        Series("ce_gradient_over_gap", GAPS, ce, Label("|gradient|, cross-entropy", "|梯度|，交叉熵"), GAP, "gradient", arm="right"),
    )


def _loss_curves(target: Tensor, soft: Tensor) -> tuple[Series, ...]:
    logits = one_hot_gap(torch.tensor(GAPS, dtype=torch.float64), len(target))
    hard, smooth = (tuple(cross_entropy(logits, each).tolist()) for each in (target, soft))
    return (
        Series("ce_loss_over_gap", GAPS, hard, Label("loss, hard label", "损失，硬标签"), GAP, "loss"),
        Series("smoothed_loss_over_gap", GAPS, smooth, Label("loss, smoothed label", "损失，平滑标签"), GAP, "loss"),
    )


def _notes(gap: float, smoothing: float) -> tuple[Label, ...]:
    found = (
        (
            smoothing == 0,
            Label(
                "With hard labels no gap is large enough: the best one is infinite, shown as 1e9.",
                "硬标签下领先多少都不够：最优领先量是无穷大，这里显示为 1e9。",
            ),
        ),
        (
            gap < -5,
            Label("The model is surely wrong here: this is where it should learn most.", "模型在这里错得很笃定：正是最该学习的地方。"),
        ),
    )
    return tuple(note for applies, note in found if applies)


def cost(*, gap: float, classes: int, smoothing: float) -> Cost:
    cells = (len(GAPS) + 1) * classes
    return Cost(bytes=8 * 12 * cells, flops=60 * cells)


EXPERIMENT = Experiment(
    title=Label("cross-entropy", "交叉熵"),
    summary=Label(
        "The gradient of cross-entropy and of squared error as the right class falls behind or leads; and a smoothed label.",
        "正确类别落后或领先时，交叉熵与平方误差的梯度；以及平滑标签。",
    ),
    parameters=(
        Parameter("gap", GAP, -8.0, -16.0, 16.0, 0.5),
        Parameter("classes", Label("classes V", "类别数 V"), 10, 2, 50257, 5, "log"),
        Parameter("smoothing", Label("label smoothing ε", "标签平滑 ε"), 0.1, 0.0, 0.5, 0.05),
    ),
    run=run,
    cost=cost,
    shows=(cross_entropy, cross_entropy_gradient, squared_error_gradient, smoothed, best_gap),
    arms=("mse_gradient", "ce_gradient"),
)
