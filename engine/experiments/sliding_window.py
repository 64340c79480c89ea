"""A window of w keys costs n·w pairs instead of n², and L layers of it still reach L·(w - 1) tokens back: L·(w - 1) + 1 in all."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import causal_mask, sliding_window_mask
from engine.textbook.attention_reach import attention_layers, input_influence, receptive_field
from engine.textbook.projections import Projections, random_projections

MOST_TOKENS, MOST_LAYERS, WIDTH = 32, 6, 8
LENGTHS = tuple(2**power for power in range(1, 15))  # 2 ... 16,384, the x axis of the pairs

LAYERS = Label("layers L", "层数 L")
TOKENS = Label("tokens n", "词元数 n")


def run(*, tokens: int, window: int, layers: int, seed: int) -> Result:
    x, other, stack = draw(tokens, seed)
    mask = sliding_window_mask(tokens, tokens, window)
    after = input_influence(x, other, stack, mask)  # one (n, n) a layer
    changes = after[layers - 1]
    allowed, full = number(mask.sum()), tokens * (tokens + 1) / 2
    return Result(
        quantities=(
            wrong("claimed_reach", float(min(tokens, layers * window)), "reach if it were L·w", "可见范围，若为 L·w"),
            right("reach", float(receptive_field(changes)), "reach, measured", "可见范围，实测"),
            measured("reach_formula", float(min(tokens, layers * (window - 1) + 1)), "min(n, L·(w - 1) + 1)", "min(n, L·(w - 1) + 1)"),
            wrong("one_layer_reach", float(receptive_field(after[0])), "reach of one layer", "一层的可见范围"),
            measured("window_pairs", allowed, "pairs in the window", "窗口内的（查询，键）对数"),
            measured("causal_pairs", full, "pairs of full causal attention", "完整因果注意力的（查询，键）对数"),
            measured("pairs_percent", 100 * allowed / full, "pairs kept", "保留的（查询，键）对", "%"),
            measured("layers_needed", layers_needed(tokens, window), "layers until the first token is seen", "看到首个词元需要的层数"),
            measured("nearest_effect", number(changes[-1, -1]), "effect of the token itself on the last output", "自身对最后输出的影响"),
            measured("farthest_effect", farthest(changes), "effect of the farthest token seen", "可见的最远词元的影响"),
        ),
        matrices=_matrices(mask, changes, layers),
        series=(*_over_layers(after, window), _effect_over_distance(changes), *_pairs_over_tokens(window)),
        notes=_notes(tokens, window, layers),
    )


def draw(tokens: int, seed: int) -> tuple[Tensor, Tensor, list[Projections]]:
    """Tokens (n, 8), other tokens for the same places, and six layers; fewer layers take the first ones."""
    generator = torch.Generator().manual_seed(seed)
    x, other = torch.randn(2, MOST_TOKENS, WIDTH, generator=generator, dtype=torch.float64)[:, :tokens]
    return x, other, [random_projections(generator, WIDTH, WIDTH) for _ in range(MOST_LAYERS)]


def layers_needed(tokens: int, window: int) -> float:
    """ceil((n - 1)/(w - 1)); with w = 1 no number of layers is enough, written as 0."""
    return float(math.ceil((tokens - 1) / (window - 1))) if window > 1 else 0.0


def farthest(changes: Tensor) -> float:
    """The last output's change by the earliest token that it depends on."""
    seen = changes[-1].nonzero()
    return number(changes[-1, seen[0]])


def _matrices(mask: Tensor, changes: Tensor, layers: int) -> tuple[Matrix, ...]:
    n = len(mask)
    seen = Label(f"output i depends on input j, after {layers} layers", f"{layers} 层后输出 i 依赖输入 j")
    once = Label("window, 1 = may attend", "窗口，1 = 可见")
    moved = Label("how far output i moves when input j changes", "输入 j 改变时输出 i 的变化")
    outputs, inputs = names("o", n), names("x", n)
    return (
        Matrix("depends", grid((changes > 0).double()), seen, outputs, inputs, kind="weights", arm="right"),
        Matrix("window_mask", grid(mask.double()), once, names("q", n), names("k", n), kind="weights"),
        Matrix("influence", grid(changes), moved, outputs, inputs, kind="magnitude"),
    )


