"""Only the scores and the weighted sum are O(n²d); the rest of a layer is O(nd²) and is most of the work until n is several times d."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, get_args

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import measured, right, wrong
from engine.textbook.layer_costs import Part, layer_multiply_adds, layer_products, part_multiply_adds, recurrent_multiply_adds, score_bytes
from engine.textbook.layer_pass import layer_inputs, run_dense, run_pairs
from engine.textbook.stopwatch import fastest_run

LENGTHS = tuple(2**power for power in range(4, 17))  # 16 ... 65,536, the x axis
HEAD_COUNTS = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
MEBI = 2**20
QUADRATIC = 4.0  # what doubling n does to n²
# 448² scores are 0.8 MiB. From 1 MiB on every run is given fresh pages by the system, and those take longer than the products.
TIMED_TOKENS, TIMED_WIDTH = 224, 64

TOKENS = Label("tokens n", "词元数 n")
HEADS = Label("heads h", "头数 h")
PARTS: dict[Part, Label] = {
    "pairs": Label("QKᵀ and PV, 2·n²·d", "QKᵀ 与 PV，2·n²·d"),
    "projections": Label("W_Q, W_K, W_V, W_O, 4·n·d²", "W_Q、W_K、W_V、W_O，4·n·d²"),
    "feed_forward": Label("feed-forward, 8·n·d²", "前馈网络，8·n·d²"),
}


def run(*, tokens: int, d_model: int, heads: int) -> Result:
    n, d = tokens, d_model
    total = layer_multiply_adds(n, d)
    parts = {part: part_multiply_adds(n, d, part) for part in get_args(Part)}
    return Result(
        quantities=(
            wrong("quadratic_growth", QUADRATIC, "twice the tokens, if a layer were O(n²)", "词元数加倍，若整层都是 O(n²)", "×"),
            right("layer_growth", growth(n, d), "twice the tokens, a whole layer", "词元数加倍，整层", "×"),
            measured("pairs_growth", part_growth(n, d, "pairs"), "twice the tokens, QKᵀ and PV", "词元数加倍，QKᵀ 与 PV", "×"),
            measured("projections_growth", part_growth(n, d, "projections"), "twice the tokens, projections", "词元数加倍，投影", "×"),
            measured("pairs_percent", 100 * parts["pairs"] / total, "QKᵀ and PV, share of a layer", "QKᵀ 与 PV 占整层", "%"),
            measured("projections_percent", 100 * parts["projections"] / total, "projections, share of a layer", "投影占整层", "%"),
            measured("feed_forward_percent", 100 * parts["feed_forward"] / total, "feed-forward, share of a layer", "前馈网络占整层", "%"),
            measured("layer_multiply_adds", float(total), "multiply-adds of a layer", "整层的乘加次数"),
            measured("pairs_multiply_adds", float(parts["pairs"]), "multiply-adds of QKᵀ and PV", "QKᵀ 与 PV 的乘加次数"),
            measured(
                "recurrent_multiply_adds", float(recurrent_multiply_adds(n, d)), "multiply-adds of a recurrent layer", "循环层的乘加次数"
            ),
            measured("tokens_at_quarter", 2.0 * d, "QKᵀ and PV are a quarter at n = 2·d =", "QKᵀ 与 PV 占四分之一：n = 2·d ="),
            measured("tokens_at_half", 6.0 * d, "and half at n = 6·d =", "占一半：n = 6·d ="),
            measured("score_mebibytes", score_bytes(n, heads) / MEBI, "scores of a layer, float32", "一层的分数，float32", "MiB"),
        ),
        series=(*_shares(d), *_operations(d), *_growth(d), _memory(n)),
        tables=(_table(n, d, total),),
        timings=_timings(),
    )


def growth(n: int, d: int) -> float:
    """What a layer of twice the tokens costs, compared with this one."""
    return layer_multiply_adds(2 * n, d) / layer_multiply_adds(n, d)


def part_growth(n: int, d: int, part: Part) -> float:
    return part_multiply_adds(2 * n, d, part) / part_multiply_adds(n, d, part)


def _timings() -> tuple[Quantity, ...]:
    """The growth on the clock, at a size that takes a millisecond."""
    inputs = [layer_inputs(n, TIMED_WIDTH, seed=0) for n in (TIMED_TOKENS, 2 * TIMED_TOKENS)]
    pairs, dense = ([fastest_run(partial(part, *given)) for given in inputs] for part in (run_pairs, run_dense))
    at = f"n = {TIMED_TOKENS} → {2 * TIMED_TOKENS}, d = {TIMED_WIDTH}"
    return (
        measured("timed_pairs_growth", pairs[1] / pairs[0], f"QKᵀ, softmax and PV, {at}", f"QKᵀ、softmax 与 PV，{at}", "×"),
        measured("timed_dense_growth", dense[1] / dense[0], "projections and feed-forward", "投影与前馈网络", "×"),
        measured("timed_layer_growth", (pairs[1] + dense[1]) / (pairs[0] + dense[0]), "both together", "两者合计", "×"),
    )


def _over_tokens(name: str, y: list[float], label: Label, figure: str, arm: Literal["", "right", "wrong"] = "") -> Series:
    return Series(f"{name}_over_tokens", tuple(map(float, LENGTHS)), tuple(y), label, TOKENS, figure, log_x=True, arm=arm)


def _shares(d: int) -> tuple[Series, ...]:
    def percent(part: Part) -> list[float]:
        return [100 * part_multiply_adds(n, d, part) / layer_multiply_adds(n, d) for n in LENGTHS]

    return tuple(
        _over_tokens(f"{part}_percent", percent(part), Label(f"share, %: {label.en}", f"占比（%）：{label.zh}"), "share")
        for part, label in PARTS.items()
    )


def _operations(d: int) -> tuple[Series, ...]:
    """On two logarithmic axes n² is a line twice as steep as n."""
    return tuple(
        _over_tokens(
            f"{part}_log",
            [math.log10(part_multiply_adds(n, d, part)) for n in LENGTHS],
            Label(f"log₁₀ multiply-adds: {label.en}", f"乘加次数的 log₁₀：{label.zh}"),
            "operations",
        )
        for part, label in PARTS.items()
    )


def _growth(d: int) -> tuple[Series, ...]:
    measured_growth, claimed = [growth(n, d) for n in LENGTHS], [QUADRATIC] * len(LENGTHS)
    return (
        _over_tokens("quadratic_growth", claimed, Label("twice the tokens, O(n²)", "词元数加倍，O(n²)"), "growth", "wrong"),
        _over_tokens("layer_growth", measured_growth, Label("twice the tokens, a layer", "词元数加倍，整层"), "growth", "right"),
    )


def _memory(n: int) -> Series:
    y = tuple(score_bytes(n, heads) / MEBI for heads in HEAD_COUNTS)
    label = Label("scores of a layer, MiB", "一层的分数（MiB）")
    return Series("score_mebibytes_over_heads", tuple(map(float, HEAD_COUNTS)), y, label, HEADS, "memory")


def _table(n: int, d: int, total: int) -> Table:
    heads = (
        Label("product", "乘积"),
        Label("rows", "行"),
        Label("inner", "内维"),
        Label("columns", "列"),
        Label("multiply-adds", "乘加次数"),
        Label("%", "%"),
    )
    rows = tuple(
        (
            product.formula,
            float(product.rows),
            float(product.inner),
            float(product.columns),
            float(product.multiply_adds),
            100 * product.multiply_adds / total,
        )
        for product in layer_products(n, d)
    )
    return Table("products", Label("the matrix products of one layer", "一层里的矩阵乘积"), heads, rows)


def cost(*, tokens: int, d_model: int, heads: int) -> Cost:
    largest = 2 * TIMED_TOKENS  # nothing of the chosen size is computed: it is counted
    return Cost(bytes=4 * 8 * (largest**2 + 20 * largest * TIMED_WIDTH), flops=2 * 18 * layer_multiply_adds(largest, TIMED_WIDTH))


EXPERIMENT = Experiment(
    title=Label("what attention costs", "注意力的代价"),
    summary=Label(
        "Multiply-adds of a layer, counted product by product, and the memory of its scores.",
        "逐个乘积数出一层的乘加次数，以及分数占的内存。",
    ),
    parameters=(
        Parameter("tokens", TOKENS, 512, 16, 65536, 2, "log"),
        Parameter("d_model", Label("d_model", "d_model"), 768, 64, 8192, 64),
        Parameter("heads", HEADS, 12, 1, 64),
    ),
    run=run,
    cost=cost,
    shows=(layer_products, layer_multiply_adds, recurrent_multiply_adds, score_bytes, run_pairs, run_dense, fastest_run),
    arms=("quadratic_growth", "layer_growth"),
)
