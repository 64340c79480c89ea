"""Relative positions add to each score something that only knows the distance: a shift changes no score, and no text is too long."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.absolute_positions import absolute_scores
from engine.textbook.relative_positions import clipped, distances, relative_key_scores, t5_bucket

TOKENS, WIDTH = 6, 8
ROWS = 600  # of the absolute table that is shifted beside it
FARTHEST = 128
BACK = tuple(range(201))  # the x axis
DISTANCE = Label("distance back", "往回的距离")


def run(*, farthest: int, buckets: int, direction: str, heads: int, shift: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    Q, K = (torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64) for _ in range(2))
    relative = torch.randn(2 * farthest + 1, WIDTH, generator=generator, dtype=torch.float64)
    absolute = torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64)
    both_ways = direction == "both"
    added = relative_key_scores(Q, relative, TOKENS)  # (T, T)
    scores = (Q @ K.T + added) / math.sqrt(WIDTH)
    return Result(
        quantities=(
            wrong(
                "absolute_shift_change",
                shift_change_absolute(Q, K, absolute, shift),
                "scores change with a shift, absolute table",
                "平移引起的分数变化：绝对位置表",
            ),
            right(
                "relative_shift_change",
                shift_change_relative(Q, K, relative, shift),
                "scores change with a shift, relative table",
                "平移引起的分数变化：相对位置表",
            ),
            measured("table_rows", 2 * farthest + 1, "rows of the relative table", "相对位置表的行数"),
            measured(
                "rows_used",
                len(set(clipped(distances(TOKENS, TOKENS), farthest).flatten().tolist())),
                "rows that six tokens use",
                "六个词元用到的行数",
            ),
            measured(
                "order_change", reversal_change(scores, Q, K, relative), "scores change when the order is reversed", "颠倒次序后分数的变化"
            ),
            *_buckets(buckets, both_ways, heads),
        ),
        matrices=_matrices(Q, K, added, scores, farthest),
        series=_curves(buckets, both_ways),
        tables=(_bucket_table(buckets, both_ways),),
        notes=_notes(farthest),
    )


def shift_change_absolute(Q: Tensor, K: Tensor, table: Tensor, shift: int) -> float:
    """The tokens at rows 0, 1, 2 ... and at shift, shift + 1 ... of an absolute table."""
    here, moved = table[:TOKENS], table[shift : shift + TOKENS]
    change = absolute_scores(Q, K, moved, moved) - absolute_scores(Q, K, here, here)
    return number(change.abs().max()) / math.sqrt(WIDTH)


def shift_change_relative(Q: Tensor, K: Tensor, table: Tensor, shift: int) -> float:
    """The same tokens behind `shift` others, whose scores are computed with all the rest and then left out."""
    longer_Q, longer_K = (torch.cat((torch.zeros(shift, WIDTH, dtype=torch.float64), each)) for each in (Q, K))
    moved = longer_Q @ longer_K.T + relative_key_scores(longer_Q, table, shift + TOKENS)
    change = moved[shift:, shift:] - (Q @ K.T + relative_key_scores(Q, table, TOKENS))
    return number(change.abs().max()) / math.sqrt(WIDTH)


def reversal_change(scores: Tensor, Q: Tensor, K: Tensor, table: Tensor) -> float:
    """Unlike no positions at all, relative ones tell an order from its reverse."""
    backwards = (Q.flip(0) @ K.flip(0).T + relative_key_scores(Q.flip(0), table, TOKENS)) / math.sqrt(WIDTH)
    return number((backwards.flip(0, 1) - scores).abs().max())


def _buckets(buckets: int, both_ways: bool, heads: int) -> tuple[Quantity, ...]:
    back = t5_bucket(-torch.arange(1000), buckets, FARTHEST, both_ways)
    first_shared = next(index for index in range(1, 1000) if back[index] == back[index - 1])
    return (
        measured("t5_parameters", buckets * heads, "T5: parameters, a number a bucket and head", "T5：参数量，每桶每头一个数"),
        measured("t5_exact", first_shared - 1, "T5: distances back with a bucket of their own, from 0", "T5：从 0 起独占一桶的往回距离数"),
        measured("t5_buckets_back", len(set(back.tolist())), "T5: buckets for looking back", "T5：往回看的桶数"),
        measured(
            "t5_last_starts_at", int((back < back.max()).sum()), "T5: the last bucket holds all from distance", "T5：最后一桶容纳的距离起点"
        ),
    )


def _matrices(Q: Tensor, K: Tensor, added: Tensor, scores: Tensor, farthest: int) -> tuple[Matrix, ...]:
    queries, keys, features = names("q", TOKENS), names("k", TOKENS), names("", WIDTH)
    used = clipped(distances(TOKENS, TOKENS), farthest) - farthest
    return (
        Matrix(
            "distance", grid(used.double()), Label(f"distance, clipped at {farthest}", f"距离，截断于 {farthest}"), queries, keys, "j - i"
        ),
        Matrix(
            "added",
            grid(added),
            Label("what the distance adds to each score", "距离给每个分数加上的部分"),
            queries,
            keys,
            r"q_i \cdot a_{j-i}",
            arm="right",
        ),
        Matrix("content", grid(Q @ K.T), Label("content alone", "只看内容"), queries, keys, r"q_i \cdot k_j", product_of=("Q", "K_T")),
        Matrix("scores", grid(scores), Label("scores", "分数"), queries, keys, r"\frac{q_i \cdot k_j + q_i \cdot a_{j-i}}{\sqrt{d}}"),
        Matrix("Q", grid(Q), Label("queries", "查询"), queries, features, "Q"),
        Matrix("K_T", grid(K.T), Label("keys, transposed", "键的转置"), features, keys, r"K^\top"),
    )


def _curves(buckets: int, both_ways: bool) -> tuple[Series, ...]:
    back = t5_bucket(-torch.tensor(BACK), buckets, FARTHEST, both_ways)
    return (
        Series(
            "t5_bucket_over_distance",
            tuple(map(float, BACK)),
            tuple(back.double().tolist()),
            Label("T5's bucket", "T5 的桶"),
            DISTANCE,
            "buckets",
        ),
    )


def _bucket_table(buckets: int, both_ways: bool) -> Table:
    back = t5_bucket(-torch.arange(400), buckets, FARTHEST, both_ways)
    rows = tuple((each, int((back < each).sum()), int((back == each).sum())) for each in sorted(set(back.tolist()))[:-1])
    columns = (Label("bucket", "桶"), Label("from distance", "起始距离"), Label("distances in it", "包含的距离数"))
    return Table(
        "t5_buckets_table",
        Label("T5's buckets for looking back; the last one has no end", "T5 往回看的桶；最后一桶没有上限"),
        columns,
        (*rows, (int(back.max()), int((back < back.max()).sum()), "∞")),
    )


def _notes(farthest: int) -> tuple[Label, ...]:
    original = Label(
        "The original BERT has none of this: it adds an absolute table to the inputs, once.",
        "原版 BERT 没有这些：它只在输入处加一次绝对位置表。",
    )
    shared = Label(
        f"Beyond {farthest} all distances share a row: only before and after are told apart.",
        f"超过 {farthest} 的距离共用一行：只分得清前后。",
    )
    return (original, shared) if farthest < TOKENS - 1 else (original,)


def cost(*, farthest: int, buckets: int, direction: str, heads: int, shift: int, seed: int) -> Cost:
    length = shift + TOKENS
    return Cost(bytes=8 * (3 * length**2 * WIDTH + (2 * farthest + ROWS) * WIDTH + 40 * buckets), flops=6 * length**2 * WIDTH)


EXPERIMENT = Experiment(
    title=Label("relative positions", "相对位置"),
    summary=Label("A learned table of distances added to the scores, and T5's buckets.", "把学习到的距离表加到分数上，以及 T5 的分桶。"),
    parameters=(
        Parameter("farthest", Label("farthest distance told apart", "能区分的最远距离"), 3, 1, 64),
        Parameter("buckets", Label("T5: buckets", "T5：桶数"), 32, 8, 64, 8),
        choice(
            "direction",
            Label("T5: direction", "T5：方向"),
            ("both", "both ways (encoder)", "双向（编码器）"),
            ("back", "only back (decoder)", "只往回看（解码器）"),
        ),
        Parameter("heads", Label("T5: heads h", "T5：头数 h"), 12, 1, 128),
        Parameter("shift", Label("shift of the whole text", "整段文本的平移"), 100, 0, 500, 10),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(relative_key_scores, clipped, t5_bucket, absolute_scores),
    arms=("absolute_shift_change", "relative_shift_change"),
)
