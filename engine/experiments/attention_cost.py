"""Only the scores and the weighted sum are O(n²d); the rest of a layer is O(nd²) and is most of the work until n is several times d."""

from __future__ import annotations

import math
from functools import partial
from typing import get_args

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Measure, Rows, measured, right, timed, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.layer_costs import Part, layer_multiply_adds, layer_products, part_multiply_adds, recurrent_multiply_adds, score_bytes
from engine.textbook.layer_pass import layer_inputs, run_dense, run_pairs
from engine.textbook.stopwatch import fastest_run

LENGTHS = tuple(2**power for power in range(4, 17))  # 16 ... 65,536, the x axis
HEAD_COUNTS = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
NARROWEST, WIDEST = 64, 8192
MEBI = 2**20
QUADRATIC = 4.0  # what doubling n does to n²
# 448² scores are 0.8 MiB. From 1 MiB on every run is given fresh pages by the system, and those take longer than the products.
TIMED_TOKENS, TIMED_WIDTH = 224, 64


def run(*, tokens: int, d_model: int, heads: int) -> Numbers:
    n, d = tokens, d_model
    return {
        "quadratic_growth": QUADRATIC,
        "layer_growth": growth(n, d),
        "pairs_growth": part_growth(n, d, "pairs"),
        "projections_growth": part_growth(n, d, "projections"),
        **{f"{part}_percent": percent(n, d, part) for part in get_args(Part)},
        "layer_multiply_adds": float(layer_multiply_adds(n, d)),
        "pairs_multiply_adds": float(part_multiply_adds(n, d, "pairs")),
        "recurrent_multiply_adds": float(recurrent_multiply_adds(n, d)),
        "tokens_at_quarter": 2.0 * d,
        "tokens_at_half": 6.0 * d,
        "score_mebibytes": score_bytes(n, heads) / MEBI,
        "score_mebibytes_over_heads": (HEAD_COUNTS, [score_bytes(n, each) / MEBI for each in HEAD_COUNTS]),
        **over_tokens(d),
        "products": [
            (each.formula, *map(float, (each.rows, each.inner, each.columns, each.multiply_adds)), share_of_layer(each.multiply_adds, n, d))
            for each in layer_products(n, d)
        ],
        **timed_growth(),
    }


def growth(n: int, d: int) -> float:
    """What a layer of twice the tokens costs, compared with this one."""
    return layer_multiply_adds(2 * n, d) / layer_multiply_adds(n, d)


def part_growth(n: int, d: int, part: Part) -> float:
    return part_multiply_adds(2 * n, d, part) / part_multiply_adds(n, d, part)


def percent(n: int, d: int, part: Part) -> float:
    return share_of_layer(part_multiply_adds(n, d, part), n, d)


def share_of_layer(multiply_adds: int, n: int, d: int) -> float:
    """In percent."""
    return 100 * multiply_adds / layer_multiply_adds(n, d)


def over_tokens(d: int) -> Numbers:
    """On two logarithmic axes n² is a line twice as steep as n."""
    return {
        **{f"{part}_percent_over_tokens": (LENGTHS, [percent(n, d, part) for n in LENGTHS]) for part in get_args(Part)},
        **{f"{part}_log_over_tokens": (LENGTHS, [math.log10(part_multiply_adds(n, d, part)) for n in LENGTHS]) for part in get_args(Part)},
        "quadratic_growth_over_tokens": (LENGTHS, [QUADRATIC] * len(LENGTHS)),
        "layer_growth_over_tokens": (LENGTHS, [growth(n, d) for n in LENGTHS]),
    }


def timed_growth() -> Numbers:
    """The growth on the clock, at a size that takes a millisecond."""
    inputs = [layer_inputs(n, TIMED_WIDTH, seed=0) for n in (TIMED_TOKENS, 2 * TIMED_TOKENS)]
    pairs, dense = ([fastest_run(partial(part, *given)) for given in inputs] for part in (run_pairs, run_dense))
    return {
        "timed_pairs_growth": pairs[1] / pairs[0],
        "timed_dense_growth": dense[1] / dense[0],
        "timed_layer_growth": (pairs[1] + dense[1]) / (pairs[0] + dense[0]),
        "timed_size": f"n = {TIMED_TOKENS} → {2 * TIMED_TOKENS}, d = {TIMED_WIDTH}",
    }


TOKENS = Label("tokens n", "词元数 n")
HEADS = Label("heads h", "头数 h")
PARTS = (
    ("pairs", "QKᵀ and PV, 2·n²·d", "QKᵀ 与 PV，2·n²·d"),
    ("projections", "W_Q, W_K, W_V, W_O, 4·n·d²", "W_Q、W_K、W_V、W_O，4·n·d²"),
    ("feed_forward", "feed-forward, 8·n·d²", "前馈网络，8·n·d²"),
)
GROWTH = (2, QUADRATIC)

