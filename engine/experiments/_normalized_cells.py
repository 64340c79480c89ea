"""Part of layer_norm: two sentences cell by cell after every norm, and one row or column of them with its mean and its deviation."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import ANY, Grid, Measure, measured, note
from engine.textbook.normalization import batch_norm, layer_norm, layer_norm_whole_sentence, rms_norm

SENTENCES, TOKENS, WIDTH = 2, 3, 4  # what is shown cell by cell
ROWS, COLUMNS = ("a1", "a2", "a3", "b1", "b2", "b3"), ("d1", "d2", "d3", "d4")  # tokens of the sentences a and b; features


def normalized(tokens: Tensor, eps: float) -> dict[str, Tensor]:
    """Two sentences of three tokens: rows with mean 0 (LayerNorm), columns with mean 0 (BatchNorm)."""
    shown = {
        "tokens": tokens,
        "layer_normed": layer_norm(tokens, eps),
        "batch_normed": batch_norm(tokens, eps),
        "sentence_normed": layer_norm_whole_sentence(tokens, eps),
        "rms_normed": rms_norm(tokens, eps),
    }
    return {name: values.reshape(-1, WIDTH) for name, values in shown.items()}


def along(line: str, states: dict[str, Tensor]) -> Numbers:
    """One row or one column before and after every norm, with its mean and its deviation."""
    row = line in ROWS
    numbers = torch.stack([each[ROWS.index(line)] if row else each[:, COLUMNS.index(line)] for each in states.values()])
    mean, deviation = numbers.mean(-1), numbers.std(-1, correction=0)
    return {
        "line_numbers": torch.cat((numbers, mean[:, None], deviation[:, None]), -1),
        "line_names": [*(COLUMNS if row else ROWS), "μ", "σ"],
        "line_mean": mean[0],
        "line_std": deviation[0],
        "layer_norm_line_mean": mean[1],
        "layer_norm_line_std": deviation[1],
        "batch_norm_line_mean": mean[2],
        "batch_norm_line_std": deviation[2],
        "is_a_row": row,
    }


LAYER_NORM, RMS_NORM = r"\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}", r"\frac{x}{\sqrt{\overline{x^2}+\epsilon}}"
LINE = (-math.sqrt(5), math.sqrt(5))  # of at most six numbers with mean 0 and variance 1 none is larger

CELL_MEASURES: tuple[Measure, ...] = (
    measured("line_mean", "mean of the chosen row or column, before", "所选行或列的均值，之前", within=ANY),
    measured("line_std", "std of the chosen row or column, before", "所选行或列的标准差，之前"),
    measured("layer_norm_line_mean", "mean of the chosen row or column, LayerNorm", "所选行或列的均值，LayerNorm", within=LINE),
    measured("layer_norm_line_std", "std of the chosen row or column, LayerNorm", "所选行或列的标准差，LayerNorm", within=LINE),
    measured("batch_norm_line_mean", "mean of the chosen row or column, BatchNorm", "所选行或列的均值，BatchNorm", within=LINE),
    measured("batch_norm_line_std", "std of the chosen row or column, BatchNorm", "所选行或列的标准差，BatchNorm", within=LINE),
    Grid(
        "line_numbers",
        Label("{line} before (x) and after each norm, its mean μ and deviation σ", "{line} 在归一化之前（x）和之后，均值 μ 与标准差 σ"),
        ("x", "LayerNorm", "BatchNorm", "sentence", "RMSNorm"),
        "{line_names}",
    ),
    Grid("tokens", Label("tokens of two sentences, a and b", "两个句子 a 与 b 的词元"), ROWS, COLUMNS, "x"),
    Grid("layer_normed", Label("LayerNorm: every row", "LayerNorm：逐行"), ROWS, COLUMNS, LAYER_NORM, arm="right"),
    Grid("batch_normed", Label("BatchNorm: every column", "BatchNorm：逐列"), ROWS, COLUMNS, arm="wrong"),
    Grid("sentence_normed", Label("wrong: every sentence at once", "错误：整句一起"), ROWS, COLUMNS, arm="wrong"),
    Grid("rms_normed", Label("RMSNorm: every row, mean kept", "RMSNorm：逐行，保留均值"), ROWS, COLUMNS, RMS_NORM),
    note(
        "a_row",
        "is_a_row == 1",
        "{line} is a row, one token: LayerNorm brings it to mean 0 and deviation {layer_norm_line_std:.2f}. BatchNorm needs the others.",
        "{line} 是一行，即一个词元：LayerNorm 把它变成均值 0、标准差 {layer_norm_line_std:.2f}；BatchNorm 则要用到其他词元。",
    ),
    note(
        "a_column",
        "is_a_row == 0",
        "{line} is a column, one feature of all six tokens: BatchNorm brings it to mean 0 and deviation {batch_norm_line_std:.2f}.",
        "{line} 是一列，即六个词元的同一特征：BatchNorm 把它变成均值 0、标准差 {batch_norm_line_std:.2f}。",
    ),
)
