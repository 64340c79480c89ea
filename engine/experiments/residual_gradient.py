"""Without a way around it every layer multiplies the gradient again; with x + f(x) the first layer still hears the loss, at any depth."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.residual_stack import Activation, gradient_by_depth, plain_block, residual_block, singular_values, stack_weights

DEEPEST = 100
ROWS = 16
WIDTH = 32
FLOOR = 1e-300
ACTIVATIONS: dict[str, Activation] = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, "relu": torch.relu}


def run(*, layers: int, activation: str, gain: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64)
    weights = stack_weights(DEEPEST, WIDTH, gain, generator)[:layers]
    bend = ACTIVATIONS[activation]
    plain, skip = (gradient_by_depth(block, x, weights, bend) for block in (plain_block, residual_block))  # (layers,) each
    alone, around = (singular_values(block, x[0], weights[0], bend) for block in (plain_block, residual_block))  # (width,) each
    passed, directions = range(1, layers + 1), range(1, WIDTH + 1)
    return {
        "plain_gradient": plain[0],
        "skip_gradient": skip[0],
        "plain_factor": factor_per_layer(plain),
        "skip_factor": factor_per_layer(skip),
        "plain_smallest_singular": alone[-1],
        "skip_smallest_singular": around[-1],
        "plain_median_singular": alone.median(),
        "skip_median_singular": around.median(),
        "slope_power": 0.25**layers,
        "plain_gradient_over_layers": (passed, left_after(plain)),
        "skip_gradient_over_layers": (passed, left_after(skip)),
        "plain_singular_values": (directions, alone),
        "skip_singular_values": (directions, around),
    }


def factor_per_layer(norms: Tensor) -> float:
    """The mean factor of one layer: the root of what is left at the first."""
    return math.pow(float(norms[0].clamp_min(FLOOR)), 1 / len(norms))


def left_after(norms: Tensor) -> Tensor:
    """Seen from the output, log₁₀ of how much is left after the gradient has passed 1, 2, ... layers."""
    return norms.flip(0).clamp_min(FLOOR).log10()


DEPTH = Label("layers", "层数")
DIRECTION = Label("direction", "方向")

MEASURES = (
    wrong("plain_gradient", "RMS gradient norm at the first layer, f(x)", "第一层梯度的均方根范数，f(x)"),
    right("skip_gradient", "RMS gradient norm at the first layer, x + f(x)", "第一层梯度的均方根范数，x + f(x)"),
    wrong("plain_factor", "gradient's factor per layer, geometric mean, f(x)", "梯度每层的倍数，几何平均，f(x)"),
    right("skip_factor", "gradient's factor per layer, geometric mean, x + f(x)", "梯度每层的倍数，几何平均，x + f(x)"),
    wrong("plain_smallest_singular", "smallest singular value of a block's Jacobian, J", "一层雅可比矩阵的最小奇异值，J"),
    right("skip_smallest_singular", "smallest singular value of a block's Jacobian, I + J", "一层雅可比矩阵的最小奇异值，I + J"),
    wrong("plain_median_singular", "median singular value of a block's Jacobian, J", "一层雅可比矩阵奇异值的中位数，J"),
    right("skip_median_singular", "median singular value of a block's Jacobian, I + J", "一层雅可比矩阵奇异值的中位数，I + J"),
    measured(
        "slope_power", "0.25^layers, sigmoid slopes alone, weights left out", "0.25 的层数次方，只算 sigmoid 导数，不算权重", within=SHARE
    ),
    Curve("plain_gradient_over_layers", Label("log₁₀ of the gradient norm, f(x)", "梯度范数的 log₁₀，f(x)"), DEPTH, "depth", arm="wrong"),
    Curve(
        "skip_gradient_over_layers",
        Label("log₁₀ of the gradient norm, x + f(x)", "梯度范数的 log₁₀，x + f(x)"),
        DEPTH,
        "depth",
        arm="right",
    ),
    Curve(
        "plain_singular_values",
        Label("singular values of the first layer, J", "第一层的奇异值，J"),
        DIRECTION,
        "singular values",
        arm="wrong",
    ),
    Curve(
        "skip_singular_values",
        Label("singular values of the first layer, I + J", "第一层的奇异值，I + J"),
        DIRECTION,
        "singular values",
        arm="right",
    ),
    note(
        "skip_grows",
        "skip_gradient > 100",
        "With the skip the gradient grows, here {skip_gradient:.2g} times: each layer adds to it. Normalisation or a smaller gain "
        "keeps that in bounds.",
        "有残差时梯度反而变大，这里是 {skip_gradient:.2g} 倍：每层都在往上加。归一化或更小的增益可以约束它。",
    ),
    note(
        "plain_explodes",
        "plain_gradient > 1",
        "At this gain and depth the plain stack does not fade: {plain_gradient:.2g} of the gradient arrives.",
        "在这个增益和深度下，普通堆叠没有消失：到达的梯度是 {plain_gradient:.2g} 倍。",
    ),
    note(
        "sigmoid",
        "activation == sigmoid",
        "The sigmoid's slope is at most 0.25, and every layer multiplies with it, and with its weights: 0.25^layers leaves these out.",
        "sigmoid 的导数最大为 0.25，每一层都要乘上它，还要乘上权重；0.25 的层数次方没有算权重。",
    ),
    note(
        "plain_ahead",
        "plain_gradient > skip_gradient",
        "Here the plain stack passes on even more gradient than the one with skips.",
        "这里普通堆叠传回的梯度甚至多于残差堆叠。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("residual connections", "残差连接"),
    summary=Label("The same layers with and without a way around them.", "同样的层，有无残差连接。"),
    keywords=("ResNet", "skip connection", "shortcut", "vanishing gradient", "跳跃连接", "残差", "梯度消失"),
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
    presets=(
        Preset(
            Label("100 layers", "100 层"),
            {"layers": 100},
            Label(
                "Halved a hundred times: 1e-30 arrives; with the way around it is even more than at the top.",
                "折半一百次，只到得了 1e-30；有残差时到达的甚至比顶层还多。",
            ),
            "plain_gradient < 1e-25 and skip_gradient > 1",
        ),
        Preset(
            Label("sigmoid", "sigmoid"),
            {"activation": "sigmoid"},
            Label(
                "A slope of at most 1/4 a layer, and the weights on top: this is what kept deep nets from learning.",
                "斜率最多 1/4，再乘上权重：当年的深层网络就是这样学不动的。",
            ),
            "plain_factor < 0.25 and plain_gradient < 1e-12",
        ),
        Preset(
            Label("gain 2", "增益 2"),
            {"gain": 2.0},
            Label(
                "Large weights keep a plain gradient alive as well; the skip connection then makes it grow.",
                "权重大，普通堆叠的梯度也活着；这时残差反而让它变大。",
            ),
            "plain_gradient > 1 and skip_gradient > 5",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("plain_gradient_over_layers", "skip_gradient_over_layers"),
            over="layers",
            caption=Label(
                "A plain stack multiplies the gradient by factor after factor; the way around adds 1 to each, so it gets through.",
                "普通的堆叠把梯度逐层相乘；残差给每个因子加上 1，梯度就能传下去。",
            ),
        ),
        Figure("bars", ("plain_factor", "skip_factor")),
        Figure("curve", ("plain_singular_values", "skip_singular_values")),
    ),
    arms=("plain_gradient", "skip_gradient"),
)
