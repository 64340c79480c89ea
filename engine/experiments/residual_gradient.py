"""Without a way around it every layer multiplies the gradient again; with x + f(x) the first layer still hears the loss, at any depth."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.residual_stack import Activation, gradient_by_depth, plain_block, residual_block, singular_values, stack_weights

DEEPEST = 100
ROWS = 16
WIDTH = 32
FLOOR = 1e-300
DEPTH = Label("layers", "层数")
DIRECTION = Label("direction", "方向")

ACTIVATIONS: dict[str, Activation] = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, "relu": torch.relu}
Arm = Literal["right", "wrong"]


def run(*, layers: int, activation: str, gain: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64)
    weights = stack_weights(DEEPEST, WIDTH, gain, generator)[:layers]
    bend = ACTIVATIONS[activation]
    plain, skip = (gradient_by_depth(block, x, weights, bend) for block in (plain_block, residual_block))
    alone, around = (singular_values(block, x[0], weights[0], bend) for block in (plain_block, residual_block))
    return Result(
        quantities=(
            wrong("plain_gradient", float(plain[0]), "gradient at the first layer, f(x)", "第一层的梯度，f(x)"),
            right("skip_gradient", float(skip[0]), "gradient at the first layer, x + f(x)", "第一层的梯度，x + f(x)"),
            *_per_layer(plain, skip),
            *_spectrum(alone, around),
            measured("slope_power", 0.25**layers, "0.25^layers, the sigmoid's bound", "0.25 的层数次方（sigmoid 的上界）"),
        ),
        series=(*_depths(plain, skip), *_directions(alone, around)),
        notes=_notes(plain, skip, activation),
    )


def _per_layer(plain: Tensor, skip: Tensor) -> tuple[Quantity, ...]:
    """The mean factor of one layer."""
    lone, beside = (float(norms[0].clamp_min(FLOOR)) ** (1 / len(norms)) for norms in (plain, skip))
    return (
        wrong("plain_factor", lone, "mean factor per layer, f(x)", "平均每层的倍数，f(x)"),
        right("skip_factor", beside, "mean factor per layer, x + f(x)", "平均每层的倍数，x + f(x)"),
    )


def _spectrum(alone: Tensor, around: Tensor) -> tuple[Quantity, ...]:
    return (
        wrong("plain_smallest_singular", float(alone[-1]), "J: smallest singular value", "J：最小奇异值"),
        right("skip_smallest_singular", float(around[-1]), "I + J: smallest singular value", "I + J：最小奇异值"),
        wrong("plain_median_singular", float(alone.median()), "J: median singular value", "J：奇异值的中位数"),
        right("skip_median_singular", float(around.median()), "I + J: median singular value", "I + J：奇异值的中位数"),
    )


def _depths(plain: Tensor, skip: Tensor) -> tuple[Series, ...]:
    """Seen from the output: how much is left after the gradient has passed that many layers."""
    x = tuple(float(passed) for passed in range(1, len(plain) + 1))

    def curve(name: str, norms: Tensor, en: str, zh: str, arm: Arm) -> Series:
        y = tuple(norms.flip(0).clamp_min(FLOOR).log10().tolist())
        return Series(name, x, y, Label(f"{en}, log₁₀", f"{zh}，log₁₀"), DEPTH, "depth", arm=arm)

    return (
        curve("plain_gradient_over_layers", plain, "f(x)", "f(x)", "wrong"),
        curve("skip_gradient_over_layers", skip, "x + f(x)", "x + f(x)", "right"),
    )


def _directions(alone: Tensor, around: Tensor) -> tuple[Series, ...]:
    x = tuple(float(index) for index in range(1, WIDTH + 1))
    return (
        Series("plain_singular_values", x, tuple(alone.tolist()), Label("J", "J"), DIRECTION, "singular values", arm="wrong"),
        Series("skip_singular_values", x, tuple(around.tolist()), Label("I + J", "I + J"), DIRECTION, "singular values", arm="right"),
    )


def _notes(plain: Tensor, skip: Tensor, activation: str) -> tuple[Label, ...]:
    found = (
        (
            math.log10(max(float(skip[0]), FLOOR)) > 2,
            Label(
                "With the skip the gradient now grows: each layer adds to it. Normalisation or a smaller gain keeps that in bounds.",
                "有残差时梯度反而变大：每层都在往上加。归一化或更小的增益可以约束它。",
            ),
        ),
        (
            float(plain[0]) > 1,
            Label("With this gain the plain stack explodes instead of fading.", "在这个增益下，普通堆叠不是消失而是爆炸。"),
        ),
        (
            activation == "sigmoid",
            Label(
                "The sigmoid's slope is at most 0.25, and every layer multiplies with it.",
                "sigmoid 的导数最大为 0.25，而每一层都要乘上它。",
            ),
        ),
    )
    return tuple(note for applies, note in found if applies)


def cost(*, layers: int, activation: str, gain: float, seed: int) -> Cost:
    depth = max(layers, DEEPEST)
    return Cost(bytes=8 * depth * (WIDTH**2 + 6 * ROWS * WIDTH), flops=2 * 3 * 2 * depth * ROWS * WIDTH**2 + 50 * WIDTH**3)


EXPERIMENT = Experiment(
    title=Label("residual connections", "残差连接"),
    summary=Label("The same layers with and without a way around them.", "同样的层，有无残差连接。"),
    parameters=(
        Parameter("layers", DEPTH, 20, 1, DEEPEST),
        choice(
            "activation",
            Label("activation", "激活函数"),
            ("tanh", "tanh", "tanh"),
            ("sigmoid", "sigmoid", "sigmoid"),
            ("relu", "ReLU", "ReLU"),
        ),
        Parameter("gain", Label("gain of W", "W 的增益"), 0.5, 0.1, 2.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(residual_block, plain_block, gradient_by_depth, singular_values),
    arms=("plain_gradient", "skip_gradient"),
)
