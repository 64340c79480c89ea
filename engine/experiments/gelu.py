"""GELU is x·Φ(x), dips to -0.17 and is not monotone; with tanh closed too early the formula gives +2.68 at -3, not -0.004."""

from __future__ import annotations

from functools import cache
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import number
from engine.result import Quantity, Result, Series, Table
from engine.textbook.activations import (
    Activation,
    gelu,
    gelu_misplaced,
    gelu_sigmoid,
    gelu_tanh,
    minimum,
    relu,
    sigmoid,
    silu,
    slope,
)

Arm = Literal["", "right", "wrong"]

REACH = 6.0
AXIS = torch.linspace(-REACH, REACH, 241, dtype=torch.float64)  # every 0.05
FINE = torch.linspace(-REACH, REACH, 24001, dtype=torch.float64)  # every 0.0005, to find where two curves are farthest apart
NEAR = 1.0  # inside of it the wrong formula looks right
X = Label("x", "x")


def run(*, x: float) -> Result:
    here = torch.tensor(x, dtype=torch.float64)
    return Result(
        quantities=(*_values(here), *_differences(), *_minima(), *_slopes(here)),
        series=_curves(),
        tables=(_side_by_side(),),
    )


def _values(here: Tensor) -> tuple[Quantity, ...]:
    """What each function makes of the slider's x."""
    functions: tuple[tuple[str, Activation, str, str, Arm], ...] = (
        ("misplaced_at_x", gelu_misplaced, "GELU(x), parenthesis misplaced", "GELU(x)，括号放错", "wrong"),
        ("gelu_at_x", gelu, "GELU(x), exact: x·Φ(x)", "GELU(x)，精确：x·Φ(x)", "right"),
        ("tanh_at_x", gelu_tanh, "GELU(x), tanh form", "GELU(x)，tanh 近似", "right"),
        ("sigmoid_form_at_x", gelu_sigmoid, "GELU(x), x·σ(1.702x)", "GELU(x)，x·σ(1.702x)", "right"),
        ("relu_at_x", relu, "ReLU(x)", "ReLU(x)", ""),
        ("silu_at_x", silu, "SiLU(x)", "SiLU(x)", ""),
    )
    return tuple(Quantity(name, number(function(here)), Label(en, zh), arm=arm) for name, function, en, zh, arm in functions)


@cache  # whatever x is
def _differences() -> tuple[Quantity, ...]:
    tanh, quick, misplaced = (function(FINE) - gelu(FINE) for function in (gelu_tanh, gelu_sigmoid, gelu_misplaced))
    near = FINE.abs() <= NEAR
    return (
        _measure(
            "misplaced_max_difference", misplaced.abs().max(), "misplaced: largest error, |x| ≤ 6", "括号放错：|x| ≤ 6 的最大误差", "wrong"
        ),
        _measure(
            "misplaced_near_difference",
            misplaced[near].abs().max(),
            "misplaced: largest error, |x| ≤ 1",
            "括号放错：|x| ≤ 1 的最大误差",
            "wrong",
        ),
        _measure("tanh_max_difference", tanh.abs().max(), "tanh form: largest error", "tanh 近似：最大误差", "right"),
        _measure("tanh_max_difference_at", FINE[tanh.abs().argmax()].abs(), "... at |x| =", "……出现在 |x| ="),
        _measure("sigmoid_form_max_difference", quick.abs().max(), "σ(1.702x) form: largest error", "σ(1.702x) 近似：最大误差", "right"),
        _measure("sigmoid_form_max_difference_at", FINE[quick.abs().argmax()].abs(), "... at |x| =", "……出现在 |x| ="),
    )


@cache  # whatever x is
def _minima() -> tuple[Quantity, ...]:
    gelu_at, gelu_lowest = minimum(gelu, -2.0, 0.0)
    silu_at, silu_lowest = minimum(silu, -3.0, 0.0)
    return (
        Quantity("gelu_minimum", gelu_lowest, Label("GELU's minimum", "GELU 的最小值")),
        Quantity("gelu_minimum_at", gelu_at, Label("... at x =", "……出现在 x =")),
        Quantity("silu_minimum", silu_lowest, Label("SiLU's minimum", "SiLU 的最小值")),
        Quantity("silu_minimum_at", silu_at, Label("... at x =", "……出现在 x =")),
    )


