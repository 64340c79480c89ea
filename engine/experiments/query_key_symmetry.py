"""With W_Q = W_K the scores are symmetric and every token mostly attends to itself; separate matrices let one token ask another."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED
from engine.textbook.attention import softmax
from engine.textbook.projections import Projections, asymmetry, scores, self_attention, self_weight, sharing_query_and_key

MOST_TOKENS, WIDEST = 64, 256
WIDTHS = tuple(2**power for power in range(1, 9))  # 2 ... 256, the x axis
SHOWN = 6

WIDTH = Label("d_model = d_k", "d_model = d_k")
ARMS: tuple[tuple[str, Label, Literal["right", "wrong"], str], ...] = (
    ("shared", Label("W_Q = W_K", "W_Q = W_K"), "wrong", r"S = \frac{X W_Q W_Q^\top X^\top}{\sqrt{d_k}}"),
    ("separate", Label("separate", "各自独立"), "right", r"S = \frac{X W_Q W_K^\top X^\top}{\sqrt{d_k}}"),
)


def run(*, tokens: int, d_model: int, seed: int) -> Result:
    drawn = draw(seed)
    found = {name: arm_scores(name, drawn, tokens, d_model) for name, *_ in ARMS}
    weights = {name: softmax(S) for name, S in found.items()}
    return Result(
        quantities=(
            *_both("self_weight", {name: self_weight(P) for name, P in weights.items()}, "weight on itself", "对自己的权重"),
            *_both("asymmetry", {name: asymmetry(S) for name, S in found.items()}, "largest |S - Sᵀ|", "最大的 |S - Sᵀ|"),
            *_both("weight_asymmetry", {name: asymmetry(P) for name, P in weights.items()}, "largest |P - Pᵀ|", "最大的 |P - Pᵀ|"),
            *_both("diagonal", {name: number(S.diagonal().mean()) for name, S in found.items()}, "score with itself", "与自己的分数"),
            *_both("off_diagonal", {name: off_diagonal(S) for name, S in found.items()}, "score with another", "与其他词元的分数"),
            Quantity("uniform_weight", 1 / tokens, Label("uniform weight, 1/n", "均匀权重 1/n")),
        ),
        matrices=_matrices(found, weights),
        series=_over_width(drawn, tokens),
        notes=_notes(tokens),
    )


def draw(seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens (64, 256) and two matrices (256, 256) from N(0, 1): fewer tokens and a smaller width take the first ones."""
    generator = torch.Generator().manual_seed(seed)
    X, A, B = (torch.randn(rows, WIDEST, generator=generator, dtype=torch.float64) for rows in (MOST_TOKENS, WIDEST, WIDEST))
    return X, A, B


def arm_scores(arm: str, drawn: tuple[Tensor, Tensor, Tensor], tokens: int, width: int) -> Tensor:
    """(n, n); the matrices' entries have variance 1/width, so that queries and keys are about as large as the tokens."""
    X, A, B = drawn
    x, W_Q, W_K = X[:tokens, :width], A[:width, :width] / math.sqrt(width), B[:width, :width] / math.sqrt(width)
    separate = Projections(W_Q, W_K, W_V=W_K)  # no value is looked at here
    return scores(x, x, sharing_query_and_key(separate) if arm == "shared" else separate)


def off_diagonal(square: Tensor) -> float:
    """The mean of the cells beside the diagonal."""
    n = len(square)
    return number((square.sum() - square.diagonal().sum()) / (n * (n - 1)))


def _both(measure: str, values: dict[str, float], en: str, zh: str) -> tuple[Quantity, ...]:
    return tuple(
        Quantity(f"{name}_{measure}", values[name], Label(f"{en}, {label.en}", f"{zh}，{label.zh}"), "", arm)
        for name, label, arm, _ in ARMS
    )


def _matrices(found: dict[str, Tensor], weights: dict[str, Tensor]) -> tuple[Matrix, ...]:
    count = min(SHOWN, len(found["shared"]))
    rows, columns = names("q", count), names("k", count)
    matrices = []
    for name, label, arm, formula in ARMS:
        score_label = Label(f"scores, {label.en}", f"分数，{label.zh}")
        weight_label = Label(f"weights, {label.en}", f"权重，{label.zh}")
        S, P = grid(found[name][:count, :count]), grid(weights[name][:count, :count])
        matrices.append(Matrix(f"{name}_weights", P, weight_label, rows, columns, r"P = \mathrm{softmax}(S)", "weights", arm=arm))
        matrices.append(Matrix(f"{name}_scores", S, score_label, rows, columns, formula, arm=arm))
    return tuple(matrices)


def _over_width(drawn: tuple[Tensor, Tensor, Tensor], tokens: int) -> tuple[Series, ...]:
    def curve(name: str, label: Label, arm: Literal["right", "wrong"]) -> Series:
        y = tuple(self_weight(softmax(arm_scores(name, drawn, tokens, width))) for width in WIDTHS)
        said = Label(f"weight on itself, {label.en}", f"对自己的权重，{label.zh}")
        return Series(f"{name}_self_weight_over_d", tuple(map(float, WIDTHS)), y, said, WIDTH, "self_weight", log_x=True, arm=arm)

    return tuple(curve(name, label, arm) for name, label, arm, _ in ARMS)


def _notes(tokens: int) -> tuple[Label, ...]:
    if tokens <= SHOWN:
        return ()
    return (
        Label(
            f"The first {SHOWN} of {tokens} tokens are shown; the numbers are of all.",
            f"只显示 {tokens} 个词元中的前 {SHOWN} 个；数值按全部计算。",
        ),
    )


def cost(*, tokens: int, d_model: int, seed: int) -> Cost:
    n, widest = max(tokens, MOST_TOKENS), max(d_model, WIDEST)
    return Cost(bytes=8 * (2 * widest**2 + 4 * n * widest + 8 * n**2), flops=2 * 6 * n * widest * (2 * widest + n))


EXPERIMENT = Experiment(
    title=Label("why W_Q and W_K differ", "为什么 W_Q 与 W_K 不同"),
    summary=Label(
        "The same tokens scored with one matrix for queries and keys, and with two.", "同样的词元：查询和键共用一个矩阵，或各用一个。"
    ),
    parameters=(
        Parameter("tokens", Label("tokens n", "词元数 n"), 32, 2, MOST_TOKENS, 2, "log"),
        Parameter("d_model", WIDTH, 64, 2, WIDEST, 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(self_attention, scores, sharing_query_and_key, asymmetry, self_weight),
    arms=("shared_self_weight", "separate_self_weight"),
)
