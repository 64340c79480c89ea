"""Softmax's Jacobian is diag(p) - ppᵀ: rows sum to 0, its norm is at most 1/2, and its trace falls to 0 as the weights saturate."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.differences import largest
from engine.textbook.softmax import jacobian_norm, softmax_jacobian, softmax_jacobian_wrong
from engine.textbook.weight_statistics import jacobian_trace, largest_weight

ROWS = 200  # rows of scores behind the curves; the first is the one whose Jacobian is shown
MOST_KEYS = 64
SHOWN = 6
SPREADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 25.0, 30.0)


def run(*, keys: int, spread: float, seed: int) -> Numbers:
    drawn = torch.randn(ROWS, MOST_KEYS, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)[:, :keys]
    return {**jacobians(spread * drawn[0]), **statistics(softmax(spread * drawn)), **curves(drawn), "shown": SHOWN}


def jacobians(scores: Tensor) -> Numbers:
    """The formula and the slip against autograd, for one row of scores (n,)."""
    weights = softmax(scores)
    formula, slip, exact = softmax_jacobian(weights), softmax_jacobian_wrong(weights), by_autograd(scores)  # (n, n) each
    return {
        "wrong_error": largest(slip - exact),
        "right_error": largest(formula - exact),
        "diagonal_only_error": largest(formula.diag().diag() - exact),
        "wrong_row_sum": largest(slip.sum(-1)),
        "right_row_sum": largest(exact.sum(-1)),
        "spectral_norm": torch.linalg.matrix_norm(exact, 2),
        "trace": exact.trace(),
        "top_weight": weights.max(),
        "jacobian": exact[:SHOWN, :SHOWN],
        "jacobian_right": formula[:SHOWN, :SHOWN],
        "jacobian_wrong": slip[:SHOWN, :SHOWN],
        "weights": weights[None, :SHOWN],
    }


def by_autograd(scores: Tensor) -> Tensor:
    """The Jacobian of the attention's own softmax, one backward pass a row: (n,) -> (n, n)."""
    leaf = scores.clone().requires_grad_()
    weights = softmax(leaf)
    return torch.stack([torch.autograd.grad(weight, leaf, retain_graph=True)[0] for weight in weights])


def statistics(rows: Tensor) -> Numbers:
    """Of all rows of weights, (200, n)."""
    return {"mean_trace": jacobian_trace(rows), "median_norm": jacobian_norm(rows).median(), "mean_top_weight": largest_weight(rows)}


def curves(drawn: Tensor) -> Numbers:
    """The trace falls all the way; the Frobenius norm first rises, because uniform weights of many keys are small weights."""
    points = [statistics(softmax(spread * drawn)) for spread in SPREADS]
    return {
        "trace_over_spread": (SPREADS, [point["mean_trace"] for point in points]),
        "norm_over_spread": (SPREADS, [point["median_norm"] for point in points]),
        "top_weight_over_spread": (SPREADS, [point["mean_top_weight"] for point in points]),
    }


SPREAD = Label("std of the scores", "分数的标准差")