def _slopes(here: Tensor) -> tuple[Quantity, ...]:
    return (
        _measure("gelu_slope_at_x", slope(gelu, here), "GELU'(x)", "GELU 在 x 处的导数"),
        _measure("silu_slope_at_x", slope(silu, here), "SiLU'(x)", "SiLU 在 x 处的导数"),
        _measure("relu_slope_at_x", slope(relu, here) * (here != 0), "ReLU'(x), 0 at 0", "ReLU 在 x 处的导数（0 处取 0）"),
        _measure("gelu_max_slope", slope(gelu, FINE).max(), "GELU's steepest slope", "GELU 导数的最大值"),
        _measure("sigmoid_max_slope", slope(sigmoid, FINE).max(), "sigmoid's steepest slope", "sigmoid 导数的最大值"),
        _measure("tanh_max_slope", slope(torch.tanh, FINE).max(), "tanh's steepest slope", "tanh 导数的最大值"),
    )


def _measure(name: str, value: Tensor, en: str, zh: str, arm: Arm = "") -> Quantity:
    return Quantity(name, number(value), Label(en, zh), arm=arm)


@cache  # whatever x is
def _curves() -> tuple[Series, ...]:
    return (
        _curve(
            "misplaced",
            gelu_misplaced(AXIS).clamp(-2, REACH),
            "misplaced (clipped)",
            "括号放错（有截断）",
            "forms",
            "wrong",
        ),
        _curve("gelu_exact", gelu(AXIS), "x·Φ(x)", "x·Φ(x)", "forms", "right"),
        _curve("gelu_tanh", gelu_tanh(AXIS), "tanh form", "tanh 近似", "forms", "right"),
        _curve("relu", relu(AXIS), "ReLU", "ReLU", "activations"),
        _curve("gelu", gelu(AXIS), "GELU", "GELU", "activations"),
        _curve("silu", silu(AXIS), "SiLU", "SiLU", "activations"),
        _curve("relu_slope", slope(relu, AXIS) * (AXIS != 0), "ReLU'", "ReLU 的导数", "slopes"),
        _curve("gelu_slope", slope(gelu, AXIS), "GELU'", "GELU 的导数", "slopes"),
        _curve("silu_slope", slope(silu, AXIS), "SiLU'", "SiLU 的导数", "slopes"),
        _curve("sigmoid_slope", slope(sigmoid, AXIS), "sigmoid'", "sigmoid 的导数", "slopes"),
        _curve("tanh_difference", gelu_tanh(AXIS) - gelu(AXIS), "tanh form - exact", "tanh 近似 - 精确值", "differences"),
        _curve(
            "sigmoid_form_difference", gelu_sigmoid(AXIS) - gelu(AXIS), "σ(1.702x) form - exact", "σ(1.702x) 近似 - 精确值", "differences"
        ),
    )


def _curve(name: str, y: Tensor, en: str, zh: str, figure: str, arm: Arm = "") -> Series:
    return Series(f"{name}_over_x", tuple(AXIS.tolist()), tuple(each + 0.0 for each in y.tolist()), Label(en, zh), X, figure, arm=arm)


def _side_by_side() -> Table:
    """The forms at a few x: near 0 nobody notices."""
    points = torch.tensor([-4.0, -3.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0], dtype=torch.float64)
    forms = (points, gelu(points), gelu_tanh(points), gelu_sigmoid(points), gelu_misplaced(points))
    return Table(
        "forms",
        Label("the forms of GELU", "GELU 的几种写法"),
        (X, Label("exact", "精确"), Label("tanh", "tanh"), Label("σ(1.702x)", "σ(1.702x)"), Label("misplaced", "括号放错")),
        tuple(tuple(map(float, row)) for row in torch.stack(forms, -1).tolist()),
    )


def cost(*, x: float) -> Cost:
    return Cost(bytes=8 * 20 * len(FINE), flops=400 * len(FINE))


EXPERIMENT = Experiment(
    title=Label("GELU and its neighbours", "GELU 与相近的激活函数"),
    summary=Label(
        "Exact, tanh and sigmoid forms, the misplaced parenthesis, the dip below zero and the slopes.",
        "精确式、tanh 与 sigmoid 近似、放错的括号、零点左侧的凹陷与导数。",
    ),
    parameters=(Parameter("x", X, -3.0, -REACH, REACH, 0.1),),
    run=run,
    cost=cost,
    shows=(gelu, gelu_tanh, gelu_sigmoid, gelu_misplaced, silu, relu),
    arms=("misplaced_at_x", "gelu_at_x"),
)
