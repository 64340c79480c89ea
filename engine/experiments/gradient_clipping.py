"""One bad batch can throw a model far off; clipping a gradient by its norm keeps its direction, clipping it number by number turns it."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.clip_gradients import clip_by_norm, clip_by_value, cosine

FEATURES, BATCH, STEPS, BAD_STEP = 8, 32, 60, 30  # of the small regression that is trained
RATE = 0.1
LIMITS = tuple(0.25 * 2**power for power in range(8))  # 0.25 ... 32


def run(*, limit: float, outlier: float, seed: int) -> Numbers:
    return {**clipped(heavy_tailed(seed), limit), **losses(*task(seed), outlier, limit)}


def clipped(gradient: Tensor, limit: float) -> Numbers:
    """One gradient (8,), clipped in both ways: how far it turns, how long it stays."""
    by_norm, by_value = clip_by_norm(gradient, limit), clip_by_value(gradient, limit)
    return {
        "value_cosine": cosine(gradient, by_value),
        "norm_cosine": cosine(gradient, by_norm),
        "gradient_norm": gradient.norm(),
        "norm_length": by_norm.norm(),
        "value_length": by_value.norm(),
        "gradients": torch.stack((gradient, by_norm, by_value)),
        "value_cosine_over_limit": (LIMITS, [cosine(gradient, clip_by_value(gradient, each)) for each in LIMITS]),
        "norm_cosine_over_limit": (LIMITS, [cosine(gradient, clip_by_norm(gradient, each)) for each in LIMITS]),
    }


def heavy_tailed(seed: int) -> Tensor:
    """A gradient of eight numbers, a few of them large: normal numbers to the fifth power."""
    return torch.randn(FEATURES, generator=torch.Generator().manual_seed(seed + 500), dtype=torch.float64) ** 5


def task(seed: int) -> tuple[Tensor, Tensor]:
    """The weights to be found (8,) and 60 batches of inputs (60, 32, 8)."""
    generator = torch.Generator().manual_seed(seed)
    wanted = torch.randn(FEATURES, generator=generator, dtype=torch.float64)
    return wanted, torch.randn(STEPS, BATCH, FEATURES, generator=generator, dtype=torch.float64)


def losses(wanted: Tensor, batches: Tensor, outlier: float, limit: float) -> Numbers:
    """Before the bad batch, right after it, and at the end, with clipping and without."""
    unclipped, by_norm = (train(wanted, batches, outlier, limit, way) for way in ("none", "norm"))
    steps = range(STEPS + 1)
    return {
        "loss_before": unclipped[BAD_STEP],
        "clipped_before": by_norm[BAD_STEP],
        "spike_unclipped": unclipped[BAD_STEP + 1],
        "spike_clipped": by_norm[BAD_STEP + 1],
        "final_unclipped": unclipped[-1],
        "final_clipped": by_norm[-1],
        "unclipped_over_steps": (steps, unclipped),
        "clipped_over_steps": (steps, by_norm),
        "steps": STEPS,
    }


def train(wanted: Tensor, batches: Tensor, outlier: float, limit: float, way: str) -> tuple[float, ...]:
    """The loss on clean data, |w - wanted|², before training and after every step of gradient descent; one batch of it is bad."""
    weights, lost = torch.zeros(FEATURES, dtype=torch.float64), []
    clip = {"none": lambda g, _: g, "norm": clip_by_norm, "value": clip_by_value}[way]
    for step, x in enumerate(batches):
        lost.append(float((weights - wanted).square().sum()))
        weights = weights - RATE * clip(gradient(weights, *spoiled(wanted, x, outlier if step == BAD_STEP else 1.0)), limit)
    return (*lost, float((weights - wanted).square().sum()))


def spoiled(wanted: Tensor, x: Tensor, factor: float) -> tuple[Tensor, Tensor]:
    """Inputs and targets, the targets of the whole batch multiplied by `factor` with the wrong sign; 1 leaves them as they are."""
    y = x @ wanted
    return x, y if factor == 1 else -factor * y


def gradient(weights: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Of the mean squared error."""
    return 2 * (x @ weights - y) @ x / len(x)


LIMIT, STEP = Label("limit c", "阈值 c"), Label("step", "步")

