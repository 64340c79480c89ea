"""Weights must sum to 1, so idle heads park them on the first token; a window that drops this sink hands its weight to all the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import causal_mask, sliding_window_mask, softmax
from engine.textbook.sink_tokens import softmax_with_sink, window_with_sinks_mask

Arm = Literal["", "right", "wrong"]

LENGTH, WIDTH, ROWS = 256, 8, 64  # tokens and numbers a value; the last 64 queries are averaged over
SHOWN, SHOWN_WINDOW = 8, 3  # what is read cell by cell
WINDOWS = (4, 8, 16, 32, 64, 128)
STRENGTHS = tuple(0.5 * step for step in range(-4, 21))  # -2 ... 10
WINDOW, STRENGTH = Label("window w", "窗口 w"), Label("score of the first token", "首词元的分数")


@dataclass(frozen=True)
class Head:
    """Scores (T, T) and values (T, d) of one head; the first token draws every query and has the value 0: it says nothing."""

    scores: Tensor
    values: Tensor

    def weights(self, mask: Tensor) -> Tensor:
        return softmax(self.scores, mask)

    def output(self, mask: Tensor) -> Tensor:
        """(rows, d): what the last queries read."""
        return (self.weights(mask) @ self.values)[-ROWS:]


def idle_head(strength: float, seed: int, tokens: int = LENGTH) -> Head:
    """Scores and values from N(0, 1): nothing here is worth reading, and the sink keeps it from being read."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(LENGTH, LENGTH, generator=generator, dtype=torch.float64)[:tokens, :tokens]
    values = torch.randn(LENGTH, WIDTH, generator=generator, dtype=torch.float64)[:tokens]
    scores[:, 0], values[0] = strength, 0.0
    return Head(scores, values)


def run(*, strength: float, window: int, sinks: int, seed: int) -> Result:
    head = idle_head(strength, seed)
    full, dropped, kept = masks(LENGTH, window, sinks)
    exact = head.output(full)
    return Result(
        quantities=(
            wrong(
                "window_error",
                off(head.output(dropped), exact),
                "window alone: output off, in lengths of the full one",
                "只留窗口：输出的相对偏差",
            ),
            right("sink_error", off(head.output(kept), exact), "window and sink: output off", "窗口加汇聚词元：输出的相对偏差"),
            measured(
                "sink_weight",
                number(head.weights(full)[-ROWS:, 0].mean()),
                "weight on the first token, full attention",
                "首词元得到的权重，完整注意力",
            ),
            measured("uniform_weight", 1 / LENGTH, "weight if all tokens counted alike", "若平均分配，每个词元的权重"),
            measured("full_length", length(exact), "length of the output, full attention", "输出的长度，完整注意力"),
            wrong("window_length", length(head.output(dropped)), "... window alone", "……只留窗口"),
            right("sink_length", length(head.output(kept)), "... window and sink", "……窗口加汇聚词元"),
            *_learned(head, strength),
        ),
        matrices=_matrices(strength, sinks, seed),
        series=_curves(head, sinks),
        notes=_notes(strength, sinks),
    )


def masks(tokens: int, window: int, sinks: int) -> tuple[Tensor, Tensor, Tensor]:
    """Full causal attention, the last w keys, and the last w keys with the first few."""
    return causal_mask(tokens, tokens), sliding_window_mask(tokens, tokens, window), window_with_sinks_mask(tokens, tokens, window, sinks)


def length(output: Tensor) -> float:
    """Root mean square over the rows."""
    return number((output**2).sum(-1).mean().sqrt())


def off(output: Tensor, exact: Tensor) -> float:
    return length(output - exact) / length(exact)


def _learned(head: Head, strength: float) -> tuple[Quantity, ...]:
    """The last query, without the first token, by a softmax that has a sink of its own."""
    weights = softmax_with_sink(head.scores[-1, 1:], strength)
    return (
        right(
            "learned_sink_error",
            number((weights @ head.values[1:] - head.output(causal_mask(LENGTH, LENGTH))[-1]).abs().max()),
            "no such token, a learned sink in softmax: error",
            "不用词元，softmax 里放可学习的汇聚项：误差",
        ),
        measured("learned_row_sum", number(weights.sum()), "row sum of that softmax", "这种 softmax 的行和"),
    )


