"""Without softmax (φ(Q)φ(K)ᵀ)V = φ(Q)(φ(K)ᵀV), linear in n; but it is not softmax attention, and it cannot single out a key as sharply."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._linear_brackets import BRACKET_GRIDS, brackets
from engine.experiments._linear_costs import COST_MEASURES, FEWEST, MOST_TOKENS, TOKENS, WIDEST, costs, over_tokens
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, Measure, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import scaled_dot_product_attention
from engine.textbook.differences import largest
from engine.textbook.linear_attention import linear_weights, scores_first, scores_first_causal, summary_first, token_by_token
from engine.textbook.weight_statistics import largest_weight

SHOWN = 6
SPREADS = tuple(0.5 * tick for tick in range(21))  # 0 ... 10, an x axis


def run(*, tokens: int, width: int, spread: float, seed: int) -> Numbers:
    drawn = draw(tokens, width, seed)
    Q, K, V = spread * drawn[0], spread * drawn[1], drawn[2]  # (n, d) each
    return {
        **against_softmax(Q, K, V),
        **both_weights(Q, K, V),
        "bracket_difference": largest(scores_first(Q, K, V) - summary_first(Q, K, V)),
        "recurrent_difference": largest(scores_first_causal(Q, K, V) - token_by_token(Q, K, V)),
        **costs(tokens, width),
        **(brackets(Q, K, V) if tokens <= SHOWN else {}),
        **over_spread(*drawn),
        **over_tokens(width),
        "shown": SHOWN,
    }


def draw(tokens: int, width: int, seed: int) -> Tensor:
    """Queries, keys and values, (3, n, d), from N(0, 1); fewer tokens and a smaller width take the first ones."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(3, MOST_TOKENS, WIDEST, generator=generator, dtype=torch.float64)[:, :tokens, :width]


def against_softmax(Q: Tensor, K: Tensor, V: Tensor) -> Numbers:
    by_softmax, softmax_weights = scaled_dot_product_attention(Q, K, V)
    return {
        "softmax_difference": largest(by_softmax - summary_first(Q, K, V)),
        "softmax_top_weight": largest_weight(softmax_weights),
        "linear_top_weight": largest_weight(linear_weights(Q, K)),
    }


def both_weights(Q: Tensor, K: Tensor, V: Tensor) -> Numbers:
    softmax_weights, weights = scaled_dot_product_attention(Q, K, V)[1], linear_weights(Q, K)
    return {
        "softmax_rank": rank(softmax_weights),
        "linear_rank": rank(weights),
        "linear_weights": weights[:SHOWN, :SHOWN],
        "softmax_weights": softmax_weights[:SHOWN, :SHOWN],
    }


def rank(weights: Tensor) -> float:
    return float(torch.linalg.matrix_rank(weights))


def over_spread(Q: Tensor, K: Tensor, V: Tensor) -> Numbers:
    rows = [against_softmax(spread * Q, spread * K, V) for spread in SPREADS]
    return {f"{name}_over_spread": (SPREADS, [row[name] for row in rows]) for name in rows[0]}


SPREAD = Label("std of q and k", "q 与 k 的标准差")
TOP_WEIGHT = (1 / MOST_TOKENS, 1)

