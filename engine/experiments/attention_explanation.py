"""Weights do not explain an output: other weights give the same one, and cutting the edge with the largest weight can change nothing."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.weights_as_explanation import (
    agreement,
    away_from,
    edge_effects,
    furthest,
    repeat_the_others,
    silent_directions,
    without_rounding,
)

MOST_KEYS, WIDEST = 6, 8
LEAD = 1.0  # the first key's score above the next best: it has the largest weight
SHARES = tuple(tick / 20 for tick in range(21))  # 0 ... 1, the x axis


def run(*, keys: int, value_width: int, redundancy: float, distance: float, seed: int) -> Numbers:
    scores, drawn = draw(keys, value_width, seed)
    value = repeat_the_others(scores, drawn, 0, redundancy)
    weights, effects = softmax(scores), without_rounding(edge_effects(scores, value))
    directions = silent_directions(value)
    other = weights + distance * (furthest(weights, away_from(0, directions)) - weights)
    decisive = int(effects.argmax())
    return {
        "weight_difference": (other - weights).abs().max(),
        "output_difference": (other @ value - weights @ value).abs().max(),
        "other_top_weight": other[0],
        "other_row_sum": other.sum(),
        "other_smallest_weight": other.min(),
        "silent_directions": float(len(directions)),
        "top_weight": weights[0],
        "top_weight_effect": effects[0],
        "decisive_weight": weights[decisive],
        "decisive_effect": effects[decisive],
        "rank_agreement": agreement(weights, effects),
        "largest_effect": effects.max(),
        "smallest_effect": effects.min(),
        "weights": weights[None],
        "other_weights": other[None],
        "effects": effects[None],
        "V": value,
        "output": (weights @ value)[None],
        "other_output": (other @ value)[None],
        # The weight knows nothing of the value: it stays, while the effect of the edge falls to 0.
        "weight_over_redundancy": (SHARES, [weights[0]] * len(SHARES)),
        "effect_over_redundancy": (SHARES, [edge_effects(scores, repeat_the_others(scores, drawn, 0, share))[0] for share in SHARES]),
    }


def draw(keys: int, value_width: int, seed: int) -> tuple[Tensor, Tensor]:
    """Scores (n,) of one query, the first LEAD above all others, and values (n, d_v) from N(0, 1)."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(MOST_KEYS, generator=generator, dtype=torch.float64)[:keys].clone()
    value = torch.randn(MOST_KEYS, WIDEST, generator=generator, dtype=torch.float64)[:keys, :value_width]
    scores[0] = scores[1:].max() + LEAD
    return scores, value


REDUNDANCY = Label("redundancy of k1", "k1 的冗余程度")

