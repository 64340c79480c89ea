"""Every step of attention can be checked by hand: rows of weights sum to 1, and an output never leaves the range of the values."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._attention_sentences import SENTENCES, WIDTH, Sentence, projection_matrices
from engine.experiments._attention_stages import STAGES
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Measure, measured, note, right, wrong
from engine.parameter import SEED, choice
from engine.preset import Preset
from engine.textbook.attention import causal_mask, scaled_dot_product_attention, softmax
from engine.textbook.attention_checks import checks, pair_scores, torch_difference


def run(*, sentence: str, mask: str, projections: str, seed: int) -> Numbers:
    chosen = SENTENCES[sentence]
    n = len(chosen.tokens)
    X = torch.tensor(chosen.rows, dtype=torch.float64)  # (n, d)
    W_Q, W_K, W_V = projection_matrices(projections, seed)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V  # (n, d) each
    allowed = causal_mask(n, n) if mask == "causal" else torch.ones(n, n, dtype=torch.bool)
    scores = Q @ K.T  # (n, n)
    scaled = scores / math.sqrt(WIDTH)
    P = softmax(scaled, allowed)
    output = P @ V  # (n, d)
    arrays = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "K_T": K.T, "V": V}
    arrays |= {"scores": scores, "scaled": scaled, "weights": P, "output": output}
    if mask == "causal":
        arrays["masked"] = scaled.masked_fill(~allowed, -math.inf)
    return {
        **arrays,
        **pronoun_weights(P, chosen),
        **pair_scores(scores, K, chosen.pronoun, chosen.referent),
        **exchanges(Q, K, V, allowed, chosen),
        "column_softmax_row_sum_error": (torch.softmax(scaled, 0).sum(-1) - 1).abs().max(),
        "whole_softmax_row_sum_error": (torch.softmax(scaled.flatten(), 0).view(n, n).sum(-1) - 1).abs().max(),
        "column_sum_error": (P.sum(0) - 1).abs().max(),
        **checks("", P, V),
        **checks("unnormalised_", scaled * allowed, V),  # what the weights would be without softmax
        "max_weight": P.max(),
        "future_weight": P.triu(1).max(),
        "torch_difference": torch_difference(Q, K, V, allowed, output),
        "tokens": chosen.tokens,
        "n": n,
        "causal": mask == "causal",
    }


def pronoun_weights(P: Tensor, sentence: Sentence) -> Numbers:
    of_pronoun = P[sentence.pronoun]
    others = torch.arange(len(of_pronoun)) != sentence.referent
    return {
        "pronoun_to_referent": of_pronoun[sentence.referent],
        "pronoun_runner_up": of_pronoun[others].max(),
        "it": sentence.tokens[sentence.pronoun],
        "referent": sentence.tokens[sentence.referent],
    }


def exchanges(Q: Tensor, K: Tensor, V: Tensor, allowed: Tensor, sentence: Sentence) -> Numbers:
    """The referent changes keys, or values, with another token: how far the pronoun's weights move, and its output."""
    order = torch.arange(len(Q))
    order[[sentence.referent, sentence.other]] = order[[sentence.other, sentence.referent]]
    output, P = scaled_dot_product_attention(Q, K, V, allowed)
    by_values, values_P = scaled_dot_product_attention(Q, K, V[order], allowed)
    by_keys, keys_P = scaled_dot_product_attention(Q, K[order], V, allowed)
    it = sentence.pronoun
    return {
        "keys_exchanged_weight_change": (keys_P - P)[it].abs().max(),
        "values_exchanged_weight_change": (values_P - P)[it].abs().max(),
        "keys_exchanged_output_change": (by_keys - output)[it].abs().max(),
        "values_exchanged_output_change": (by_values - output)[it].abs().max(),
    }


