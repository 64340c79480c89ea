"""Softmax gives positive weights that sum to 1, keep the order and ignore a shift; as the formula is written it overflows in float32."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series, Table
from engine.shorthand import measured, right, wrong
from engine.textbook.attention import softmax
from engine.textbook.softmax import divided_by_sum, log_sum_exp, naive_softmax, tempered_softmax
from engine.textbook.weight_statistics import entropy, largest_weight

TEMPERATURES = tuple(round(0.1 * 10 ** (tick / 10), 4) for tick in range(21))  # 0.1 ... 10
COMPARED = (0.1, 0.5, 1.0, 2.0, 10.0)
SHIFTS = tuple(float(shift) for shift in range(-200, 201, 10))
COLUMNS = ("s1", "s2", "s3")

TEMPERATURE = Label("temperature T", "温度 T")
SHIFT = Label("added to every score", "给每个分数都加上")


def run(*, score_1: float, score_2: float, score_3: float, shift: int, temperature: float) -> Result:
    scores = torch.tensor([score_1, score_2, score_3], dtype=torch.float64)
    shifted = scores + shift
    weights = tempered_softmax(scores, temperature)
    linear, notes = _linear_shift_change(scores, shifted)
    return Result(
        quantities=(
            wrong("naive_unusable", unusable(naive_softmax(shifted.float())), "NaN, as written", "NaN 个数，照公式写"),
            right("stable_unusable", unusable(softmax(shifted.float())), "NaN, largest score taken out", "NaN 个数，先减最大值"),
            *_shift_changes(scores, shifted, linear),
            measured("weight_sum", number(weights.sum()), "sum of the weights", "权重之和"),
            measured("smallest_weight", number(weights.min()), "smallest weight", "最小权重"),
            measured("top_weight", number(weights.max()), "largest weight", "最大权重"),
            measured("order_kept", float(keeps_order(scores, weights)), "order kept (1 = yes)", "保持大小顺序（1 = 是）"),
            measured("weight_entropy", entropy(weights), "entropy", "熵", "nats"),
            measured("uniform_entropy", math.log(len(COLUMNS)), "entropy of uniform weights", "均匀权重的熵", "nats"),
            measured("overflow_at", float(overflow_at()), "first n with e^n = inf in float32", "float32 中 e^n = inf 的最小整数 n"),
            measured("log_sum_exp", number(log_sum_exp(shifted)), "ln Σ e^s of the shifted scores", "平移后分数的 ln Σ e^s"),
        ),
        matrices=_matrices(scores, weights, shifted),
        series=(*_over_shift(scores), *_over_temperature(scores)),
        tables=(_in_float32(shifted),),
        notes=notes,
    )


def unusable(weights: Tensor) -> float:
    """How many weights are NaN or infinite."""
    return number((~weights.isfinite()).sum())


def keeps_order(scores: Tensor, weights: Tensor) -> bool:
    """No key with a larger score has a smaller weight."""
    higher, heavier = scores[:, None] > scores, weights[:, None] >= weights
    return bool((heavier | ~higher).all())


def overflow_at() -> int:
    """The first whole number whose exponential float32 cannot hold."""
    return int(torch.exp(torch.arange(200, dtype=torch.float32)).isinf().int().argmax())


def _shift_changes(scores: Tensor, shifted: Tensor, linear: float | None) -> tuple[Quantity, ...]:
    moved = number((softmax(shifted) - softmax(scores)).abs().max())
    quantity = right("shift_change", moved, "weights moved by the shift", "平移使权重变化")
    if linear is None:
        return (quantity,)
    return quantity, wrong("linear_shift_change", linear, "the same for s / Σ s", "同上，用 s / Σ s")


def _linear_shift_change(scores: Tensor, shifted: Tensor) -> tuple[float | None, tuple[Label, ...]]:
    if min(abs(number(scores.sum())), abs(number(shifted.sum()))) < 1e-9:
        zero = Label("s / Σ s divides by zero here: these scores sum to 0.", "这里 s / Σ s 会除以零：这些分数之和为 0。")
        return None, (zero,)
    return number((divided_by_sum(shifted) - divided_by_sum(scores)).abs().max()), ()


def _matrices(scores: Tensor, weights: Tensor, shifted: Tensor) -> tuple[Matrix, ...]:
    formula = r"p_i = \frac{e^{s_i / T}}{\sum_j e^{s_j / T}}"
    by_temperature = torch.stack([tempered_softmax(scores, each) for each in COMPARED])
    rows = tuple(f"T = {each:g}" for each in COMPARED)
    return (
        Matrix(
            "weights", grid(weights[None]), Label("weights at your temperature", "所选温度下的权重"), ("p",), COLUMNS, formula, "weights"
        ),
        Matrix(
            "weights_by_temperature",
            grid(by_temperature),
            Label("weights at five temperatures", "五种温度下的权重"),
            rows,
            COLUMNS,
            formula,
            "weights",
        ),
        Matrix("scores", grid(torch.stack((scores, shifted))), Label("scores", "分数"), ("s", "s + c"), COLUMNS),
    )


def _over_shift(scores: Tensor) -> tuple[Series, ...]:
    moved = (scores + torch.tensor(SHIFTS, dtype=torch.float64)[:, None]).float()
    naive, stable = (tuple(map(unusable, form(moved))) for form in (naive_softmax, softmax))
    return (
        Series("naive_unusable_over_shift", SHIFTS, naive, Label("NaN, as written", "NaN 个数，照公式写"), SHIFT, "overflow", arm="wrong"),
        Series(
            "stable_unusable_over_shift",
            SHIFTS,
            stable,
            Label("NaN, largest taken out", "NaN 个数，先减最大值"),
            SHIFT,
            "overflow",
            arm="right",
        ),
    )


def _over_temperature(scores: Tensor) -> tuple[Series, ...]:
    rows = [tempered_softmax(scores, each) for each in TEMPERATURES]
    peaks, entropies = tuple(map(largest_weight, rows)), tuple(map(entropy, rows))
    return (
        Series("top_weight_over_temperature", TEMPERATURES, peaks, Label("largest weight", "最大权重"), TEMPERATURE, "peak", log_x=True),
        Series("entropy_over_temperature", TEMPERATURES, entropies, Label("entropy", "熵"), TEMPERATURE, "entropy", log_x=True),
    )


def _in_float32(shifted: Tensor) -> Table:
    """What float32 prints, step by step; inf and NaN as text, because a Result's numbers are finite."""
    single = shifted.float()
    columns = (single, torch.exp(single), naive_softmax(single), torch.exp(single - single.max()), softmax(single))
    heads = (
        Label("s", "s"),
        Label("e^s", "e^s"),
        Label("as written", "照公式写"),
        Label("e^(s - max)", "e^(s - max)"),
        Label("stable", "稳定写法"),
    )
    rows = tuple(tuple(_printed(number(column[key])) for column in columns) for key in range(len(COLUMNS)))
    return Table("in_float32", Label("the shifted scores in float32", "float32 中平移后的分数"), heads, rows)


