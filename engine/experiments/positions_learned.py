"""Learned positions are rows of a table: the original BERT has 512, and position 512 is an error, not a number."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.absolute_positions import absolute_scores, look_up_position, sinusoidal
from engine.textbook.text_chunks import best_chunk, chunks, context

TOKENS, WIDTH = 6, 64  # of the text that is shifted, and of the vectors drawn; the parameter count takes the width given
INITIAL = 0.02  # standard deviation of BERT's tables before training
LENGTHS = tuple(range(64, 1025, 64))
LENGTH = Label("tokens of the text", "文本的词元数")


def run(*, rows: int, width: int, length: int, shift: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    table = INITIAL * torch.randn(rows, WIDTH, generator=generator, dtype=torch.float64)
    found, error = try_to_look_up(table, length)
    computed = sinusoidal(torch.arange(length), WIDTH)
    return Result(
        quantities=(
            wrong("positions_missing", length - found, "tokens without a position, learned table", "没有位置向量的词元数：学习的表"),
            right("sinusoid_missing", length - len(computed), "tokens without a position, sinusoidal", "没有位置向量的词元数：正弦"),
            measured("is_index_error", float(bool(error)), "looking them up is an IndexError (1 = yes)", "查表时是 IndexError（1 = 是）"),
            measured("table_parameters", rows * width, "parameters of the table", "表的参数量"),
            measured(
                "rows_without_gradient",
                rows - trained_rows(table, min(length, rows)),
                "rows that a text of this length does not train",
                "这样长的文本训练不到的行数",
            ),
            *_in_chunks(rows, length),
            *_shifted(table, shift, generator),
            *_neighbours(table, computed),
        ),
        matrices=(_similarity(table),),
        series=_curves(rows),
        tables=(_published(),),
        notes=_notes(error, rows, shift),
    )


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


def _in_chunks(rows: int, length: int) -> tuple[Quantity, ...]:
    """The usual way out for long texts: chunks as long as the table, each half over the one before."""
    parts, apart = chunks(length, rows, rows // 2), chunks(length, rows, rows)
    covered = {token for part in parts for token in part}
    inner = range(rows // 4, max(rows // 4 + 1, length - rows // 4))  # the text's own ends are poor in any chunk
    return (
        wrong("truncated_tokens", max(0, length - rows), "tokens lost when the text is cut off", "直接截断时丢失的词元数"),
        right("uncovered_tokens", length - len(covered), "tokens lost in chunks that overlap by half", "重叠一半分块时丢失的词元数"),
        measured("chunk_count", len(parts), "chunks", "块数"),
        measured(
            "least_context", poorest(inner, parts, length), "context on a token's poorer side, at least", "词元较少一侧的上下文，至少"
        ),
        measured("least_context_apart", poorest(inner, apart, length), "... chunks without overlap", "……分块不重叠时"),
    )


def poorest(tokens: range, parts: list[range], length: int) -> int:
    """The least context of any of the tokens in its best chunk."""
    return min((context(token, best_chunk(token, parts)) for token in tokens if token < length), default=0)


def _shifted(table: Tensor, shift: int, generator: torch.Generator) -> tuple[Quantity, ...]:
    """Scores of the same tokens at rows 0, 1, 2 ... and at rows further down; the rows as large as the tokens, as after training."""
    X, W_Q, W_K = (torch.randn(count, WIDTH, generator=generator, dtype=torch.float64) for count in (TOKENS, WIDTH, WIDTH))
    moved = min(shift, len(table) - TOKENS)

    def scores(start: int) -> Tensor:
        places = look_up_position(table, torch.arange(start, start + TOKENS)) / INITIAL
        return absolute_scores(X @ W_Q, X @ W_K, places @ W_Q, places @ W_K) / (WIDTH * math.sqrt(WIDTH))

    return (
        wrong(
            "shifted_scores_change",
            number((scores(moved) - scores(0)).abs().max()),
            "scores change when everything shifts",
            "整体平移后分数的变化",
        ),
    )


def _neighbours(table: Tensor, computed: Tensor) -> tuple[Quantity, ...]:
    def alike(each: Tensor) -> float:
        return number(cosine_similarity(each[:-1], each[1:], dim=-1).mean())

    return (
        measured("neighbour_cosine_untrained", alike(table), "cosine of neighbouring rows, untrained table", "相邻行的余弦：未训练的表"),
        measured("neighbour_cosine_sinusoid", alike(computed), "cosine of neighbouring positions, sinusoidal", "相邻位置的余弦：正弦"),
    )


def _similarity(table: Tensor) -> Matrix:
    rows = table[:TOKENS]
    cosines = cosine_similarity(rows[:, None], rows[None], dim=-1)
    places = names("p", TOKENS)
    return Matrix(
        "row_cosines",
        grid(cosines),
        Label("cosines of the first rows, untrained: no order yet", "未训练时前几行的余弦：尚无次序"),
        places,
        places,
    )


def _curves(rows: int) -> tuple[Series, ...]:
    x = tuple(map(float, LENGTHS))
    missing = tuple(float(max(0, length - rows)) for length in LENGTHS)
    return (
        Series(
            "missing_over_length",
            x,
            missing,
            Label("missing, learned", "缺位置：学习的表"),
            LENGTH,
            "missing",
            arm="wrong",
        ),
        Series(
            "sinusoid_missing_over_length", x, (0.0,) * len(x), Label("missing, sinusoidal", "缺位置：正弦"), LENGTH, "missing", arm="right"
        ),
    )


def _published() -> Table:
    columns = (
        Label("model", "模型"),
        Label("rows", "行数"),
        Label("width", "宽度"),
        Label("parameters", "参数量"),
        Label("longest text", "最长文本"),
    )
    models = (("BERT-base", 512, 768, 512), ("BERT-large", 512, 1024, 512), ("RoBERTa-base", 514, 768, 512), ("GPT-2", 1024, 768, 1024))
    rows = tuple((name, rows, width, rows * width, longest) for name, rows, width, longest in models)  # RoBERTa counts from 2
    return Table("published", Label("tables of positions", "各模型的位置表"), columns, rows)


def _notes(error: str, rows: int, shift: int) -> tuple[Label, ...]:
    refused = Label(f"IndexError: {error}.", f"IndexError：位置 {rows} 超出了 {rows} 行的表（0..{rows - 1}）。")
    clamped = Label(f"The table ends: the shift is {rows - TOKENS}.", f"表到此为止：平移取 {rows - TOKENS}。")
    return tuple(note for applies, note in ((bool(error), refused), (shift > rows - TOKENS, clamped)) if applies)


def cost(*, rows: int, width: int, length: int, shift: int, seed: int) -> Cost:
    cells = WIDTH * (2 * rows + 4 * length + shift) + math.prod((2, WIDTH, WIDTH))
    return Cost(bytes=8 * cells, flops=40 * cells)


EXPERIMENT = Experiment(
    title=Label("learned positions", "可学习的位置编码"),
    summary=Label(
        "A table with a row for every position, and a text that is longer than the table.", "每个位置一行的表，以及一段比表还长的文本。"
    ),
    parameters=(
        Parameter("rows", Label("rows of the table", "表的行数"), 512, 64, 1024, 64),
        Parameter("width", Label("d_model", "d_model"), 768, 64, 1024, 64),
        Parameter("length", LENGTH, 513, 2, 1024),
        Parameter("shift", Label("shift of a short text", "短文本的平移"), 100, 0, 500, 10),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(look_up_position, absolute_scores, sinusoidal, chunks),
    arms=("positions_missing", "sinusoid_missing"),
)
