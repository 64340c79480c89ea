"""Without positions attention is equivariant, not invariant: a word keeps its output wherever it stands; positions or a mask end that."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid
from engine.result import Matrix, Result, Series
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.attention import causal_mask
from engine.textbook.permutation_symmetry import ORDERS, Layer, equivariance_error, invariance_error, mean_pooled
from engine.textbook.projections import Projections, random_projections, self_attention

MOST, WIDTH = 6, 8
SENTENCES = {"en": ("dog", "bites", "man", "in", "the", "park"), "zh": ("狗", "咬", "人", "在", "公园", "里")}
STRENGTHS = tuple(tick / 10 for tick in range(21))  # 0 ... 2, the x axis

STRENGTH = Label("size of positions", "位置向量的大小")

Kind = Literal["plain", "positions", "causal"]


def run(*, sentence: str, tokens: int, order: str, strength: float, seed: int) -> Result:
    X, positions, p = draw(tokens, seed)
    indices = ORDERS[order](tokens)
    layers = {kind: layer_of(kind, strength * positions, p) for kind in KINDS}
    equivariance = {kind: equivariance_error(layer, X, indices) for kind, layer in layers.items()}
    pooled = {kind: invariance_error(mean_pooled(layer), X, indices) for kind, layer in layers.items()}
    return Result(
        quantities=(
            wrong(
                "invariance_error",
                invariance_error(layers["plain"], X, indices),
                "|Attn(PX) - Attn(X)|, no positions",
                "|Attn(PX) - Attn(X)|，无位置",
            ),
            right("equivariance_error", equivariance["plain"], "|Attn(PX) - P·Attn(X)|, no positions", "|Attn(PX) - P·Attn(X)|，无位置"),
            measured("positions_error", equivariance["positions"], "the same with positions", "同上，加位置"),
            measured("causal_error", equivariance["causal"], "the same with a causal mask, no positions", "同上，加因果掩码，无位置"),
            right("pooled_change", pooled["plain"], "mean of the outputs moves by, no positions", "输出均值的变化，无位置"),
            measured("positions_pooled_change", pooled["positions"], "... with positions", "……加位置"),
            measured("causal_pooled_change", pooled["causal"], "... with a causal mask", "……加因果掩码"),
        ),
        matrices=_matrices(X, strength * positions, p, indices, SENTENCES[sentence][:tokens]),
        series=_over_strength(X, positions, p, indices),
        notes=(NO_POSITIONS,) if strength == 0 else (),
    )


NO_POSITIONS = Label(
    "Position vectors of length 0 are no positions: both layers are the same.", "位置向量为 0 等于没有位置：两种层完全一样。"
)


def draw(tokens: int, seed: int) -> tuple[Tensor, Tensor, Projections]:
    """Words (n, 8), a vector for every position (n, 8), both from N(0, 1), and the projections."""
    generator = torch.Generator().manual_seed(seed)
    words, positions = torch.randn(2, MOST, WIDTH, generator=generator, dtype=torch.float64)[:, :tokens]
    return words, positions, random_projections(generator, WIDTH, WIDTH)


def layer_of(kind: Kind, positions: Tensor, p: Projections) -> Layer:
    """Self-attention as it is, with a vector added at every place, or with a causal mask."""
    if kind == "positions":
        return lambda x: self_attention(x + positions, p)[0]
    if kind == "causal":
        return lambda x: self_attention(x, p, causal_mask(len(x), len(x)))[0]
    return lambda x: self_attention(x, p)[0]


KINDS: tuple[Kind, ...] = ("plain", "positions", "causal")


def _matrices(X: Tensor, positions: Tensor, p: Projections, indices: Tensor, words: tuple[str, ...]) -> tuple[Matrix, ...]:
    reordered = tuple(words[index] for index in indices.tolist())
    formula = r"P = \mathrm{softmax}(S)"

    def weights(name: str, x: Tensor, said: tuple[str, ...], en: str, zh: str) -> Matrix:
        return Matrix(name, grid(self_attention(x, p)[1]), Label(en, zh), said, said, formula, "weights")

    return (
        weights("weights", X, words, "weights, no positions", "权重，无位置"),
        weights("reordered_weights", X[indices], reordered, "reordered, no positions: the same cells", "换序，无位置：还是那些数"),
        weights("positions_weights", X + positions, words, "weights, with positions", "权重，加位置"),
        weights(
            "reordered_positions_weights",
            X[indices] + positions,
            reordered,
            "reordered, with positions: other cells",
            "换序，加位置：数变了",
        ),
    )


def _over_strength(X: Tensor, positions: Tensor, p: Projections, indices: Tensor) -> tuple[Series, ...]:
    layers = [layer_of("positions", strength * positions, p) for strength in STRENGTHS]
    errors = tuple(equivariance_error(layer, X, indices) for layer in layers)
    pooled = tuple(invariance_error(mean_pooled(layer), X, indices) for layer in layers)
    return (
        Series("positions_error_over_strength", STRENGTHS, errors, Label("a word's output moves by", "词的输出变化"), STRENGTH, "order"),
        Series("pooled_change_over_strength", STRENGTHS, pooled, Label("the mean output moves by", "输出均值变化"), STRENGTH, "order"),
    )


def cost(*, sentence: str, tokens: int, order: str, strength: float, seed: int) -> Cost:
    n, runs = max(tokens, MOST), 4 * len(STRENGTHS) + 20
    return Cost(bytes=8 * 20 * n * (n + WIDTH), flops=runs * 2 * n * WIDTH * (3 * WIDTH + 2 * n))


EXPERIMENT = Experiment(
    title=Label("attention is blind to order", "注意力看不见顺序"),
    summary=Label(
        "“dog bites man” and “man bites dog”, without positions, with them, and under a causal mask.",
        "“狗咬人”与“人咬狗”：无位置、加位置、加因果掩码。",
    ),
    parameters=(
        choice(
            "sentence",
            Label("sentence", "句子"),
            ("en", "dog bites man ...", "英文：dog bites man……"),
            ("zh", "Chinese: 狗咬人……", "狗咬人……"),
        ),
        choice(
            "order",
            Label("reordered", "换序方式"),
            ("reverse", "reversed", "倒序"),
            ("rotate", "first to the end", "首个移到末尾"),
            ("swap", "first two swapped", "前两个互换"),
        ),
        Parameter("tokens", Label("words", "词数"), 3, 2, MOST),
        Parameter("strength", STRENGTH, 1.0, 0.0, 2.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(self_attention, equivariance_error, invariance_error, mean_pooled, layer_of),
    arms=("invariance_error", "equivariance_error"),
)
