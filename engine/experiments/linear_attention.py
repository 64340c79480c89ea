"""Without softmax (φ(Q)φ(K)ᵀ)V = φ(Q)(φ(K)ᵀV), linear in n; but it is not softmax attention, and it cannot single out a key as sharply."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import scaled_dot_product_attention
from engine.textbook.linear_attention import (
    features,
    linear_weights,
    scores_first,
    scores_first_causal,
    summary_first,
    token_by_token,
)
from engine.textbook.weight_statistics import largest_weight

MOST_TOKENS, WIDEST = 64, 8
SHOWN = 6
SPREADS = tuple(0.5 * tick for tick in range(21))  # 0 ... 10
LENGTHS = tuple(2**power for power in range(1, 17))  # 2 ... 65,536

TOKENS = Label("tokens n", "词元数 n")
SPREAD = Label("spread of q and k", "q 与 k 的标准差")


def run(*, tokens: int, width: int, spread: float, seed: int) -> Result:
    drawn = draw(tokens, width, seed)
    Q, K, V = spread * drawn[0], spread * drawn[1], drawn[2]  # (n, d) each
    by_softmax, softmax_weights = scaled_dot_product_attention(Q, K, V)
    linear, weights = summary_first(Q, K, V), linear_weights(Q, K)
    return Result(
        quantities=(
            wrong("softmax_difference", largest(by_softmax - linear), "difference to softmax attention", "与 softmax 注意力之差"),
            right("bracket_difference", largest(scores_first(Q, K, V) - linear), "difference between the two brackets", "两种结合顺序之差"),
            right(
                "recurrent_difference",
                largest(scores_first_causal(Q, K, V) - token_by_token(Q, K, V)),
                "causal: token by token against n×n",
                "因果：逐词元与 n×n 之差",
            ),
            measured("softmax_top_weight", largest_weight(softmax_weights), "mean largest weight, softmax", "平均最大权重，softmax"),
            measured("linear_top_weight", largest_weight(weights), "mean largest weight, linear", "平均最大权重，线性"),
            measured("softmax_rank", rank(softmax_weights), "rank of the weights, softmax", "权重矩阵的秩，softmax"),
            measured("linear_rank", rank(weights), "rank of the weights, linear, at most d", "权重矩阵的秩，线性，至多 d"),
            *_costs(tokens, width),
        ),
        matrices=_matrices(Q, K, V, softmax_weights, weights, linear),
        series=(*_over_spread(drawn), *_over_tokens(width)),
        notes=_notes(tokens, width, spread),
    )


def draw(tokens: int, width: int, seed: int) -> Tensor:
    """Queries, keys and values, (3, n, d), from N(0, 1); fewer tokens and a smaller width take the first ones."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(3, MOST_TOKENS, WIDEST, generator=generator, dtype=torch.float64)[:, :tokens, :width]


def largest(values: Tensor) -> float:
    return number(values.abs().max())


def rank(weights: Tensor) -> float:
    return float(torch.linalg.matrix_rank(weights))


def multiply_adds(n: int, d: int) -> tuple[int, int]:
    """Of (QKᵀ)V and of Q(KᵀV), with d_v = d: 2·n²·d and 2·n·d²."""
    return 2 * n * n * d, 2 * n * d * d


def _costs(n: int, d: int) -> tuple[Quantity, ...]:
    quadratic, linear = multiply_adds(n, d)
    return (
        measured("quadratic_multiply_adds", float(quadratic), "multiply-adds, n×n first", "乘加次数，先算 n×n"),
        measured("linear_multiply_adds", float(linear), "multiply-adds, summary first", "乘加次数，先算摘要"),
        measured("cached_numbers", float(2 * n * d), "numbers kept for the next token, softmax", "为下一个词元保存的数，softmax"),
        measured("state_numbers", float(d * d + d), "numbers kept for the next token, linear", "为下一个词元保存的数，线性"),
    )


def _matrices(Q: Tensor, K: Tensor, V: Tensor, by_softmax: Tensor, weights: Tensor, output: Tensor) -> tuple[Matrix, ...]:
    count = min(SHOWN, len(Q))
    q, k = names("q", count), names("k", count)
    by_features = Matrix(
        "linear_weights",
        grid(weights[:count, :count]),
        Label("linear weights", "线性权重"),
        q,
        k,
        r"\frac{\phi(q_i) \cdot \phi(k_j)}{\sum_l \phi(q_i) \cdot \phi(k_l)}",
        "weights",
    )
    softmax = Label("softmax weights", "softmax 权重")
    by_powers = Matrix("softmax_weights", grid(by_softmax[:count, :count]), softmax, q, k, r"\mathrm{softmax}(S)", "weights")
    if len(Q) > SHOWN:
        return by_features, by_powers
    return by_features, by_powers, *_brackets(features(Q), features(K), V, output)


