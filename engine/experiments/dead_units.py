"""A ReLU unit that is negative for every sample gets a gradient of exactly 0 and stays dead; with a leak it gets one, and can wake up."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import normalize

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.activations import Activation, gelu, relu, silu, slope
from engine.textbook.dead_units import gradient_of_weights, leaky_relu, never_fires, pre_activation

SAMPLES, INPUTS, UNITS = 1000, 8, 100
LEARNERS = 100  # samples that one unit learns from
BIASES = tuple(0.5 * step - 5 for step in range(11))  # -5 ... 0
STEPS = 80  # of gradient descent
PLACES = (-3.0, -1.0, -0.1, 0.1, 1.0, 3.0)  # where slopes are read

Functions = dict[str, Activation]


def run(*, bias: float, leak: float, rate: float, seed: int) -> Numbers:
    functions: Functions = {"ReLU": relu, "leaky ReLU": partial(leaky_relu, leak=leak), "GELU": gelu, "SiLU": silu}
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(SAMPLES, INPUTS, generator=generator, dtype=torch.float64)
    weight = normalize(torch.randn(UNITS, INPUTS, generator=generator, dtype=torch.float64), dim=-1)  # inputs of spread 1
    back = torch.randn(SAMPLES, UNITS, generator=generator, dtype=torch.float64) / SAMPLES
    biases = torch.full((UNITS,), bias, dtype=torch.float64)
    inputs = pre_activation(x, weight, biases)
    dead = never_fires(inputs)
    lengths = {name: gradient_of_weights(x, weight, biases, each, back).norm(dim=-1) for name, each in functions.items()}
    firing = learning_to_fire(x[:LEARNERS], bias, rate, functions)
    steps = range(STEPS + 1)
    return {
        "dead_percent": percent(dead),
        "firing_percent": percent(inputs > 0),
        "relu_no_gradient_percent": percent(lengths["ReLU"] == 0),
        "leaky_no_gradient_percent": percent(lengths["leaky ReLU"] == 0),
        "relu_dead_gradient": largest(lengths["ReLU"][dead]),
        "leaky_dead_gradient": largest(lengths["leaky ReLU"][dead]),
        "gelu_dead_gradient": largest(lengths["GELU"][dead]),
        "silu_dead_gradient": largest(lengths["SiLU"][dead]),
        "relu_fires_after": firing["ReLU"][-1],
        "leaky_fires_after": firing["leaky ReLU"][-1],
        "gelu_fires_after": firing["GELU"][-1],
        "dead_over_bias": (BIASES, [percent(never_fires(x @ weight.T + each)) for each in BIASES]),
        "relu_firing_over_steps": (steps, firing["ReLU"]),
        "leaky_firing_over_steps": (steps, firing["leaky ReLU"]),
        "gelu_firing_over_steps": (steps, firing["GELU"]),
        "units": UNITS,
        "slopes": [(name, *slope(each, torch.tensor(PLACES, dtype=torch.float64))) for name, each in functions.items()],
    }


def percent(which: Tensor) -> float:
    return 100 * float(which.double().mean())


def largest(values: Tensor) -> float:
    """0 where there is nothing to look at."""
    return float(values.max()) if values.numel() else 0.0


def learning_to_fire(x: Tensor, bias: float, rate: float, functions: Functions) -> dict[str, Tensor]:
    """For every activation a unit f(w·x + b) learns to give 1: the percentage of samples with an input above 0, step by step."""
    weight = torch.full((len(functions), INPUTS), 0.1, dtype=torch.float64, requires_grad=True)
    biases = torch.full((len(functions), 1), bias, dtype=torch.float64, requires_grad=True)
    above: list[Tensor] = []
    for _ in range(STEPS + 1):
        inputs = weight @ x.T + biases  # (activations, samples)
        above.append(100 * (inputs > 0).double().mean(-1))
        outputs = torch.stack([function(row) for function, row in zip(functions.values(), inputs, strict=True)])
        steps = torch.autograd.grad((outputs - 1).square().mean(-1).sum(), (weight, biases))
        weight, biases = (each.detach().sub(rate * step).requires_grad_() for each, step in zip((weight, biases), steps, strict=True))
    return dict(zip(functions, torch.stack(above, -1), strict=True))


BIAS = Label("bias of all units", "所有单元的偏置")
STEP = Label("step", "步")

MEASURES = (
    measured(
        "dead_percent", "of 100 units, those that fire for none of 1000 samples", "100 个单元中对 1000 个样本都不激活的", "%", PERCENT
    ),
    measured("firing_percent", "of 100 units x 1000 samples, inputs above 0", "100 个单元 × 1000 个样本中大于 0 的输入", "%", PERCENT),
    wrong("relu_no_gradient_percent", "of 100 units, those without any gradient, ReLU", "100 个单元中完全没有梯度的，ReLU", "%", PERCENT),
    right(
        "leaky_no_gradient_percent",
        "of 100 units, those without any gradient, leaky ReLU",
        "100 个单元中完全没有梯度的，leaky ReLU",
        "%",
        PERCENT,
    ),
    wrong("relu_dead_gradient", "longest gradient of a silent unit, ReLU", "不激活单元中最长的梯度，ReLU"),
    right("leaky_dead_gradient", "longest gradient of a silent unit, leaky ReLU", "不激活单元中最长的梯度，leaky ReLU"),
    measured("gelu_dead_gradient", "longest gradient of a silent unit, GELU", "不激活单元中最长的梯度，GELU"),
    measured("silu_dead_gradient", "longest gradient of a silent unit, SiLU", "不激活单元中最长的梯度，SiLU"),
    wrong(
        "relu_fires_after",
        "a unit taught to give 1: inputs > 0 after 80 steps, ReLU",
        "教一个单元输出 1：80 步后大于 0 的输入，ReLU",
        "%",
        PERCENT,
    ),
    right(
        "leaky_fires_after",
        "a unit taught to give 1: inputs > 0 after 80 steps, leaky ReLU",
        "教一个单元输出 1：80 步后大于 0 的输入，leaky ReLU",
        "%",
        PERCENT,
    ),
    measured(
        "gelu_fires_after",
        "a unit taught to give 1: inputs > 0 after 80 steps, GELU",
        "教一个单元输出 1：80 步后大于 0 的输入，GELU",
        "%",
        PERCENT,
    ),
    Curve("dead_over_bias", Label("silent units, %", "沉默的单元 %"), BIAS, "dead"),
    Curve(
        "relu_firing_over_steps",
        Label("the taught unit's inputs above 0, %, ReLU", "被教单元大于 0 的输入 %，ReLU"),
        STEP,
        "firing",
        arm="wrong",
    ),
    Curve(
        "leaky_firing_over_steps",
        Label("the taught unit's inputs above 0, %, leaky ReLU", "被教单元大于 0 的输入 %，leaky ReLU"),
        STEP,
        "firing",
        arm="right",
    ),
    Curve("gelu_firing_over_steps", Label("the taught unit's inputs above 0, %, GELU", "被教单元大于 0 的输入 %，GELU"), STEP, "firing"),
    Rows(
        "slopes",
        Label("slope at x", "在 x 处的导数"),
        (Label("activation", "激活函数"), *(Label(f"{place:g}", f"{place:g}") for place in PLACES)),
    ),
    note(
        "none_silent",
        "dead_percent == 0",
        "None of the {units} units is silent at this bias; gradients of silent ones are shown as 0. The taught unit is another one.",
        "在这个偏置下 {units} 个单元都不沉默；沉默单元的梯度显示为 0。被教的那个单元不在其中。",
    ),
    note(
        "gelu_falls",
        "bias <= -2 and gelu_fires_after == 0",
        "Left of -0.75 GELU falls: its gradient is small and points away from 0, so the taught unit, which should rise, sinks.",
        "在 −0.75 左边 GELU 是下降的：梯度很小，而且背离 0，被教的单元本该上升，反而下沉。",
    ),
    note(
        "relu_learns",
        "relu_fires_after > 0",
        "At this bias the taught ReLU unit is above 0 for some samples from the start, so it gets a gradient and learns.",
        "在这个偏置下，被教的 ReLU 单元一开始就对部分样本大于 0，因而有梯度、学得会。",
    ),
    note(
        "too_slow",
        "leaky_fires_after == 0",
        "The leak is small: the leaky unit moves, but 80 steps of this size are too few for it to fire.",
        "泄漏斜率太小：leaky ReLU 单元在动，但这样的 80 步还不足以激活。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("dead units", "神经元死亡"),
    summary=Label(
        "A hundred units with a bias: which are silent, what gradient they get, and whether one wakes up again.",
        "一百个带偏置的单元：哪些沉默、得到多少梯度，以及还能不能醒来。",
    ),
    keywords=("dying ReLU", "dead neurons", "leaky ReLU", "PReLU", "ReLU 死亡", "死亡神经元"),
    parameters=(
        Parameter("bias", BIAS, -3.0, BIASES[0], BIASES[-1], 0.5),
        Parameter("leak", Label("slope of leaky ReLU below 0", "leaky ReLU 在负半轴的斜率"), 0.1, 0.01, 0.3, 0.01),
        Parameter("rate", Label("learning rate", "学习率"), 0.5, 0.1, 1.0, 0.1),
        SEED,
    ),
    presets=(
        Preset(
            Label("bias 0", "偏置 0"),
            {"bias": 0.0},
            Label(
                "Nobody is dead: each unit fires for half of the samples and learns, whatever the activation.",
                "没有死单元：每个单元约对一半样本激活，用哪种激活函数都能学。",
            ),
            "dead_percent == 0 and relu_fires_after > 90",
        ),
        Preset(
            Label("bias -5", "偏置 −5"),
            {"bias": -5.0},
            Label("All hundred units are silent: without a leak this layer is lost.", "一百个单元全部不激活：没有泄漏，这一层就废了。"),
            "dead_percent > 95 and relu_no_gradient_percent > 95",
        ),
        Preset(
            Label("a leak of 0.01", "斜率 0.01"),
            {"leak": 0.01},
            Label(
                "Ten times less slope, ten times less gradient: 80 steps are not enough to wake up.",
                "斜率小十倍，梯度也小十倍：80 步还救不回来。",
            ),
            "leaky_fires_after < 10",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("relu_firing_over_steps", "leaky_firing_over_steps", "gelu_firing_over_steps"),
            caption=Label(
                "A unit that is silent for every sample gets no gradient through ReLU and stays silent; a leak below 0 can wake it.",
                "对所有样本都不激活的单元，ReLU 不给它任何梯度，它就一直死着；0 以下留一点斜率才能把它救回来。",
            ),
        ),
        Figure("curve", ("dead_over_bias",), over="bias", mark="dead_percent"),
        Figure("bars", ("relu_dead_gradient", "leaky_dead_gradient", "gelu_dead_gradient", "silu_dead_gradient")),
        Figure("bars", ("relu_no_gradient_percent", "leaky_no_gradient_percent")),
        Figure("table", ("slopes",)),
    ),
    arms=("relu_fires_after", "leaky_fires_after"),
)