MEASURES = (
    wrong("weight_difference", "largest difference of a weight, two rows of weights", "两行权重：单个权重的最大差", within=SHARE),
    right("output_difference", "largest difference of a number, the two rows' outputs", "两行权重的输出：单个数的最大差"),
    measured("other_top_weight", "weight of k1 in the other row", "k1 在另一行中的权重", within=SHARE),
    measured("other_row_sum", "sum of the other weights", "另一行权重之和", within=SHARE),
    measured("other_smallest_weight", "smallest of the other weights", "另一行的最小权重", within=SHARE),
    measured("silent_directions", "directions that change no output", "不改变输出的方向数", within=(0, MOST_KEYS - 1)),
    wrong("top_weight", "weight of k1, the largest", "k1 的权重，最大", within=SHARE),
    right("top_weight_effect", "cut k1: length of the output's change", "切断 k1：输出变化的长度"),
    wrong("decisive_weight", "weight of the key whose cut moves the output most", "切断后影响最大的键的权重", within=SHARE),
    right("decisive_effect", "cut that changes the output most: length of the change", "影响最大的一次切断：输出变化的长度"),
    measured("rank_agreement", "rank correlation of weights and effects", "权重与影响的秩相关", within=(-1, 1)),
    Grid("weights", Label("weights", "权重"), ("p",), "k{1}", r"p = \mathrm{softmax}(s)", "weights", arm="wrong"),
    Grid(
        "other_weights",
        Label("other weights: same output", "另一行权重：输出相同"),
        ("p'",),
        "k{1}",
        r"p' = p + t \delta",
        "weights",
        arm="wrong",
    ),
    Grid(
        "effects",
        Label("cut one edge: length of the output's change", "切断一条边：输出变化的长度"),
        ("|Δo|",),
        "k{1}",
        r"\frac{p_j}{1 - p_j} \, |o - v_j|",
        "magnitude",
        arm="right",
    ),
    Grid("V", Label("values", "值"), "v{1}", "{1}", "V"),
    Grid("output", Label("output", "输出"), ("o",), "{1}", "o = p V", product_of=("weights", "V")),
    Grid(
        "other_output",
        Label("output of the other weights", "另一行权重的输出"),
        ("o'",),
        "{1}",
        "o' = p' V",
        product_of=("other_weights", "V"),
    ),
    Curve("weight_over_redundancy", Label("k1, weight", "k1，权重"), REDUNDANCY, "edge", arm="wrong"),
    Curve("effect_over_redundancy", Label("k1, effect of cutting it", "k1，切断它的影响"), REDUNDANCY, "edge", arm="right"),
    note(
        "determined",
        "silent_directions == 0",
        "{keys} keys with values this wide: only one row of weights gives this output. A head has d_v = 64 and hundreds of keys.",
        "{keys} 个键、值这么宽时，只有一行权重能得到这个输出。真实的头 d_v = 64，键有数百个。",
    ),
    note(
        "no_order",
        "largest_effect == smallest_effect",
        "Every edge has the same effect: there is no order that the weights could agree with.",
        "每条边的影响都相同：没有次序可与权重比较。",
    ),
    note("no_distance", "distance == 0", "At distance 0 both rows of weights are the same.", "距离为 0 时两行权重相同。"),
)

EXPERIMENT = Experiment(
    title=Label("do weights explain the output?", "注意力权重能解释输出吗？"),
    summary=Label(
        "Find other weights with the same output, then cut edges and look at what moves.",
        "找出输出相同的另一组权重，再逐条切断边，看输出怎么变。",
    ),
    keywords=(
        "interpretability",
        "faithfulness",
        "attention is not explanation",
        "ablation",
        "adversarial weights",
        "可解释性",
        "忠实性",
        "消融",
    ),
    parameters=(
        Parameter("redundancy", REDUNDANCY, 1.0, SHARES[0], SHARES[-1], 0.05),
        Parameter("distance", Label("distance to the other weights", "与另一行权重的距离"), 1.0, 0.0, 1.0, 0.05),
        Parameter("keys", Label("keys", "键的个数"), 6, 2, MOST_KEYS),
        Parameter("value_width", Label("d_v", "d_v"), 3, 1, WIDEST),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("weights", "other_weights"),
            caption=Label(
                "Both rows of weights give the very same output: weights alone do not tell why it came out so.",
                "两行权重得到完全相同的输出：只看权重，说明不了输出为什么是这样。",
            ),
        ),
        Figure("heatmap", ("output", "other_output", "V")),
        Figure("bars", ("weights", "effects")),
        Figure("bars", ("weight_difference", "output_difference")),
        Figure("curve", ("weight_over_redundancy", "effect_over_redundancy"), over="redundancy", mark="top_weight_effect"),
    ),
    arms=("weight_difference", "output_difference"),
    presets=(
        Preset(
            Label("distance 0", "距离 0"),
            {"distance": 0.0},
            Label(
                "Slide it up: the weights move as far as they can, the output does not move at all.",
                "把它往上拉：权重能变多少就变多少，输出却一点不变。",
            ),
            "weight_difference == 0",
        ),
        Preset(
            Label("k1 not redundant", "k1 不冗余"),
            {"redundancy": 0.0},
            Label(
                "Now cutting k1 does move the output most, and weights and effects agree in their order; the weight of k1 is what it was.",
                "这时切断 k1 对输出影响最大，权重与影响的次序也一致；而 k1 的权重和之前一样。",
            ),
            "top_weight_effect > 0.5 and rank_agreement > 0.9",
        ),
        Preset(
            Label("wide values", "更宽的值"),
            {"value_width": 8},
            Label(
                "Wider values leave fewer ways to hide: one direction in the weights is still silent.",
                "值更宽，可藏的方向就更少：权重里仍有一个方向不影响输出。",
            ),
            "silent_directions == 1",
        ),
    ),
    run=run,
)