MEASURES: tuple[Measure, ...] = (
    measured("pronoun_to_referent", "{it} → {referent}: its weight", "{it} → {referent}：权重", within=SHARE),
    measured("pronoun_runner_up", "{it} → the next best: its weight", "{it} → 其余词元：最大的权重", within=SHARE),
    measured("max_weight", "largest weight", "最大权重", within=SHARE),
    measured("future_weight", "largest weight on a later token", "对后面词元的最大权重", within=SHARE),
    right("row_sum_error", "largest |row sum - 1|, softmax", "最大的 |行和 − 1|，softmax", within=(0, 0.001)),
    wrong("unnormalised_row_sum_error", "largest |row sum - 1|, no softmax", "最大的 |行和 − 1|，不做 softmax"),
    right(
        "hull_excess", "output beyond [min V, max V], at most by, softmax", "输出超出 [min V, max V] 的最大量，softmax", within=(0, 0.001)
    ),
    wrong(
        "unnormalised_hull_excess", "output beyond [min V, max V], at most by, no softmax", "输出超出 [min V, max V] 的最大量，不做 softmax"
    ),
    measured("torch_difference", "largest difference to torch's own function", "与 torch 自带函数的最大差", within=(0, 0.001)),
    wrong("column_softmax_row_sum_error", "largest |row sum - 1|, softmax down the columns", "最大的 |行和 − 1|，按列做 softmax"),
    wrong(
        "whole_softmax_row_sum_error",
        "largest |row sum - 1|, softmax over the whole matrix",
        "最大的 |行和 − 1|，对整个矩阵做 softmax",
        within=SHARE,
    ),
    measured("column_sum_error", "largest |column sum - 1|", "最大的 |列和 − 1|"),
    measured("pronoun_score", "score {it} → {referent}", "分数 {it} → {referent}", within=ANY),
    measured("pronoun_self_score", "score {it} → {it}", "分数 {it} → {it}", within=ANY),
    measured("referent_to_pronoun_score", "score {referent} → {it}", "分数 {referent} → {it}", within=ANY),
    wrong("shared_pronoun_score", "score {it} → {referent}, W_Q = W_K", "分数 {it} → {referent}，W_Q = W_K", within=ANY),
    wrong("shared_pronoun_self_score", "score {it} → {it}, W_Q = W_K", "分数 {it} → {it}，W_Q = W_K"),
    wrong("shared_asymmetry", "largest |S - Sᵀ|, W_Q = W_K", "最大的 |S - Sᵀ|，W_Q = W_K"),
    right("asymmetry", "largest |S - Sᵀ|", "最大的 |S - Sᵀ|"),
    measured(
        "keys_exchanged_weight_change",
        "two keys exchanged: largest move of {it}'s weights",
        "交换两个键：{it} 的权重的最大变化",
        within=SHARE,
    ),
    right(
        "values_exchanged_weight_change",
        "two values exchanged: largest move of {it}'s weights",
        "交换两个值：{it} 的权重的最大变化",
        within=SHARE,
    ),
    measured("keys_exchanged_output_change", "two keys exchanged: largest move of {it}'s output", "交换两个键：{it} 的输出的最大变化"),
    measured("values_exchanged_output_change", "two values exchanged: largest move of {it}'s output", "交换两个值：{it} 的输出的最大变化"),
    *STAGES,
    note(
        "causal",
        "mask == causal",
        "-inf marks a key that may not be seen; e^-inf is a weight of exactly 0.",
        "-inf 表示不可见的键；e 的 -inf 次方恰好是权重 0。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("attention, step by step", "逐步计算注意力"),
    summary=Label(
        "X, Q, K, V, scores, weights, output: every cell can be checked by hand.", "X、Q、K、V、分数、权重、输出：每个数都能手算验证。"
    ),
    keywords=("Q K V", "query key value", "scaled dot-product", "walk-through", "by hand", "缩放点积", "查询", "键", "值", "手算"),
    parameters=(
        choice(
            "sentence",
            Label("sentence", "句子"),
            ("en", "kitten refused fish, it was full", "小猫没吃鱼，它很饱"),
            ("zh", "kitten refused fish because it [was] full", "小猫没吃鱼，因为它不饿"),
            ("short", "cat naps, it purrs", "猫睡着，它打呼噜"),
        ),
        choice("mask", Label("mask", "掩码"), ("none", "none", "无"), ("causal", "causal", "因果")),
        choice("projections", Label("W_Q, W_K, W_V", "W_Q、W_K、W_V"), ("hand", "whole numbers", "手设整数"), ("random", "random", "随机")),
        replace(SEED, label=Label("seed of the random weights", "随机权重的种子")),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "strip",
            ("weights",),
            caption=Label(
                "A word's new vector is an average of all values; its weights say how much it takes from each word, and they sum to 1.",
                "一个词的新向量是所有值的加权平均：权重表示它从每个词那里取多少，加起来是 1。",
            ),
        ),
        Figure("steps", ("X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "output")),
        Figure("heatmap", ("W_Q", "W_K", "W_V")),
        Figure("heatmap", ("Q", "K_T", "scores")),
        Figure("bars", ("row_sum_error", "unnormalised_row_sum_error", "hull_excess", "unnormalised_hull_excess")),
    ),
    arms=("unnormalised_row_sum_error", "row_sum_error"),
    presets=(
        Preset(
            Label("causal mask", "因果掩码"),
            {"mask": "causal"},
            Label("Words to the right are blank, and what is left of a row still sums to 1.", "右边的词是空的，剩下的权重仍然加到 1。"),
            "future_weight == 0 and row_sum_error < 1e-9",
        ),
        Preset(
            Label("random W_Q, W_K, W_V", "随机的 W_Q、W_K、W_V"),
            {"projections": "random"},
            Label("Nothing was learned: “it” no longer finds its noun.", "什么都没学到：“它”找不到所指的名词。"),
            "pronoun_to_referent < 0.2",
        ),
        Preset(
            Label("a shorter sentence", "更短的句子"),
            {"sentence": "short"},
            Label("Fewer words share the 1, so the referent gets more of it.", "分这个 1 的词更少，所指的名词就分得更多。"),
            "pronoun_to_referent > 0.9",
        ),
    ),
    run=run,
)
