"""Unscaled dot products grow like √d_k and push softmax into saturation; divided by √d_k their spread no longer depends on d_k."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured
from engine.textbook.attention import scaled_dot_product_attention, softmax
from engine.textbook.normalization import rms_norm
from engine.textbook.weight_statistics import entropy, jacobian_trace, largest_weight, saturated_percent

ROWS = 200  # queries; all of them see the same keys, as in a layer
WIDEST = 4096
WIDTHS = tuple(2**power for power in range(13))  # 1 ... 4096, the x axis
SHOWN = 8

Arm = Literal["right", "wrong"]


def run(*, d_k: int, keys: int, sigma_q: float, sigma_k: float, seed: int) -> Result:
    query, key = draw(keys, seed)
    spread = sigma_q * sigma_k
    raw = spread * (query[:, :d_k] @ key[:, :d_k].T)  # (rows, keys)
    raw_weights, scaled_weights = softmax(raw), softmax(raw / math.sqrt(d_k))
    return Result(
        quantities=(
            *_quantities("raw", "unscaled", "未缩放", "wrong", raw, raw_weights),
            *_quantities("scaled", "scaled", "缩放后", "right", raw / math.sqrt(d_k), scaled_weights),
            *_normed(query[:, :d_k], key[:, :d_k], spread),
            Quantity("expected_std", spread * math.sqrt(d_k), Label("σ_q σ_k √d_k", "σ_q σ_k √d_k")),
            Quantity("max_entropy", math.log(keys), Label("entropy of uniform weights", "均匀权重的熵"), "nats"),
        ),
        matrices=_one_row(raw_weights, scaled_weights),
        series=_curves(keys, seed, spread),
    )


@lru_cache(2)  # 23 MB at most: moving d_k or σ draws nothing anew
def draw(keys: int, seed: int) -> tuple[Tensor, Tensor]:
    """Queries (200, 4096) and keys (keys, 4096) from N(0, 1); a smaller d_k takes their first columns, so a slider moves on one sample."""
    generator = torch.Generator().manual_seed(seed)
    # Drawn in float32, which is five times faster; everything after that is float64.
    query = torch.randn(ROWS, WIDEST, generator=generator, dtype=torch.float32).double()
    key = torch.randn(keys, WIDEST, generator=generator, dtype=torch.float32).double()
    return query, key


def _quantities(prefix: str, en: str, zh: str, arm: Arm, scores: Tensor, weights: Tensor) -> tuple[Quantity, ...]:
    return (
        Quantity(f"{prefix}_saturated_percent", saturated_percent(weights), Label(f"saturated rows, {en}", f"饱和的行，{zh}"), "%", arm),
        Quantity(f"{prefix}_std", float(scores.std()), Label(f"spread of the scores, {en}", f"分数的标准差，{zh}"), "", arm),
        Quantity(f"{prefix}_max_weight", largest_weight(weights), Label(f"mean largest weight, {en}", f"平均最大权重，{zh}"), "", arm),
        Quantity(f"{prefix}_entropy", entropy(weights), Label(f"entropy, {en}", f"熵，{zh}"), "nats", arm),
        Quantity(f"{prefix}_jacobian_trace", jacobian_trace(weights), Label(f"Jacobian trace, {en}", f"雅可比矩阵的迹，{zh}"), "", arm),
    )


def _normed(query: Tensor, key: Tensor, spread: float) -> tuple[Quantity, ...]:
    """QK-norm: queries and keys brought to length √d_k before the product, whatever σ is. Source: Henry et al. 2020."""
    width = query.shape[-1]
    scores = rms_norm(spread * query) @ rms_norm(key).T / math.sqrt(width)
    return (
        measured("normed_std", float(scores.std()), "spread of the scores, scaled and QK-norm", "分数的标准差，缩放并 QK-norm"),
        measured(
            "normed_saturated_percent",
            saturated_percent(softmax(scores)),
            "saturated rows, scaled and QK-norm",
            "饱和的行，缩放并 QK-norm",
            "%",
        ),
        measured("normed_largest", float(scores.abs().max()), "largest score, QK-norm", "最大的分数，QK-norm"),
        measured("normed_bound", math.sqrt(width), "its bound √d_k", "它的上界 √d_k"),
    )


def _one_row(raw: Tensor, scaled: Tensor) -> tuple[Matrix, ...]:
    """The row in the middle: half of the rows are more peaked, unscaled. Its largest weights, in the same order for both arms."""
    middle = int(raw.amax(-1).argsort(stable=True)[ROWS // 2])
    largest = raw[middle].argsort(descending=True, stable=True)[:SHOWN]
    columns = tuple(f"k{int(index) + 1}" for index in largest)
    count = len(columns)

    def row(name: str, weights: Tensor, en: str, zh: str, formula: str, arm: Arm) -> Matrix:
        label = Label(f"{en}: the {count} largest weights of a middling row", f"{zh}：居中一行里最大的 {count} 个权重")
        return Matrix(name, grid(weights[middle, largest][None]), label, (f"q{middle + 1}",), columns, formula, "weights", arm=arm)

    return (
        row("raw_weights", raw, "unscaled", "未缩放", r"\mathrm{softmax}(q K^\top)", "wrong"),
        row("scaled_weights", scaled, "scaled", "缩放后", r"\mathrm{softmax}\left(\frac{q K^\top}{\sqrt{d_k}}\right)", "right"),
    )


@lru_cache(8)  # they do not depend on d_k, the slider that is moved most
def _curves(keys: int, seed: int, spread: float) -> tuple[Series, ...]:
    """Each width's dot products are those of half the width plus the new columns: all curves cost one product at d_k = 4096."""
    query, key = draw(keys, seed)
    points: dict[str, list[float]] = {}
    scores, done = torch.zeros(ROWS, len(key), dtype=torch.float64), 0
    for width in WIDTHS:
        scores, done = scores + spread * (query[:, done:width] @ key[:, done:width].T), width
        for arm, arms_scores in (("raw", scores), ("scaled", scores / math.sqrt(width))):
            weights = softmax(arms_scores)
            points.setdefault(f"{arm}_saturated", []).append(saturated_percent(weights))
            points.setdefault(f"{arm}_std", []).append(float(arms_scores.std()))
            points.setdefault(f"{arm}_entropy", []).append(entropy(weights))
            points.setdefault(f"{arm}_trace", []).append(jacobian_trace(weights))
    return tuple(
        _curve(f"{prefix}_{measure}", points[f"{prefix}_{measure}"], figure, Label(f"{name.en}, {en}", f"{name.zh}，{zh}"), arm)
        for measure, figure, name in FIGURES
        for prefix, en, zh, arm in ARMS
    )


