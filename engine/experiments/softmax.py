"""Softmax gives positive weights that sum to 1, keep the order and ignore a shift; as the formula is written it overflows in float32."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, YES_OR_NO, Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.softmax import divided_by_sum, log_sum_exp, naive_softmax, tempered_softmax
from engine.textbook.weight_statistics import entropy, largest_weight

TEMPERATURES = tuple(round(0.1 * 10 ** (tick / 10), 4) for tick in range(21))  # 0.1 ... 10
COMPARED = (0.1, 0.5, 1.0, 2.0, 10.0)
SHIFTS = tuple(float(shift) for shift in range(-200, 201, 10))
COLUMNS = ("s1", "s2", "s3")


def run(*, score_1: float, score_2: float, score_3: float, shift: int, temperature: float) -> Numbers:
    scores = torch.tensor([score_1, score_2, score_3], dtype=torch.float64)
    shifted = scores + shift
    return {
        **overflow(shifted.float()),
        **shift_changes(scores, shifted),
        "log_sum_exp": log_sum_exp(shifted),
        "scores": torch.stack((scores, shifted)),
        **properties(scores, tempered_softmax(scores, temperature)),
        **over_shift(scores),
        **over_temperature(scores),
        "coldness": 1 / temperature,
        "named_scores": [f"{name} = {score:g}" for name, score in zip(COLUMNS, scores.tolist(), strict=True)],
    }


def overflow(scores: Tensor) -> Numbers:
    """What float32 makes of the formula as written, and of the form that takes the largest score out first."""
    naive, stable = naive_softmax(scores), softmax(scores)
    columns = (scores, torch.exp(scores), naive, torch.exp(scores - scores.max()), stable)
    return {
        "naive_unusable": unusable(naive),
        "stable_unusable": unusable(stable),
        "overflow_at": float(overflow_at()),
        "in_float32": [[finite_or_name(value) for value in row] for row in torch.stack(columns, -1).tolist()],
    }


def unusable(weights: Tensor) -> Tensor:
    """How many weights of a row are NaN or infinite, (..., n) -> (...)."""
    return (~weights.isfinite()).sum(-1).double()


def overflow_at() -> int:
    """The first whole number whose exponential float32 cannot hold."""
    return int(torch.exp(torch.arange(200, dtype=torch.float32)).isinf().int().argmax())


def finite_or_name(value: float) -> float | str:
    """inf and NaN as text, because a Result's numbers are finite."""
    return value if math.isfinite(value) else str(value)


def shift_changes(scores: Tensor, shifted: Tensor) -> Numbers:
    smallest = min(scores.sum().abs(), shifted.sum().abs())
    moved = {"shift_change": (softmax(shifted) - softmax(scores)).abs().max(), "smallest_sum": smallest}
    if smallest < 1e-9:
        return moved
    return {**moved, "linear_shift_change": (divided_by_sum(shifted) - divided_by_sum(scores)).abs().max()}


def properties(scores: Tensor, weights: Tensor) -> Numbers:
    return {
        "weights": weights[None],
        "weight_sum": weights.sum(),
        "smallest_weight": weights.min(),
        "top_weight": weights.max(),
        "order_kept": keeps_order(scores, weights),
        "weight_entropy": entropy(weights),
        "uniform_entropy": math.log(len(weights)),
    }


def keeps_order(scores: Tensor, weights: Tensor) -> bool:
    """No key with a larger score has a smaller weight."""
    higher, heavier = scores[:, None] > scores, weights[:, None] >= weights
    return bool((heavier | ~higher).all())


def over_shift(scores: Tensor) -> Numbers:
    moved = (scores + torch.tensor(SHIFTS, dtype=torch.float64)[:, None]).float()
    return {
        "naive_unusable_over_shift": (SHIFTS, unusable(naive_softmax(moved))),
        "stable_unusable_over_shift": (SHIFTS, unusable(softmax(moved))),
    }


def over_temperature(scores: Tensor) -> Numbers:
    rows = [tempered_softmax(scores, each) for each in TEMPERATURES]
    return {
        "weights_by_temperature": torch.stack([tempered_softmax(scores, each) for each in COMPARED]),
        "top_weight_over_temperature": (TEMPERATURES, [largest_weight(row) for row in rows]),
        "entropy_over_temperature": (TEMPERATURES, [entropy(row) for row in rows]),
    }


TEMPERATURE = Label("temperature T", "温度 T")
SHIFT = Label("added to every score", "给每个分数都加上")
FORMULA = r"p_i = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}"
COUNT = (0, len(COLUMNS))
ENTROPY = (0, math.log(len(COLUMNS)))

