"""FlashAttention computes exactly softmax attention, block by block with a running maximum: the same operations, far less memory moved."""

from __future__ import annotations

import math
from itertools import pairwise

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, Rows, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.attention import causal_mask, scaled_dot_product_attention
from engine.textbook.online_softmax import (
    Running,
    attention_flops,
    blocks,
    initial_state,
    online_attention,
    score_bytes,
    states,
    statistics_bytes,
    take_block_without_rescaling,
)

QUERIES, WIDTH, HEAD_WIDTH = 4, 4, 128
MOST_KEYS = 32
LENGTHS = tuple(2**power for power in range(9, 17))  # 512 ... 65536, the x axis


def run(*, keys: int, block: int, causal: str, length: int, heads: int, seed: int) -> Numbers:
    Q, K, V = draw(keys, seed)
    mask = causal_mask(QUERIES, keys) if causal == "yes" else None
    exact, weights = scaled_dot_product_attention(Q, K, V, mask)
    history, forgetful = states(Q, K, V, block, mask), output_without_rescaling(Q, K, V, block, mask)
    return {
        "no_rescaling_error": (forgetful - exact).abs().max(),
        "online_error": (online_attention(Q, K, V, block, mask) - exact).abs().max(),
        "blocks": len(history),
        "rescalings": rescalings(history),
        "output_after_block": torch.stack([state.result()[0] for state in history]),
        "output": exact,
        "output_without_rescaling": forgetful,
        "weights": weights,
        "running": running_row(history),
        **memory(length, heads),
    }


