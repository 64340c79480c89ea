"""Part of softmax_saturation: one sample of queries and keys, and how sharp the weights of its first d_k columns are."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiments._additive_arm import additive_sharpness
from engine.label import Label
from engine.measures import Curve, Measure
from engine.textbook.attention import softmax
from engine.textbook.weight_statistics import entropy, jacobian_trace, largest_weight, saturated_percent

ROWS = 200  # queries; all of them see the same keys, as in a layer
WIDEST, MOST_KEYS = 4096, 512
WIDTHS = tuple(2**power for power in range(13))  # 1 ... 4096, the x axis
CURVES = {"saturated": "saturated_percent", "std": "std", "entropy": "entropy", "trace": "jacobian_trace"}


@lru_cache(2)  # 23 MB at most: moving d_k or σ draws nothing anew
def draw(keys: int, seed: int) -> tuple[Tensor, Tensor]:
    """Queries (200, 4096) and keys (keys, 4096) from N(0, 1); a smaller d_k takes their first columns, so a slider moves on one sample."""
    generator = torch.Generator().manual_seed(seed)
    # Drawn in float32, which is five times faster; everything after that is float64.
    query = torch.randn(ROWS, WIDEST, generator=generator, dtype=torch.float32).double()
    key = torch.randn(keys, WIDEST, generator=generator, dtype=torch.float32).double()
    return query, key


def sharpness(scores: Tensor) -> dict[str, float]:
    weights = softmax(scores)
    return {
        "saturated_percent": saturated_percent(weights),
        "std": float(scores.std()),
        "max_weight": largest_weight(weights),
        "entropy": entropy(weights),
        "jacobian_trace": jacobian_trace(weights),
    }


@lru_cache(8)  # they do not depend on d_k, the slider that is moved most
def curves(keys: int, seed: int, spread: float) -> Numbers:
    """Each width's dot products are those of half the width plus the new columns: all curves cost one product at d_k = 4096."""
    query, key = draw(keys, seed)
    points = defaultdict[str, list[float]](list)
    scores, done = torch.zeros(ROWS, len(key), dtype=torch.float64), 0
    for width in WIDTHS:
        scores, done = scores + spread * (query[:, done:width] @ key[:, done:width].T), width
        for arm, found in (("raw", sharpness(scores)), ("scaled", sharpness(scores / math.sqrt(width)))):
            for curve, name in CURVES.items():
                points[f"{arm}_{curve}_over_dk"].append(found[name])
    return {name: (WIDTHS, y) for name, y in points.items()}


@lru_cache(8)
def additive_curves(keys: int, seed: int, sigma_q: float, sigma_k: float) -> Numbers:
    query, key = draw(keys, seed)
    found = [additive_sharpness(sigma_q * query[:, :width], sigma_k * key[:, :width], WIDEST, seed) for width in WIDTHS]
    return {f"additive_{curve}_over_dk": (WIDTHS, [each[name] for each in found]) for curve, name in CURVES.items() if name in found[0]}


D_K = Label("d_k", "d_k")
ARMS = (("raw", "wrong", "unscaled", "未缩放"), ("scaled", "right", "scaled", "缩放后"))

CURVE_MEASURES: tuple[Measure, ...] = (
    *(
        Curve(f"{arm}_{curve}_over_dk", Label(f"{en}, {arm_en}", f"{zh}，{arm_zh}"), D_K, figure, log_x=True, arm=way)
        for curve, figure, en, zh in (
            ("saturated", "saturation", "rows with a weight > .99, %", "有权重 > .99 的行（%）"),
            ("std", "std", "std of all scores", "全部分数的标准差"),
            ("entropy", "entropy", "mean entropy of a row", "每行熵的平均"),
            ("trace", "trace", "mean Jacobian trace of a row", "每行雅可比矩阵迹的平均"),
        )
        for arm, way, arm_en, arm_zh in ARMS
    ),
)
