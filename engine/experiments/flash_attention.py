"""FlashAttention computes exactly softmax attention, block by block with a running maximum: the same operations, far less memory moved."""

from __future__ import annotations

import math
from itertools import pairwise

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Step, Table
from engine.shorthand import SEED, choice, measured, right, wrong
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
    take_block,
    take_block_without_rescaling,
)

QUERIES, WIDTH = 4, 4
LENGTHS = tuple(2**power for power in range(9, 17))  # 512 ... 65536, the x axis
LENGTH = Label("sequence length n", "序列长度 n")


def run(*, keys: int, block: int, causal: str, length: int, heads: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    Q, K, V = (torch.randn(32, WIDTH, generator=generator, dtype=torch.float64)[:count] for count in (QUERIES, keys, keys))
    Q = 2 * Q  # larger scores: what is forgotten shows
    K = K[(K @ Q[0]).argsort(stable=True)]  # the keys that q1 likes least come first, so that its maximum keeps moving
    mask = causal_mask(QUERIES, keys) if causal == "yes" else None
    exact, weights = scaled_dot_product_attention(Q, K, V, mask)
    history = states(Q, K, V, block, mask)
    forgetful = initial_state(QUERIES, WIDTH)
    for scores, value in blocks(Q, K, V, block, mask):
        forgetful = take_block_without_rescaling(forgetful, scores, value)
    return Result(
        quantities=(
            wrong("no_rescaling_error", largest(forgetful.result() - exact), "error without rescaling", "误差：忘了重新缩放"),
            right("online_error", largest(online_attention(Q, K, V, block, mask) - exact), "error, block by block", "误差：逐块计算"),
            measured("blocks", len(history), "blocks of keys", "键的块数"),
            measured("rescalings", rescalings(history), "times that a row had to be rescaled", "需要重新缩放的次数"),
            *_memory(length, heads),
        ),
        matrices=_matrices(history, exact, forgetful, weights, keys),
        series=_curves(heads),
        tables=(_first_row(history),),
        steps=STEPS,
        notes=_notes(keys, block, history),
    )


def largest(change: Tensor) -> float:
    return number(change.abs().max())


def rescalings(history: list[Running]) -> int:
    """How often the maximum of a row moved after it had one."""
    return sum(int(((after.largest > before.largest) & (before.largest > -math.inf)).sum()) for before, after in pairwise(history))


def _memory(length: int, heads: int) -> tuple[Quantity, ...]:
    """What a layer of this length holds beside Q, K, V and O; operations are the same for both."""
    return (
        wrong("score_mebibytes", score_bytes(length, heads) / 2**20, "all scores in memory, fp16", "全部分数占的内存，fp16", "MiB"),
        right("statistics_mebibytes", statistics_bytes(length, heads) / 2**20, "m and l of every row, fp32", "每行的 m 与 l，fp32", "MiB"),
        measured("memory_ratio", score_bytes(length, heads) / statistics_bytes(length, heads), "ratio", "两者之比"),
        measured(
            "gigaflops",
            attention_flops(length, heads, 128) / 1e9,
            "operations of either way, head width 128",
            "两种做法的运算量，头宽 128",
            "GFLOP",
        ),
    )


def _matrices(history: list[Running], exact: Tensor, forgetful: Running, weights: Tensor, keys: int) -> tuple[Matrix, ...]:
    """Row q1 after every block, and the outputs of all rows."""
    rows, after = names("q", QUERIES), names("b", len(history))
    early = torch.stack([state.result()[0] for state in history])
    return (
        Matrix(
            "output_after_block",
            grid(early),
            Label("output of q1 if it ended after that block", "若到该块为止，q1 的输出"),
            after,
            names("", WIDTH),
            "o / l",
            arm="right",
        ),
        Matrix("output", grid(exact), Label("output", "输出"), rows, names("", WIDTH), r"\mathrm{softmax}(S) V"),
        Matrix(
            "output_without_rescaling",
            grid(forgetful.result()),
            Label("output without rescaling", "不重新缩放的输出"),
            rows,
            names("", WIDTH),
            arm="wrong",
        ),
        Matrix(
            "weights",
            grid(weights),
            Label("weights, never held by the online way", "权重（在线做法从不保存）"),
            rows,
            names("k", keys),
            r"\mathrm{softmax}(S)",
            "weights",
        ),
    )


def _first_row(history: list[Running]) -> Table:
    """m and l of q1; a maximum of -inf (no allowed key yet) is shown as a dash."""

    def row(index: int, state: Running) -> tuple[float | str, ...]:
        before = history[index - 1].largest[0, 0] if index else torch.tensor(-math.inf)
        shrink = number(torch.exp(before - state.largest[0, 0])) if state.largest[0, 0] > -math.inf else 1.0
        m = number(state.largest[0, 0])
        return f"b{index + 1}", m if m > -math.inf else "-", shrink, number(state.denominator[0, 0])

    return Table(
        "running",
        Label("row q1, block by block", "q1 这一行，逐块"),
        (
            Label("block", "块"),
            Label("maximum m", "最大值 m"),
            Label("factor for the sums before", "旧和的缩放因子"),
            Label("denominator l", "分母 l"),
        ),
        tuple(row(index, state) for index, state in enumerate(history)),
    )


def _curves(heads: int) -> tuple[Series, ...]:
    x = tuple(map(float, LENGTHS))
    scores = tuple(math.log2(score_bytes(n, heads) / 2**20) for n in LENGTHS)
    kept = tuple(math.log2(statistics_bytes(n, heads) / 2**20) for n in LENGTHS)
    return (
        Series(
            "log2_score_mebibytes_over_length",
            x,
            scores,
            Label("log2 of MiB, all scores", "MiB 的 log2，全部分数"),
            LENGTH,
            "memory",
            True,
            "wrong",
        ),
        Series(
            "log2_statistics_mebibytes_over_length",
            x,
            kept,
            Label("log2 of MiB, m and l", "MiB 的 log2，m 与 l"),
            LENGTH,
            "memory",
            True,
            "right",
        ),
    )


STEPS = (
    Step(Label("scores of one block of keys", "一块键的分数"), r"S = \frac{Q K_b^\top}{\sqrt{d}}"),
    Step(Label("new maximum of every row", "每行新的最大值"), r"m' = \max(m, \max_j S_j)"),
    Step(Label("old sums, rescaled, plus the block's", "旧和重新缩放，再加本块"), r"l' = e^{m - m'} l + \sum_j e^{S_j - m'}"),
    Step(Label("the output alike", "输出同理"), r"o' = e^{m - m'} o + \sum_j e^{S_j - m'} v_j"),
    Step(Label("one division at the end", "最后只除一次"), r"\frac{o}{l}", (QUERIES, WIDTH), "output"),
)


def _notes(keys: int, block: int, history: list[Running]) -> tuple[Label, ...]:
    single = Label(
        "One block holds all keys: this is ordinary softmax, nothing is rescaled.", "一块装下了所有键：就是普通 softmax，无需缩放。"
    )
    still = Label(
        "No maximum moved after the first block: forgetting to rescale does not show here.", "首块之后最大值没有变：忘了缩放也看不出来。"
    )
    return tuple(note for applies, note in ((block >= keys, single), (block < keys and not rescalings(history), still)) if applies)


def cost(*, keys: int, block: int, causal: str, length: int, heads: int, seed: int) -> Cost:
    return Cost(bytes=8 * (10 * QUERIES * keys + 4 * WIDTH * keys), flops=4 * QUERIES * keys * (4 * WIDTH + 20))


EXPERIMENT = Experiment(
    title=Label("FlashAttention: online softmax", "FlashAttention：在线 softmax"),
    summary=Label(
        "Softmax without ever seeing a whole row: running maximum, denominator and output.",
        "从不看完整一行的 softmax：滚动的最大值、分母与输出。",
    ),
    parameters=(
        Parameter("keys", Label("keys", "键的个数"), 6, 1, 32),
        Parameter("block", Label("keys in a block", "每块的键数"), 2, 1, 32),
        choice("causal", Label("causal mask", "因果掩码"), ("no", "no", "无"), ("yes", "yes", "有")),
        Parameter("length", LENGTH, 8192, LENGTHS[0], LENGTHS[-1], 2, "log"),
        Parameter("heads", Label("heads h", "头数 h"), 32, 1, 128, 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(Running, take_block, online_attention, take_block_without_rescaling),
    arms=("no_rescaling_error", "online_error"),
)
