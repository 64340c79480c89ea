"""Learned positions end with their table and change every score when the text is shifted; relative ones do neither."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments import _positions_relative
from engine.experiments._positions_table import FEWEST, MOST, SHIFTS, TOKENS, WIDTH, learned_numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import YES_OR_NO, Curve, Grid, Measure, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.absolute_positions import frequencies
from engine.textbook.relative_positions import t5_bucket
from engine.textbook.rotary_positions import rotate_interleaved


def run(*, rows: int, width: int, length: int, shift: int, farthest: int, buckets: int, direction: str, heads: int, seed: int) -> Numbers:
    relative = _positions_relative.relative_numbers(farthest, buckets, direction, heads, shift, seed)
    learned = learned_numbers(rows, width, length, shift, seed)
    relative_parameters = (2 * farthest + 1) * width
    return {
        **relative,
        **learned,
        "relative_parameters": relative_parameters,
        "rotary_change_over_shift": (SHIFTS, [rotary_change(each, seed) for each in SHIFTS]),
        "questions": [
            (learned["shifted_scores_change"], learned["table_parameters"], learned["positions_missing"]),
            (learned["sinusoid_shifted_scores_change"], 0, learned["sinusoid_missing"]),
            (relative["relative_shift_change"], relative_parameters, 0),
            (bucket_change(buckets, direction, shift), relative["t5_parameters"], 0),
            (rotary_change(shift, seed), 0, 0),
        ],
    }


def bucket_change(buckets: int, direction: str, shift: int) -> int:
    """How many of the tokens' pairs get another of T5's buckets when all places are higher by the shift."""
    here, moved = torch.arange(TOKENS), torch.arange(shift, shift + TOKENS)
    both = direction == "both"
    kinds = (t5_bucket(places - places[:, None], buckets, 128, both) for places in (here, moved))
    return int(torch.ne(*kinds).sum())


def rotary_change(shift: int, seed: int) -> Tensor:
    """Largest change of a score of turned queries and keys."""
    generator = torch.Generator().manual_seed(seed + 1000)
    query, key = (torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64) for _ in range(2))

    def scores(start: int) -> Tensor:
        angles = torch.arange(start, start + TOKENS)[:, None] * frequencies(WIDTH)
        return rotate_interleaved(query, angles) @ rotate_interleaved(key, angles).T / math.sqrt(WIDTH)

    return (scores(shift) - scores(0)).abs().max()


LENGTH = Label("tokens of the text", "文本的词元数")
OVER = (0, MOST - FEWEST)  # tokens of the longest text beyond the smallest table
COSINE = (-1, 1)
SHIFTED = (Label("shift of the text", "整段平移"), "shifted")

MEASURES: tuple[Measure, ...] = (
    wrong("positions_missing", "tokens without a position, learned table", "没有位置向量的词元数：学习的表", within=OVER),
    right("sinusoid_missing", "tokens without a position, sinusoidal", "没有位置向量的词元数：正弦", within=(0, MOST)),
    measured(
        "is_index_error", "looking up all positions is an IndexError (1 = yes)", "查全部位置时是 IndexError（1 = 是）", within=YES_OR_NO
    ),
    measured("table_parameters", "parameters of the table", "表的参数量", within=(64 * FEWEST, 1024 * MOST)),
    measured("rows_without_gradient", "rows that a text of this length does not train", "这样长的文本训练不到的行数", within=(0, MOST)),
    wrong("truncated_tokens", "tokens lost when the text is cut off", "直接截断时丢失的词元数", within=OVER),
    right("uncovered_tokens", "tokens lost in chunks that overlap by half", "重叠一半分块时丢失的词元数", within=(0, MOST)),
    measured("chunk_count", "chunks that overlap by half", "重叠一半的块数", within=(1, 2 * MOST / FEWEST)),
    measured(
        "least_context",
        "least context on a token's poorer side, chunks overlap",
        "词元较少一侧的最少上下文，分块重叠",
        within=(0, MOST / 2),
    ),
    measured(
        "least_context_apart",
        "least context on a token's poorer side, no overlap",
        "词元较少一侧的最少上下文，分块不重叠",
        within=(0, MOST / 2),
    ),
    wrong("shifted_scores_change", "text shifted: largest change of a score, learned table", "整体平移：分数的最大变化，学习的表"),
    measured("sinusoid_shifted_scores_change", "text shifted: largest change of a score, sinusoidal", "整体平移：分数的最大变化，正弦"),
    measured("relative_parameters", "parameters of a table of distances, d_model wide", "距离表的参数量，宽 d_model"),
    measured(
        "neighbour_cosine_untrained", "mean cosine of neighbouring rows, untrained table", "相邻行的平均余弦，未训练的表", within=COSINE
    ),
    measured("neighbour_cosine_sinusoid", "mean cosine of neighbouring positions, sinusoidal", "相邻位置的平均余弦，正弦", within=COSINE),
    Grid("row_cosines", Label("cosines of the first rows, untrained", "前几行的余弦，未训练"), "p{0}", "p{0}"),
    Curve(
        "missing_over_length",
        Label("tokens without a position, learned table", "没有位置向量的词元数，学习的表"),
        LENGTH,
        "missing",
        arm="wrong",
    ),
    Curve(
        "sinusoid_missing_over_length",
        Label("tokens without a position, sinusoidal", "没有位置向量的词元数，正弦"),
        LENGTH,
        "missing",
        arm="right",
    ),
    Curve("learned_change_over_shift", Label("largest change of a score, learned", "分数的最大变化，学习的表"), *SHIFTED, arm="wrong"),
    Curve("sinusoid_change_over_shift", Label("largest change of a score, sinusoidal", "分数的最大变化，正弦"), *SHIFTED),
    Curve("rotary_change_over_shift", Label("largest change of a score, RoPE", "分数的最大变化，RoPE"), *SHIFTED, arm="right"),
    Rows(
        "questions",
        Label("text shifted by {shift}, {length} tokens long", "文本平移 {shift}、长 {length} 个词元"),
        (
            Label("positions", "位置编码"),
            Label("change of a score", "分数的变化"),
            Label("parameters", "参数量"),
            Label("tokens without one", "没有位置的词元"),
        ),
        (
            Label("learned table", "学习的表"),
            Label("sinusoidal", "正弦"),
            Label("table of distances", "距离表"),
            Label("T5's buckets", "T5 的桶"),
            Label("RoPE", "RoPE"),
        ),
    ),
    Rows(
        "published",
        Label("tables of positions", "各模型的位置表"),
        (
            Label("model", "模型"),
            Label("rows", "行数"),
            Label("width", "宽度"),
            Label("parameters", "参数量"),
            Label("longest text", "最长文本"),
        ),
    ),
    *_positions_relative.MEASURES,
    note("refused", "positions_missing > 0", "IndexError: {error}.", "IndexError：位置 {rows} 超出了 {rows} 行的表（0..{last_row}）。"),
    note("clamped", "shift > farthest_shift", "The table ends: the shift is {farthest_shift}.", "表到此为止：平移取 {farthest_shift}。"),
    note(
        "fits", "positions_missing == 0", "The text fits into the table: no token is without a row.", "文本没有超出表：每个词元都有一行。"
    ),
)

EXPERIMENT = Experiment(
    title=Label("learned and relative positions", "可学习的位置与相对位置"),
    summary=Label(
        "Does a shift of the text change the scores? What does it cost, and what happens beyond the longest text?",
        "文本平移会改变分数吗？要多少参数？超过最长文本又会怎样？",
    ),
    keywords=(
        "absolute positions",
        "position embedding",
        "maximum length",
        "512",
        "BERT",
        "GPT-2",
        "绝对位置",
        "位置嵌入",
        "最大长度",
        "T5 bias",
        "Shaw",
        "Transformer-XL",
        "relative bias",
        "buckets",
        "相对位置编码",
        "分桶",
        "偏置",
        "relative positions",
        "T5 buckets",
        "相对位置",
    ),
    parameters=(
        Parameter("rows", Label("rows of the table", "表的行数"), 512, FEWEST, MOST, 64),
        Parameter("width", Label("d_model", "d_model"), 768, 64, 1024, 64),
        Parameter("length", LENGTH, 1000, 2, MOST),
        Parameter("shift", Label("shift of a short text", "短文本的平移"), 100, 0, 500, 10),
        *_positions_relative.PARAMETERS,
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("learned_change_over_shift", "sinusoid_change_over_shift", "rotary_change_over_shift"),
            over="shift",
            mark="shifted_scores_change",
            caption=Label(
                "Absolute positions give the same words other scores further down; what knows only the distance does not.",
                "同样的词挪到后面，绝对位置就给出别的分数；只知道距离的编码则不会。",
            ),
        ),
        Figure("table", ("questions",)),
        Figure("curve", ("missing_over_length", "sinusoid_missing_over_length"), over="length", mark="positions_missing"),
        Figure("table", ("published",)),
        Figure("bars", ("truncated_tokens", "uncovered_tokens")),
        Figure("bars", ("least_context", "least_context_apart")),
        Figure("heatmap", ("row_cosines",)),
        Figure("bars", ("neighbour_cosine_untrained", "neighbour_cosine_sinusoid")),
        *_positions_relative.FIGURES,
    ),
    arms=("positions_missing", "sinusoid_missing"),
    presets=(
        Preset(
            Label("no shift", "不平移"),
            {"shift": 0},
            Label("Where nothing is shifted, every way gives the same scores.", "没有平移时，每种编码的分数都不变。"),
            "shifted_scores_change == 0 and absolute_shift_change == 0",
        ),
        Preset(
            Label("a text that fits", "放得下的文本"),
            {"length": 512},
            Label("512 rows are enough for 512 tokens; with one more it is an error.", "512 行够 512 个词元；再多一个就报错。"),
            "positions_missing == 0",
            show="missing_over_length",
        ),
        Preset(
            Label("only before or after", "只分前后"),
            {"farthest": 1},
            Label(
                "A table of three distances: before, here, after; still no shift changes a score.",
                "只有三个距离的表：前、自己、后；平移仍不改变分数。",
            ),
            "table_rows == 3 and relative_shift_change < 0.000001",
            show="distance",
        ),
    ),
    formerly=("positions_relative",),
    run=run,
)
