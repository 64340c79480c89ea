"""Learned positions are rows of a table: the original BERT has 512, and position 512 is an error, not a number."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import YES_OR_NO, Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.textbook.absolute_positions import absolute_scores, look_up_position, sinusoidal
from engine.textbook.text_chunks import best_chunk, chunks, context

TOKENS, WIDTH = 6, 64  # of the text that is shifted, and of the vectors drawn; the parameter count takes the width given
INITIAL = 0.02  # standard deviation of BERT's tables before training
FEWEST, MOST = 64, 1024  # rows of a table
LENGTHS = tuple(range(FEWEST, MOST + 1, 64))
PUBLISHED = (  # rows, width, longest text; RoBERTa counts from 2
    ("BERT-base", 512, 768, 512),
    ("BERT-large", 512, 1024, 512),
    ("RoBERTa-base", 514, 768, 512),
    ("GPT-2", 1024, 768, 1024),
)


def run(*, rows: int, width: int, length: int, shift: int, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    table = INITIAL * torch.randn(rows, WIDTH, generator=generator, dtype=torch.float64)
    found, error = try_to_look_up(table, length)
    computed = sinusoidal(torch.arange(length), WIDTH)
    first = table[:TOKENS]
    return {
        "positions_missing": length - found,
        "sinusoid_missing": length - len(computed),
        "is_index_error": bool(error),
        "table_parameters": rows * width,
        "rows_without_gradient": rows - trained_rows(table, min(length, rows)),
        "truncated_tokens": max(0, length - rows),
        **in_chunks(rows, length),
        "shifted_scores_change": shifted_scores_change(table, min(shift, rows - TOKENS), generator),
        "neighbour_cosine_untrained": neighbour_cosine(table),
        "neighbour_cosine_sinusoid": neighbour_cosine(computed),
        "row_cosines": cosine_similarity(first[:, None], first[None], dim=-1),
        "missing_over_length": (LENGTHS, [max(0, each - rows) for each in LENGTHS]),
        "sinusoid_missing_over_length": (LENGTHS, [0] * len(LENGTHS)),
        "published": [(name, count, wide, count * wide, longest) for name, count, wide, longest in PUBLISHED],
        "error": error,
        "last_row": rows - 1,
        "farthest_shift": rows - TOKENS,
    }


def try_to_look_up(table: Tensor, length: int) -> tuple[int, str]:
    """How many of the text's tokens get a row, and what the first one without a row raises."""
    try:
        return len(look_up_position(table, torch.arange(length))), ""
    except IndexError as error:
        return len(look_up_position(table, torch.arange(min(length, len(table))))), str(error)


def trained_rows(table: Tensor, length: int) -> int:
    """How many rows have a gradient after a loss over a text of that length."""
    learned = table.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(look_up_position(learned, torch.arange(length)).square().sum(), learned)
    return int(gradient.abs().sum(-1).bool().sum())


def in_chunks(rows: int, length: int) -> Numbers:
    """The usual way out for long texts: chunks as long as the table, each half over the one before."""
    parts, apart = chunks(length, rows, rows // 2), chunks(length, rows, rows)
    inner = range(rows // 4, max(rows // 4 + 1, length - rows // 4))  # the text's own ends are poor in any chunk
    return {
        "uncovered_tokens": length - len({token for part in parts for token in part}),
        "chunk_count": len(parts),
        "least_context": least_context(inner, parts, length),
        "least_context_apart": least_context(inner, apart, length),
    }


def least_context(tokens: range, parts: list[range], length: int) -> int:
    """The least context of any of the tokens in its best chunk."""
    return min((context(token, best_chunk(token, parts)) for token in tokens if token < length), default=0)


def shifted_scores_change(table: Tensor, shift: int, generator: torch.Generator) -> Tensor:
    """Scores of the same tokens at rows 0, 1, 2 ... and at rows further down; the rows as large as the tokens, as after training."""
    X, W_Q, W_K = (torch.randn(count, WIDTH, generator=generator, dtype=torch.float64) for count in (TOKENS, WIDTH, WIDTH))

    def scores(start: int) -> Tensor:
        places = look_up_position(table, torch.arange(start, start + TOKENS)) / INITIAL
        return absolute_scores(X @ W_Q, X @ W_K, places @ W_Q, places @ W_K) / (WIDTH * math.sqrt(WIDTH))

    return (scores(shift) - scores(0)).abs().max()


def neighbour_cosine(positions: Tensor) -> Tensor:
    return cosine_similarity(positions[:-1], positions[1:], dim=-1).mean()


LENGTH = Label("tokens of the text", "文本的词元数")
OVER = (0, MOST - FEWEST)  # tokens of the longest text beyond the smallest table
COSINE = (-1, 1)

MEASURES = (
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
    wrong("shifted_scores_change", "text shifted: largest change of a score", "整体平移：分数的最大变化"),
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
    note("refused", "positions_missing > 0", "IndexError: {error}.", "IndexError：位置 {rows} 超出了 {rows} 行的表（0..{last_row}）。"),
    note("clamped", "shift > farthest_shift", "The table ends: the shift is {farthest_shift}.", "表到此为止：平移取 {farthest_shift}。"),
    note(
        "fits", "positions_missing == 0", "The text fits into the table: no token is without a row.", "文本没有超出表：每个词元都有一行。"
    ),
)

EXPERIMENT = Experiment(
    title=Label("learned positions", "可学习的位置编码"),
    summary=Label(
        "A table with a row for every position, and a text that is longer than the table.", "每个位置一行的表，以及一段比表还长的文本。"
    ),
    parameters=(
        Parameter("rows", Label("rows of the table", "表的行数"), 512, FEWEST, MOST, 64),
        Parameter("width", Label("d_model", "d_model"), 768, 64, 1024, 64),
        Parameter("length", LENGTH, 1000, 2, MOST),
        Parameter("shift", Label("shift of a short text", "短文本的平移"), 100, 0, 500, 10),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure("curve", ("missing_over_length", "sinusoid_missing_over_length"), over="length", mark="positions_missing"),
        Figure("table", ("published",)),
        Figure("bars", ("truncated_tokens", "uncovered_tokens")),
        Figure("bars", ("least_context", "least_context_apart")),
        Figure("heatmap", ("row_cosines",)),
        Figure("bars", ("neighbour_cosine_untrained", "neighbour_cosine_sinusoid")),
    ),
    arms=("positions_missing", "sinusoid_missing"),
    run=run,
)