def _over_layers(after: list[Tensor], window: int) -> tuple[Series, ...]:
    depth = tuple(range(1, MOST_LAYERS + 1))
    n = len(after[0])

    def curve(name: str, y: list[int], label: Label, arm: Literal["", "right", "wrong"]) -> Series:
        return Series(f"{name}_over_layers", tuple(map(float, depth)), tuple(map(float, y)), label, LAYERS, "reach", arm=arm)

    return (
        curve("reach", [receptive_field(changes) for changes in after], Label("reach, measured", "可见范围，实测"), "right"),
        curve("claimed_reach", [min(n, layer * window) for layer in depth], Label("L·w", "L·w"), "wrong"),
        curve("full_reach", [n] * MOST_LAYERS, Label("full causal attention", "完整因果注意力"), ""),
    )


def _effect_over_distance(changes: Tensor) -> Series:
    """What is within reach is not heard equally well."""
    y = tuple(float(value) for value in changes[-1].flip(0).tolist())
    label = Label("effect on the last output", "对最后输出的影响")
    return Series(
        "effect_over_distance", tuple(float(back) for back in range(len(y))), y, label, Label("tokens back", "往前第几个词元"), "effect"
    )


def _pairs_over_tokens(window: int) -> tuple[Series, ...]:
    x = tuple(map(float, LENGTHS))
    windowed = tuple(math.log10(window_pairs(n, window)) for n in LENGTHS)
    full = tuple(math.log10(n * (n + 1) / 2) for n in LENGTHS)
    return (
        Series(
            "window_pairs_log_over_tokens", x, windowed, Label("log₁₀ pairs, window", "log₁₀ 对的个数，窗口"), TOKENS, "pairs", log_x=True
        ),
        Series("causal_pairs_log_over_tokens", x, full, Label("log₁₀ pairs, full", "log₁₀ 对的个数，完整"), TOKENS, "pairs", log_x=True),
    )


def window_pairs(n: int, window: int) -> int:
    """n·w without the corner at the start, where there are fewer than w tokens."""
    w = min(window, n)
    return n * w - w * (w - 1) // 2


def _notes(tokens: int, window: int, layers: int) -> tuple[Label, ...]:
    found = (
        (window == 1, Label("A window of 1 sees only itself: no depth reaches further.", "窗口为 1 只能看到自己：再深也看不远。")),
        (
            layers * (window - 1) + 1 > tokens,
            Label(f"There are only {tokens} tokens to see: the reach ends there.", f"一共只有 {tokens} 个词元，可见范围到此为止。"),
        ),
    )
    return tuple(note for holds, note in found if holds)


def cost(*, tokens: int, window: int, layers: int, seed: int) -> Cost:
    n, depth = max(tokens, MOST_TOKENS), max(layers, MOST_LAYERS)
    return Cost(bytes=8 * n**2 * (6 * WIDTH + 4 * n), flops=2 * depth * (n + 1) * n * WIDTH * (3 * WIDTH + 2 * n))


EXPERIMENT = Experiment(
    title=Label("sliding-window attention", "滑动窗口注意力"),
    summary=Label(
        "Change one input token after the other and see which ones the last output notices.", "逐个改变输入词元，看最后的输出能察觉哪些。"
    ),
    parameters=(
        Parameter("window", Label("window w", "窗口 w"), 4, 1, 8),
        Parameter("layers", LAYERS, 3, 1, MOST_LAYERS),
        Parameter("tokens", TOKENS, 16, 2, MOST_TOKENS),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(sliding_window_mask, causal_mask, attention_layers, input_influence, receptive_field),
    arms=("claimed_reach", "reach"),
)