MEASURES = (
    wrong("naive_unusable", "NaN or inf among the 3 weights, as written", "3 个权重中 NaN 或 inf 的个数，照公式写", within=COUNT),
    right(
        "stable_unusable",
        "NaN or inf among the 3 weights, largest score taken out",
        "3 个权重中 NaN 或 inf 的个数，先减最大值",
        within=COUNT,
    ),
    right("shift_change", "scores shifted: largest change of a weight, softmax", "平移分数：权重的最大变化，softmax", within=SHARE),
    wrong("linear_shift_change", "scores shifted: largest change of a weight, s / Σ s", "平移分数：权重的最大变化，s / Σ s"),
    measured("weight_sum", "sum of the weights", "权重之和", within=SHARE),
    measured("smallest_weight", "smallest weight", "最小权重", within=(0, 1 / len(COLUMNS))),
    measured("top_weight", "largest weight", "最大权重", within=(1 / len(COLUMNS), 1)),
    measured("order_kept", "order kept (1 = yes)", "保持大小顺序（1 = 是）", within=YES_OR_NO),
    measured("weight_entropy", "entropy of the weights", "权重的熵", "nats", ENTROPY),
    measured("uniform_entropy", "entropy of uniform weights", "均匀权重的熵", "nats", ENTROPY),
    measured("overflow_at", "first n with e^n = inf in float32", "float32 中 e^n = inf 的最小整数 n", within=(89, 89)),
    measured("log_sum_exp", "ln Σ e^s of the shifted scores", "平移后分数的 ln Σ e^s", within=ANY),
    Grid(
        "weights",
        Label("weights at your temperature", "所选温度下的权重"),
        rows=("p",),
        columns="{named_scores}",
        formula=FORMULA,
        kind="weights",
        factor="{coldness}",
        made_of=("softmax", "scores"),
    ),
    Grid(
        "weights_by_temperature",
        Label("weights at five temperatures", "五种温度下的权重"),
        rows=tuple(f"T = {each:g}" for each in COMPARED),
        columns=COLUMNS,
        formula=FORMULA,
        kind="weights",
    ),
    Grid("scores", Label("scores", "分数"), rows=("s", "s + c"), columns=COLUMNS),
    Curve(
        "naive_unusable_over_shift",
        Label("NaN or inf among the 3 weights, as written", "3 个权重中 NaN 或 inf 的个数，照公式写"),
        SHIFT,
        "overflow",
        arm="wrong",
    ),
    Curve(
        "stable_unusable_over_shift",
        Label("NaN or inf among the 3 weights, stable", "3 个权重中 NaN 或 inf 的个数，先减最大值"),
        SHIFT,
        "overflow",
        arm="right",
    ),
    Curve("top_weight_over_temperature", Label("largest weight", "最大权重"), TEMPERATURE, "peak", log_x=True),
    Curve("entropy_over_temperature", Label("entropy of the weights", "权重的熵"), TEMPERATURE, "entropy", log_x=True),
    Rows(
        "in_float32",
        Label("the shifted scores in float32", "float32 中平移后的分数"),
        (
            Label("s", "s"),
            Label("e^s", "e^s"),
            Label("as written", "照公式写"),
            Label("e^(s - max)", "e^(s - max)"),
            Label("stable", "稳定写法"),
        ),
    ),
    note(
        "sum_is_zero",
        "smallest_sum < 0.000000001",
        "s / Σ s divides by zero here: the scores, or the shifted ones, sum to 0.",
        "这里 s / Σ s 会除以零：原分数或平移后的分数之和为 0。",
    ),
    note(
        "still_works",
        "naive_unusable == 0",
        "These shifted scores are in float32's range: the formula as written still works.",
        "平移后的分数仍在 float32 的范围内：照公式写还能算。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("softmax", "softmax"),
    summary=Label(
        "Three scores become weights; shift them, heat them, and see where float32 breaks.",
        "三个分数变成权重：平移、升温、降温，看 float32 在哪里出错。",
    ),
    keywords=("temperature", "log-sum-exp", "overflow", "numerical stability", "logits", "温度", "数值稳定", "溢出"),
    parameters=(
        Parameter("score_1", Label("score s1", "分数 s1"), 1.0, -10.0, 10.0, 0.5),
        Parameter("score_2", Label("score s2", "分数 s2"), 2.0, -10.0, 10.0, 0.5),
        Parameter("score_3", Label("score s3", "分数 s3"), 3.0, -10.0, 10.0, 0.5),
        Parameter("shift", SHIFT, 100, -200, 200, 10),
        Parameter("temperature", TEMPERATURE, 1.0, 0.1, 10.0, 0.1),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("weights",),
            caption=Label(
                "The higher a score, the larger its share; no share is ever 0, and together they make 1.",
                "分数越高，分到的份额越大；没有一个份额是 0，加起来正好是 1。",
            ),
        ),
        Figure("curve", ("naive_unusable_over_shift", "stable_unusable_over_shift"), over="shift", mark="naive_unusable"),
        Figure("table", ("in_float32",)),
        Figure("heatmap", ("weights_by_temperature",)),
        Figure("curve", ("top_weight_over_temperature",), over="temperature", mark="top_weight"),
        Figure("curve", ("entropy_over_temperature",), over="temperature", mark="weight_entropy"),
        Figure("heatmap", ("scores",)),
        Figure("bars", ("shift_change", "linear_shift_change")),
    ),
    arms=("naive_unusable", "stable_unusable"),
    presets=(
        Preset(
            Label("T = 0.1", "T = 0.1"),
            {"temperature": 0.1},
            Label(
                "Cold: the largest score takes everything, softmax has become argmax.",
                "温度很低：最大的分数拿走全部，softmax 变成了 argmax。",
            ),
            "top_weight > 0.99",
        ),
        Preset(
            Label("T = 10", "T = 10"),
            {"temperature": 10.0},
            Label("Hot: about a third each, whatever the scores say.", "温度很高：不管分数如何，各得约三分之一。"),
            "top_weight < 0.4 and smallest_weight > 0.3",
        ),
        Preset(
            Label("no shift", "不平移"),
            {"shift": 0},
            Label(
                "The weights are the same as with 100 added; only now float32 can also compute the formula as written.",
                "权重与加上 100 时完全一样；只是现在照公式写 float32 也算得出来。",
            ),
            "naive_unusable == 0 and shift_change < 1e-9",
            show="naive_unusable_over_shift",
        ),
    ),
    run=run,
)
