"""Weights do not explain an output: other weights give the same one, and cutting the edge with the largest weight can change nothing."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import softmax
from engine.textbook.weights_as_explanation import (
    agreement,
    away_from,
    edge_effects,
    furthest,
    repeat_the_others,
    silent_directions,
    without_edge,
)

MOST_KEYS, WIDEST = 6, 8
LEAD = 1.0  # the first key's score above the next best: it has the largest weight
SHARES = tuple(tick / 20 for tick in range(21))  # 0 ... 1, the x axis

REDUNDANCY = Label("redundancy of k1", "k1 的冗余程度")


def run(*, keys: int, value_width: int, redundancy: float, distance: float, seed: int) -> Result:
    scores, drawn = draw(keys, value_width, seed)
    value = repeat_the_others(scores, drawn, 0, redundancy)
    weights = softmax(scores)
    directions = silent_directions(value)
    other = weights + distance * (furthest(weights, away_from(0, directions)) - weights)
    effects = edge_effects(scores, value)
    return Result(
        quantities=(
            wrong("weight_difference", largest(other - weights), "two rows of weights differ by", "两行权重相差"),
            right("output_difference", largest(other @ value - weights @ value), "their outputs differ by", "它们的输出相差"),
            measured("other_top_weight", number(other[0]), "weight of k1 in the other row", "k1 在另一行中的权重"),
            measured("other_row_sum", number(other.sum()), "sum of the other weights", "另一行权重之和"),
            measured("other_smallest_weight", number(other.min()), "smallest of the other weights", "另一行的最小权重"),
            measured("silent_directions", float(len(directions)), "directions that change no output", "不改变输出的方向数"),
            *_edges(weights, effects),
        ),
        matrices=_matrices(weights, other, value, effects),
        series=_over_redundancy(scores, drawn),
        notes=_notes(len(directions), keys, distance),
    )


def draw(keys: int, value_width: int, seed: int) -> tuple[Tensor, Tensor]:
    """Scores (n,) of one query, the first LEAD above all others, and values (n, d_v) from N(0, 1)."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(MOST_KEYS, generator=generator, dtype=torch.float64)[:keys].clone()
    value = torch.randn(MOST_KEYS, WIDEST, generator=generator, dtype=torch.float64)[:keys, :value_width]
    scores[0] = scores[1:].max() + LEAD
    return scores, value


def largest(values: Tensor) -> float:
    return number(values.abs().max())


def _edges(weights: Tensor, effects: Tensor) -> tuple[Quantity, ...]:
    decisive = int(effects.argmax())
    return (
        wrong("top_weight", number(weights[0]), "weight of k1, the largest", "k1 的权重，最大"),
        right("top_weight_effect", number(effects[0]), "cut k1: the output moves by", "切断 k1：输出变化"),
        wrong("decisive_weight", number(weights[decisive]), "weight of the key that matters most", "最关键的键的权重"),
        right("decisive_effect", number(effects[decisive]), "cut that key: the output moves by", "切断该键：输出变化"),
        measured("rank_agreement", agreement(weights, effects), "rank correlation of weights and effects", "权重与影响的秩相关"),
    )


def _matrices(weights: Tensor, other: Tensor, value: Tensor, effects: Tensor) -> tuple[Matrix, ...]:
    keys, numbers = names("k", len(weights)), names("", value.shape[1])
    cut = Label("cut one edge: the output moves by", "切断一条边：输出变化")
    formula = r"\frac{p_j}{1 - p_j} \, |o - v_j|"
    return (
        Matrix("weights", grid(weights[None]), Label("weights", "权重"), ("p",), keys, r"p = \mathrm{softmax}(s)", "weights", arm="wrong"),
        Matrix(
            "other_weights",
            grid(other[None]),
            Label("other weights, same output", "另一行权重，输出相同"),
            ("p'",),
            keys,
            "p' = p + t \\delta",
            "weights",
            arm="wrong",
        ),
        Matrix("effects", grid(effects[None]), cut, ("|Δo|",), keys, formula, "magnitude", arm="right"),
        Matrix("V", grid(value), Label("values", "值"), names("v", len(value)), numbers, "V"),
        Matrix("output", grid((weights @ value)[None]), Label("output", "输出"), ("o",), numbers, "o = p V", product_of=("weights", "V")),
        Matrix(
            "other_output",
            grid((other @ value)[None]),
            Label("output of the other weights", "另一行权重的输出"),
            ("o'",),
            numbers,
            "o' = p' V",
            product_of=("other_weights", "V"),
        ),
    )


def _over_redundancy(scores: Tensor, drawn: Tensor) -> tuple[Series, ...]:
    """The weight knows nothing of the value: it stays, while the effect of the edge falls to 0."""
    effects = tuple(number(edge_effects(scores, repeat_the_others(scores, drawn, 0, share))[0]) for share in SHARES)
    weight = (number(softmax(scores)[0]),) * len(SHARES)
    return (
        Series("weight_over_redundancy", SHARES, weight, Label("weight of k1", "k1 的权重"), REDUNDANCY, "edge", arm="wrong"),
        Series(
            "effect_over_redundancy",
            SHARES,
            effects,
            Label("effect of cutting k1", "切断 k1 的影响"),
            REDUNDANCY,
            "edge",
            arm="right",
        ),
    )


def _notes(directions: int, keys: int, distance: float) -> tuple[Label, ...]:
    found = (
        (
            directions == 0,
            Label(
                f"{keys} keys with values this wide: only one row of weights gives this output. A head has d_v = 64 and hundreds of keys.",
                f"{keys} 个键、值这么宽时，只有一行权重能得到这个输出。真实的头 d_v = 64，键有数百个。",
            ),
        ),
        (distance == 0, Label("At distance 0 both rows of weights are the same.", "距离为 0 时两行权重相同。")),
    )
    return tuple(note for holds, note in found if holds)


def cost(*, keys: int, value_width: int, redundancy: float, distance: float, seed: int) -> Cost:
    n, d = max(keys, MOST_KEYS), max(value_width, WIDEST)
    return Cost(bytes=8 * (10 * n * d + 4 * n * n), flops=(len(SHARES) + 3) * n * (2 * n * d + 40 * n) + 30 * n**2 * (n + d))


EXPERIMENT = Experiment(
    title=Label("do weights explain the output?", "注意力权重能解释输出吗？"),
    summary=Label(
        "Find other weights with the same output, then cut edges and look at what moves.",
        "找出输出相同的另一组权重，再逐条切断边，看输出怎么变。",
    ),
    parameters=(
        Parameter("redundancy", REDUNDANCY, 1.0, 0.0, 1.0, 0.05),
        Parameter("distance", Label("distance to the other weights", "与另一行权重的距离"), 1.0, 0.0, 1.0, 0.05),
        Parameter("keys", Label("keys", "键的个数"), 6, 2, MOST_KEYS),
        Parameter("value_width", Label("d_v", "d_v"), 3, 1, WIDEST),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(silent_directions, away_from, furthest, without_edge, edge_effects),
    arms=("weight_difference", "output_difference"),
)
