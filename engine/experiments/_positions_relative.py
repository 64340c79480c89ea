"""Part of positions_learned: a table of distances added to the scores, and T5's buckets."""

from __future__ import annotations

import math
from collections import Counter
from itertools import accumulate

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, Measure, Rows, measured, note, right, wrong
from engine.parameter import Parameter, choice
from engine.textbook.absolute_positions import absolute_scores
from engine.textbook.relative_positions import clipped, distances, relative_key_scores, t5_bucket

TOKENS, WIDTH = 6, 8
ROWS = 600  # of the absolute table that is shifted beside it
FARTHEST = 128
BACK = range(201)  # the x axis
BEYOND = 1000  # looks back further than any bucket but the last reaches


def relative_numbers(farthest: int, buckets: int, direction: str, heads: int, shift: int, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    Q, K = (torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64) for _ in range(2))
    relative = torch.randn(2 * farthest + 1, WIDTH, generator=generator, dtype=torch.float64)
    absolute = torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64)
    used = clipped(distances(TOKENS, TOKENS), farthest)
    content, added = Q @ K.T, relative_key_scores(Q, relative, TOKENS)  # (T, T)
    scores = (content + added) / math.sqrt(WIDTH)
    return {
        "absolute_shift_change": shift_change_absolute(Q, K, absolute, shift),
        "relative_shift_change": shift_change_relative(Q, K, relative, shift),
        "table_rows": len(relative),
        "largest_distance": TOKENS - 1,
        "rows_used": len(set(used.flatten().tolist())),
        "order_change": reversal_change(scores, Q, K, relative),
        "t5_parameters": buckets * heads,
        **looking_back(t5_bucket(-torch.arange(BEYOND), buckets, FARTHEST, direction == "both")),
        "distance": used - farthest,
        "added": added,
        "content": content,
        "scores": scores,
        "Q": Q,
        "K_T": K.T,
    }


def shift_change_absolute(Q: Tensor, K: Tensor, table: Tensor, shift: int) -> Tensor:
    """The tokens at rows 0, 1, 2 ... and at shift, shift + 1 ... of an absolute table."""
    here, moved = table[:TOKENS], table[shift : shift + TOKENS]
    change = absolute_scores(Q, K, moved, moved) - absolute_scores(Q, K, here, here)
    return change.abs().max() / math.sqrt(WIDTH)


def shift_change_relative(Q: Tensor, K: Tensor, table: Tensor, shift: int) -> Tensor:
    """The same tokens behind `shift` others, whose scores are computed with all the rest and then left out."""
    longer_Q, longer_K = (torch.cat((torch.zeros(shift, WIDTH, dtype=torch.float64), each)) for each in (Q, K))
    moved = longer_Q @ longer_K.T + relative_key_scores(longer_Q, table, shift + TOKENS)
    change = moved[shift:, shift:] - (Q @ K.T + relative_key_scores(Q, table, TOKENS))
    return change.abs().max() / math.sqrt(WIDTH)


def reversal_change(scores: Tensor, Q: Tensor, K: Tensor, table: Tensor) -> Tensor:
    """Unlike no positions at all, relative ones tell an order from its reverse."""
    backwards = (Q.flip(0) @ K.flip(0).T + relative_key_scores(Q.flip(0), table, TOKENS)) / math.sqrt(WIDTH)
    return (backwards.flip(0, 1) - scores).abs().max()


def looking_back(bucket: Tensor) -> Numbers:
    """T5's buckets of the distances back 0, 1, 2, ...: where each starts, and how many distances it holds."""
    counts = Counter(bucket.tolist())  # nearest first
    starts = [0, *accumulate(counts.values())][:-1]
    return {
        "t5_exact": next(index for index in range(1, BEYOND) if bucket[index] == bucket[index - 1]) - 1,
        "t5_buckets_back": len(counts),
        "t5_last_starts_at": starts[-1],
        "t5_bucket_over_distance": (BACK, bucket[: len(BACK)]),
        "t5_buckets_table": list(zip(counts, starts, [*list(counts.values())[:-1], "∞"], strict=True)),
    }


