"""Without positions attention is equivariant, not invariant: a word keeps its output wherever it stands; positions or a mask end that."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.attention import causal_mask
from engine.textbook.permutation_symmetry import ORDERS, Layer, equivariance_error, invariance_error, mean_pooled
from engine.textbook.projections import Projections, random_projections, self_attention

MOST, WIDTH = 6, 8
SENTENCES = {  # the same words in both: each reader sees them in a language of their own
    "en": tuple(map(Label, ("dog", "bites", "man", "in", "the", "park"), ("狗", "咬", "人", "在", "这", "公园"))),
    "zh": tuple(map(Label, ("dog", "bites", "man", "at", "park", "inside"), ("狗", "咬", "人", "在", "公园", "里"))),
}
STRENGTHS = tuple(tick / 10 for tick in range(21))  # 0 ... 2, the x axis


def run(*, sentence: str, tokens: int, order: str, strength: float, seed: int) -> Numbers:
    X, positions, p = draw(tokens, seed)
    indices, words = ORDERS[order](tokens), SENTENCES[sentence][:tokens]

    def plain(x: Tensor) -> Tensor:
        return self_attention(x, p)[0]

    def causal(x: Tensor) -> Tensor:
        return self_attention(x, p, causal_mask(len(x), len(x)))[0]

    placed = with_positions(strength * positions, p)
    return {
        "invariance_error": invariance_error(plain, X, indices),
        "equivariance_error": equivariance_error(plain, X, indices),
        "positions_error": equivariance_error(placed, X, indices),
        "causal_error": equivariance_error(causal, X, indices),
        "pooled_change": invariance_error(mean_pooled(plain), X, indices),
        "positions_pooled_change": invariance_error(mean_pooled(placed), X, indices),
        "causal_pooled_change": invariance_error(mean_pooled(causal), X, indices),
        "weights": self_attention(X, p)[1],
        "reordered_weights": self_attention(X[indices], p)[1],
        "positions_weights": self_attention(X + strength * positions, p)[1],
        "reordered_positions_weights": self_attention(X[indices] + strength * positions, p)[1],
        **over_strength(X, positions, p, indices),
        "words": words,
        "reordered": [words[index] for index in indices.tolist()],
    }


def draw(tokens: int, seed: int) -> tuple[Tensor, Tensor, Projections]:
    """Words (n, 8), a vector for every position (n, 8), both from N(0, 1), and the projections."""
    generator = torch.Generator().manual_seed(seed)
    words, positions = torch.randn(2, MOST, WIDTH, generator=generator, dtype=torch.float64)[:, :tokens]
    return words, positions, random_projections(generator, WIDTH, WIDTH)


def with_positions(positions: Tensor, p: Projections) -> Layer:
    """Self-attention with a vector added at every place."""
    return lambda x: self_attention(x + positions, p)[0]


def over_strength(X: Tensor, positions: Tensor, p: Projections, indices: Tensor) -> Numbers:
    layers = [with_positions(strength * positions, p) for strength in STRENGTHS]
    return {
        "positions_error_over_strength": (STRENGTHS, [equivariance_error(layer, X, indices) for layer in layers]),
        "pooled_change_over_strength": (STRENGTHS, [invariance_error(mean_pooled(layer), X, indices) for layer in layers]),
    }


STRENGTH = Label("size of positions", "位置向量的大小")
SOFTMAX = r"P = \mathrm{softmax}(S)"

MEASURES = (
    wrong("invariance_error", "largest |Attn(PX) - Attn(X)|, no positions", "最大的 |Attn(PX) − Attn(X)|，无位置"),
    right("equivariance_error", "largest |Attn(PX) - P·Attn(X)|, no positions", "最大的 |Attn(PX) − P·Attn(X)|，无位置"),
    measured("positions_error", "largest |Attn(PX) - P·Attn(X)|, with positions", "最大的 |Attn(PX) − P·Attn(X)|，加位置"),
    measured(
        "causal_error", "largest |Attn(PX) - P·Attn(X)|, causal mask, no positions", "最大的 |Attn(PX) − P·Attn(X)|，因果掩码，无位置"
    ),
    right("pooled_change", "mean output: largest change by the order, no positions", "输出均值：换序引起的最大变化，无位置"),
    measured("positions_pooled_change", "mean output: largest change by the order, with positions", "输出均值：换序引起的最大变化，加位置"),
    measured("causal_pooled_change", "mean output: largest change by the order, causal mask", "输出均值：换序引起的最大变化，因果掩码"),
    Grid("weights", Label("weights, no positions", "权重，无位置"), "{words}", "{words}", SOFTMAX, "weights"),
    Grid(
        "reordered_weights",
        Label("reordered, no positions: the same cells", "换序，无位置：还是那些数"),
        "{reordered}",
        "{reordered}",
        SOFTMAX,
        "weights",
    ),
    Grid("positions_weights", Label("weights, with positions", "权重，加位置"), "{words}", "{words}", SOFTMAX, "weights"),
    Grid(
        "reordered_positions_weights",
        Label("reordered, with positions", "换序，加位置"),
        "{reordered}",
        "{reordered}",
        SOFTMAX,
        "weights",
    ),
    Curve(
        "positions_error_over_strength",
        Label("largest change by the order, a word's output", "换序引起的最大变化，词的输出"),
        STRENGTH,
        "order",
    ),
    Curve(
        "pooled_change_over_strength", Label("largest change by the order, mean output", "换序引起的最大变化，输出均值"), STRENGTH, "order"
    ),
    note(
        "no_positions",
        "strength == 0",
        "Position vectors of length 0 are no positions: both layers are the same.",
        "位置向量为 0 等于没有位置：两种层完全一样。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("attention is blind to order", "注意力看不见顺序"),
    summary=Label(
        "“dog bites man” and “man bites dog”, without positions, with them, and under a causal mask.",
        "“狗咬人”与“人咬狗”：无位置、加位置、加因果掩码。",
    ),
    keywords=("permutation equivariance", "permutation invariance", "set", "bag of words", "置换等变", "置换不变", "词袋", "顺序"),
    parameters=(
        choice(
            "sentence",
            Label("sentence", "句子"),
            ("en", "dog bites man in the park", "狗咬人（在这公园）"),
            ("zh", "dog bites man, in Chinese word order", "狗咬人在公园里"),
        ),
        choice(
            "order",
            Label("reordered", "换序方式"),
            ("reverse", "reversed", "倒序"),
            ("rotate", "first to the end", "首个移到末尾"),
            ("swap", "first two swapped", "前两个互换"),
        ),
        Parameter("tokens", Label("words", "词数"), 3, 2, MOST),
        Parameter("strength", STRENGTH, 1.0, STRENGTHS[0], STRENGTHS[-1], 0.1),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("weights", "reordered_weights"),
            caption=Label(
                "Reorder the words, and their weights are reordered with them: without positions no word notices.",
                "词序一换，权重只是跟着换位置：没有位置信息，哪个词都察觉不到。",
            ),
        ),
        Figure("heatmap", ("positions_weights", "reordered_positions_weights")),
        Figure("bars", ("invariance_error", "equivariance_error", "positions_error", "causal_error")),
        Figure("bars", ("pooled_change", "positions_pooled_change", "causal_pooled_change")),
        Figure("curve", ("positions_error_over_strength", "pooled_change_over_strength"), over="strength", mark="positions_error"),
    ),
    arms=("invariance_error", "equivariance_error"),
    presets=(
        Preset(
            Label("six words reversed", "六个词倒序"),
            {"tokens": 6},
            Label(
                "Longer does not help: every word still gets the output that it had, to the last digit.",
                "句子长了也没用：每个词的输出和原来一样，一位小数都不差。",
            ),
            "tokens == 6 and equivariance_error < 1e-9 and invariance_error > 0.1",
        ),
        Preset(
            Label("positions of size 0", "位置大小为 0"),
            {"strength": 0.0},
            Label("Add nothing, notice nothing: both layers are the same.", "什么都不加，就什么都察觉不到：两种层完全一样。"),
            "positions_error < 1e-9",
            show="positions_weights",
        ),
        Preset(
            Label("positions of size 2", "位置大小为 2"),
            {"strength": 2.0},
            Label(
                "The longer the position vectors, the more a word's output depends on where it stands.",
                "位置向量越长，一个词的输出就越取决于它站在哪里。",
            ),
            "positions_error > 3",
            show="positions_error_over_strength",
        ),
    ),
    run=run,
)
