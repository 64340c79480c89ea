"""GELU is x·Φ(x), dips to -0.17 and is not monotone; with tanh closed too early the formula gives +2.68 at -3, not -0.004."""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Range, Rows, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.activations import Activation, gelu, gelu_misplaced, gelu_sigmoid, gelu_tanh, minimum, relu, sigmoid, silu, slope

REACH = 6.0
AXIS = torch.linspace(-REACH, REACH, 241, dtype=torch.float64)  # every 0.05
FINE = torch.linspace(-REACH, REACH, 24001, dtype=torch.float64)  # every 0.0005, to find where two curves are farthest apart
POINTS = torch.tensor([-4.0, -3.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0], dtype=torch.float64)
GELU_DIPS, SILU_DIPS = (-2.0, 0.0), (-3.0, 0.0)  # where the minimum is looked for
NEAR = 1.0  # inside of it the wrong formula looks right


def run(*, x: float) -> Numbers:
    here = torch.tensor(x, dtype=torch.float64)
    return {
        "misplaced_at_x": gelu_misplaced(here),
        "gelu_at_x": gelu(here),
        "tanh_at_x": gelu_tanh(here),
        "sigmoid_form_at_x": gelu_sigmoid(here),
        "relu_at_x": relu(here),
        "silu_at_x": silu(here),
        "gelu_slope_at_x": slope(gelu, here),
        "silu_slope_at_x": slope(silu, here),
        "relu_slope_at_x": relu_slope(here),
        **largest_differences(),
        **minima(),
        **steepest_slopes(),
        **curves(),
        "forms": torch.stack([POINTS, *(form(POINTS) for form in (gelu, gelu_tanh, gelu_sigmoid, gelu_misplaced))], -1),  # (points, 5)
    }


def relu_slope(x: Tensor) -> Tensor:
    """0 at 0, where it has none."""
    return slope(relu, x) * (x != 0)


@cache  # whatever x is
def largest_differences() -> Numbers:
    tanh, quick, misplaced = ((form(FINE) - gelu(FINE)).abs() for form in (gelu_tanh, gelu_sigmoid, gelu_misplaced))
    return {
        "misplaced_max_difference": misplaced.max(),
        "misplaced_near_difference": misplaced[FINE.abs() <= NEAR].max(),
        "tanh_max_difference": tanh.max(),
        "tanh_max_difference_at": FINE[tanh.argmax()].abs(),
        "sigmoid_form_max_difference": quick.max(),
        "sigmoid_form_max_difference_at": FINE[quick.argmax()].abs(),
    }


@cache  # whatever x is
def minima() -> Numbers:
    gelu_at, gelu_lowest = minimum(gelu, *GELU_DIPS)
    silu_at, silu_lowest = minimum(silu, *SILU_DIPS)
    return {"gelu_minimum": gelu_lowest, "gelu_minimum_at": gelu_at, "silu_minimum": silu_lowest, "silu_minimum_at": silu_at}


@cache  # whatever x is
def steepest_slopes() -> Numbers:
    functions: dict[str, Activation] = {"gelu": gelu, "sigmoid": sigmoid, "tanh": torch.tanh}
    return {f"{name}_max_slope": slope(function, FINE).max() for name, function in functions.items()}


@cache  # whatever x is
def curves() -> Numbers:
    lines = {
        "misplaced": gelu_misplaced(AXIS).clamp(-2, REACH),
        "gelu_exact": gelu(AXIS),
        "gelu_tanh": gelu_tanh(AXIS),
        "relu": relu(AXIS),
        "gelu": gelu(AXIS),
        "silu": silu(AXIS),
        "relu_slope": relu_slope(AXIS),
        "gelu_slope": slope(gelu, AXIS),
        "silu_slope": slope(silu, AXIS),
        "sigmoid_slope": slope(sigmoid, AXIS),
        "tanh_difference": gelu_tanh(AXIS) - gelu(AXIS),
        "sigmoid_form_difference": gelu_sigmoid(AXIS) - gelu(AXIS),
    }
    return {f"{name}_over_x": (AXIS, y) for name, y in lines.items()}