def _matrices(strength: float, sinks: int, seed: int) -> tuple[Matrix, ...]:
    head, tokens = idle_head(strength, seed, SHOWN), (names("q", SHOWN), names("k", SHOWN))
    full, dropped, kept = (head.weights(mask) for mask in masks(SHOWN, SHOWN_WINDOW, sinks))

    def matrix(name: str, weights: Tensor, en: str, zh: str, arm: Arm) -> Matrix:
        return Matrix(name, grid(weights), Label(en, zh), *tokens, kind="weights", arm=arm)

    return (
        matrix("full_weights", full, "eight tokens, full attention", "八个词元，完整注意力", ""),
        matrix("window_weights", dropped, f"eight tokens, window of {SHOWN_WINDOW} alone", f"八个词元，只留窗口 {SHOWN_WINDOW}", "wrong"),
        matrix(
            "sink_weights", kept, f"eight tokens, window of {SHOWN_WINDOW} and sink", f"八个词元，窗口 {SHOWN_WINDOW} 加汇聚词元", "right"
        ),
    )


def _curves(head: Head, sinks: int) -> tuple[Series, ...]:
    x = tuple(map(float, WINDOWS))
    exact = head.output(causal_mask(LENGTH, LENGTH))
    each = [masks(LENGTH, window, sinks) for window in WINDOWS]
    alone = tuple(off(head.output(dropped), exact) for _, dropped, _ in each)
    kept = tuple(off(head.output(with_sink), exact) for _, _, with_sink in each)
    allowed, first = causal_mask(LENGTH, LENGTH)[-ROWS:], torch.arange(LENGTH) == 0
    others = head.scores[-ROWS:].masked_fill(first, 0.0)
    weight = tuple(number(softmax(others + strength * first, allowed)[:, 0].mean()) for strength in STRENGTHS)
    return (
        Series(
            "window_error_over_window", x, alone, Label("output off, window alone", "输出偏差，只留窗口"), WINDOW, "error", True, "wrong"
        ),
        Series(
            "sink_error_over_window",
            x,
            kept,
            Label("output off, window and sink", "输出偏差，窗口加汇聚词元"),
            WINDOW,
            "error",
            True,
            "right",
        ),
        Series("sink_weight_over_strength", STRENGTHS, weight, Label("weight on the first token", "首词元的权重"), STRENGTH, "weight"),
    )


def _notes(strength: float, sinks: int) -> tuple[Label, ...]:
    none = Label("No first token is kept: both windows are the same.", "没有保留首词元：两种窗口相同。")
    weak = Label(
        "With such a score the first token is no sink: it gets little more than the others.",
        "分数这么低，首词元算不上汇聚点：权重与其他词元差不多。",
    )
    return tuple(note for applies, note in ((sinks == 0, none), (strength < 1, weak)) if applies)


def cost(*, strength: float, window: int, sinks: int, seed: int) -> Cost:
    return Cost(bytes=8 * 12 * LENGTH**2, flops=(2 * len(WINDOWS) + 8) * LENGTH**2 * (10 + 2 * WIDTH) + 10 * len(STRENGTHS) * ROWS * LENGTH)


EXPERIMENT = Experiment(
    title=Label("attention sinks", "注意力汇聚点（attention sink）"),
    summary=Label(
        "An idle head, a first token that takes its weight, and a sliding window with and without it.",
        "一个无事可做的头、接走权重的首词元，以及保留或丢掉它的滑动窗口。",
    ),
    parameters=(
        Parameter("strength", STRENGTH, 7.0, STRENGTHS[0], STRENGTHS[-1], 0.5),
        Parameter("window", WINDOW, 32, WINDOWS[0], WINDOWS[-1], 2, "log"),
        Parameter("sinks", Label("first tokens kept", "保留的首词元数"), 1, 0, 4),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(window_with_sinks_mask, softmax_with_sink, sliding_window_mask),
    arms=("window_error", "sink_error"),
)