MEASURES = (
    wrong("wrong_error", "largest error against autograd, -p_i·p_i", "与自动求导的最大误差，-p_i·p_i", within=SHARE),
    right("right_error", "largest error against autograd, -p_i·p_j", "与自动求导的最大误差，-p_i·p_j", within=SHARE),
    wrong(
        "diagonal_only_error", "largest error against autograd, p·(1 - p) alone", "与自动求导的最大误差，只写 p·(1 − p)", within=(0, 0.25)
    ),
    wrong("wrong_row_sum", "largest |row sum|, -p_i·p_i", "最大的 |行和|，-p_i·p_i", within=(0, MOST_KEYS - 1)),
    right("right_row_sum", "largest |row sum|, autograd", "最大的 |行和|，自动求导", within=SHARE),
    measured("spectral_norm", "spectral norm (at most 1/2), first row of scores", "谱范数（至多 1/2），第一行分数", within=(0, 0.5)),
    measured("trace", "trace 1 - Σp², first row of scores", "迹 1 − Σp²，第一行分数", within=SHARE),
    measured("top_weight", "largest weight, first row of scores", "最大权重，第一行分数", within=SHARE),
    measured("mean_trace", "trace 1 - Σp², mean over 200 rows", "迹 1 − Σp²，200 行的平均", within=SHARE),
    measured("median_norm", "Frobenius norm, median over 200 rows", "Frobenius 范数，200 行的中位数", within=SHARE),
    measured("mean_top_weight", "largest weight, mean over 200 rows", "最大权重，200 行的平均", within=SHARE),
    Grid("jacobian", Label("∂p_i/∂s_j by autograd", "∂p_i/∂s_j，自动求导"), "p{1}", "s{1}", r"\frac{\partial p_i}{\partial s_j}"),
    Grid("jacobian_right", Label("diag(p) - ppᵀ", "diag(p) - ppᵀ"), "p{1}", "s{1}", r"p_i (\delta_{ij} - p_j)", arm="right"),
    Grid(
        "jacobian_wrong",
        Label("with -p_i·p_i off the diagonal", "非对角写成 -p_i·p_i"),
        "p{1}",
        "s{1}",
        r"p_i (\delta_{ij} - p_i)",
        arm="wrong",
    ),
    Grid("weights", Label("weights", "权重"), ("p",), "s{1}", r"p = \mathrm{softmax}(s)", "weights"),
    Curve("trace_over_spread", Label("mean over 200 rows, trace", "200 行的平均，迹"), SPREAD, "trace"),
    Curve("norm_over_spread", Label("Frobenius norm, median over 200 rows", "Frobenius 范数，200 行的中位数"), SPREAD, "norm"),
    Curve("top_weight_over_spread", Label("mean over 200 rows, largest weight", "200 行的平均，最大权重"), SPREAD, "trace"),
    note(
        "cut",
        "keys > shown",
        "The first {shown} of {keys} keys are shown; the numbers are of all.",
        "只显示 {keys} 个键中的前 {shown} 个；数值按全部计算。",
    ),
    note(
        "no_difference",
        "wrong_error < 0.000000001",
        "Here -p_i·p_i and -p_i·p_j are the same: all weights are equal, or one has everything.",
        "这里 -p_i·p_i 与 -p_i·p_j 相同：权重全部相等，或一个独占全部。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("the derivative of softmax", "softmax 的导数"),
    summary=Label(
        "The Jacobian by formula, by autograd and by a slip; what saturation leaves of it.",
        "用公式、自动求导和错误写法算雅可比矩阵，看饱和后还剩多少梯度。",
    ),
    keywords=("gradient", "derivative", "backpropagation", "autograd", "梯度", "导数", "反向传播", "雅可比"),
    parameters=(
        Parameter("keys", Label("keys", "键的个数"), 4, 2, MOST_KEYS, 2, "log"),
        Parameter("spread", SPREAD, 1.0, SPREADS[0], SPREADS[-1], 0.5),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("jacobian_right", "jacobian_wrong"),
            caption=Label(
                "Raising one score raises its own weight, p(1 - p), at the expense of all others, -p_i·p_j: every row sums to 0.",
                "抬高一个分数，自己的权重按 p(1 − p) 上升，其他的按 −p_i·p_j 下降：每一行加起来是 0。",
            ),
        ),
        Figure("curve", ("trace_over_spread", "top_weight_over_spread"), over="spread", mark="mean_trace"),
        Figure("curve", ("norm_over_spread",), over="spread", mark="median_norm"),
        Figure("bars", ("weights",)),
        Figure("heatmap", ("jacobian", "jacobian_right")),
    ),
    arms=("wrong_error", "right_error"),
    presets=(
        Preset(
            Label("saturated", "饱和"),
            {"spread": 30.0},
            Label(
                "One weight is 1, so every p(1 - p) is 0: no gradient gets through.", "一个权重是 1，每个 p(1 − p) 就都是 0：梯度传不过去。"
            ),
            "mean_top_weight > 0.95 and mean_trace < 0.1",
        ),
        Preset(
            Label("equal scores", "分数相等"),
            {"spread": 0.0},
            Label(
                "All weights alike: the slip -p_i·p_i cannot be seen, as in a test with uniform inputs.",
                "权重都相等时，写成 −p_i·p_i 看不出错：用均匀输入做测试也一样。",
            ),
            "wrong_error < 1e-9",
        ),
        Preset(
            Label("two keys", "两个键"),
            {"keys": 2},
            Label(
                "With two keys it is the sigmoid's slope: plus or minus p(1 - p) in all four cells.",
                "两个键就是 sigmoid 的斜率：四个格子都是 ±p(1 − p)。",
            ),
            "keys == 2 and right_row_sum < 1e-9",
        ),
    ),
    run=run,
)
