"""Every step of attention can be checked by hand: rows of weights sum to 1, and an output never leaves the range of the values."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Step
from engine.shorthand import SEED, choice
from engine.textbook.attention import causal_mask, scaled_dot_product_attention, softmax

FEATURES = ("animal", "food", "back", "event")  # what the four numbers of a token stand for
WIDTH = len(FEATURES)
ANIMAL, FISH, VERB, LINK, PRONOUN, STATE = [2, 0, 0, 0], [1, 2, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 2, 0], [0, 0, 0, 2]


@dataclass(frozen=True)
class Sentence:
    """Tokens, a row of X for each, and which token the pronoun stands for."""

    tokens: tuple[str, ...]
    rows: tuple[list[int], ...]
    pronoun: int
    referent: int = 0


SENTENCES = {
    "en": Sentence(("kitten", "refused", "fish", "it", "was", "full"), (ANIMAL, VERB, FISH, PRONOUN, LINK, STATE), pronoun=3),
    "zh": Sentence(("小猫", "没吃", "鱼", "因为", "它", "不饿"), (ANIMAL, VERB, FISH, LINK, PRONOUN, STATE), pronoun=4),
    "short": Sentence(("cat", "naps", "it", "purrs"), (ANIMAL, VERB, PRONOUN, STATE), pronoun=2),
}

# Row i says what feature i asks for (Q), answers to (K) and hands over (V): a pronoun asks for an animal.
HAND = tuple(
    torch.tensor(rows, dtype=torch.float64)
    for rows in (
        [[0, 0, 0, 1], [1, 0, 0, 0], [2, 0, 0, 0], [1, 1, 0, 0]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]],
        [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]],
    )
)


def matrices_of(projections: str, seed: int) -> tuple[Tensor, ...]:
    """W_Q, W_K, W_V, each (4, 4): small whole numbers, or N(0, 1/4)."""
    if projections == "hand":
        return HAND
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(WIDTH))


def hull_excess(output: Tensor, value: Tensor) -> float:
    """How far an output (n, d) leaves [min, max] of the values (n, d) in any dimension; 0 for an average with weights that sum to 1."""
    return number(torch.maximum(output - value.amax(0), value.amin(0) - output).clamp_min(0).max())


def run(*, sentence: str, mask: str, projections: str, seed: int) -> Result:
    chosen = SENTENCES[sentence]
    n = len(chosen.tokens)
    X = torch.tensor(chosen.rows, dtype=torch.float64)  # (n, d)
    W_Q, W_K, W_V = matrices_of(projections, seed)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V  # (n, d) each
    allowed = causal_mask(n, n) if mask == "causal" else torch.ones(n, n, dtype=torch.bool)
    scores = Q @ K.T  # (n, n)
    scaled = scores / math.sqrt(WIDTH)
    P = softmax(scaled, allowed)
    output = P @ V  # (n, d)
    arrays = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "V": V}
    arrays |= {"scores": scores, "scaled": scaled, "weights": P, "output": output}
    if mask == "causal":
        arrays["masked"] = scaled.masked_fill(~allowed, -math.inf)
    return Result(
        quantities=_quantities(arrays, allowed, chosen),
        matrices=_matrices(arrays, chosen.tokens),
        steps=_steps({name: tuple(array.shape) for name, array in arrays.items()}),
        notes=(MASKED,) if mask == "causal" else (),
    )


MASKED = Label(
    "-inf marks a key that may not be seen; e^-inf is a weight of exactly 0.", "-inf 表示不可见的键；e 的 -inf 次方恰好是权重 0。"
)


def _quantities(arrays: dict[str, Tensor], allowed: Tensor, sentence: Sentence) -> tuple[Quantity, ...]:
    Q, K, V, P, output = (arrays[name] for name in ("Q", "K", "V", "weights", "output"))
    unnormalised = arrays["scaled"] * allowed  # what the weights would be without softmax
    of_pronoun = P[sentence.pronoun]
    others = torch.arange(len(of_pronoun)) != sentence.referent
    textbook = scaled_dot_product_attention(Q, K, V, allowed)[0]
    torchs = functional.scaled_dot_product_attention(Q[None], K[None], V[None], allowed)[0]
    it, referent = sentence.tokens[sentence.pronoun], sentence.tokens[sentence.referent]
    return (
        Quantity("pronoun_to_referent", number(of_pronoun[sentence.referent]), Label(f"{it} → {referent}", f"{it} → {referent}")),
        Quantity("pronoun_runner_up", number(of_pronoun[others].max()), Label(f"{it} → the next best", f"{it} → 次大的权重")),
        Quantity("max_weight", number(P.max()), Label("largest weight", "最大权重")),
        Quantity("future_weight", number(P.triu(1).max()), Label("largest weight on a later token", "对后面词元的最大权重")),
        Quantity("row_sum_error", number((P.sum(-1) - 1).abs().max()), Label("row sums off 1", "行和与 1 的偏差"), arm="right"),
        Quantity(
            "unnormalised_row_sum_error",
            number((unnormalised.sum(-1) - 1).abs().max()),
            Label("row sums off 1, no softmax", "不做 softmax：行和与 1 的偏差"),
            arm="wrong",
        ),
        Quantity("hull_excess", hull_excess(output, V), Label("output outside [min V, max V]", "输出超出 V 的取值范围"), arm="right"),
        Quantity(
            "unnormalised_hull_excess",
            hull_excess(unnormalised @ V, V),
            Label("output outside [min V, max V], no softmax", "不做 softmax：输出超出 V 的取值范围"),
            arm="wrong",
        ),
        Quantity(
            "torch_difference",
            max(number((torchs - textbook).abs().max()), number((torchs - output).abs().max())),
            Label("difference to torch's own function", "与 torch 自带函数的差"),
        ),
    )


def _matrices(arrays: dict[str, Tensor], tokens: tuple[str, ...]) -> tuple[Matrix, ...]:
    def of_tokens(name: str, en: str, zh: str, formula: str, product_of: tuple[str, str] | None = None) -> Matrix:
        columns = tokens if arrays[name].shape[1] == len(tokens) and name not in NUMBERED else DIMENSIONS
        kind: Literal["weights", "signed"] = "weights" if name == "weights" else "signed"
        factor = 1 / math.sqrt(WIDTH) if name == "scaled" else 1.0
        return Matrix(name, grid(arrays[name]), Label(en, zh), tokens, columns, formula, kind, product_of, factor)

    def of_features(name: str, en: str, zh: str) -> Matrix:
        return Matrix(name, grid(arrays[name]), Label(en, zh), FEATURES, DIMENSIONS)

    masked = (of_tokens("masked", "masked scores", "掩码后的分数", r"S_{ij} = -\infty \text{ for } j > i"),) if "masked" in arrays else ()
    return (
        of_tokens("weights", "weights", "注意力权重", r"P = \mathrm{softmax}(S)"),
        of_tokens("X", "tokens", "词元向量", "X"),
        of_tokens("Q", "queries", "查询", "Q = X W_Q", ("X", "W_Q")),
        of_tokens("K", "keys", "键", "K = X W_K", ("X", "W_K")),
        of_tokens("V", "values", "值", "V = X W_V", ("X", "W_V")),
        Matrix("K_T", grid(arrays["K"].T), Label("keys, transposed", "键的转置"), DIMENSIONS, tokens, r"K^\top"),
        of_tokens("scores", "scores", "分数", r"Q K^\top", ("Q", "K_T")),
        of_tokens("scaled", "scaled scores", "缩放后的分数", r"S = \frac{Q K^\top}{\sqrt{d_k}}", ("Q", "K_T")),
        *masked,
        of_tokens("output", "output", "输出", "O = P V", ("weights", "V")),
        of_features("W_Q", "what a feature asks for", "每个特征要找什么"),
        of_features("W_K", "what a feature answers to", "每个特征回应什么"),
        of_features("W_V", "what a feature hands over", "每个特征交出什么"),
    )


DIMENSIONS = ("1", "2", "3", "4")
NUMBERED = ("X", "Q", "K", "V", "output")


def _steps(shapes: dict[str, tuple[int, ...]]) -> tuple[Step, ...]:
    masked = (
        (Step(Label("forbid later keys", "禁止看后面的键"), r"S_{ij} = -\infty", shapes["scaled"], "masked"),) if "masked" in shapes else ()
    )
    return (
        Step(Label("a row of numbers for every token", "每个词元一行数"), "X", shapes["X"], "X"),
        Step(Label("what every token looks for", "每个词元在找什么"), "Q = X W_Q", shapes["Q"], "Q"),
        Step(Label("what every token offers itself as", "每个词元以什么被找到"), "K = X W_K", shapes["K"], "K"),
        Step(Label("what every token hands over", "每个词元交出什么"), "V = X W_V", shapes["V"], "V"),
        Step(Label("how well they match", "匹配程度"), r"Q K^\top", shapes["scores"], "scores"),
        Step(Label("divided by √4 = 2", "除以 √4 = 2"), r"S = \frac{Q K^\top}{\sqrt{d_k}}", shapes["scaled"], "scaled"),
        *masked,
        Step(
            Label("each row becomes weights that sum to 1", "每一行变成和为 1 的权重"),
            r"P = \mathrm{softmax}(S)",
            shapes["weights"],
            "weights",
        ),
        Step(Label("the average of the values with these weights", "用这些权重对值求平均"), "O = P V", shapes["output"], "output"),
    )


def cost(*, sentence: str, mask: str, projections: str, seed: int) -> Cost:
    n = max(len(each.tokens) for each in SENTENCES.values())
    return Cost(bytes=8 * (8 * n * WIDTH + 8 * n * n), flops=2 * n * WIDTH * (3 * WIDTH + 4 * n))


EXPERIMENT = Experiment(
    title=Label("attention, step by step", "逐步计算注意力"),
    summary=Label(
        "X, Q, K, V, scores, weights, output: every cell can be checked by hand.", "X、Q、K、V、分数、权重、输出：每个数都能手算验证。"
    ),
    parameters=(
        choice(
            "sentence",
            Label("sentence", "句子"),
            ("en", "kitten refused fish, it was full", "英文：kitten refused fish, it was full"),
            ("zh", "Chinese: 小猫没吃鱼，因为它不饿", "小猫没吃鱼，因为它不饿"),
            ("short", "cat naps, it purrs", "短句：cat naps, it purrs"),
        ),
        choice("mask", Label("mask", "掩码"), ("none", "none", "无"), ("causal", "causal", "因果")),
        choice("projections", Label("W_Q, W_K, W_V", "W_Q、W_K、W_V"), ("hand", "whole numbers", "手设整数"), ("random", "random", "随机")),
        replace(SEED, label=Label("seed of the random weights", "随机权重的种子")),
    ),
    run=run,
    cost=cost,
    shows=(scaled_dot_product_attention, softmax, causal_mask),
    arms=("unnormalised_row_sum_error", "row_sum_error"),
)
