"""With W_Q = W_K scores are symmetric and, in a wide model, tokens mostly attend to themselves; separate matrices let one ask another."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax
from engine.textbook.projections import Projections, asymmetry, scores, self_weight, sharing_query_and_key

FEWEST_TOKENS, MOST_TOKENS, WIDEST = 2, 64, 256
WIDTHS = tuple(2**power for power in range(1, 9))  # 2 ... 256, the x axis
SHOWN = 6

Drawn = tuple[Tensor, Tensor, Tensor]


def run(*, tokens: int, d_model: int, seed: int) -> Numbers:
    drawn = draw(seed)
    return {
        **arm_numbers("shared", drawn, tokens, d_model),
        **arm_numbers("separate", drawn, tokens, d_model),
        "uniform_weight": 1 / tokens,
        "shown": SHOWN,
    }


def draw(seed: int) -> Drawn:
    """Tokens (64, 256) and two matrices (256, 256) from N(0, 1): fewer tokens and a smaller width take the first ones."""
    generator = torch.Generator().manual_seed(seed)
    X, A, B = (torch.randn(rows, WIDEST, generator=generator, dtype=torch.float64) for rows in (MOST_TOKENS, WIDEST, WIDEST))
    return X, A, B


def arm_numbers(arm: str, drawn: Drawn, tokens: int, width: int) -> Numbers:
    S = arm_scores(arm, drawn, tokens, width)
    P = softmax(S)
    return {
        f"{arm}_self_weight": self_weight(P),
        f"{arm}_asymmetry": asymmetry(S),
        f"{arm}_weight_asymmetry": asymmetry(P),
        f"{arm}_diagonal": S.diagonal().mean(),
        f"{arm}_off_diagonal": off_diagonal(S),
        f"{arm}_weights": P[:SHOWN, :SHOWN],
        f"{arm}_scores": S[:SHOWN, :SHOWN],
        f"{arm}_self_weight_over_d": (WIDTHS, [self_weight(softmax(arm_scores(arm, drawn, tokens, each))) for each in WIDTHS]),
    }


def arm_scores(arm: str, drawn: Drawn, tokens: int, width: int) -> Tensor:
    """(n, n); the matrices' entries have variance 1/width, so that queries and keys are about as large as the tokens."""
    X, A, B = drawn
    x, W_Q, W_K = X[:tokens, :width], A[:width, :width] / math.sqrt(width), B[:width, :width] / math.sqrt(width)
    separate = Projections(W_Q, W_K, W_V=W_K)  # no value is looked at here
    return scores(x, x, sharing_query_and_key(separate) if arm == "shared" else separate)


def off_diagonal(square: Tensor) -> float:
    """The mean of the cells beside the diagonal."""
    n = len(square)
    return float((square.sum() - square.diagonal().sum()) / (n * (n - 1)))


WIDTH = Label("d_model = d_k", "d_model = d_k")