def draw(keys: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Q (T, d), K and V (S, d)."""
    generator = torch.Generator().manual_seed(seed)
    Q, K, V = (torch.randn(MOST_KEYS, WIDTH, generator=generator, dtype=torch.float64)[:count] for count in (QUERIES, keys, keys))
    Q = 2 * Q  # larger scores: what is forgotten shows
    return Q, K[(K @ Q[0]).argsort(stable=True)], V  # the keys that q1 likes least come first, so that its maximum keeps moving


def output_without_rescaling(Q: Tensor, K: Tensor, V: Tensor, block: int, mask: Tensor | None) -> Tensor:
    forgetful = initial_state(QUERIES, WIDTH)
    for scores, value in blocks(Q, K, V, block, mask):
        forgetful = take_block_without_rescaling(forgetful, scores, value)
    return forgetful.result()


def rescalings(history: list[Running]) -> int:
    """How often the maximum of a row moved after it had one."""
    return sum(int(((after.largest > before.largest) & (before.largest > -math.inf)).sum()) for before, after in pairwise(history))


def running_row(history: list[Running]) -> list[tuple[str | Tensor | float, ...]]:
    """m and l of q1; a maximum of -inf (no allowed key yet) is shown as a dash."""
    maxima = [torch.tensor(-math.inf), *(state.largest[0, 0] for state in history)]
    return [
        (f"b{index}", m if m > -math.inf else "-", torch.exp(before - m) if m > -math.inf else 1.0, state.denominator[0, 0])
        for index, (state, (before, m)) in enumerate(zip(history, pairwise(maxima), strict=True), 1)
    ]


def memory(length: int, heads: int) -> Numbers:
    """What a layer of this length holds beside Q, K, V and O; operations are the same for both."""
    scores, statistics = score_bytes(length, heads), statistics_bytes(length, heads)
    return {
        "score_mebibytes": scores / 2**20,
        "statistics_mebibytes": statistics / 2**20,
        "memory_ratio": scores / statistics,
        "gigaflops": attention_flops(length, heads, HEAD_WIDTH) / 1e9,
        "log2_score_mebibytes_over_length": (LENGTHS, [math.log2(score_bytes(n, heads) / 2**20) for n in LENGTHS]),
        "log2_statistics_mebibytes_over_length": (LENGTHS, [math.log2(statistics_bytes(n, heads) / 2**20) for n in LENGTHS]),
    }


LENGTH = Label("sequence length n", "序列长度 n")

MEASURES = (
    wrong("no_rescaling_error", "largest error, block by block without rescaling", "最大误差，逐块而不重新缩放"),
    right("online_error", "largest error, block by block", "最大误差，逐块计算"),
    measured("blocks", "blocks of keys", "键的块数", within=(1, MOST_KEYS)),
    measured(
        "rescalings", "times that a row's sums had to be rescaled", "各行的和需要重新缩放的次数", within=(0, QUERIES * (MOST_KEYS - 1))
    ),
    wrong("score_mebibytes", "memory of all scores of a layer, fp16", "一层全部分数占的内存，fp16", "MiB"),
    right("statistics_mebibytes", "memory of m and l of every row of a layer, fp32", "一层每行的 m 与 l 占的内存，fp32", "MiB"),
    measured(
        "memory_ratio", "memory of all scores / memory of m and l", "全部分数与 m、l 的内存之比", within=(LENGTHS[0] / 4, LENGTHS[-1] / 4)
    ),  # n scores of 2 bytes over two numbers of 4
    measured("gigaflops", "operations of either way, no mask, head width 128", "两种做法的运算量，无掩码，头宽 128", "GFLOP"),
    Grid(
        "output_after_block",
        Label("output of q1 if it ended after that block", "若到该块为止，q1 的输出"),
        rows="b{1}",
        columns="{1}",
        formula="o / l",
        arm="right",
    ),
    Grid("output", Label("output", "输出"), rows="q{1}", columns="{1}", formula=r"\mathrm{softmax}(S) V"),
    Grid("output_without_rescaling", Label("output without rescaling", "不重新缩放的输出"), rows="q{1}", columns="{1}", arm="wrong"),
    Grid(
        "weights",
        Label("weights, never held by the online way", "权重（在线做法从不保存）"),
        rows="q{1}",
        columns="k{1}",
        formula=r"\mathrm{softmax}(S)",
        kind="weights",
    ),
    Curve("log2_score_mebibytes_over_length", Label("log₂ MiB, all scores", "log₂ MiB，全部分数"), LENGTH, "memory", True, "wrong"),
    Curve("log2_statistics_mebibytes_over_length", Label("log₂ MiB, m and l", "log₂ MiB，m 与 l"), LENGTH, "memory", True, "right"),
    Rows(
        "running",
        Label("row q1, block by block", "q1 这一行，逐块"),
        (
            Label("block", "块"),
            Label("maximum m", "最大值 m"),
            Label("factor for the sums before", "旧和的缩放因子"),
            Label("denominator l", "分母 l"),
        ),
    ),
    Walk(Label("scores of one block of keys", "一块键的分数"), r"S = \frac{Q K_b^\top}{\sqrt{d}}"),
    Walk(Label("new maximum of every row", "每行新的最大值"), r"m' = \max(m, \max_j S_j)"),
    Walk(Label("old sums, rescaled, plus the block's", "旧和重新缩放，再加本块"), r"l' = e^{m - m'} l + \sum_j e^{S_j - m'}"),
    Walk(Label("the output alike", "输出同理"), r"o' = e^{m - m'} o + \sum_j e^{S_j - m'} v_j"),
    Walk(Label("one division at the end", "最后只除一次"), r"\frac{o}{l}", (QUERIES, WIDTH), "output"),
    note(
        "single",
        "block >= keys",
        "One block holds all keys: this is ordinary softmax, nothing is rescaled.",
        "一块装下了所有键：就是普通 softmax，无需缩放。",
    ),
    note(
        "still",
        "block < keys and rescalings == 0",
        "No maximum moved after the first block: forgetting to rescale does not show here.",
        "首块之后最大值没有变：忘了缩放也看不出来。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("FlashAttention: online softmax", "FlashAttention：在线 softmax"),
    summary=Label(
        "Softmax without ever seeing a whole row: running maximum, denominator and output.",
        "从不看完整一行的 softmax：滚动的最大值、分母与输出。",
    ),
    keywords=("online softmax", "tiling", "IO-aware", "SRAM", "HBM", "memory-efficient", "分块", "显存", "高效注意力"),
    parameters=(
        Parameter("keys", Label("keys", "键的个数"), 6, 1, MOST_KEYS),
        Parameter("block", Label("keys in a block", "每块的键数"), 2, 1, MOST_KEYS),
        choice("causal", Label("causal mask", "因果掩码"), ("no", "no", "无"), ("yes", "yes", "有")),
        Parameter("length", LENGTH, 8192, LENGTHS[0], LENGTHS[-1], 2, "log"),
        Parameter("heads", Label("heads h", "头数 h"), 32, 1, 128, 2, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "blocks",
            ("weights", "running", "output_after_block"),
            caption=Label(
                "Block by block a row keeps one maximum, one sum and one output; when the maximum rises, what was summed is scaled down.",
                "一块一块地算，每行只留一个最大值、一个和、一个输出；最大值变大时，之前的累加按比例缩小。",
            ),
        ),
        Figure("heatmap", ("output", "output_without_rescaling")),
        Figure("curve", ("log2_score_mebibytes_over_length", "log2_statistics_mebibytes_over_length"), over="length"),
        Figure("bars", ("score_mebibytes", "statistics_mebibytes")),
        Figure("steps", ("output",)),
    ),
    arms=("no_rescaling_error", "online_error"),
    presets=(
        Preset(
            Label("one key a block", "每块一个键"),
            {"block": 1},
            Label("The smallest blocks: rescaled most often, and still the same output.", "块最小：重新缩放的次数最多，输出仍然一样。"),
            "blocks == keys and online_error < 1e-9 and rescalings > blocks",
        ),
        Preset(
            Label("all keys in one block", "所有键在一块"),
            {"block": 32},
            Label(
                "One block is ordinary softmax: nothing to rescale, and even the wrong way is right.",
                "只有一块就是普通的 softmax：无需缩放，错误的做法也对。",
            ),
            "blocks == 1 and no_rescaling_error < 1e-9",
        ),
        Preset(
            Label("n = 65536", "n = 65536"),
            {"length": 65536},
            Label(
                "256 GiB of scores that nobody writes down, 16 MiB of maxima and sums that are kept.",
                "256 GiB 的分数谁也不写下来，只留 16 MiB 的最大值与和。",
            ),
            "score_mebibytes > 200000 and statistics_mebibytes < 20",
            show="log2_score_mebibytes_over_length",
        ),
    ),
    run=run,
)