def _brackets(phi_Q: Tensor, phi_K: Tensor, V: Tensor, output: Tensor) -> tuple[Matrix, ...]:
    """Both ways to the same sums: through n×n products, and through a summary of (d, d)."""
    n, d = phi_Q.shape
    q, k, v, numbers = names("q", n), names("k", n), names("v", n), names("", d)
    first, then = Label("summary of all tokens", "所有词元的摘要"), Label("the summary, read by every query", "每个查询读摘要")
    summary = phi_K.T @ V
    return (
        Matrix("phi_Q", grid(phi_Q), Label("features of the queries", "查询的特征"), q, numbers, r"\phi(Q)"),
        Matrix("phi_K_T", grid(phi_K.T), Label("features of the keys, transposed", "键的特征，转置"), numbers, k, r"\phi(K)^\top"),
        Matrix("V", grid(V), Label("values", "值"), v, numbers, "V"),
        Matrix(
            "products",
            grid(phi_Q @ phi_K.T),
            Label("n×n products", "n×n 的乘积"),
            q,
            k,
            r"\phi(Q)\phi(K)^\top",
            product_of=("phi_Q", "phi_K_T"),
        ),
        Matrix("summary", grid(summary), first, numbers, numbers, r"\phi(K)^\top V", product_of=("phi_K_T", "V")),
        Matrix("read", grid(phi_Q @ summary), then, q, numbers, r"\phi(Q)(\phi(K)^\top V)", product_of=("phi_Q", "summary")),
        Matrix("output", grid(output), Label("outputs, after division by the row sums", "输出，除以行和之后"), names("o", n), numbers, "O"),
    )


def _over_spread(drawn: Tensor) -> tuple[Series, ...]:
    Q, K, V = drawn
    rows = [(spread * Q, spread * K) for spread in SPREADS]
    by_softmax = [scaled_dot_product_attention(q, k, V) for q, k in rows]
    difference = tuple(largest(output - summary_first(q, k, V)) for (output, _), (q, k) in zip(by_softmax, rows, strict=True))
    softmax_top = tuple(largest_weight(weights) for _, weights in by_softmax)
    linear_top = tuple(largest_weight(linear_weights(q, k)) for q, k in rows)

    def curve(name: str, y: tuple[float, ...], label: Label, figure: str) -> Series:
        return Series(f"{name}_over_spread", SPREADS, y, label, SPREAD, figure)

    return (
        curve("softmax_top_weight", softmax_top, Label("mean largest weight, softmax", "平均最大权重，softmax"), "sharpness"),
        curve("linear_top_weight", linear_top, Label("mean largest weight, linear", "平均最大权重，线性"), "sharpness"),
        curve("softmax_difference", difference, Label("difference to softmax attention", "与 softmax 注意力之差"), "difference"),
    )


def _over_tokens(d: int) -> tuple[Series, ...]:
    """On two logarithmic axes n² is a line twice as steep as n; they cross at n = d."""
    costs = [multiply_adds(n, d) for n in LENGTHS]

    def curve(name: str, y: list[int], label: Label) -> Series:
        x, logarithms = tuple(map(float, LENGTHS)), tuple(math.log10(value) for value in y)
        return Series(f"{name}_log_over_tokens", x, logarithms, label, TOKENS, "cost", log_x=True)

    return (
        curve("quadratic", [quadratic for quadratic, _ in costs], Label("log₁₀ multiply-adds, n×n first", "乘加次数的 log₁₀，先算 n×n")),
        curve("linear", [linear for _, linear in costs], Label("log₁₀ multiply-adds, summary first", "乘加次数的 log₁₀，先算摘要")),
    )


def _notes(tokens: int, width: int, spread: float) -> tuple[Label, ...]:
    found = (
        (
            spread == 0,
            Label("With all scores equal both are the plain average: no difference to see.", "分数全相等时两者都是简单平均，看不出差别。"),
        ),
        (tokens < width, Label("Fewer tokens than d: here the n×n bracket is the cheaper one.", "词元比 d 少：这时先算 n×n 反而更省。")),
        (
            tokens > SHOWN,
            Label(
                f"The first {SHOWN} of {tokens} tokens are shown; the numbers are of all.",
                f"只显示 {tokens} 个词元中的前 {SHOWN} 个；数值按全部计算。",
            ),
        ),
    )
    return tuple(note for holds, note in found if holds)


def cost(*, tokens: int, width: int, spread: float, seed: int) -> Cost:
    n, d = max(tokens, MOST_TOKENS), max(width, WIDEST)
    return Cost(bytes=8 * (12 * n * d + 8 * n**2), flops=len(SPREADS) * 2 * (4 * n * n * d + 30 * n * n) + 30 * n**3)


EXPERIMENT = Experiment(
    title=Label("linear attention", "线性注意力"),
    summary=Label(
        "Leave out softmax, move the brackets, and see what is saved and what is lost.", "去掉 softmax、换结合顺序，看省下什么、失去什么。"
    ),
    parameters=(
        Parameter("tokens", TOKENS, 6, 2, MOST_TOKENS),
        Parameter("width", Label("width d", "宽度 d"), 4, 2, WIDEST),
        Parameter("spread", SPREAD, 1.0, 0.0, 10.0, 0.5),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(features, linear_weights, scores_first, summary_first, token_by_token),
    arms=("softmax_difference", "bracket_difference"),
)
