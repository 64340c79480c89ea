"""Unscaled dot products grow like √d_k and push softmax into saturation; divided by √d_k their spread no longer depends on d_k."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._additive_arm import additive_measures, additive_sharpness
from engine.figures import Figure
from engine.label import Label
from engine.measures import NOT_NEGATIVE, PERCENT, SHARE, Curve, Grid, Measure, Scalar, measured, note
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.normalization import rms_norm
from engine.textbook.saturation_gradient import gradient_at_projection, gradients_at_queries
from engine.textbook.weight_statistics import entropy, jacobian_trace, largest_weight, saturated_percent

ROWS = 200  # queries; all of them see the same keys, as in a layer
WIDEST, MOST_KEYS = 4096, 512
D_MODEL = 64  # of the inputs that W_Q reads
WIDTHS = tuple(2**power for power in range(13))  # 1 ... 4096, the x axis
SHOWN = 8
CURVES = {"saturated": "saturated_percent", "std": "std", "entropy": "entropy", "trace": "jacobian_trace"}


def run(*, d_k: int, keys: int, sigma_q: float, sigma_k: float, seed: int) -> Numbers:
    query, key = draw(keys, seed)
    spread = sigma_q * sigma_k
    raw = spread * (query[:, :d_k] @ key[:, :d_k].T)  # (rows, keys)
    scaled = raw / math.sqrt(d_k)
    return {
        **{f"raw_{name}": value for name, value in sharpness(raw).items()},
        **{f"scaled_{name}": value for name, value in sharpness(scaled).items()},
        **normed(query[:, :d_k], key[:, :d_k], spread),
        "sizes": spread,
        **gradients(raw, scaled, sigma_k * key[:, :d_k], seed),
        "expected_std": spread * math.sqrt(d_k),
        "max_entropy": math.log(keys),
        **middling_row(softmax(raw), softmax(scaled)),
        **curves(keys, seed, spread),
        **{
            f"additive_{name}": value
            for name, value in additive_sharpness(sigma_q * query[:, :d_k], sigma_k * key[:, :d_k], WIDEST, seed).items()
        },
        **additive_curves(keys, seed, sigma_q, sigma_k),
    }


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


def normed(query: Tensor, key: Tensor, spread: float) -> Numbers:
    """QK-norm: queries and keys brought to length √d_k before the product, whatever σ is. Source: Henry et al. 2020."""
    width = query.shape[-1]
    scores = rms_norm(spread * query) @ rms_norm(key).T / math.sqrt(width)
    return {
        "normed_std": scores.std(),
        "normed_saturated_percent": saturated_percent(softmax(scores)),
        "normed_largest": scores.abs().max(),
        "normed_bound": math.sqrt(width),
    }


def gradients(raw: Tensor, scaled: Tensor, key: Tensor, seed: int) -> Numbers:
    """What arrives at a query and at W_Q when every weight is pulled at from N(0, 1): the same pulls in both arms."""
    generator = torch.Generator().manual_seed(seed + 1000)  # another stream than the queries and keys
    pulls = torch.randn(raw.shape, generator=generator, dtype=torch.float64)  # (rows, keys), the gradient at the weights
    inputs = torch.randn(len(raw), D_MODEL, generator=generator, dtype=torch.float64)
    found: dict[str, Tensor] = {}
    for arm, scores, factor in (("raw", raw, 1.0), ("scaled", scaled, 1 / math.sqrt(key.shape[-1]))):
        at_queries = gradients_at_queries(softmax(scores), pulls, key, factor)
        sizes = at_queries.norm(dim=-1)
        found |= {f"{arm}_gradient_median": sizes.median(), f"{arm}_gradient_mean": sizes.mean()}
        found[f"{arm}_projection_gradient"] = gradient_at_projection(inputs, at_queries).norm()
    return {
        **found,
        "median_gradient_ratio": found["raw_gradient_median"] / found["scaled_gradient_median"],
        "mean_gradient_ratio": found["raw_gradient_mean"] / found["scaled_gradient_mean"],
        "projection_gradient_ratio": found["raw_projection_gradient"] / found["scaled_projection_gradient"],
    }


def middling_row(raw: Tensor, scaled: Tensor) -> Numbers:
    """The row in the middle: half of the rows are more peaked, unscaled. Its largest weights, in the same order for both arms."""
    middle = int(raw.amax(-1).argsort(stable=True)[ROWS // 2])
    largest = raw[middle].argsort(descending=True, stable=True)[:SHOWN]
    return {
        "raw_weights": raw[middle, largest][None],
        "scaled_weights": scaled[middle, largest][None],
        "row": middle + 1,
        "columns": [f"#{rank + 1}" for rank in range(len(largest))],  # places: which key has one changes with every width
        "count": len(largest),
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
ENTROPIES = (0, math.log(MOST_KEYS))

MEASURES: tuple[Measure, ...] = (
    *(
        Scalar(f"{arm}_{name}", Label(f"{en}, {arm_en}", f"{zh}，{arm_zh}"), unit, within, way)
        for arm, way, arm_en, arm_zh in ARMS
        for name, en, zh, unit, within in (
            ("saturated_percent", "rows with a weight > .99", "有权重 > .99 的行", "%", PERCENT),
            ("std", "std of all scores", "全部分数的标准差", "", NOT_NEGATIVE),
            ("max_weight", "largest weight, mean over 200 rows", "最大权重，200 行平均", "", SHARE),
            ("entropy", "entropy, mean over 200 rows", "熵，200 行平均", "nats", ENTROPIES),
            ("jacobian_trace", "Jacobian trace, mean over 200 rows", "雅可比矩阵的迹，200 行平均", "", SHARE),
            ("gradient_median", "gradient at a query, median of 200 rows", "传到查询的梯度，200 行的中位数", "", NOT_NEGATIVE),
            ("gradient_mean", "gradient at a query, mean of 200 rows", "传到查询的梯度，200 行的平均", "", NOT_NEGATIVE),
            ("projection_gradient", "gradient at W_Q, Frobenius norm", "W_Q 的梯度，Frobenius 范数", "", NOT_NEGATIVE),
        )
    ),
    measured(
        "median_gradient_ratio", "gradient at a query, median of 200 rows: unscaled / scaled", "查询的梯度，200 行的中位数：未缩放 ÷ 缩放后"
    ),
    measured(
        "mean_gradient_ratio", "gradient at a query, mean of 200 rows: unscaled / scaled", "查询的梯度，200 行的平均：未缩放 ÷ 缩放后"
    ),
    measured(
        "projection_gradient_ratio", "gradient at W_Q, Frobenius norm: unscaled / scaled", "W_Q 的梯度，Frobenius 范数：未缩放 ÷ 缩放后"
    ),
    measured("normed_std", "std of all scores, scaled and QK-norm", "全部分数的标准差，缩放并 QK-norm"),
    measured("normed_saturated_percent", "rows with a weight > .99, scaled and QK-norm", "有权重 > .99 的行，缩放并 QK-norm", "%", PERCENT),
    measured("normed_largest", "largest |score|, scaled and QK-norm", "最大的 |分数|，缩放并 QK-norm", within=(0, math.sqrt(WIDEST))),
    measured("normed_bound", "bound of scores with QK-norm, √d_k", "QK-norm 后分数的上界，√d_k", within=(1, math.sqrt(WIDEST))),
    measured("expected_std", "std of unscaled scores by formula, σ_q σ_k √d_k", "按公式的未缩放标准差，σ_q σ_k √d_k"),
    measured("max_entropy", "entropy of uniform weights", "均匀权重的熵", "nats", ENTROPIES),
    Grid(
        "raw_weights",
        Label("unscaled: the {count} largest weights of a middling row", "未缩放：居中一行里最大的 {count} 个权重"),
        rows=("q{row}",),
        columns="{columns}",
        formula=r"\mathrm{softmax}(q K^\top)",
        kind="weights",
        arm="wrong",
    ),
    Grid(
        "scaled_weights",
        Label("scaled: the {count} largest weights of a middling row", "缩放后：居中一行里最大的 {count} 个权重"),
        rows=("q{row}",),
        columns="{columns}",
        formula=r"\mathrm{softmax}\left(\frac{q K^\top}{\sqrt{d_k}}\right)",
        kind="weights",
        arm="right",
    ),
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
    *additive_measures(D_K, math.log(MOST_KEYS)),
    note("none_saturated", "raw_saturated_percent == 0", "No row is saturated here, scaled or not.", "这里无论缩放与否，都没有饱和的行。"),
    note(
        "winner",
        "raw_saturated_percent > 0",
        "Why one key wins, unscaled: the scores spread by σ_q σ_k √d_k = {expected_std:.3g}, and softmax turns a lead of 5 into a weight "
        "that is 148 times as large.",
        "未缩放时为什么一个键胜出：分数的标准差是 σ_q σ_k √d_k = {expected_std:.3g}，而领先 5 分，softmax 的权重就是 148 倍。",
    ),
    note(
        "entries",
        "scaled_saturated_percent > 0",
        "√d_k takes out the width, not the size of the entries: with σ_q σ_k = {sizes:.3g}, {scaled_saturated_percent:.0f} % of the "
        "scaled rows are saturated.",
        "√d_k 抵消的是宽度，不是分量的大小：σ_q σ_k = {sizes:.3g} 时，缩放后仍有 {scaled_saturated_percent:.0f}% 的行饱和。",
    ),
    note(
        "all_saturated",
        "scaled_saturated_percent == raw_saturated_percent and raw_saturated_percent > 0",
        "Here as many rows are saturated scaled as unscaled.",
        "这里缩放与不缩放时饱和的行一样多。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("softmax saturation", "softmax 饱和"),
    summary=Label(
        "What √d_k does: the same queries and keys, unscaled and scaled, and with an additive score.",
        "√d_k 的作用：同样的查询和键，不缩放、缩放，以及加性打分。",
    ),
    keywords=(
        "sqrt d_k",
        "√d_k",
        "scaling",
        "scaled dot-product",
        "vanishing gradient",
        "QK-norm",
        "additive attention",
        "Bahdanau",
        "缩放",
        "加性",
        "点积",
        "除以",
        "梯度消失",
    ),
    parameters=(
        Parameter("d_k", D_K, 64, 1, WIDEST, 2, "log"),
        Parameter("keys", Label("keys", "键的个数"), 64, 2, MOST_KEYS, 2, "log"),
        Parameter("sigma_q", Label("σ_q", "σ_q"), 1.0, 0.1, 10.0, 0.1),
        Parameter("sigma_k", Label("σ_k", "σ_k"), 1.0, 0.1, 10.0, 0.1),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("raw_saturated_over_dk", "scaled_saturated_over_dk", "additive_saturated_over_dk"),
            over="d_k",
            mark="raw_saturated_percent",
            caption=Label(
                "Undivided scores spread by σ_q σ_k √d_k: the wider the head, the farther the largest stands out, and the more queries see "
                "one key and no other.",
                "不做缩放时，分数的标准差是 σ_q σ_k √d_k：头越宽，最大的分数越突出，只看见一个键的查询就越多。",
            ),
        ),
        Figure("bars", ("raw_weights", "scaled_weights")),
        Figure("curve", ("raw_std_over_dk", "scaled_std_over_dk", "additive_std_over_dk"), over="d_k", mark="raw_std"),
        Figure("curve", ("raw_entropy_over_dk", "scaled_entropy_over_dk", "additive_entropy_over_dk"), over="d_k", mark="raw_entropy"),
        Figure("curve", ("raw_trace_over_dk", "scaled_trace_over_dk"), over="d_k", mark="raw_jacobian_trace"),
        Figure("bars", ("median_gradient_ratio", "mean_gradient_ratio", "projection_gradient_ratio")),
    ),
    arms=("raw_saturated_percent", "scaled_saturated_percent"),
    presets=(
        Preset(
            Label("d_k = 1", "d_k = 1"),
            {"d_k": 1},
            Label("√1 = 1: there is nothing to scale, and both ways are the same.", "√1 = 1：没有可缩放的，两种做法完全相同。"),
            "raw_std == scaled_std and raw_saturated_percent == scaled_saturated_percent",
        ),
        Preset(
            Label("d_k = 4096", "d_k = 4096"),
            {"d_k": 4096},
            Label(
                "Unscaled, scores spread by √4096 = 64, so one key wins: most queries put everything on it. Scaled they spread by 1, and "
                "not one query does.",
                "未缩放时分数的标准差是 √4096 = 64，于是一个键胜出：大多数查询把全部权重放在它上面。缩放后标准差是 1，一个也没有。",
            ),
            "raw_saturated_percent > 50 and scaled_saturated_percent == 0",
        ),
        Preset(
            Label("σ_q = σ_k = 3", "σ_q = σ_k = 3"),
            {"sigma_q": 3.0, "sigma_k": 3.0},
            Label(
                "Larger queries and keys saturate even the scaled scores; QK-norm and the additive score, bounded both, do not care.",
                "查询和键变大，缩放后的分数也会饱和；QK-norm 和加性打分都有界，不受影响。",
            ),
            "scaled_saturated_percent > 1 and normed_saturated_percent == 0 and additive_saturated_percent == 0",
        ),
    ),
    run=run,
)
