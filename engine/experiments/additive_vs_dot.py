"""Dot products spread like √d_k, additive scores do not. Dividing by √d_k mends that; against large entries only the tanh helps."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import NOT_NEGATIVE, PERCENT, Curve, Measure, Range, Rows, Scalar, measured, note
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.additive_attention import additive_scores, dot_scores
from engine.textbook.attention import softmax
from engine.textbook.weight_statistics import entropy, saturated_percent

QUERIES, KEYS = 16, 64
WIDEST = 1024
WIDTHS = tuple(2**power for power in range(1, 11))  # 2 ... 1024, the x axis
SIGMAS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
AT_MOST = 64  # the widest d_k at which the curve over σ is drawn

Scores = dict[str, Tensor]  # dot, additive, scaled: (queries, keys) each


def run(*, d_k: int, sigma: float, seed: int) -> Numbers:
    drawn = draw(seed)
    found = scores_at(drawn, d_k, sigma)
    parameters = float(2 * d_k**2 + d_k)
    return {
        **{f"{way}_std": scores.std() for way, scores in found.items()},
        **{f"{way}_saturated_percent": saturated_percent(softmax(scores)) for way, scores in found.items()},
        **{f"{way}_entropy": entropy(softmax(scores)) for way, scores in found.items()},
        "additive_largest": found["additive"].abs().max(),
        "additive_bound": output_weights(drawn, d_k).abs().sum(),
        "additive_parameters": parameters,
        "additive_tanh": float(QUERIES * KEYS * d_k),
        **over_width(drawn, sigma),
        **over_sigma(drawn, min(d_k, AT_MOST)),
        "compared": [(0.0, 0.0, float(d_k)), (parameters, float(d_k), float(d_k))],
        "curve_width": min(d_k, AT_MOST),
    }


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


def over_width(drawn: tuple[Tensor, ...], sigma: float) -> Numbers:
    found = [scores_at(drawn, width, sigma) for width in WIDTHS]
    return {
        **{f"{way}_std_over_dk": (WIDTHS, [scores[way].std() for scores in found]) for way in found[0]},
        **{f"{way}_saturated_over_dk": (WIDTHS, [saturated_percent(softmax(scores[way])) for scores in found]) for way in found[0]},
    }


def over_sigma(drawn: tuple[Tensor, ...], d_k: int) -> Numbers:
    """Only the additive score stops growing with the entries: its tanh saturates. Scaling by √d_k does not help there."""
    found = [scores_at(drawn, d_k, sigma) for sigma in SIGMAS]
    return {f"{way}_std_over_sigma": (SIGMAS, [scores[way].std() for scores in found]) for way in ("additive", "scaled")}


WIDTH = Label("d_k", "d_k")
SIGMA = Label("σ of queries and keys", "查询和键的 σ")
DOT, ADDITIVE, SCALED = Label("dot product", "点积"), Label("additive", "加性"), Label("dot product / √d_k", "点积 / √d_k")
WAYS = (("dot", DOT, "wrong"), ("additive", ADDITIVE, "right"), ("scaled", SCALED, "right"))


def of_each_way(name: str, en: str, zh: str, unit: str = "", within: Range = NOT_NEGATIVE) -> tuple[Measure, ...]:
    return tuple(Scalar(f"{way}_{name}", Label(f"{en}, {label.en}", f"{zh}，{label.zh}"), unit, within, arm) for way, label, arm in WAYS)


def std_of(label: Label) -> Label:
    return Label(f"std of all scores, {label.en}", f"全部分数的标准差，{label.zh}")


def curves_of(way: str, label: Label, arm: str) -> tuple[Measure, ...]:
    saturated = Label(f"rows with a weight > .99, %, {label.en}", f"有权重 > .99 的行（%），{label.zh}")
    return (
        Curve(f"{way}_std_over_dk", std_of(label), WIDTH, "std", log_x=True, arm=arm),
        Curve(f"{way}_saturated_over_dk", saturated, WIDTH, "saturation", log_x=True, arm=arm),
    )


MEASURES = (
    *of_each_way("std", "std of all scores", "全部分数的标准差"),
    *of_each_way("saturated_percent", "rows with a weight > .99", "有权重 > .99 的行", "%", PERCENT),
    *of_each_way("entropy", "mean entropy of a row", "每行熵的平均", "nats", (0, 4.16)),  # at most ln 64
    measured("additive_largest", "largest |additive score|", "最大的 |加性分数|"),
    measured("additive_bound", "bound of the additive scores, Σ|v_i|", "加性分数的上界，Σ|v_i|"),
    measured("additive_parameters", "parameters of the additive score", "加性打分的参数量"),
    measured("additive_tanh", "tanh for 16 queries and 64 keys", "16 个查询、64 个键需要的 tanh 次数"),
    *(curve for way in WAYS for curve in curves_of(*way)),
    Curve("additive_std_over_sigma", std_of(ADDITIVE), SIGMA, "sigma", arm="right"),
    Curve("scaled_std_over_sigma", std_of(SCALED), SIGMA, "sigma", arm="right"),
    Rows(
        "compared",
        Label("what a score costs, once queries and keys are projected", "查询和键投影之后，打一次分的代价"),
        (
            Label("score", "打分方式"),
            Label("parameters", "参数量"),
            Label("tanh a pair", "每对的 tanh 次数"),
            Label("multiply-adds a pair", "每对的乘加次数"),
        ),
        (DOT, ADDITIVE),
    ),
    note(
        "narrow", "d_k > curve_width", "The curve over σ is drawn at d_k = {curve_width}.", "随 σ 变化的曲线按 d_k = {curve_width} 绘制。"
    ),
    note(
        "small",
        "dot_std < additive_std",
        "At this σ the dot products are smaller than the additive scores: nothing here needs scaling.",
        "在这个 σ 下点积比加性分数还小：这里用不着缩放。",
    ),
    note(
        "entries",
        "scaled_saturated_percent > additive_saturated_percent",
        "√d_k takes out the width, not σ: {scaled_saturated_percent:.0f} % of the scaled rows are saturated, "
        "{additive_saturated_percent:.0f} % of the additive ones.",
        "√d_k 抵消的是宽度，不是 σ：缩放点积有 {scaled_saturated_percent:.0f}% 的行饱和，加性为 {additive_saturated_percent:.0f}%。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("additive and dot-product scores", "加性打分与点积打分"),
    summary=Label(
        "The same queries and keys, scored by a small network and by a dot product.", "同样的查询和键：用小网络打分，或用点积打分。"
    ),
    keywords=("Bahdanau", "Luong", "concat attention", "multiplicative attention", "tanh", "加法注意力", "乘法注意力"),
    parameters=(
        Parameter("d_k", WIDTH, 64, 2, WIDEST, 2, "log"),
        Parameter("sigma", SIGMA, 1.0, 0.1, 10.0, 0.1),
        SEED,
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("dot_std_over_dk", "additive_std_over_dk", "scaled_std_over_dk"),
            over="d_k",
            mark="dot_std",
            caption=Label(
                "Dot products grow like √d_k, additive scores do not; divided by √d_k a dot product does not either.",
                "点积随 √d_k 增长，加性打分不会；除以 √d_k 后点积也不会。",
            ),
        ),
        Figure(
            "curve",
            ("dot_saturated_over_dk", "additive_saturated_over_dk", "scaled_saturated_over_dk"),
            over="d_k",
            mark="dot_saturated_percent",
        ),
        Figure("curve", ("additive_std_over_sigma", "scaled_std_over_sigma"), over="sigma"),
        Figure("bars", ("dot_entropy", "additive_entropy", "scaled_entropy")),
        Figure("bars", ("additive_largest",), mark="additive_bound"),
        Figure("table", ("compared",)),
    ),
    arms=("dot_std", "additive_std"),
    presets=(
        Preset(
            Label("d_k = 1024", "d_k = 1024"),
            {"d_k": 1024},
            Label(
                "Most rows of the dot product see one key alone; the two others are as they were.",
                "点积的大多数行只看见一个键；另外两种与之前一样。",
            ),
            "dot_saturated_percent > 50 and additive_saturated_percent == 0 and scaled_saturated_percent == 0",
            show="dot_saturated_over_dk",
        ),
        Preset(
            Label("σ = 4", "σ = 4"),
            {"sigma": 4.0},
            Label(
                "Against large queries and keys √d_k does not help; the tanh of the additive score bounds it.",
                "查询和键很大时 √d_k 帮不上忙；加性打分的 tanh 则有界。",
            ),
            "scaled_saturated_percent > 10 and additive_saturated_percent == 0",
        ),
        Preset(
            Label("d_k = 2", "d_k = 2"),
            {"d_k": 2},
            Label("In two dimensions all three spread alike, and nothing needs scaling.", "只有两维时三者的散布差不多，用不着缩放。"),
            "dot_std < 1.5 and dot_saturated_percent == 0 and d_k == 2",
        ),
    ),
)
