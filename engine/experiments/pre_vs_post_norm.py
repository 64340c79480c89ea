"""Post-norm LN(x + f(x)) keeps the stream at variance 1; in pre-norm x + f(LN(x)) it grows by 1 a layer, and the last gradients shrink."""

from __future__ import annotations

from typing import Literal

import torch

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Step
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.norm_placement import Depth, Placement, measure_depth, no_norm, norm_inside, post_norm, pre_norm, random_layers

TOKENS, WIDTH = 16, 32
LAYER = Label("layer", "第几层")
POST, PRE = Label("post-norm", "后置归一化"), Label("pre-norm", "前置归一化")
PLACEMENTS: dict[str, Placement] = {"post": post_norm, "pre": pre_norm, "inside": norm_inside, "none": no_norm}


def run(*, layers: int, gain: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed + 1000)
    x, target = (torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64) for _ in range(2))
    weights = random_layers(layers, WIDTH, gain, seed)
    depths = {name: measure_depth(placement, x, weights, target) for name, placement in PLACEMENTS.items()}
    return Result(quantities=_quantities(depths), series=_curves(depths), steps=STEPS)


def _quantities(depths: dict[str, Depth]) -> tuple[Quantity, ...]:
    post, pre = depths["post"], depths["pre"]
    return (
        wrong(
            "norm_inside_variance",
            depths["inside"].variance[-1],
            "variance after the last layer, x + LN(f(x))",
            "最后一层之后的方差，x + LN(f(x))",
        ),
        right("post_norm_variance", post.variance[-1], "... post-norm, LN(x + f(x))", "……后置归一化 LN(x + f(x))"),
        measured("pre_norm_variance", pre.variance[-1], "... pre-norm, x + f(LN(x))", "……前置归一化 x + f(LN(x))"),
        wrong("no_norm_variance", depths["none"].variance[-1], "... without a norm", "……没有归一化"),
        measured("pre_norm_first_variance", pre.variance[1], "pre-norm: variance after the first layer", "前置归一化：第一层之后的方差"),
        measured("post_norm_last_gradient", post.gradient[-1], "gradient of the last layer, post-norm", "最后一层的梯度，后置归一化"),
        measured("pre_norm_last_gradient", pre.gradient[-1], "gradient of the last layer, pre-norm", "最后一层的梯度，前置归一化"),
        measured(
            "last_gradient_ratio",
            post.gradient[-1] / pre.gradient[-1],
            "post-norm's last gradient over pre-norm's",
            "两者最后一层梯度之比（后置 / 前置）",
        ),
        measured(
            "post_norm_gradient_ratio",
            post.gradient[-1] / post.gradient[0],
            "last over first gradient, post-norm",
            "末层与首层梯度之比，后置归一化",
        ),
        measured(
            "pre_norm_gradient_ratio",
            pre.gradient[-1] / pre.gradient[0],
            "last over first gradient, pre-norm",
            "末层与首层梯度之比，前置归一化",
        ),
        measured(
            "post_norm_last_move", post.move[-1], "how far the last layer moves the stream, post-norm", "最后一层对残差流的改动，后置归一化"
        ),
        measured("pre_norm_last_move", pre.move[-1], "... pre-norm", "……前置归一化"),
    )


def _curves(depths: dict[str, Depth]) -> tuple[Series, ...]:
    inside, post, pre = depths["inside"], depths["post"], depths["pre"]

    def curve(name: str, y: tuple[float, ...], label: Label, figure: str, arm: Literal["", "right", "wrong"] = "") -> Series:
        first = len(post.variance) - len(y)  # a variance before the first layer too, the others from layer 1
        return Series(f"{name}_over_layer", tuple(float(first + index) for index in range(len(y))), y, label, LAYER, figure, arm=arm)

    return (
        curve("norm_inside_variance", inside.variance, Label("x + LN(f(x))", "x + LN(f(x))"), "variance", "wrong"),
        curve("post_norm_variance", post.variance, POST, "variance", "right"),
        curve("pre_norm_variance", pre.variance, PRE, "variance"),
        curve("post_norm_gradient", post.gradient, POST, "gradient"),
        curve("pre_norm_gradient", pre.gradient, PRE, "gradient"),
        curve("post_norm_move", post.move, POST, "move"),
        curve("pre_norm_move", pre.move, PRE, "move"),
    )


STEPS = (
    Step(Label("post-norm: the sum is normalised", "后置归一化：对和做归一化"), r"x_{l+1} = \mathrm{LN}(x_l + f(x_l))", (TOKENS, WIDTH)),
    Step(
        Label("pre-norm: a normalised copy is read", "前置归一化：读取归一化后的副本"),
        r"x_{l+1} = x_l + f(\mathrm{LN}(x_l))",
        (TOKENS, WIDTH),
    ),
    Step(Label("often written for post-norm, and wrong", "常被误写成后置归一化"), r"x_{l+1} = x_l + \mathrm{LN}(f(x_l))", (TOKENS, WIDTH)),
)


def cost(*, layers: int, gain: float, seed: int) -> Cost:
    weights = 8 * WIDTH**2 * layers
    activations = 10 * TOKENS * WIDTH * layers
    return Cost(bytes=8 * (3 * weights + activations), flops=len(PLACEMENTS) * 6 * TOKENS * weights)


EXPERIMENT = Experiment(
    title=Label("pre-norm and post-norm", "前置与后置归一化"),
    summary=Label(
        "The same random layers with the norm in four places: variance, gradient and the share of each layer, by depth.",
        "同样的随机层，归一化放在四个位置：方差、梯度与每层的贡献如何随深度变化。",
    ),
    parameters=(
        Parameter("layers", Label("layers L", "层数 L"), 24, 1, 48),
        Parameter("gain", Label("spread of what a layer adds", "每层增量的标准差"), 1.0, 0.1, 2.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(post_norm, pre_norm, norm_inside, no_norm, measure_depth),
    arms=("norm_inside_variance", "post_norm_variance"),
)
