"""Unscaled dot products grow like √d_k and push softmax into saturation; divided by √d_k their spread no longer depends on d_k."""

from __future__ import annotations

import math

from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._additive_arm import additive_measures, additive_sharpness
from engine.experiments._middling_row import ROW_GRIDS, middling_row
from engine.experiments._saturation_gradients import GRADIENT_RATIOS, gradients
from engine.experiments._saturation_over_d_k import ARMS, CURVE_MEASURES, D_K, MOST_KEYS, WIDEST, additive_curves, curves, draw, sharpness
from engine.figures import Figure
from engine.label import Label
from engine.measures import NOT_NEGATIVE, PERCENT, SHARE, Measure, Scalar, measured, note
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.normalization import rms_norm
from engine.textbook.weight_statistics import saturated_percent


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
    *GRADIENT_RATIOS,
    measured("normed_std", "std of all scores, scaled and QK-norm", "全部分数的标准差，缩放并 QK-norm"),
    measured("normed_saturated_percent", "rows with a weight > .99, scaled and QK-norm", "有权重 > .99 的行，缩放并 QK-norm", "%", PERCENT),
    measured("normed_largest", "largest |score|, scaled and QK-norm", "最大的 |分数|，缩放并 QK-norm", within=(0, math.sqrt(WIDEST))),
    measured("normed_bound", "bound of scores with QK-norm, √d_k", "QK-norm 后分数的上界，√d_k", within=(1, math.sqrt(WIDEST))),
    measured("expected_std", "std of unscaled scores by formula, σ_q σ_k √d_k", "按公式的未缩放标准差，σ_q σ_k √d_k"),
    measured("max_entropy", "entropy of uniform weights", "均匀权重的熵", "nats", ENTROPIES),
    *ROW_GRIDS,
    *CURVE_MEASURES,
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