MEASURES = (
    wrong("shared_self_weight", "mean weight of a token on itself, W_Q = W_K", "词元对自己的平均权重，W_Q = W_K", within=SHARE),
    right("separate_self_weight", "mean weight of a token on itself, separate", "词元对自己的平均权重，各自独立", within=SHARE),
    wrong("shared_asymmetry", "largest |S - Sᵀ|, W_Q = W_K", "最大的 |S - Sᵀ|，W_Q = W_K"),
    right("separate_asymmetry", "largest |S - Sᵀ|, separate", "最大的 |S - Sᵀ|，各自独立"),
    wrong("shared_weight_asymmetry", "largest |P - Pᵀ|, W_Q = W_K", "最大的 |P - Pᵀ|，W_Q = W_K", within=SHARE),
    right("separate_weight_asymmetry", "largest |P - Pᵀ|, separate", "最大的 |P - Pᵀ|，各自独立", within=SHARE),
    wrong("shared_diagonal", "mean score of a token with itself, W_Q = W_K", "词元与自己的平均分数，W_Q = W_K"),
    right("separate_diagonal", "mean score of a token with itself, separate", "词元与自己的平均分数，各自独立", within=ANY),
    wrong("shared_off_diagonal", "mean score of a token with another, W_Q = W_K", "词元与其他词元的平均分数，W_Q = W_K", within=ANY),
    right("separate_off_diagonal", "mean score of a token with another, separate", "词元与其他词元的平均分数，各自独立", within=ANY),
    measured("uniform_weight", "uniform weight, 1/n", "均匀权重 1/n", within=(1 / MOST_TOKENS, 1 / FEWEST_TOKENS)),
    Grid(
        "shared_weights", Label("weights, W_Q = W_K", "权重，W_Q = W_K"), "q{1}", "k{1}", r"P = \mathrm{softmax}(S)", "weights", arm="wrong"
    ),
    Grid(
        "shared_scores",
        Label("scores, W_Q = W_K", "分数，W_Q = W_K"),
        "q{1}",
        "k{1}",
        r"S = \frac{X W_Q W_Q^\top X^\top}{\sqrt{d_k}}",
        arm="wrong",
    ),
    Grid(
        "separate_weights", Label("weights, separate", "权重，各自独立"), "q{1}", "k{1}", r"P = \mathrm{softmax}(S)", "weights", arm="right"
    ),
    Grid(
        "separate_scores",
        Label("scores, separate", "分数，各自独立"),
        "q{1}",
        "k{1}",
        r"S = \frac{X W_Q W_K^\top X^\top}{\sqrt{d_k}}",
        arm="right",
    ),
    Curve(
        "shared_self_weight_over_d",
        Label("weight on itself, W_Q = W_K", "对自己的权重，W_Q = W_K"),
        WIDTH,
        "self_weight",
        log_x=True,
        arm="wrong",
    ),
    Curve(
        "separate_self_weight_over_d",
        Label("weight on itself, separate", "对自己的权重，各自独立"),
        WIDTH,
        "self_weight",
        log_x=True,
        arm="right",
    ),
    note(
        "cropped",
        "tokens > shown",
        "The first {shown} of {tokens} tokens are shown; the numbers are of all.",
        "只显示 {tokens} 个词元中的前 {shown} 个；数值按全部计算。",
    ),
    note(
        "narrow",
        "shared_self_weight < 0.5",
        "At this width the score with itself does not stand out enough: a token keeps {shared_self_weight:.2g} for itself, an equal "
        "share is {uniform_weight:.2g}.",
        "在这个宽度下，与自己的分数还不够突出：词元留给自己 {shared_self_weight:.2g}，平均份额是 {uniform_weight:.2g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("why W_Q and W_K differ", "为什么 W_Q 与 W_K 不同"),
    summary=Label(
        "The same tokens scored with one matrix for queries and keys, and with two.", "同样的词元：查询和键共用一个矩阵，或各用一个。"
    ),
    keywords=("W_Q = W_K", "shared projection", "asymmetric", "共享投影", "对称", "不对称"),
    parameters=(
        Parameter("tokens", Label("tokens n", "词元数 n"), 32, FEWEST_TOKENS, MOST_TOKENS, 2, "log"),
        Parameter("d_model", WIDTH, 64, WIDTHS[0], WIDEST, 2, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("shared_weights", "separate_weights"),
            caption=Label(
                "One matrix for both pulls a token's weight to itself, the more so the wider; with two it can look at others.",
                "查询和键共用一个矩阵，权重就被拉向自己，越宽越明显；用两个矩阵才能去看别的词元。",
            ),
        ),
        Figure("curve", ("shared_self_weight_over_d", "separate_self_weight_over_d"), over="d_model", mark="shared_self_weight"),
        Figure("heatmap", ("shared_scores", "separate_scores")),
        Figure("bars", ("shared_self_weight", "separate_self_weight", "uniform_weight")),
    ),
    arms=("shared_self_weight", "separate_self_weight"),
    presets=(
        Preset(
            Label("d_model = 256", "d_model = 256"),
            {"d_model": 256},
            Label(
                "Shared, every token sees itself and nothing else: the layer is hardly attention any more.",
                "共用时每个词元只看见自己：这层几乎不再是注意力。",
            ),
            "shared_self_weight > 0.99",
        ),
        Preset(
            Label("d_model = 2", "d_model = 2"),
            {"d_model": 2},
            Label(
                "Narrow tokens are hardly longer than they are alike: the diagonal fades.",
                "很窄的词元，与自己的点积大不了多少：对角线淡了下去。",
            ),
            "shared_self_weight < 0.2",
        ),
        Preset(
            Label("64 tokens", "64 个词元"),
            {"tokens": 64},
            Label("Sixty-three others to look at, and nine tenths still stay at home.", "另有 63 个词元可看，九成权重仍留给自己。"),
            "tokens == 64 and shared_self_weight > 0.8",
        ),
    ),
    run=run,
)