X = Label("x", "x")
VALUE: Range = (-0.3, REACH)  # SiLU dips to -0.28
MISPLACED: Range = (-0.3, 40)
SLOPE: Range = (-0.2, 1.2)

MEASURES = (
    wrong("misplaced_at_x", "GELU(x), parenthesis misplaced", "GELU(x)，括号放错", within=MISPLACED),
    right("gelu_at_x", "GELU(x), exact: x·Φ(x)", "GELU(x)，精确：x·Φ(x)", within=VALUE),
    right("tanh_at_x", "GELU(x), tanh form", "GELU(x)，tanh 近似", within=VALUE),
    right("sigmoid_form_at_x", "GELU(x), x·σ(1.702x)", "GELU(x)，x·σ(1.702x)", within=VALUE),
    measured("relu_at_x", "ReLU(x)", "ReLU(x)", within=(0, REACH)),
    measured("silu_at_x", "SiLU(x)", "SiLU(x)", within=VALUE),
    wrong("misplaced_max_difference", "largest error for |x| ≤ 6, parenthesis misplaced||x", " ≤ 6 的最大误差，括号放错"),
    wrong("misplaced_near_difference", "largest error for |x| ≤ 1, parenthesis misplaced||x", " ≤ 1 的最大误差，括号放错"),
    right("tanh_max_difference", "largest error for |x| ≤ 6, tanh form||x", " ≤ 6 的最大误差，tanh 近似"),
    measured("tanh_max_difference_at", "|x| of the largest error, tanh form", "误差最大处的 |x|，tanh 近似", within=(0, REACH)),
    right("sigmoid_form_max_difference", "largest error for |x| ≤ 6, σ(1.702x) form||x", " ≤ 6 的最大误差，σ(1.702x) 近似"),
    measured(
        "sigmoid_form_max_difference_at", "|x| of the largest error, σ(1.702x) form", "误差最大处的 |x|，σ(1.702x) 近似", within=(0, REACH)
    ),
    measured("gelu_minimum", "GELU's minimum", "GELU 的最小值", within=VALUE),
    measured("gelu_minimum_at", "x of GELU's minimum", "GELU 最小值所在的 x", within=GELU_DIPS),
    measured("silu_minimum", "SiLU's minimum", "SiLU 的最小值", within=VALUE),
    measured("silu_minimum_at", "x of SiLU's minimum", "SiLU 最小值所在的 x", within=SILU_DIPS),
    measured("gelu_slope_at_x", "GELU'(x)", "GELU 在 x 处的导数", within=SLOPE),
    measured("silu_slope_at_x", "SiLU'(x)", "SiLU 在 x 处的导数", within=SLOPE),
    measured("relu_slope_at_x", "ReLU'(x), 0 at 0", "ReLU 在 x 处的导数（0 处取 0）", within=SHARE),
    measured("gelu_max_slope", "GELU's steepest slope", "GELU 导数的最大值", within=SLOPE),
    measured("sigmoid_max_slope", "sigmoid's steepest slope", "sigmoid 导数的最大值", within=(0, 0.25)),
    measured("tanh_max_slope", "tanh's steepest slope", "tanh 导数的最大值", within=SHARE),
    Curve("misplaced_over_x", Label("GELU(x), parenthesis misplaced (clipped)", "GELU(x)，括号放错（有截断）"), X, "forms", arm="wrong"),
    Curve("gelu_exact_over_x", Label("GELU(x), x·Φ(x)", "GELU(x)，x·Φ(x)"), X, "forms", arm="right"),
    Curve("gelu_tanh_over_x", Label("GELU(x), tanh form", "GELU(x)，tanh 近似"), X, "forms", arm="right"),
    Curve("relu_over_x", Label("activation at x, ReLU", "x 处的激活，ReLU"), X, "activations"),
    Curve("gelu_over_x", Label("activation at x, GELU", "x 处的激活，GELU"), X, "activations"),
    Curve("silu_over_x", Label("activation at x, SiLU", "x 处的激活，SiLU"), X, "activations"),
    Curve("relu_slope_over_x", Label("slope at x, ReLU", "x 处的导数，ReLU"), X, "slopes"),
    Curve("gelu_slope_over_x", Label("slope at x, GELU", "x 处的导数，GELU"), X, "slopes"),
    Curve("silu_slope_over_x", Label("slope at x, SiLU", "x 处的导数，SiLU"), X, "slopes"),
    Curve("sigmoid_slope_over_x", Label("slope at x, sigmoid", "x 处的导数，sigmoid"), X, "slopes"),
    Curve("tanh_difference_over_x", Label("distance to exact GELU, tanh form", "与精确 GELU 之差，tanh 近似"), X, "differences"),
    Curve(
        "sigmoid_form_difference_over_x",
        Label("distance to exact GELU, σ(1.702x) form", "与精确 GELU 之差，σ(1.702x) 近似"),
        X,
        "differences",
    ),
    Rows(
        "forms",
        Label("the forms of GELU", "GELU 的几种写法"),
        (X, Label("exact", "精确"), Label("tanh", "tanh"), Label("σ(1.702x)", "σ(1.702x)"), Label("misplaced", "括号放错")),
    ),
    note("at_zero", "x == 0", "At 0 all forms give 0.", "在 0 处各种写法都得 0。"),
)

