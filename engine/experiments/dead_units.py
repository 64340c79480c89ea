"""A ReLU unit that is negative for every sample gets a gradient of exactly 0 and stays dead; with a small leak it wakes up again."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import normalize

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import number
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.activations import Activation, gelu, relu, silu, slope
from engine.textbook.dead_units import gradient_of_weights, leaky_relu, never_fires, pre_activation

SAMPLES, INPUTS, UNITS = 1000, 8, 100
LEARNERS = 100  # samples that one unit learns from
BIASES = tuple(0.5 * step - 5 for step in range(11))  # -5 ... 0
STEPS = 80  # of gradient descent
Functions = dict[str, Activation]
NAMES = {"relu": "ReLU", "leaky": "leaky ReLU", "gelu": "GELU", "silu": "SiLU"}
BIAS = Label("bias of all units", "所有单元的偏置")


def run(*, bias: float, leak: float, rate: float, seed: int) -> Result:
    functions: Functions = {"relu": relu, "leaky": partial(leaky_relu, leak=leak), "gelu": gelu, "silu": silu}
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(SAMPLES, INPUTS, generator=generator, dtype=torch.float64)
    weight = normalize(torch.randn(UNITS, INPUTS, generator=generator, dtype=torch.float64), dim=-1)  # inputs of spread 1
    back = torch.randn(SAMPLES, UNITS, generator=generator, dtype=torch.float64) / SAMPLES
    biases = torch.full((UNITS,), bias, dtype=torch.float64)
    dead = never_fires(pre_activation(x, weight, biases))
    lengths = {name: gradient_of_weights(x, weight, biases, each, back).norm(dim=-1) for name, each in functions.items()}
    firing = waking(x[:LEARNERS], bias, rate, functions)
    return Result(
        quantities=(
            measured(
                "dead_percent", percent(dead), f"units that fire for none of {SAMPLES} samples", f"对 {SAMPLES} 个样本都不激活的单元", "%"
            ),
            measured(
                "firing_percent",
                100 * number((pre_activation(x, weight, biases) > 0).double().mean()),
                "inputs above 0",
                "大于 0 的输入",
                "%",
            ),
            wrong(
                "relu_no_gradient_percent",
                percent(lengths["relu"] == 0),
                "units without any gradient, ReLU",
                "完全没有梯度的单元，ReLU",
                "%",
            ),
            right("leaky_no_gradient_percent", percent(lengths["leaky"] == 0), "... leaky ReLU", "……leaky ReLU", "%"),
            wrong(
                "relu_dead_gradient",
                largest(lengths["relu"][dead]),
                "largest gradient of a silent unit, ReLU",
                "不激活单元的最大梯度，ReLU",
            ),
            right("leaky_dead_gradient", largest(lengths["leaky"][dead]), "... leaky ReLU", "……leaky ReLU"),
            measured("gelu_dead_gradient", largest(lengths["gelu"][dead]), "... GELU", "……GELU"),
            measured("silu_dead_gradient", largest(lengths["silu"][dead]), "... SiLU", "……SiLU"),
            *_one_unit(firing),
        ),
        series=_curves(x, weight, firing),
        tables=(_slopes(functions),),
        notes=_notes(bool(dead.any()), bias),
    )


def percent(which: Tensor) -> float:
    return 100 * number(which.double().mean())


def largest(values: Tensor) -> float:
    """0 where there is nothing to look at."""
    return number(values.max()) if values.numel() else 0.0


def waking(x: Tensor, bias: float, rate: float, functions: Functions) -> dict[str, tuple[float, ...]]:
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
    return dict(zip(functions, map(tuple, torch.stack(above, -1).tolist()), strict=True))


def _one_unit(firing: dict[str, tuple[float, ...]]) -> tuple[Quantity, ...]:
    return (
        wrong(
            "relu_fires_after",
            firing["relu"][-1],
            f"a unit taught to give 1: inputs above 0 after {STEPS} steps, ReLU",
            f"教一个单元输出 1，{STEPS} 步后大于 0 的输入：ReLU",
            "%",
        ),
        right("leaky_fires_after", firing["leaky"][-1], "... leaky ReLU", "……leaky ReLU", "%"),
        measured("gelu_fires_after", firing["gelu"][-1], "... GELU", "……GELU", "%"),
    )


def _curves(x: Tensor, weight: Tensor, firing: dict[str, tuple[float, ...]]) -> tuple[Series, ...]:
    inputs = x @ weight.T
    dead = tuple(percent(never_fires(inputs + bias)) for bias in BIASES)
    steps, step = tuple(map(float, range(STEPS + 1))), Label("step", "步")
    return (
        Series("dead_over_bias", BIASES, dead, Label("silent units, %", "沉默的单元 %"), BIAS, "dead"),
        Series(
            "relu_firing_over_steps",
            steps,
            firing["relu"],
            Label("inputs above 0, %, ReLU", "大于 0 的输入 %，ReLU"),
            step,
            "firing",
            arm="wrong",
        ),
        Series(
            "leaky_firing_over_steps",
            steps,
            firing["leaky"],
            Label("inputs above 0, %, leaky ReLU", "大于 0 的输入 %，leaky ReLU"),
            step,
            "firing",
            arm="right",
        ),
        Series("gelu_firing_over_steps", steps, firing["gelu"], Label("inputs above 0, %, GELU", "大于 0 的输入 %，GELU"), step, "firing"),
    )


def _slopes(functions: Functions) -> Table:
    places = torch.tensor([-3.0, -1.0, -0.1, 0.1, 1.0, 3.0], dtype=torch.float64)
    rows = tuple((NAMES[name], *slope(each, places).tolist()) for name, each in functions.items())
    return Table(
        "slopes",
        Label("slope at x", "在 x 处的导数"),
        (Label("activation", "激活函数"), *(Label(f"{place:g}", f"{place:g}") for place in places.tolist())),
        rows,
    )


def _notes(any_dead: bool, bias: float) -> tuple[Label, ...]:
    none = Label("No unit is silent at this bias.", "在这个偏置下没有沉默的单元。")
    falls = Label(
        "Left of -0.75 GELU falls: its gradient is small and points away from 0, so a unit that should rise sinks.",
        "在 −0.75 左边 GELU 是下降的：梯度很小，而且背离 0，该升的单元反而下沉。",
    )
    return tuple(note for applies, note in ((not any_dead, none), (bias <= -2, falls)) if applies)


def cost(*, bias: float, leak: float, rate: float, seed: int) -> Cost:
    cells = SAMPLES * UNITS
    return Cost(bytes=8 * 8 * cells, flops=(2 * INPUTS + 20) * cells * (len(BIASES) + 5) + 3 * STEPS * LEARNERS * (4 * INPUTS + 40))


EXPERIMENT = Experiment(
    title=Label("dead units", "神经元死亡"),
    summary=Label(
        "A hundred units with a bias: which are silent, what gradient they get, and whether one wakes up again.",
        "一百个带偏置的单元：哪些沉默、得到多少梯度，以及还能不能醒来。",
    ),
    parameters=(
        Parameter("bias", BIAS, -3.0, BIASES[0], BIASES[-1], 0.5),
        Parameter("leak", Label("slope of leaky ReLU below 0", "leaky ReLU 在负半轴的斜率"), 0.1, 0.01, 0.3, 0.01),
        Parameter("rate", Label("learning rate", "学习率"), 0.5, 0.1, 1.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(relu, gelu, leaky_relu, never_fires, gradient_of_weights),
    arms=("relu_fires_after", "leaky_fires_after"),
)
