"""One bad batch throws a model far off; clipping the gradient by its norm keeps the direction, clipping number by number turns it."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.clip_gradients import clip_by_norm, clip_by_value, cosine

FEATURES, BATCH, STEPS, BAD_STEP = 8, 32, 60, 30  # of the small regression that is trained
RATE = 0.1
LIMITS = tuple(0.25 * 2**power for power in range(8))  # 0.25 ... 32
LIMIT, STEP = Label("limit c", "阈值 c"), Label("step", "步")


def run(*, limit: float, outlier: float, seed: int) -> Result:
    wanted, batches = task(seed)
    tailed = heavy_tailed(seed)
    lost = {name: train(wanted, batches, outlier, limit, name) for name in ("none", "norm", "value")}
    return Result(
        quantities=(
            wrong(
                "value_cosine",
                cosine(tailed, clip_by_value(tailed, limit)),
                "clipped by value: cosine with the gradient",
                "按数值裁剪：与原梯度的余弦",
            ),
            right(
                "norm_cosine",
                cosine(tailed, clip_by_norm(tailed, limit)),
                "clipped by norm: cosine with the gradient",
                "按范数裁剪：与原梯度的余弦",
            ),
            measured("gradient_norm", number(tailed.norm()), "length of that gradient", "该梯度的长度"),
            measured("norm_length", number(clip_by_norm(tailed, limit).norm()), "... clipped by norm", "……按范数裁剪后"),
            measured("value_length", number(clip_by_value(tailed, limit).norm()), "... clipped by value", "……按数值裁剪后"),
            *_spike(lost),
        ),
        matrices=(_numbers(tailed, limit),),
        series=_curves(lost, tailed),
        notes=(Label("The limit is above the gradient's length: nothing is clipped.", "阈值大于梯度长度：没有裁剪。"),)
        if limit >= tailed.norm()
        else (),
    )


def heavy_tailed(seed: int) -> Tensor:
    """A gradient of eight numbers, a few of them large: normal numbers to the fifth power."""
    return torch.randn(FEATURES, generator=torch.Generator().manual_seed(seed + 500), dtype=torch.float64) ** 5


def task(seed: int) -> tuple[Tensor, Tensor]:
    """The weights to be found (8,) and 60 batches of inputs (60, 32, 8)."""
    generator = torch.Generator().manual_seed(seed)
    wanted = torch.randn(FEATURES, generator=generator, dtype=torch.float64)
    return wanted, torch.randn(STEPS, BATCH, FEATURES, generator=generator, dtype=torch.float64)


def spoiled(wanted: Tensor, x: Tensor, factor: float) -> tuple[Tensor, Tensor]:
    """Inputs and targets, the targets of the whole batch multiplied by `factor` with the wrong sign; 1 leaves them as they are."""
    y = x @ wanted
    return x, y if factor == 1 else -factor * y


def gradient(weights: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Of the mean squared error."""
    return 2 * (x @ weights - y) @ x / len(x)


def train(wanted: Tensor, batches: Tensor, outlier: float, limit: float, way: str) -> tuple[float, ...]:
    """The loss on clean data, |w - wanted|², before training and after every step of gradient descent; one batch of it is bad."""
    weights, losses = torch.zeros(FEATURES, dtype=torch.float64), []
    clip = {"none": lambda g, _: g, "norm": clip_by_norm, "value": clip_by_value}[way]
    for step, x in enumerate(batches):
        losses.append(number((weights - wanted).square().sum()))
        weights = weights - RATE * clip(gradient(weights, *spoiled(wanted, x, outlier if step == BAD_STEP else 1.0)), limit)
    return (*losses, number((weights - wanted).square().sum()))


def _spike(lost: dict[str, tuple[float, ...]]) -> tuple[Quantity, ...]:
    """The loss right after the bad batch."""
    after = BAD_STEP + 1
    return (
        measured("loss_before", lost["none"][BAD_STEP], "loss before the bad batch, no clipping", "坏批之前的损失，不裁剪"),
        measured("clipped_before", lost["norm"][BAD_STEP], "... clipped by norm: steps are short", "……按范数裁剪：步子更短"),
        wrong("spike_unclipped", lost["none"][after], "loss after it, no clipping", "坏批之后的损失，不裁剪"),
        right("spike_clipped", lost["norm"][after], "loss after it, clipped by norm", "坏批之后的损失，按范数裁剪"),
        measured("final_unclipped", lost["none"][-1], f"loss after {STEPS} steps, no clipping", f"{STEPS} 步后的损失，不裁剪"),
        measured("final_clipped", lost["norm"][-1], "... clipped by norm", "……按范数裁剪"),
    )


def _numbers(tailed: Tensor, limit: float) -> Matrix:
    rows = torch.stack((tailed, clip_by_norm(tailed, limit), clip_by_value(tailed, limit)))
    columns = tuple(f"w{index + 1}" for index in range(FEATURES))
    label = Label("a gradient, clipped by norm and by value", "一个梯度：按范数裁剪、按数值裁剪")
    return Matrix("gradients", grid(rows), label, ("g", "g·c/|g|", "±c"), columns)


def _curves(lost: dict[str, tuple[float, ...]], tailed: Tensor) -> tuple[Series, ...]:
    steps = tuple(map(float, range(STEPS + 1)))
    turned = tuple(cosine(tailed, clip_by_value(tailed, limit)) for limit in LIMITS)
    kept = tuple(cosine(tailed, clip_by_norm(tailed, limit)) for limit in LIMITS)
    return (
        Series("unclipped_over_steps", steps, lost["none"], Label("loss, no clipping", "损失，不裁剪"), STEP, "loss", arm="wrong"),
        Series("clipped_over_steps", steps, lost["norm"], Label("loss, clipped by norm", "损失，按范数裁剪"), STEP, "loss", arm="right"),
        Series("value_cosine_over_limit", LIMITS, turned, Label("cosine, by value", "余弦，按数值"), LIMIT, "cosine", True, "wrong"),
        Series("norm_cosine_over_limit", LIMITS, kept, Label("cosine, by norm", "余弦，按范数"), LIMIT, "cosine", True, "right"),
    )


def cost(*, limit: float, outlier: float, seed: int) -> Cost:
    return Cost(bytes=8 * 2 * STEPS * BATCH * FEATURES, flops=3 * STEPS * BATCH * FEATURES * 8)


EXPERIMENT = Experiment(
    title=Label("gradient clipping", "梯度裁剪"),
    summary=Label(
        "A heavy-tailed gradient clipped in two ways, and a training run that meets one bad batch.",
        "一个重尾梯度的两种裁剪，以及遇到一个坏批的训练。",
    ),
    parameters=(
        Parameter("limit", LIMIT, 1.0, LIMITS[0], LIMITS[-1], 2, "log"),
        Parameter("outlier", Label("bad batch: targets times", "坏批：目标乘以"), 20.0, 2.0, 100.0, 1.0),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(clip_by_norm, clip_by_value, gradient),
    arms=("value_cosine", "norm_cosine"),
)