EXPERIMENT = Experiment(
    title=Label("GELU and its neighbours", "GELU 与相近的激活函数"),
    summary=Label(
        "Exact, tanh and sigmoid forms, the misplaced parenthesis, the dip below zero and the slopes.",
        "精确式、tanh 与 sigmoid 近似、放错的括号、零点左侧的凹陷与导数。",
    ),
    keywords=("activation", "ReLU", "SiLU", "Swish", "erf", "tanh approximation", "激活函数", "近似"),
    parameters=(Parameter("x", X, -3.0, -REACH, REACH, 0.1),),
    presets=(
        Preset(
            Label("x = -0.8", "x = −0.8"),
            {"x": -0.8},
            Label(
                "The bottom of the dip: the slope is almost 0 here, and further left it is negative.",
                "谷底附近：斜率几乎为 0，再往左就是负的。",
            ),
            "gelu_at_x < -0.16 and gelu_slope_at_x < 0.05",
        ),
        Preset(
            Label("x = 6", "x = 6"),
            {"x": 6.0},
            Label("Far right all three are x, and their slopes 1.", "最右边三者都等于 x，斜率为 1。"),
            "gelu_at_x > 5.99 and gelu_slope_at_x > 0.99",
        ),
        Preset(
            Label("x = -6", "x = −6"),
            {"x": -6.0},
            Label("All but 0; with the tanh form's parenthesis misplaced it would be 28.", "几乎为 0；tanh 形式的括号放错，就成了 28。"),
            "misplaced_at_x > 20 and gelu_at_x > -0.001",
            show="misplaced_over_x",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("relu_slope_over_x", "gelu_slope_over_x", "silu_slope_over_x"),
            over="x",
            mark="gelu_slope_at_x",
            caption=Label(
                "ReLU's slope jumps from 0 to 1; GELU's and SiLU's rise smoothly, a little below 0 on the left and above 1 on the right.",
                "ReLU 的斜率从 0 直接跳到 1；GELU 和 SiLU 的斜率平滑上升，左边略低于 0，右边略高于 1。",
            ),
        ),
        Figure("curve", ("relu_over_x", "gelu_over_x", "silu_over_x"), over="x", mark="gelu_at_x"),
        Figure("curve", ("misplaced_over_x", "gelu_exact_over_x", "gelu_tanh_over_x"), over="x", mark="gelu_at_x"),
        Figure(
            "curve",
            ("relu_slope_over_x", "gelu_slope_over_x", "silu_slope_over_x", "sigmoid_slope_over_x"),
            over="x",
            mark="gelu_slope_at_x",
        ),
        Figure("curve", ("tanh_difference_over_x", "sigmoid_form_difference_over_x"), over="x"),
        Figure("table", ("forms",)),
    ),
    arms=("misplaced_at_x", "gelu_at_x"),
)
