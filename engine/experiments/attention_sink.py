"""Weights must sum to 1, so idle heads park them on the first token; a window that drops this sink hands its weight to all the others."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments import _pretrained_sink
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, Measure, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import causal_mask, sliding_window_mask, softmax
from engine.textbook.sink_tokens import softmax_with_sink, window_with_sinks_mask

LENGTH, WIDTH, ROWS = 256, 8, 64  # tokens and numbers a value; the last 64 queries are averaged over
SHOWN, SHOWN_WINDOW = 8, 3  # what is read cell by cell
WINDOWS = (4, 8, 16, 32, 64, 128)
STRENGTHS = tuple(0.5 * step for step in range(-4, 21))  # -2 ... 10


def run(*, sentence: str, strength: float, window: int, sinks: int, seed: int) -> Numbers:
    head = idle_head(strength, seed)
    full, dropped, kept = masks(LENGTH, window, sinks)
    exact, alone, with_sink = (head.output(mask) for mask in (full, dropped, kept))
    shown = idle_head(strength, seed, SHOWN)
    full_weights, window_weights, sink_weights = (shown.weights(mask) for mask in masks(SHOWN, SHOWN_WINDOW, sinks))
    return {
        **_pretrained_sink.pretrained_numbers(sentence),
        "window_error": relative_error(alone, exact),
        "sink_error": relative_error(with_sink, exact),
        "sink_weight": head.weights(full)[-ROWS:, 0].mean(),
        "uniform_weight": 1 / LENGTH,
        "sink_times": LENGTH * head.weights(full)[-ROWS:, 0].mean(),
        "full_length": length(exact),
        "window_length": length(alone),
        "sink_length": length(with_sink),
        **learned_sink(head, strength, exact[-1]),
        "full_weights": full_weights,
        "window_weights": window_weights,
        "sink_weights": sink_weights,
        **errors_over_window(head, exact, sinks),
        "sink_weight_over_strength": (STRENGTHS, sink_weight_over_strength(head)),
    }


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


def masks(tokens: int, window: int, sinks: int) -> tuple[Tensor, Tensor, Tensor]:
    """Full causal attention, the last w keys, and the last w keys with the first few."""
    return causal_mask(tokens, tokens), sliding_window_mask(tokens, tokens, window), window_with_sinks_mask(tokens, tokens, window, sinks)


def length(output: Tensor) -> Tensor:
    """Root mean square over the rows."""
    return (output**2).sum(-1).mean().sqrt()


def relative_error(output: Tensor, exact: Tensor) -> Tensor:
    return length(output - exact) / length(exact)


def learned_sink(head: Head, strength: float, exact: Tensor) -> Numbers:
    """The last query, without the first token, by a softmax that has a sink of its own."""
    weights = softmax_with_sink(head.scores[-1, 1:], strength)
    return {"learned_sink_error": (weights @ head.values[1:] - exact).abs().max(), "learned_row_sum": weights.sum()}


def errors_over_window(head: Head, exact: Tensor, sinks: int) -> Numbers:
    each = [masks(LENGTH, window, sinks) for window in WINDOWS]
    return {
        "window_error_over_window": (WINDOWS, [relative_error(head.output(dropped), exact) for _, dropped, _ in each]),
        "sink_error_over_window": (WINDOWS, [relative_error(head.output(kept), exact) for _, _, kept in each]),
    }


def sink_weight_over_strength(head: Head) -> list[Tensor]:
    allowed, first = causal_mask(LENGTH, LENGTH)[-ROWS:], torch.arange(LENGTH) == 0
    others = head.scores[-ROWS:].masked_fill(first, 0.0)
    return [softmax(others + strength * first, allowed)[:, 0].mean() for strength in STRENGTHS]


WINDOW, STRENGTH = Label("window w", "窗口 w"), Label("score of the first token", "首词元的分数")

MEASURES: tuple[Measure, ...] = (
    wrong("window_error", "RMS error / RMS length of the full output, window alone", "均方根误差 ÷ 完整输出的均方根长度，只留窗口"),
    right("sink_error", "RMS error / RMS length of the full output, window and sink", "均方根误差 ÷ 完整输出的均方根长度，窗口加汇聚词元"),
    measured("sink_weight", "mean weight on the first token, full attention", "首词元得到的平均权重，完整注意力", within=SHARE),
    measured("uniform_weight", "weight if all tokens counted alike", "若平均分配，每个词元的权重", within=SHARE),
    measured("full_length", "RMS length of the outputs, full attention", "输出的均方根长度，完整注意力"),
    wrong("window_length", "RMS length of the outputs, window alone", "输出的均方根长度，只留窗口"),
    right("sink_length", "RMS length of the outputs, window and sink", "输出的均方根长度，窗口加汇聚词元"),
    right("learned_sink_error", "learned sink in softmax, no such token: largest error", "softmax 里放可学习的汇聚项，不用词元：最大误差"),
    measured(
        "learned_row_sum",
        "learned sink in softmax: row sum of the tokens' weights",
        "softmax 里放可学习的汇聚项：词元权重的行和",
        within=SHARE,
    ),
    Grid("full_weights", Label("eight tokens, full attention", "八个词元，完整注意力"), "q{1}", "k{1}", kind="weights"),
    Grid(
        "window_weights",
        Label("eight tokens, window of 3 alone", "八个词元，只留窗口 3"),
        "q{1}",
        "k{1}",
        kind="weights",
        arm="wrong",
    ),
    Grid(
        "sink_weights",
        Label("eight tokens, window of 3 and sink", "八个词元，窗口 3 加汇聚词元"),
        "q{1}",
        "k{1}",
        kind="weights",
        arm="right",
    ),
    Curve(
        "window_error_over_window",
        Label("RMS error, in lengths of the full output, window alone", "均方根误差（以完整输出的长度计），只留窗口"),
        WINDOW,
        "error",
        log_x=True,
        arm="wrong",
    ),
    Curve(
        "sink_error_over_window",
        Label("RMS error, in lengths of the full output, window and sink", "均方根误差（以完整输出的长度计），窗口加汇聚词元"),
        WINDOW,
        "error",
        log_x=True,
        arm="right",
    ),
    Curve("sink_weight_over_strength", Label("mean weight on the first token", "首词元的平均权重"), STRENGTH, "weight"),
    *_pretrained_sink.MEASURES,
    note("none_kept", "sinks == 0", "No first token is kept: both windows are the same.", "没有保留首词元：两种窗口相同。"),
    note(
        "no_sink",
        "sink_times < 2",
        "With such a score the first token is no sink: it gets {sink_times:.2g} times an equal share.",
        "分数这么低，首词元算不上汇聚点：它得到的是平均份额的 {sink_times:.2g} 倍。",
    ),
    note(
        "short",
        "sink_error < window_error and sink_times >= 2",
        "An idle head's output is short: {full_length:.2g} in full, {sink_length:.2g} with window and sink, {window_length:.2g} with "
        "the window alone. An error of 1 is as large as the full output.",
        "无事可做的头输出很短：完整时为 {full_length:.2g}，窗口加汇聚词元为 {sink_length:.2g}，只留窗口为 {window_length:.2g}。误差 "
        "1 即与完整输出一样大。",
    ),
    note(
        "no_help",
        "sinks > 0 and sink_error >= window_error",
        "Keeping the first token does not help here: it has a weight of {sink_weight:.2g} only.",
        "这里保留首词元没有帮助：它的权重只有 {sink_weight:.2g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("attention sinks", "注意力汇聚点（attention sink）"),
    summary=Label(
        "The first token of a real model, an idle head whose weight it takes, and a sliding window with and without it.",
        "真实模型的首词元、把权重停在它上面的空闲头，以及保留或丢掉它的滑动窗口。",
    ),
    keywords=("StreamingLLM", "first token", "BOS", "softmax1", "off by one", "sliding window", "首个词元", "流式"),
    parameters=(
        *_pretrained_sink.PARAMETERS,
        Parameter("strength", STRENGTH, 7.0, STRENGTHS[0], STRENGTHS[-1], 0.5),
        Parameter("window", WINDOW, 32, WINDOWS[0], WINDOWS[-1], 2, "log"),
        Parameter("sinks", Label("first tokens kept", "保留的首词元数"), 1, 0, 4),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        _pretrained_sink.HERO,
        Figure(
            "heatmap",
            ("full_weights", "window_weights", "sink_weights"),
            caption=Label(
                "A head with nothing to do parks its weight on the first token; a window that drops it spreads the weight over others.",
                "无事可做的头把权重停在首词元上；窗口若丢掉它，权重就散到别的词元。",
            ),
        ),
        Figure("curve", ("window_error_over_window", "sink_error_over_window"), over="window", mark="window_error"),
        Figure("curve", ("sink_weight_over_strength",), over="strength", mark="sink_weight"),
        Figure("bars", ("window_length", "sink_length"), mark="full_length"),
        *_pretrained_sink.FIGURES,
    ),
    arms=("window_error", "sink_error"),
    deadline=20.0,  # the first run maps the weights from disk
    presets=(
        Preset(
            Label("no sink", "没有汇聚点"),
            {"strength": 0.0},
            Label(
                "A first token like any other takes no more than its share, and keeping it helps little.",
                "首词元与别的一样时只得自己那份，保留它也没多大用。",
            ),
            "sink_times < 2",
            show="full_weights",
        ),
        Preset(
            Label("the window alone", "只留窗口"),
            {"sinks": 0},
            Label("Without the first token the output is several times too long.", "丢掉首词元，输出会长出好几倍。"),
            "sink_error == window_error and sink_error > 2",
            show="window_length",
        ),
        Preset(
            Label("a window of 4", "窗口 4"),
            {"window": 4},
            Label(
                "The smaller the window, the worse it is without the sink; with it the error stays near the full output's length.",
                "窗口越小，丢掉汇聚点越糟；留着它，误差不超过完整输出的长度左右。",
            ),
            "window == 4 and window_error > 12 and sink_error < 1.5",
            show="window_error_over_window",
        ),
    ),
    run=run,
)