MEASURES: tuple[Measure, ...] = (
    wrong("quadratic_growth", "twice the tokens, if a layer were O(n²)", "词元数加倍，若整层都是 O(n²)", "×", GROWTH),
    right("layer_growth", "twice the tokens, a whole layer", "词元数加倍，整层", "×", GROWTH),
    measured("pairs_growth", "twice the tokens, QKᵀ and PV", "词元数加倍，QKᵀ 与 PV", "×", GROWTH),
    measured("projections_growth", "twice the tokens, projections", "词元数加倍，投影", "×", GROWTH),
    measured("pairs_percent", "QKᵀ and PV, share of a layer", "QKᵀ 与 PV 占整层", "%", PERCENT),
    measured("projections_percent", "projections, share of a layer", "投影占整层", "%", PERCENT),
    measured("feed_forward_percent", "feed-forward, share of a layer", "前馈网络占整层", "%", PERCENT),
    measured("layer_multiply_adds", "multiply-adds of a layer", "整层的乘加次数"),
    measured("pairs_multiply_adds", "multiply-adds of QKᵀ and PV", "QKᵀ 与 PV 的乘加次数"),
    measured("recurrent_multiply_adds", "multiply-adds of a recurrent layer", "循环层的乘加次数"),
    measured(
        "tokens_at_quarter",
        "QKᵀ and PV are a quarter of a layer at n = 2·d =",
        "QKᵀ 与 PV 占整层四分之一：n = 2·d =",
        within=(2 * NARROWEST, 2 * WIDEST),
    ),
    measured(
        "tokens_at_half",
        "QKᵀ and PV are half of a layer at n = 6·d =",
        "QKᵀ 与 PV 占整层一半：n = 6·d =",
        within=(6 * NARROWEST, 6 * WIDEST),
    ),
    measured("score_mebibytes", "scores of a layer, float32, n·n a head", "一层的分数，float32，每头 n·n", "MiB"),
    *(
        Curve(
            f"{part}_percent_over_tokens",
            Label(f"share of a layer's multiply-adds, %: {en}", f"占一层乘加次数的比例（%）：{zh}"),
            TOKENS,
            "share",
            log_x=True,
        )
        for part, en, zh in PARTS
    ),
    *(
        Curve(f"{part}_log_over_tokens", Label(f"log₁₀ multiply-adds: {en}", f"乘加次数的 log₁₀：{zh}"), TOKENS, "operations", log_x=True)
        for part, en, zh in PARTS
    ),
    Curve("quadratic_growth_over_tokens", Label("twice the tokens, O(n²)", "词元数加倍，O(n²)"), TOKENS, "growth", log_x=True, arm="wrong"),
    Curve("layer_growth_over_tokens", Label("twice the tokens, a layer", "词元数加倍，整层"), TOKENS, "growth", log_x=True, arm="right"),
    Curve("score_mebibytes_over_heads", Label("scores of a layer, MiB", "一层的分数（MiB）"), HEADS, "memory"),
    Rows(
        "products",
        Label("the matrix products of one layer", "一层里的矩阵乘积"),
        (
            Label("product", "乘积"),
            Label("rows", "行"),
            Label("inner", "内维"),
            Label("columns", "列"),
            Label("multiply-adds", "乘加次数"),
            Label("%", "%"),
        ),
    ),
    timed("timed_pairs_growth", "time of QKᵀ, softmax and PV, {timed_size}", "QKᵀ、softmax 与 PV 的用时，{timed_size}", "×"),
    timed("timed_dense_growth", "time of projections and FFN, {timed_size}", "投影与前馈网络的用时，{timed_size}", "×"),
    timed("timed_layer_growth", "time of a whole layer, {timed_size}", "整层的用时，{timed_size}", "×"),
)

EXPERIMENT = Experiment(
    title=Label("what attention costs", "注意力的代价"),
    summary=Label(
        "Multiply-adds of a layer, counted product by product, and the memory of its scores.",
        "逐个乘积数出一层的乘加次数，以及分数占的内存。",
    ),
    keywords=("complexity", "quadratic", "FLOPs", "O(n²)", "multiply-adds", "memory", "复杂度", "计算量", "平方", "显存", "内存"),
    parameters=(
        Parameter("tokens", TOKENS, 512, LENGTHS[0], LENGTHS[-1], 2, "log"),
        Parameter("d_model", Label("d_model", "d_model"), 768, NARROWEST, WIDEST, 64),
        Parameter("heads", HEADS, 12, HEAD_COUNTS[0], HEAD_COUNTS[-1]),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            tuple(f"{part}_percent_over_tokens" for part, *_ in PARTS),
            over="tokens",
            mark="pairs_percent",
            caption=Label(
                "Up to n = 6·d the n² products are the smaller part of a layer; beyond, they are the larger.",
                "n 不到 6·d 时，n² 的两个乘积只占一层的小头；超过之后才成大头。",
            ),
        ),
        Figure("curve", ("quadratic_growth_over_tokens", "layer_growth_over_tokens"), over="tokens", mark="layer_growth"),
        Figure("curve", tuple(f"{part}_log_over_tokens" for part, *_ in PARTS), over="tokens"),
        Figure("bars", ("pairs_multiply_adds", "recurrent_multiply_adds"), mark="layer_multiply_adds"),
        Figure("curve", ("score_mebibytes_over_heads",), over="heads", mark="score_mebibytes"),
        Figure("table", ("products",)),
    ),
    arms=("quadratic_growth", "layer_growth"),
    presets=(
        Preset(
            Label("n = 65536", "n = 65536"),
            {"tokens": 65536},
            Label("Long texts: nine tenths of the work is QKᵀ and PV.", "长文本：九成以上的计算是 QKᵀ 和 PV。"),
            "pairs_percent > 90",
        ),
        Preset(
            Label("n = 16", "n = 16"),
            {"tokens": 16},
            Label(
                "Short texts: QKᵀ and PV are not even one percent; the layer is linear in n.",
                "短文本：QKᵀ 和 PV 连百分之一都不到，整层随 n 线性增长。",
            ),
            "pairs_percent < 1",
        ),
        Preset(
            Label("d_model = 64", "d_model = 64"),
            {"d_model": 64},
            Label(
                "The same 512 tokens in a narrow model: the n² part is already more than half.",
                "同样 512 个词元，模型窄了：n² 的部分已经过半。",
            ),
            "pairs_percent > 50 and tokens == 512",
        ),
    ),
    run=run,
)
