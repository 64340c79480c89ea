"""Part of pre_vs_post_norm: how long Adam's first steps are, what bias correction corrects, the schedule, AdamW beside L2."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Measure, Rows, measured, note, right, wrong
from engine.parameter import Parameter
from engine.textbook.optimizers import (
    Adam,
    adam,
    adam_l2_step,
    adam_update,
    adam_update_uncorrected,
    adamw_step,
    update_moments,
    warmup_rate,
)

NARROWEST, SHORTEST_WARMUP = 64, 500  # where the schedule peaks highest, at 1/√(d_model·warm-up)
STEPS = 200  # of the first curve
RATE = 1e-3
SCHEDULE = (1, 50, 100, 200, 400, 700, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12000, 16000, 24000, 32000)  # steps of the second curve
DECAYED = 100  # steps of weight decay
GRADIENTS = (0.0, 1e-3, 1.0, 1e3)  # sizes of the alternating gradients that the decayed weights get


def adam_numbers(gradient: float, beta_1: float, beta_2: float, d_model: int, warmup: int, decay: float) -> Numbers:
    corrected, uncorrected = (step_lengths(gradient, beta_1, beta_2, update) for update in (adam_update, adam_update_uncorrected))
    inside, outside = (lost_to_decay(step, decay, beta_1, beta_2) for step in (adam_l2_step, adamw_step))
    steps = sorted({*SCHEDULE, warmup})
    return {
        "uncorrected_first_step": uncorrected[0],
        "first_step": corrected[0],
        "sgd_first_step": gradient,
        "uncorrected_longest_step": max(uncorrected),
        "longest_step": max(corrected),
        "peak_rate": warmup_rate(warmup, d_model, warmup),
        "first_rate": warmup_rate(1, d_model, warmup),
        "l2_lost_large_gradient": inside[-1],
        "adamw_lost_large_gradient": outside[-1],
        "l2_lost_no_gradient": inside[0],
        "adamw_lost_no_gradient": outside[0],
        "expected_lost": 1 - (1 - RATE * decay) ** DECAYED,
        "uncorrected_over_steps": (range(1, STEPS + 1), uncorrected),
        "corrected_over_steps": (range(1, STEPS + 1), corrected),
        "rate_over_steps": (steps, [warmup_rate(step, d_model, warmup) for step in steps]),
        "decay_by_gradient": [(f"±{size:g}", l2, adamw) for size, l2, adamw in zip(GRADIENTS, inside, outside, strict=True)],
    }


def step_lengths(gradient: float, beta_1: float, beta_2: float, update: Callable[[Adam], Tensor]) -> list[float]:
    """The length of every step, in learning rates, when the gradient is always the same."""
    constant = torch.tensor([gradient], dtype=torch.float64)
    state = Adam(1.0, torch.zeros_like(constant), torch.zeros_like(constant), 0, beta_1, beta_2, epsilon=0.0)
    lengths = []
    for _ in range(STEPS):
        state = update_moments(state, constant)
        lengths.append(float(update(state)))
    return lengths


DecayingStep = Callable[[Tensor, Tensor, Adam, float], tuple[Tensor, Adam]]


def lost_to_decay(step: DecayingStep, decay: float, beta_1: float, beta_2: float) -> list[float]:
    """How much less is left of weights of 1 after 100 steps than without decay, for gradients of each size that alternate in sign."""
    sizes = torch.tensor(GRADIENTS, dtype=torch.float64)

    def left(strength: float) -> Tensor:
        theta, state = torch.ones_like(sizes), adam(sizes, RATE, beta_1, beta_2)
        for index in range(DECAYED):
            theta, state = step(theta, sizes * (-1) ** index, state, strength)
        return theta

    return [float(lost) for lost in left(0.0) - left(decay)]


STEP = Label("step", "步")
RATES = (0, 1 / math.sqrt(NARROWEST * SHORTEST_WARMUP))

MEASURES: tuple[Measure, ...] = (
    wrong("uncorrected_first_step", "first step / rate, no bias correction", "首步 ÷ 学习率，无偏差修正"),
    right("first_step", "first step / rate, Adam", "首步 ÷ 学习率，Adam"),
    measured("sgd_first_step", "first step / rate, plain SGD", "首步 ÷ 学习率，普通 SGD"),
    wrong("uncorrected_longest_step", "longest of 200 steps / rate, no bias correction", "200 步中最长的一步 ÷ 学习率，无偏差修正"),
    right("longest_step", "longest of 200 steps / rate, Adam", "200 步中最长的一步 ÷ 学习率，Adam"),
    measured("peak_rate", "peak of the schedule", "学习率峰值", within=RATES),
    measured("first_rate", "rate of step 1", "第 1 步的学习率", within=RATES),
    wrong(
        "l2_lost_large_gradient",
        "a weight of 1 decays in 100 steps, L2, gradient ±1000",
        "权重 1 在 100 步中的衰减，L2，梯度 ±1000",
        within=(-1, 1),
    ),
    right(
        "adamw_lost_large_gradient",
        "a weight of 1 decays in 100 steps, AdamW, gradient ±1000",
        "权重 1 在 100 步中的衰减，AdamW，梯度 ±1000",
        within=SHARE,
    ),
    wrong("l2_lost_no_gradient", "a weight of 1 decays in 100 steps, L2, gradient 0", "权重 1 在 100 步中的衰减，L2，梯度 0", within=SHARE),
    right(
        "adamw_lost_no_gradient",
        "a weight of 1 decays in 100 steps, AdamW, gradient 0",
        "权重 1 在 100 步中的衰减，AdamW，梯度 0",
        within=SHARE,
    ),
    measured("expected_lost", "decay by formula, 1 - (1 - rate·decay)^100", "按公式的衰减，1 − (1 − 学习率·衰减)^100", within=SHARE),
    Curve(
        "uncorrected_over_steps",
        Label("length of a step / rate, no correction", "一步的长度 ÷ 学习率，无修正"),
        STEP,
        "length of a step",
        log_x=True,
        arm="wrong",
    ),
    Curve(
        "corrected_over_steps",
        Label("length of a step / rate, Adam", "一步的长度 ÷ 学习率，Adam"),
        STEP,
        "length of a step",
        log_x=True,
        arm="right",
    ),
    Curve("rate_over_steps", Label("learning rate", "学习率"), STEP, "rate"),
    Rows(
        "decay_by_gradient",
        Label("a weight of 1 after 100 steps", "初值为 1 的权重，100 步之后"),
        (Label("gradient", "梯度"), Label("decayed by L2", "L2 的衰减量"), Label("decayed by AdamW", "AdamW 的衰减量")),
    ),
    note(
        "not_too_long",
        "uncorrected_first_step < 1.000001",
        "Here (1 - β₁)/√(1 - β₂) = {uncorrected_first_step:.3g}: without correction the first step is not too long.",
        "此处 (1 − β₁)/√(1 − β₂) = {uncorrected_first_step:.3g}：不修正时首步并不会过长。",
    ),
)

PARAMETERS = (
    Parameter("gradient", Label("Adam: gradient", "Adam：梯度"), 1.0, 1e-6, 1e6, 10, "log"),
    Parameter("beta_1", Label("β₁", "β₁"), 0.9, 0.0, 0.99, 0.01),
    Parameter("beta_2", Label("β₂", "β₂"), 0.999, 0.9, 0.999, 0.001),
    Parameter("d_model", Label("schedule: d_model", "学习率曲线：d_model"), 512, NARROWEST, 4096, 2, "log"),
    Parameter("warmup", Label("schedule: warm-up", "学习率曲线：预热步数"), 4000, SHORTEST_WARMUP, 16000, 500),
    Parameter("decay", Label("weight decay", "权重衰减"), 0.1, 0.0, 1.0, 0.05),
)

FIGURES = (
    Figure("curve", ("uncorrected_over_steps", "corrected_over_steps")),
    Figure("curve", ("rate_over_steps",), over="warmup", mark="peak_rate"),
    Figure("bars", ("l2_lost_no_gradient", "adamw_lost_no_gradient", "l2_lost_large_gradient", "adamw_lost_large_gradient")),
    Figure("table", ("decay_by_gradient",)),
)