MEASURES = (
    wrong("value_cosine", "g clipped by value: cosine with g", "按数值裁剪 g：与 g 的余弦", within=SHARE),
    right("norm_cosine", "g clipped by norm: cosine with g", "按范数裁剪 g：与 g 的余弦", within=SHARE),
    measured("gradient_norm", "length of the gradient g", "梯度 g 的长度"),
    measured("norm_length", "length of g clipped by norm", "按范数裁剪后 g 的长度", within=(0, LIMITS[-1])),
    measured("value_length", "length of g clipped by value", "按数值裁剪后 g 的长度", within=(0, LIMITS[-1] * math.sqrt(FEATURES))),
    measured("loss_before", "training, loss before the bad batch, no clipping", "训练：坏批之前的损失，不裁剪"),
    measured("clipped_before", "training, loss before the bad batch, clipped by norm", "训练：坏批之前的损失，按范数裁剪"),
    wrong("spike_unclipped", "training, loss after the bad batch, no clipping", "训练：坏批之后的损失，不裁剪"),
    right("spike_clipped", "training, loss after the bad batch, clipped by norm", "训练：坏批之后的损失，按范数裁剪"),
    measured("final_unclipped", "training, loss after {steps} steps, no clipping", "训练：{steps} 步后的损失，不裁剪"),
    measured("final_clipped", "training, loss after {steps} steps, clipped by norm", "训练：{steps} 步后的损失，按范数裁剪"),
    Grid(
        "gradients",
        Label("a gradient, clipped by norm and by value", "一个梯度：按范数裁剪、按数值裁剪"),
        rows=("g", "g·c/|g|", "±c"),
        columns="w{1}",
    ),
    Curve("unclipped_over_steps", Label("training loss, no clipping", "训练损失，不裁剪"), STEP, "loss", arm="wrong"),
    Curve("clipped_over_steps", Label("training loss, clipped by norm", "训练损失，按范数裁剪"), STEP, "loss", arm="right"),
    Curve(
        "value_cosine_over_limit", Label("cosine with g, clipped by value", "与 g 的余弦，按数值"), LIMIT, "cosine", log_x=True, arm="wrong"
    ),
    Curve(
        "norm_cosine_over_limit", Label("cosine with g, clipped by norm", "与 g 的余弦，按范数"), LIMIT, "cosine", log_x=True, arm="right"
    ),
    note(
        "not_clipped",
        "limit >= gradient_norm",
        "The limit is not below the length of the gradient g: g stays as it is. The training run has other gradients.",
        "阈值不小于梯度 g 的长度：g 保持原样。训练过程中的梯度另算。",
    ),
    note(
        "value_idle",
        "limit < gradient_norm and value_length == gradient_norm",
        "No number of g is beyond the limit: clipping by value leaves g as it is.",
        "g 中没有超过阈值的数：按数值裁剪不改变 g。",
    ),
    note(
        "mild",
        "spike_clipped >= spike_unclipped",
        "In this training run clipping does not lower the loss after the bad batch.",
        "在这次训练中，裁剪没有降低坏批之后的损失。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("gradient clipping", "梯度裁剪"),
    summary=Label(
        "A heavy-tailed gradient clipped in two ways, and a training run that meets one bad batch.",
        "一个重尾梯度的两种裁剪，以及遇到一个坏批的训练。",
    ),
    keywords=("exploding gradients", "clip by norm", "clip_grad_norm_", "clip by value", "梯度爆炸", "范数"),
    parameters=(
        Parameter("limit", LIMIT, 1.0, LIMITS[0], LIMITS[-1], 2, "log"),
        Parameter("outlier", Label("bad batch: targets times minus", "坏批：目标乘以负的"), 20.0, 2.0, 100.0, 1.0),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("unclipped_over_steps", "clipped_over_steps"),
            caption=Label(
                "One bad batch can throw the weights far off; clipping by norm limits how far a step can go.",
                "一个坏批次就能把权重甩得老远；按范数裁剪，限制了一步能走多远。",
            ),
        ),
        Figure("heatmap", ("gradients",)),
        Figure("curve", ("value_cosine_over_limit", "norm_cosine_over_limit"), over="limit", mark="value_cosine"),
        Figure("bars", ("gradient_norm", "norm_length", "value_length")),
        Figure("curve", ("clipped_over_steps",)),
    ),
    arms=("value_cosine", "norm_cosine"),
    presets=(
        Preset(
            Label("limit 32", "上限 32"),
            {"limit": 32.0},
            Label(
                "Above the usual gradient a limit does nothing until the bad batch comes.", "上限高过平时的梯度，坏批次来之前它什么也不做。"
            ),
            "norm_length == gradient_norm and clipped_before == loss_before",
            show="gradient_norm",
        ),
        Preset(
            Label("limit 0.25", "上限 0.25"),
            {"limit": 0.25},
            Label(
                "Too tight: every step is cut short, and training has not arrived when it ends.",
                "太紧：每一步都被截短，训练结束时还没走到。",
            ),
            "final_clipped > 1",
            show="clipped_over_steps",
        ),
        Preset(
            Label("a worse batch", "更坏的批次"),
            {"outlier": 100.0},
            Label(
                "A batch five times worse: unclipped the loss is in the thousands, clipped it is what it was.",
                "坏五倍的批次：不裁剪，损失上千；裁剪了，和之前一样。",
            ),
            "spike_unclipped > 1000 and spike_clipped < 1",
        ),
    ),
    run=run,
)