def _printed(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def cost(*, score_1: float, score_2: float, score_3: float, shift: int, temperature: float) -> Cost:
    rows = len(SHIFTS) + len(TEMPERATURES) + len(COMPARED)
    return Cost(bytes=8 * 10 * rows * len(COLUMNS), flops=100 * rows * len(COLUMNS))


EXPERIMENT = Experiment(
    title=Label("softmax", "softmax"),
    summary=Label(
        "Three scores become weights; shift them, heat them, and see where float32 breaks.",
        "三个分数变成权重：平移、升温、降温，看 float32 在哪里出错。",
    ),
    parameters=(
        Parameter("score_1", Label("score s1", "分数 s1"), 1.0, -10.0, 10.0, 0.5),
        Parameter("score_2", Label("score s2", "分数 s2"), 2.0, -10.0, 10.0, 0.5),
        Parameter("score_3", Label("score s3", "分数 s3"), 3.0, -10.0, 10.0, 0.5),
        Parameter("shift", SHIFT, 100, -200, 200, 10),
        Parameter("temperature", TEMPERATURE, 1.0, 0.1, 10.0, 0.1),
    ),
    run=run,
    cost=cost,
    shows=(softmax, naive_softmax, tempered_softmax, log_sum_exp),
    arms=("naive_unusable", "stable_unusable"),
)
