"""Behind a softmax, squared error sends almost no gradient when the model is surely wrong; cross-entropy sends the whole mistake, p - y."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.losses import (
    best_gap,
    cross_entropy,
    cross_entropy_gradient,
    mean_squared_error,
    mean_squared_error_gradient,
    one_hot_gap,
    smoothed,
)
from engine.textbook.weight_statistics import entropy

GAPS = tuple(float(gap) for gap in range(-16, 17, 2))  # the x axis
INFINITE = 1e9  # stands for a gap without end


def run(*, gap: float, classes: int, smoothing: float) -> Numbers:
    target = one_hot_gap(torch.tensor(1.0, dtype=torch.float64), classes)  # (V,), the first class is the right one
    soft = smoothed(target, smoothing)
    logits = one_hot_gap(torch.tensor(gap, dtype=torch.float64), classes)
    return {
        "mse_gradient": mean_squared_error_gradient(logits, target)[0],  # what the right class's logit is told; negative = rise
        "ce_gradient": cross_entropy_gradient(logits, target)[0],
        "mse_loss": mean_squared_error(logits, target),
        "ce_loss": cross_entropy(logits, target),
        "smoothed_loss": cross_entropy(logits, soft),
        "right_class_probability": logits.softmax(-1)[0],
        "initial_loss": math.log(classes),
        "best_gap": min(best_gap(classes, smoothing), INFINITE),
        "least_smoothed_loss": entropy(soft),
        **curves(target, soft),
    }


def curves(target: Tensor, soft: Tensor) -> Numbers:
    logits = one_hot_gap(torch.tensor(GAPS, dtype=torch.float64), len(target))  # (gaps, V)
    return {
        "mse_gradient_over_gap": (GAPS, mean_squared_error_gradient(logits, target)[:, 0].abs()),
        "ce_gradient_over_gap": (GAPS, cross_entropy_gradient(logits, target)[:, 0].abs()),
        "ce_loss_over_gap": (GAPS, cross_entropy(logits, target)),
        "smoothed_loss_over_gap": (GAPS, cross_entropy(logits, soft)),
    }


GAP = Label("right class ahead by", "正确类别的 logit 领先量")

MEASURES = (
    wrong("mse_gradient", "gradient of the right class's logit, mean squared error", "正确类别 logit 的梯度，均方误差", within=(-1, 0)),
    right("ce_gradient", "gradient of the right class's logit, cross-entropy", "正确类别 logit 的梯度，交叉熵", within=(-1, 0)),
    wrong("mse_loss", "loss, squared error, mean over the classes", "损失，平方误差（对类别平均）", within=(0, 1)),
    right("ce_loss", "loss, cross-entropy", "损失，交叉熵"),
    measured("smoothed_loss", "loss, cross-entropy with a smoothed label", "损失，交叉熵（平滑标签）"),
    measured("right_class_probability", "probability of the right class", "正确类别的概率", within=SHARE),
    measured("initial_loss", "loss of equal logits, ln V", "logits 全相等时的损失，ln V"),
    measured("best_gap", "gap at which the smoothed loss is least", "平滑损失最小处的领先量", within=(0, INFINITE)),
    measured("least_smoothed_loss", "least smoothed loss", "平滑损失的最小值"),
    Curve(
        "mse_gradient_over_gap",
        Label("|gradient| of the right logit, mean squared error", "|正确 logit 的梯度|，均方误差"),
        GAP,
        "gradient",
        arm="wrong",
    ),
    Curve(
        "ce_gradient_over_gap",
        Label("|gradient| of the right logit, cross-entropy", "|正确 logit 的梯度|，交叉熵"),
        GAP,
        "gradient",
        arm="right",
    ),
    Curve("ce_loss_over_gap", Label("loss, hard label", "损失，硬标签"), GAP, "loss"),
    Curve("smoothed_loss_over_gap", Label("loss, smoothed label", "损失，平滑标签"), GAP, "loss"),
    note(
        "hard",
        "smoothing == 0",
        "With hard labels no gap is large enough: the best one is infinite, shown as 1e9.",
        "硬标签下领先多少都不够：最优领先量是无穷大，这里显示为 1e9。",
    ),
    note(
        "surely_wrong",
        "gap < 0 and right_class_probability < 0.01",
        "The right class has p = {right_class_probability:.2g} here: this is where the model should learn most.",
        "这里正确类别的概率只有 {right_class_probability:.2g}：正是最该学习的地方。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("cross-entropy", "交叉熵"),
    summary=Label(
        "The gradient of cross-entropy and of mean squared error as the right class falls behind or leads; and a smoothed label.",
        "正确类别落后或领先时，交叉熵与均方误差的梯度；以及平滑标签。",
    ),
    keywords=(
        "label smoothing",
        "negative log-likelihood",
        "NLL",
        "log loss",
        "MSE",
        "mean squared error",
        "标签平滑",
        "负对数似然",
        "均方误差",
        "损失函数",
    ),
    parameters=(
        Parameter("gap", GAP, -8.0, -16.0, 16.0, 0.5),
        Parameter("classes", Label("classes V", "类别数 V"), 10, 2, 50257, 5, "log"),
        Parameter("smoothing", Label("label smoothing ε", "标签平滑 ε"), 0.1, 0.0, 0.5, 0.05),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("mse_gradient_over_gap", "ce_gradient_over_gap"),
            over="gap",
            caption=Label(
                "Far left the model is surely wrong: squared error sends almost no gradient there, cross-entropy the whole mistake, p - y.",
                "最左边模型错得很肯定：均方误差在那里几乎没有梯度，交叉熵给出全部误差 p − y。",
            ),
        ),
        Figure("curve", ("ce_loss_over_gap", "smoothed_loss_over_gap"), over="gap", mark="smoothed_loss"),
    ),
    arms=("mse_gradient", "ce_gradient"),
    presets=(
        Preset(
            Label("8 ahead", "领先 8"),
            {"gap": 8.0},
            Label(
                "The right class leads by far: there is hardly anything to learn, and both gradients say so.",
                "正确类别遥遥领先：几乎没什么可学，两种梯度都很小。",
            ),
            "ce_gradient > -0.01 and mse_gradient > -0.01 and ce_loss < 0.01",
        ),
        Preset(
            Label("8 ahead of 50,256", "领先 50256 类"),
            {"gap": 8.0, "classes": 50257},
            Label(
                "Among 50,257 classes a lead of 8 is a probability of 5.6 %: cross-entropy still sends a gradient near 1.",
                "在 50,257 个类别里，领先 8 的概率只有 5.6%：交叉熵的梯度仍接近 1。",
            ),
            "ce_gradient < -0.9 and right_class_probability > 0.055 and right_class_probability < 0.057",
        ),
        Preset(
            Label("hard labels", "硬标签"),
            {"smoothing": 0.0},
            Label("Without smoothing the two are one line, and no lead is ever enough.", "不平滑时两条线重合，领先多少都不够。"),
            "smoothing == 0 and best_gap > 1000 and smoothed_loss == ce_loss",
            show="ce_loss_over_gap",
        ),
    ),
)
