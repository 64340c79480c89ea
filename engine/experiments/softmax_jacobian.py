"""Softmax's Jacobian is diag(p) - ppᵀ: rows sum to 0, its norm is at most 1/2, and its trace falls to 0 as the weights saturate."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import softmax
from engine.textbook.softmax import jacobian_norm, softmax_jacobian, softmax_jacobian_wrong
from engine.textbook.weight_statistics import jacobian_trace, largest_weight

ROWS = 200  # rows of scores behind the curves; the first is the one whose Jacobian is shown
MOST_KEYS = 64
SHOWN = 6
SPREADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 25.0, 30.0)

SPREAD = Label("spread of the scores", "分数的标准差")


def run(*, keys: int, spread: float, seed: int) -> Result:
    drawn = torch.randn(ROWS, MOST_KEYS, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)[:, :keys]
    scores = spread * drawn[0]  # (n,)
    weights = softmax(scores)
    formula, slip, torchs = softmax_jacobian(weights), softmax_jacobian_wrong(weights), by_autograd(scores)
    rows = softmax(spread * drawn)  # (200, n)
    return Result(
        quantities=(
            wrong("wrong_error", largest(slip - torchs), "error against autograd, -p_i·p_i", "与自动求导之差，-p_i·p_i"),
            right("right_error", largest(formula - torchs), "error against autograd, -p_i·p_j", "与自动求导之差，-p_i·p_j"),
            wrong("diagonal_only_error", largest(formula.diag().diag() - torchs), "error of p·(1 - p) alone", "只写 p·(1 - p) 的误差"),
            wrong("wrong_row_sum", largest(slip.sum(-1)), "largest row sum, -p_i·p_i", "最大的行和，-p_i·p_i"),
            right("right_row_sum", largest(torchs.sum(-1)), "largest row sum, autograd", "最大的行和，自动求导"),
            measured("spectral_norm", spectral_norm(torchs), "spectral norm, never above 1/2", "谱范数，不会超过 1/2"),
            measured("trace", number(torchs.trace()), "trace = 1 - Σp²", "迹 = 1 - Σp²"),
            measured("top_weight", number(weights.max()), "largest weight", "最大权重"),
            measured("mean_trace", jacobian_trace(rows), "trace, mean of 200 rows", "迹，200 行的平均"),
            measured(
                "median_norm",
                number(jacobian_norm(rows).median()),
                "Frobenius norm, median of 200 rows",
                "Frobenius 范数，200 行的中位数",
            ),
            measured("mean_top_weight", largest_weight(rows), "largest weight, mean of 200 rows", "最大权重，200 行的平均"),
        ),
        matrices=_matrices(weights, formula, slip, torchs),
        series=_over_spread(drawn),
        notes=_notes(keys),
    )


def by_autograd(scores: Tensor) -> Tensor:
    """The Jacobian of the attention's own softmax, one backward pass a row: (n,) -> (n, n)."""
    leaf = scores.clone().requires_grad_()
    weights = softmax(leaf)
    return torch.stack([torch.autograd.grad(weight, leaf, retain_graph=True)[0] for weight in weights])


def spectral_norm(jacobian: Tensor) -> float:
    """How much the weights move at most for a small step of length 1 in the scores."""
    return number(torch.linalg.matrix_norm(jacobian, 2))


def largest(values: Tensor) -> float:
    return number(values.abs().max())


def _matrices(weights: Tensor, formula: Tensor, slip: Tensor, torchs: Tensor) -> tuple[Matrix, ...]:
    count = min(SHOWN, len(weights))
    rows, columns = names("p", count), names("s", count)

    def square(name: str, values: Tensor, en: str, zh: str, latex: str, arm: Literal["", "right", "wrong"] = "") -> Matrix:
        return Matrix(name, grid(values[:count, :count]), Label(en, zh), rows, columns, latex, arm=arm)

    return (
        square("jacobian", torchs, "∂p_i/∂s_j by autograd", "∂p_i/∂s_j，自动求导", r"\frac{\partial p_i}{\partial s_j}"),
        square("jacobian_right", formula, "diag(p) - ppᵀ", "diag(p) - ppᵀ", r"p_i (\delta_{ij} - p_j)", "right"),
        square("jacobian_wrong", slip, "with -p_i·p_i off the diagonal", "非对角写成 -p_i·p_i", r"p_i (\delta_{ij} - p_i)", "wrong"),
        Matrix("weights", grid(weights[None, :count]), Label("weights", "权重"), ("p",), columns, r"p = \mathrm{softmax}(s)", "weights"),
    )


def _over_spread(drawn: Tensor) -> tuple[Series, ...]:
    """The trace falls all the way; the Frobenius norm first rises, because uniform weights of many keys are small weights."""
    rows = [softmax(spread * drawn) for spread in SPREADS]
    traces, tops = tuple(map(jacobian_trace, rows)), tuple(map(largest_weight, rows))
    norms = tuple(number(jacobian_norm(weights).median()) for weights in rows)
    return (
        Series("trace_over_spread", SPREADS, traces, Label("trace, mean", "迹，平均"), SPREAD, "trace"),
        Series("norm_over_spread", SPREADS, norms, Label("Frobenius norm, median", "Frobenius 范数，中位数"), SPREAD, "norm"),
        Series("top_weight_over_spread", SPREADS, tops, Label("largest weight, mean", "最大权重，平均"), SPREAD, "trace"),
    )


def _notes(keys: int) -> tuple[Label, ...]:
    if keys <= SHOWN:
        return ()
    return (
        Label(
            f"The first {SHOWN} of {keys} keys are shown; the numbers are of all.", f"只显示 {keys} 个键中的前 {SHOWN} 个；数值按全部计算。"
        ),
    )


def cost(*, keys: int, spread: float, seed: int) -> Cost:
    widest = max(keys, MOST_KEYS)
    return Cost(bytes=8 * (6 * ROWS * widest + 8 * keys**2), flops=len(SPREADS) * ROWS * 40 * widest + 30 * keys**3)


EXPERIMENT = Experiment(
    title=Label("the derivative of softmax", "softmax 的导数"),
    summary=Label(
        "The Jacobian by formula, by autograd and by a slip; what saturation leaves of it.",
        "用公式、自动求导和错误写法算雅可比矩阵，看饱和后还剩多少梯度。",
    ),
    parameters=(
        Parameter("keys", Label("keys", "键的个数"), 4, 2, MOST_KEYS, 2, "log"),
        Parameter("spread", SPREAD, 1.0, 0.0, 30.0, 0.5),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(softmax, softmax_jacobian, softmax_jacobian_wrong, jacobian_trace, jacobian_norm),
    arms=("wrong_error", "right_error"),
)
