"""Part of attention_steps: every matrix on the way from X to O, what it is made of, and the line of torch that makes it."""

from __future__ import annotations

import math

from engine.experiments._attention_sentences import FEATURES, WIDTH
from engine.label import Label
from engine.measures import LATER, Grid, Measure, Walk

STAGES: tuple[Measure, ...] = (
    Grid(
        "weights",
        Label("weights", "注意力权重"),
        "{tokens}",
        "{tokens}",
        r"P = \mathrm{softmax}(S)",
        "weights",
        made_of=("softmax", "masked", "scaled"),
        forbidden=LATER,
    ),
    Grid("X", Label("tokens", "词元向量"), "{tokens}", "{1}", "X"),
    Grid("Q", Label("queries", "查询"), "{tokens}", "{1}", "Q = X W_Q", product_of=("X", "W_Q")),
    Grid("K", Label("keys", "键"), "{tokens}", "{1}", "K = X W_K", product_of=("X", "W_K")),
    Grid("V", Label("values", "值"), "{tokens}", "{1}", "V = X W_V", product_of=("X", "W_V")),
    Grid("K_T", Label("keys, transposed", "键的转置"), "{1}", "{tokens}", r"K^\top"),
    Grid("scores", Label("scores", "分数"), "{tokens}", "{tokens}", r"Q K^\top", product_of=("Q", "K_T")),
    Grid(
        "scaled",
        Label("scaled scores", "缩放后的分数"),
        "{tokens}",
        "{tokens}",
        r"S = \frac{Q K^\top}{\sqrt{d_k}}",
        product_of=("Q", "K_T"),
        factor=1 / math.sqrt(WIDTH),
    ),
    Grid(
        "masked",
        Label("masked scores", "掩码后的分数"),
        "{tokens}",
        "{tokens}",
        r"S_{ij} = -\infty \text{ for } j > i",
        made_of=("mask", "scaled"),
        forbidden=LATER,
    ),
    Grid("output", Label("output", "输出"), "{tokens}", "{1}", "O = P V", product_of=("weights", "V")),
    Grid("W_Q", Label("what a feature asks for", "每个特征要找什么"), FEATURES, "{1}"),
    Grid("W_K", Label("what a feature answers to", "每个特征回应什么"), FEATURES, "{1}"),
    Grid("W_V", Label("what a feature hands over", "每个特征交出什么"), FEATURES, "{1}"),
    Walk(Label("a row of numbers for every token", "每个词元一行数"), "X", ("n", WIDTH), "X", code="X = embedding(ids)"),
    Walk(Label("what every token looks for", "每个词元在找什么"), "Q = X W_Q", ("n", WIDTH), "Q", code="Q = X @ W_Q"),
    Walk(Label("what every token offers itself as", "每个词元以什么被找到"), "K = X W_K", ("n", WIDTH), "K", code="K = X @ W_K"),
    Walk(Label("what every token hands over", "每个词元交出什么"), "V = X W_V", ("n", WIDTH), "V", code="V = X @ W_V"),
    Walk(Label("how well they match", "匹配程度"), r"Q K^\top", ("n", "n"), "scores", code="S = Q @ K.transpose(-2, -1)"),
    Walk(
        Label("divided by √4 = 2", "除以 √4 = 2"),
        r"S = \frac{Q K^\top}{\sqrt{d_k}}",
        ("n", "n"),
        "scaled",
        code="S = S / math.sqrt(Q.shape[-1])",
    ),
    Walk(
        Label("forbid later keys", "禁止看后面的键"),
        r"S_{ij} = -\infty",
        ("n", "n"),
        "masked",
        when="causal",
        code="S = S.masked_fill(torch.ones_like(S).triu(1).bool(), -torch.inf)",
    ),
    Walk(
        Label("each row becomes weights that sum to 1", "每一行变成和为 1 的权重"),
        r"P = \mathrm{softmax}(S)",
        ("n", "n"),
        "weights",
        code="P = torch.softmax(S, dim=-1)",
    ),
    Walk(
        Label("the average of the values with these weights", "用这些权重对值求平均"), "O = P V", ("n", WIDTH), "output", code="O = P @ V"
    ),
)
