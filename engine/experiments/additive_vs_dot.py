"""Dot products spread like √d_k, additive scores do not: additive attention beats the unscaled dot product, not the scaled one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, measured
from engine.textbook.additive_attention import additive_scores, dot_scores
from engine.textbook.attention import softmax
from engine.textbook.weight_statistics import entropy, saturated_percent

QUERIES, KEYS = 16, 64
WIDEST = 1024
WIDTHS = tuple(2**power for power in range(1, 11))  # 2 ... 1024, the x axis
SIGMAS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
AT_MOST = 64  # the widest d_k at which the curve over σ is drawn

WIDTH = Label("d_k", "d_k")
SIGMA = Label("σ of queries and keys", "查询和键的 σ")

Scores = dict[str, Tensor]


@dataclass(frozen=True)
class Arm:
    name: str
    label: Label
    side: Literal["right", "wrong"]


ARMS = (
    Arm("dot", Label("dot product", "点积"), "wrong"),
    Arm("additive", Label("additive", "加性"), "right"),
    Arm("scaled", Label("dot product / √d_k", "点积 / √d_k"), "right"),
)


def run(*, d_k: int, sigma: float, seed: int) -> Result:
    drawn = draw(seed)
    found = scores_at(drawn, d_k, sigma)
    weights = {name: softmax(scores) for name, scores in found.items()}
    return Result(
        quantities=(
            *_each("std", {name: float(scores.std()) for name, scores in found.items()}, "spread of the scores", "分数的标准差"),
            *_each("saturated_percent", {name: saturated_percent(P) for name, P in weights.items()}, "saturated rows", "饱和的行", "%"),
            *_each("entropy", {name: entropy(P) for name, P in weights.items()}, "entropy", "熵", "nats"),
            measured("additive_largest", float(found["additive"].abs().max()), "largest additive score", "最大的加性分数"),
            measured("additive_bound", float(output_weights(drawn, d_k).abs().sum()), "its bound, Σ|v_i|", "它的上界 Σ|v_i|"),
            measured("additive_parameters", float(2 * d_k**2 + d_k), "parameters of the additive score", "加性打分的参数量"),
            measured("additive_tanh", float(QUERIES * KEYS * d_k), "tanh for 16 queries and 64 keys", "16 个查询、64 个键需要的 tanh 次数"),
        ),
        series=(*_over_width(drawn, sigma), *_over_sigma(drawn, min(d_k, AT_MOST))),
        tables=(_compared(d_k),),
        notes=_notes(d_k),
    )


def draw(seed: int) -> tuple[Tensor, ...]:
    """Queries (16, 1024), keys (64, 1024), W and U (1024, 1024), v (1024,) from N(0, 1); a smaller d_k takes the first ones.

    In float32, which is three times faster: a spread needs no more.
    """
    generator = torch.Generator().manual_seed(seed)
    shapes = ((QUERIES, WIDEST), (KEYS, WIDEST), (WIDEST, WIDEST), (WIDEST, WIDEST), (WIDEST,))
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


def output_weights(drawn: tuple[Tensor, ...], d_k: int) -> Tensor:
    """v (d_k,), entries of variance 1/d_k, as initialisers choose it: this is where additive attention keeps its own 1/√d_k."""
    return drawn[4][:d_k] / math.sqrt(d_k)


def scores_at(drawn: tuple[Tensor, ...], d_k: int, sigma: float) -> Scores:
    query, key, W, U, _ = drawn
    q, k = sigma * query[:, :d_k], sigma * key[:, :d_k]
    dot, root = dot_scores(q, k), math.sqrt(d_k)
    # W and U have entries of variance 1/d_k; dividing q and k instead is the same and touches fewer numbers.
    additive = additive_scores(q / root, k / root, W[:d_k, :d_k], U[:d_k, :d_k], output_weights(drawn, d_k))
    return {"dot": dot, "additive": additive, "scaled": dot / root}


def _each(measure: str, values: dict[str, float], en: str, zh: str, unit: str = "") -> tuple[Quantity, ...]:
    return tuple(
        Quantity(f"{arm.name}_{measure}", values[arm.name], Label(f"{en}, {arm.label.en}", f"{zh}，{arm.label.zh}"), unit, arm.side)
        for arm in ARMS
    )


def _over_width(drawn: tuple[Tensor, ...], sigma: float) -> tuple[Series, ...]:
    found = [scores_at(drawn, width, sigma) for width in WIDTHS]
    x = tuple(map(float, WIDTHS))
    curves = []
    for arm in ARMS:
        spread = tuple(float(scores[arm.name].std()) for scores in found)
        rows = tuple(saturated_percent(softmax(scores[arm.name])) for scores in found)
        saturated = Label(f"saturated rows, %, {arm.label.en}", f"饱和的行（%），{arm.label.zh}")
        curves.append(Series(f"{arm.name}_std_over_dk", x, spread, arm.label, WIDTH, "std", log_x=True, arm=arm.side))
        curves.append(Series(f"{arm.name}_saturated_over_dk", x, rows, saturated, WIDTH, "saturation", log_x=True, arm=arm.side))
    return tuple(curves)


def _over_sigma(drawn: tuple[Tensor, ...], d_k: int) -> tuple[Series, ...]:
    """Only the additive score stops growing with the entries: its tanh saturates. Scaling by √d_k does not help there."""
    found = [scores_at(drawn, d_k, sigma) for sigma in SIGMAS]
    return tuple(
        Series(
            f"{arm.name}_std_over_sigma",
            SIGMAS,
            tuple(float(each[arm.name].std()) for each in found),
            arm.label,
            SIGMA,
            "sigma",
            arm=arm.side,
        )
        for arm in ARMS
        if arm.name != "dot"
    )


def _compared(d_k: int) -> Table:
    heads = (
        Label("score", "打分方式"),
        Label("parameters", "参数量"),
        Label("tanh a pair", "每对的 tanh 次数"),
        Label("multiply-adds a pair", "每对的乘加次数"),
    )
    rows: tuple[tuple[float | str | Label, ...], ...] = (
        (Label("dot product", "点积"), 0.0, 0.0, float(d_k)),
        (Label("additive", "加性"), float(2 * d_k**2 + d_k), float(d_k), float(d_k)),
    )
    return Table(
        "compared", Label("what a score costs, once queries and keys are projected", "查询和键投影之后，打一次分的代价"), heads, rows
    )


def _notes(d_k: int) -> tuple[Label, ...]:
    if d_k <= AT_MOST:
        return ()
    return (Label(f"The curve over σ is drawn at d_k = {AT_MOST}.", f"随 σ 变化的曲线按 d_k = {AT_MOST} 绘制。"),)


def cost(*, d_k: int, sigma: float, seed: int) -> Cost:
    widest, pairs = max(d_k, WIDEST), QUERIES * KEYS
    return Cost(
        bytes=4 * 2 * widest**2 + 4 * 3 * pairs * widest,
        flops=2 * 4 * (QUERIES + KEYS) * widest**2 + 25 * pairs * (3 * widest + len(SIGMAS) * AT_MOST),
    )


EXPERIMENT = Experiment(
    title=Label("additive and dot-product scores", "加性打分与点积打分"),
    summary=Label(
        "The same queries and keys, scored by a small network and by a dot product.", "同样的查询和键：用小网络打分，或用点积打分。"
    ),
    parameters=(
        Parameter("d_k", WIDTH, 64, 2, WIDEST, 2, "log"),
        Parameter("sigma", SIGMA, 1.0, 0.1, 10.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(additive_scores, dot_scores, softmax, output_weights),
    arms=("dot_std", "additive_std"),
)