MEASURES: tuple[Measure, ...] = (
    wrong("softmax_difference", "largest difference of the outputs, linear - softmax", "输出的最大差，线性与 softmax"),
    right("bracket_difference", "largest difference of the outputs, two brackets", "输出的最大差，两种结合顺序"),
    right("recurrent_difference", "causal outputs: largest difference, token by token - n×n", "因果输出：最大差，逐词元与 n×n"),
    measured("softmax_top_weight", "largest weight of a row, mean over rows, softmax", "每行最大权重的平均，softmax", within=TOP_WEIGHT),
    measured("linear_top_weight", "largest weight of a row, mean over rows, linear", "每行最大权重的平均，线性", within=TOP_WEIGHT),
    measured("softmax_rank", "rank of the weights, softmax", "权重矩阵的秩，softmax", within=(1, MOST_TOKENS)),
    measured("linear_rank", "rank of the weights, linear (at most d)", "权重矩阵的秩，线性（至多 d）", within=(1, WIDEST)),
    Grid(
        "linear_weights",
        Label("linear weights", "线性权重"),
        rows="q{1}",
        columns="k{1}",
        formula=r"\frac{\phi(q_i) \cdot \phi(k_j)}{\sum_l \phi(q_i) \cdot \phi(k_l)}",
        kind="weights",
    ),
    Grid(
        "softmax_weights",
        Label("softmax weights", "softmax 权重"),
        rows="q{1}",
        columns="k{1}",
        formula=r"\mathrm{softmax}(S)",
        kind="weights",
    ),
    *BRACKET_GRIDS,
    Curve(
        "softmax_top_weight_over_spread",
        Label("largest weight of a row, mean, softmax", "每行最大权重的平均，softmax"),
        SPREAD,
        "sharpness",
    ),
    Curve("linear_top_weight_over_spread", Label("largest weight of a row, mean, linear", "每行最大权重的平均，线性"), SPREAD, "sharpness"),
    Curve(
        "softmax_difference_over_spread",
        Label("largest difference of the outputs to softmax's", "与 softmax 输出的最大差"),
        SPREAD,
        "difference",
    ),
    *COST_MEASURES,
    note(
        "equal",
        "spread == 0",
        "With all scores equal both are the plain average: no difference to see.",
        "分数全相等时两者都是简单平均，看不出差别。",
    ),
    note(
        "few",
        "quadratic_multiply_adds < linear_multiply_adds",
        "Fewer tokens than d: here the n×n bracket is the cheaper one.",
        "词元比 d 少：这时先算 n×n 反而更省。",
    ),
    note(
        "cut",
        "tokens > shown",
        "The first {shown} of {tokens} tokens are shown; the numbers are of all.",
        "只显示 {tokens} 个词元中的前 {shown} 个；数值按全部计算。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("linear attention", "线性注意力"),
    summary=Label(
        "Leave out softmax, move the brackets, and see what is saved and what is lost.", "去掉 softmax、换结合顺序，看省下什么、失去什么。"
    ),
    keywords=("Performer", "kernel", "feature map", "Linformer", "Mamba", "RWKV", "linear complexity", "核函数", "特征映射", "线性复杂度"),
    parameters=(
        Parameter("tokens", TOKENS, 6, FEWEST, MOST_TOKENS),
        Parameter("width", Label("width d", "宽度 d"), 4, FEWEST, WIDEST),
        Parameter("spread", SPREAD, 1.0, SPREADS[0], SPREADS[-1], 0.5),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("softmax_weights", "linear_weights"),
            caption=Label(
                "Without the exponential not even large scores single out a key; in return the n × n matrix is never needed.",
                "去掉指数，分数再大也挑不出单个键；换来的是根本不需要 n × n 矩阵。",
            ),
        ),
        Figure("curve", ("quadratic_log_over_tokens", "linear_log_over_tokens"), over="tokens"),
        Figure("curve", ("softmax_top_weight_over_spread", "linear_top_weight_over_spread"), over="spread", mark="linear_top_weight"),
        Figure("curve", ("softmax_difference_over_spread",), over="spread", mark="softmax_difference"),
        Figure("heatmap", ("phi_Q", "phi_K_T", "products")),
        Figure("heatmap", ("phi_K_T", "V", "summary")),
        Figure("heatmap", ("phi_Q", "summary", "read", "output")),
        Figure("bars", ("cached_numbers", "state_numbers")),
    ),
    arms=("softmax_difference", "bracket_difference"),
    presets=(
        Preset(
            Label("large scores", "很大的分数"),
            {"spread": 10.0},
            Label(
                "Softmax puts everything on one key; linear attention, on the same scores, not even half.",
                "softmax 把全部权重给一个键；同样的输入，线性注意力连一半都给不到。",
            ),
            "softmax_top_weight > 0.95 and linear_top_weight < 0.5",
        ),
        Preset(
            Label("64 tokens", "64 个词元"),
            {"tokens": 64},
            Label(
                "Sixteen times less work, and eight times as much text would cost eight times as much, not 64 times.",
                "计算量少十六倍；文本再长八倍，也只多八倍，而不是 64 倍。",
            ),
            "quadratic_multiply_adds == 32768 and linear_multiply_adds == 2048",
        ),
        Preset(
            Label("2 tokens", "2 个词元"),
            {"tokens": 2},
            Label("Shorter than d, and the way round costs more than the matrix it avoids.", "比 d 还短时，绕这一圈比要省的矩阵还贵。"),
            "linear_multiply_adds > quadratic_multiply_adds",
        ),
    ),
    run=run,
)
