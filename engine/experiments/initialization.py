"""Weights of the wrong size make a deep stack's signal vanish: ReLU needs Kaiming's √(2/in); 0.02 suits other networks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.initialization import Rule, bert, kaiming, score_std, signal_by_depth, torch_attention, torch_linear, xavier

WIDEST, DEEPEST = 256, 50
ROWS = 32
D_MODEL, HEADS, TOKENS = 768, 12, 32  # BERT-base's attention
DEPTH = Label("layers", "层数")

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": torch.relu, "tanh": torch.tanh, "none": lambda x: x}
RULES: tuple[tuple[str, Label, Rule, Literal["", "right", "wrong"]], ...] = (
    ("normal", Label("N(0, 0.02²)", "N(0, 0.02²)"), bert, "wrong"),
    ("xavier", Label("Xavier", "Xavier"), xavier, ""),
    ("kaiming", Label("Kaiming", "Kaiming"), kaiming, "right"),
)
SCORES: tuple[tuple[str, Label, Rule], ...] = (
    ("linear_score_std", Label("nn.Linear", "nn.Linear"), torch_linear),
    ("attention_score_std", Label("nn.MultiheadAttention", "nn.MultiheadAttention"), torch_attention),
    ("xavier_score_std", Label("Xavier, square", "Xavier，方阵"), xavier),
    ("bert_score_std", Label("N(0, 0.02²)", "N(0, 0.02²)"), bert),
)


def run(*, width: int, layers: int, activation: str, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(ROWS, width, generator=generator, dtype=torch.float64)
    weights = torch.randn(layers, width, width, generator=generator).double()  # drawn in float32, which is five times faster
    spreads = {name: signal_by_depth(x, weights, rule(width, width), ACTIVATIONS[activation]).tolist() for name, _, rule, _ in RULES}
    scores = _score_spreads(seed)
    return Result(
        quantities=(
            *_left(spreads),
            *(measured(name, scores[name], f"score std, {label.en}", f"分数的标准差，{label.zh}") for name, label, _ in SCORES),
            measured("bert_score_formula", bert(D_MODEL, D_MODEL) ** 2 * D_MODEL, "0.02²·768", "0.02²·768"),
        ),
        series=tuple(_curve(name, label, spreads[name], arm) for name, label, _, arm in RULES),
        tables=(_table(scores),),
        notes=_notes(activation),
    )


def _left(spreads: dict[str, list[float]]) -> tuple[Quantity, ...]:
    normal, middle, he = (spreads[name][-1] for name in ("normal", "xavier", "kaiming"))
    return (
        wrong("normal_std", normal, "std after the last layer, N(0, 0.02²)", "最后一层的标准差，N(0, 0.02²)"),
        measured("xavier_std", middle, "std after the last layer, Xavier", "最后一层的标准差，Xavier"),
        right("kaiming_std", he, "std after the last layer, Kaiming", "最后一层的标准差，Kaiming"),
    )


def _score_spreads(seed: int) -> dict[str, float]:
    """Attention scores of normed tokens at the first step, for the usual ways to begin. They go with the variance of W."""
    generator = torch.Generator().manual_seed(seed)
    x = layer_norm(torch.randn(TOKENS, D_MODEL, generator=generator).double(), (D_MODEL,))
    W_Q, W_K = torch.randn(2, D_MODEL, D_MODEL, generator=generator).double()
    unit = score_std(x, W_Q, W_K, 1.0, HEADS)
    return {name: unit * rule(D_MODEL, D_MODEL) ** 2 for name, _, rule in SCORES}


def _curve(name: str, label: Label, spreads: list[float], arm: Literal["", "right", "wrong"]) -> Series:
    x = tuple(float(layer) for layer in range(1, len(spreads) + 1))
    y = tuple(math.log10(max(spread, 1e-300)) for spread in spreads)
    return Series(f"{name}_over_layers", x, y, Label(f"{label.en}, log₁₀", f"{label.zh}，log₁₀"), DEPTH, "signal", arm=arm)


def _table(scores: dict[str, float]) -> Table:
    columns = (Label("rule", "规则"), Label("std of W", "W 的标准差"), Label("std of the scores", "分数的标准差"))
    rows = tuple((label, rule(D_MODEL, D_MODEL), scores[name]) for name, label, rule in SCORES)
    return Table("score_spread", Label("attention at the first step, D = 768", "第一步时的注意力，D = 768"), columns, rows)


def _notes(activation: str) -> tuple[Label, ...]:
    found = {
        "none": Label(
            "Kaiming's 2 makes up for ReLU: without an activation it doubles the power every layer, and the right factor is 1.",
            "Kaiming 的 2 是为 ReLU 补偿的：没有激活函数时它每层把功率翻倍，正确的系数是 1。",
        ),
        "tanh": Label(
            "tanh presses a little at every layer, so Xavier fades slowly; larger weights only press harder.",
            "tanh 每层都压缩一点，所以 Xavier 下信号缓慢衰减；权重再大，也只是压得更狠。",
        ),
    }
    return (found[activation],) if activation in found else ()


def cost(*, width: int, layers: int, activation: str, seed: int) -> Cost:
    cells = layers * width**2
    attention = 2 * D_MODEL**2
    return Cost(bytes=12 * (cells + attention), flops=3 * 2 * ROWS * cells + 20 * cells + 2 * TOKENS * attention + 20 * attention)


EXPERIMENT = Experiment(
    title=Label("initialisation", "权重初始化"),
    summary=Label(
        "One signal through a deep stack, its weights drawn by three rules; and the scores with which attention begins.",
        "同一信号穿过深层网络，权重按三种规则抽取；以及注意力分数的起点。",
    ),
    parameters=(
        Parameter("width", Label("width", "宽度"), 256, 16, WIDEST, 2, "log"),
        Parameter("layers", DEPTH, 20, 1, DEEPEST),
        choice("activation", Label("activation", "激活函数"), ("relu", "ReLU", "ReLU"), ("tanh", "tanh", "tanh"), ("none", "none", "无")),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(kaiming, xavier, bert, torch_linear, torch_attention, signal_by_depth, score_std),
    arms=("normal_std", "kaiming_std"),
)