FIGURES = (
    ("saturated", "saturation", Label("saturated rows, %", "饱和的行（%）")),
    ("std", "std", Label("spread of the scores", "分数的标准差")),
    ("entropy", "entropy", Label("entropy", "熵")),
    ("trace", "trace", Label("Jacobian trace", "雅可比矩阵的迹")),
)
ARMS: tuple[tuple[str, str, str, Arm], ...] = (("raw", "unscaled", "未缩放", "wrong"), ("scaled", "scaled", "缩放后", "right"))


def _curve(name: str, y: list[float], figure: str, label: Label, arm: Arm) -> Series:
    return Series(f"{name}_over_dk", tuple(map(float, WIDTHS)), tuple(y), label, Label("d_k", "d_k"), figure, log_x=True, arm=arm)


def cost(*, d_k: int, keys: int, sigma_q: float, sigma_k: float, seed: int) -> Cost:
    widest = max(d_k, WIDEST)
    cells = ROWS * keys
    return Cost(
        bytes=12 * widest * (ROWS + keys) + 8 * 8 * cells,
        flops=2 * 2 * cells * widest + 2 * len(WIDTHS) * 20 * cells,
    )


EXPERIMENT = Experiment(
    title=Label("softmax saturation", "softmax 饱和"),
    summary=Label("What √d_k does: the same queries and keys, unscaled and scaled.", "√d_k 的作用：同样的查询和键，缩放与不缩放。"),
    parameters=(
        Parameter("d_k", Label("d_k", "d_k"), 64, 1, WIDEST, 2, "log"),
        Parameter("keys", Label("keys", "键的个数"), 64, 2, 512, 2, "log"),
        Parameter("sigma_q", Label("σ_q", "σ_q"), 1.0, 0.1, 10.0, 0.1),
        Parameter("sigma_k", Label("σ_k", "σ_k"), 1.0, 0.1, 10.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(scaled_dot_product_attention, softmax, jacobian_trace, entropy),
    arms=("raw_saturated_percent", "scaled_saturated_percent"),
)