MEASURES: tuple[Measure, ...] = (
    wrong("absolute_shift_change", "text shifted: largest change of a score, absolute table", "整体平移：分数的最大变化，绝对位置表"),
    right("relative_shift_change", "text shifted: largest change of a score, relative table", "整体平移：分数的最大变化，相对位置表"),
    measured("table_rows", "rows of the relative table", "相对位置表的行数", within=(3, 129)),
    measured("rows_used", "rows that six tokens use", "六个词元用到的行数", within=(3, 2 * TOKENS - 1)),
    measured("order_change", "order reversed: largest change of a score", "颠倒次序：分数的最大变化"),
    measured("t5_parameters", "T5: parameters, a number a bucket and head", "T5：参数量，每桶每头一个数", within=(8, 64 * 128)),
    measured("t5_exact", "T5: distances back with a bucket of their own, from 0", "T5：从 0 起独占一桶的往回距离数", within=(2, 32)),
    measured("t5_buckets_back", "T5: buckets for looking back", "T5：往回看的桶数", within=(4, 64)),
    measured("t5_last_starts_at", "T5: the last bucket holds all from distance", "T5：最后一桶容纳的距离起点", within=(1, FARTHEST)),
    Grid("distance", Label("distance, clipped at {farthest}", "距离，截断于 {farthest}"), "q{1}", "k{1}", "j - i"),
    Grid(
        "added",
        Label("what the distance adds to each score", "距离给每个分数加上的部分"),
        "q{1}",
        "k{1}",
        r"q_i \cdot a_{j-i}",
        arm="right",
    ),
    Grid("content", Label("content alone", "只看内容"), "q{1}", "k{1}", r"q_i \cdot k_j", product_of=("Q", "K_T")),
    Grid("scores", Label("scores", "分数"), "q{1}", "k{1}", r"\frac{q_i \cdot k_j + q_i \cdot a_{j-i}}{\sqrt{d}}"),
    Grid("Q", Label("queries", "查询"), "q{1}", "{1}", "Q"),
    Grid("K_T", Label("keys, transposed", "键的转置"), "{1}", "k{1}", r"K^\top"),
    Curve("t5_bucket_over_distance", Label("T5's bucket", "T5 的桶"), Label("distance back", "往回的距离"), "buckets"),
    Rows(
        "t5_buckets_table",
        Label("T5's buckets for looking back; the last one has no end", "T5 往回看的桶；最后一桶没有上限"),
        (Label("bucket", "桶"), Label("from distance", "起始距离"), Label("distances in it", "包含的距离数")),
    ),
    note(
        "original_bert",
        "",
        "The original BERT has none of this: it adds an absolute table to the inputs, once.",
        "原版 BERT 没有这些：它只在输入处加一次绝对位置表。",
    ),
    note(
        "shared_row",
        "farthest < largest_distance",
        "Beyond {farthest} all distances share a row: only before and after are told apart.",
        "超过 {farthest} 的距离共用一行：只分得清前后。",
    ),
    note("still", "shift == 0", "A shift by 0 changes nothing.", "平移 0 不改变任何东西。"),
)

PARAMETERS = (
    Parameter("farthest", Label("distances: farthest told apart", "距离表：能区分的最远距离"), 3, 1, 64),
    Parameter("buckets", Label("T5: buckets", "T5：桶数"), 32, 8, 64, 8),
    choice(
        "direction",
        Label("T5: direction", "T5：方向"),
        ("both", "both ways (encoder)", "双向（编码器）"),
        ("back", "only back (decoder)", "只往回看（解码器）"),
    ),
    Parameter("heads", Label("T5: heads h", "T5：头数 h"), 12, 1, 128),
)

FIGURES = (
    Figure("heatmap", ("distance",)),
    Figure("bars", ("absolute_shift_change", "relative_shift_change")),
    Figure("heatmap", ("content", "added", "scores")),
    Figure("curve", ("t5_bucket_over_distance",)),
    Figure("table", ("t5_buckets_table",)),
    Figure("heatmap", ("Q", "K_T")),
)
