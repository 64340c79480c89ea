"""A window of w keys costs n·w pairs instead of n², and L layers of it still reach L·(w - 1) tokens back: L·(w - 1) + 1 in all."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import sliding_window_mask
from engine.textbook.attention_reach import dependence, input_influence, receptive_field
from engine.textbook.projections import Projections, random_projections

FEWEST_TOKENS, MOST_TOKENS, MOST_LAYERS, WIDTH = 2, 32, 6, 8
DEPTHS = range(1, MOST_LAYERS + 1)
LENGTHS = tuple(2**power for power in range(1, 15))  # 2 ... 16,384, the x axis of the pairs


def run(*, tokens: int, window: int, layers: int, seed: int) -> Numbers:
    x, other, stack = draw(tokens, seed)
    mask = sliding_window_mask(tokens, tokens, window)
    depends = dependence(x, stack, mask)  # one (n, n) a layer
    changes = input_influence(x, other, stack[:layers], mask)[-1]
    return {
        **reaches(depends, window, layers),
        **pairs(mask, window),
        "layers_needed": layers_needed(tokens, window),
        "nearest_effect": changes[-1, -1],
        "farthest_effect": changes[-1, -receptive_field(depends[layers - 1])],
        "effect_over_distance": (range(tokens), changes[-1].flip(0)),  # what is within reach is not heard equally well
        "unlimited_reach": layers * (window - 1) + 1,
        "depends": depends[layers - 1],
        "window_mask": mask,
        "influence": changes,
    }


def draw(tokens: int, seed: int) -> tuple[Tensor, Tensor, list[Projections]]:
    """Tokens (n, 8), other tokens for the same places, and six layers; fewer layers take the first ones."""
    generator = torch.Generator().manual_seed(seed)
    x, other = torch.randn(2, MOST_TOKENS, WIDTH, generator=generator, dtype=torch.float64)[:, :tokens]
    return x, other, [random_projections(generator, WIDTH, WIDTH) for _ in range(MOST_LAYERS)]


def reaches(depends: list[Tensor], window: int, layers: int) -> Numbers:
    """How many tokens the last output sees after each number of layers: measured, claimed, by formula."""
    n = len(depends[0])
    seen = [float(receptive_field(each)) for each in depends]
    claimed = [float(min(n, depth * window)) for depth in DEPTHS]
    return {
        "claimed_reach": claimed[layers - 1],
        "reach": seen[layers - 1],
        "reach_formula": float(min(n, layers * (window - 1) + 1)),
        "one_layer_reach": seen[0],
        "reach_over_layers": (DEPTHS, seen),
        "claimed_reach_over_layers": (DEPTHS, claimed),
        "full_reach_over_layers": (DEPTHS, [n] * MOST_LAYERS),
    }


def pairs(mask: Tensor, window: int) -> Numbers:
    """How many pairs of a query and a key there are, counted in the mask and by formula."""
    allowed, full = float(mask.sum()), causal_pairs(len(mask))
    return {
        "window_pairs": allowed,
        "causal_pairs": full,
        "pairs_percent": 100 * allowed / full,
        "window_pairs_log_over_tokens": (LENGTHS, [math.log10(window_pairs(n, window)) for n in LENGTHS]),
        "causal_pairs_log_over_tokens": (LENGTHS, [math.log10(causal_pairs(n)) for n in LENGTHS]),
    }


def window_pairs(n: int, window: int) -> int:
    """n·w without the corner at the start, where there are fewer than w tokens."""
    w = min(window, n)
    return n * w - w * (w - 1) // 2


def causal_pairs(n: int) -> float:
    return n * (n + 1) / 2


def layers_needed(tokens: int, window: int) -> float:
    """ceil((n - 1)/(w - 1)); with w = 1 no number of layers is enough, written as 0."""
    return float(math.ceil((tokens - 1) / (window - 1))) if window > 1 else 0.0


LAYERS = Label("layers L", "层数 L")
TOKENS = Label("tokens n", "词元数 n")
REACH, PAIRS = (1, MOST_TOKENS), (FEWEST_TOKENS, causal_pairs(MOST_TOKENS))  # ranges

MEASURES = (
    wrong("claimed_reach", "tokens that the last output sees, if it were L·w", "最后的输出可见的词元数，若为 L·w", within=REACH),
    right("reach", "tokens that the last output sees, measured", "最后的输出可见的词元数，实测", within=REACH),
    measured(
        "reach_formula",
        "tokens that the last output sees, min(n, L·(w - 1) + 1)",
        "最后的输出可见的词元数，min(n, L·(w − 1) + 1)",
        within=REACH,
    ),
    wrong("one_layer_reach", "tokens that the last output sees, one layer", "最后的输出可见的词元数，一层", within=REACH),
    measured("window_pairs", "pairs of query and key, window", "（查询，键）对数，窗口", within=PAIRS),
    measured("causal_pairs", "pairs of query and key, full causal attention", "（查询，键）对数，完整因果注意力", within=PAIRS),
    measured("pairs_percent", "pairs of query and key that the window keeps", "窗口保留的（查询，键）对", "%", PERCENT),
    measured(
        "layers_needed",
        "layers until the first token is seen (0: never)",
        "看到首个词元需要的层数（0：永远看不到）",
        within=(0, MOST_TOKENS - 1),
    ),
    measured("nearest_effect", "last token changes: largest change of the last output", "改末词元：最后输出的最大变化"),
    measured("farthest_effect", "farthest seen token changes: largest change of the last output", "改可见的最远词元：最后输出的最大变化"),
    Grid(
        "depends",
        Label("output i depends on input j, after {layers} layers", "{layers} 层后输出 i 依赖输入 j"),
        "o{1}",
        "x{1}",
        kind="weights",
        arm="right",
    ),
    Grid("window_mask", Label("window: who may attend to whom", "窗口：谁能看谁"), "q{1}", "k{1}", kind="weights"),
    Grid("influence", Label("how far output i moves when input j changes", "输入 j 改变时输出 i 的变化"), "o{1}", "x{1}", kind="magnitude"),
    Curve(
        "reach_over_layers",
        Label("tokens that the last output sees, measured", "最后的输出可见的词元数，实测"),
        LAYERS,
        "reach",
        arm="right",
    ),
    Curve(
        "claimed_reach_over_layers",
        Label("tokens that the last output sees, L·w", "最后的输出可见的词元数，L·w"),
        LAYERS,
        "reach",
        arm="wrong",
    ),
    Curve(
        "full_reach_over_layers",
        Label("tokens that the last output sees, full attention", "最后的输出可见的词元数，完整注意力"),
        LAYERS,
        "reach",
    ),
    Curve(
        "effect_over_distance",
        Label("largest change of the last output", "最后输出的最大变化"),
        Label("tokens back", "往前第几个词元"),
        "effect",
    ),
    Curve("window_pairs_log_over_tokens", Label("log₁₀ pairs, window", "对数的 log₁₀，窗口"), TOKENS, "pairs", log_x=True),
    Curve("causal_pairs_log_over_tokens", Label("log₁₀ pairs, full", "对数的 log₁₀，完整"), TOKENS, "pairs", log_x=True),
    note("alone", "window == 1", "A window of 1 sees only itself: no depth reaches further.", "窗口为 1 只能看到自己：再深也看不远。"),
    note(
        "ends",
        "unlimited_reach > tokens",
        "There are only {tokens} tokens to see: the reach ends there.",
        "一共只有 {tokens} 个词元，可见范围到此为止。",
    ),
    note("one_layer", "layers == 1", "In one layer L·w and L·(w - 1) + 1 are the same.", "只有一层时 L·w 与 L·(w − 1) + 1 相同。"),
)

EXPERIMENT = Experiment(
    title=Label("sliding-window attention", "滑动窗口注意力"),
    summary=Label(
        "Change one input token after the other and see which ones the last output notices.", "逐个改变输入词元，看最后的输出能察觉哪些。"
    ),
    keywords=("Longformer", "Mistral", "local attention", "receptive field", "sparse attention", "局部注意力", "感受野", "稀疏注意力"),
    parameters=(
        Parameter("window", Label("window w", "窗口 w"), 4, 1, 8),
        Parameter("layers", LAYERS, 3, 1, MOST_LAYERS),
        Parameter("tokens", TOKENS, 16, FEWEST_TOKENS, MOST_TOKENS),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("window_mask", "depends"),
            caption=Label(
                "A layer sees w tokens, but layers pass on what they saw: after L of them an output depends on up to L·(w - 1) + 1.",
                "一层只看 w 个词元，但看到的会逐层传下去：L 层之后，一个输出最多依赖 L·(w − 1) + 1 个。",
            ),
        ),
        Figure("curve", ("reach_over_layers", "claimed_reach_over_layers", "full_reach_over_layers"), over="layers", mark="reach"),
        Figure("heatmap", ("influence",)),
        Figure("curve", ("effect_over_distance",)),
        Figure("curve", ("window_pairs_log_over_tokens", "causal_pairs_log_over_tokens"), over="tokens"),
        Figure("bars", ("window_pairs", "causal_pairs")),
    ),
    arms=("claimed_reach", "reach"),
    presets=(
        Preset(
            Label("one layer", "一层"),
            {"layers": 1},
            Label("The two pictures are the same: what is attended to is all there is.", "两张图一样：看得到的就是全部。"),
            "reach == window and layers == 1",
        ),
        Preset(
            Label("six layers", "六层"),
            {"layers": 6},
            Label(
                "The last output has seen the first token, 15 back, though no layer looks further than 3 back.",
                "最后一个输出看到了 15 步之前的第一个词元，而没有一层看得到 3 步以外。",
            ),
            "reach == tokens and farthest_effect > 0",
        ),
        Preset(
            Label("w = 1", "w = 1"),
            {"window": 1},
            Label("A window of 1 sees itself: no depth helps.", "窗口为 1 只看自己：叠多少层都没用。"),
            "reach == 1 and layers_needed == 0",
        ),
    ),
    run=run,
)
