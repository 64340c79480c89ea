"""Cosines of sentence vectors mislead when padding is pooled with the tokens, or when all share a direction, which centring removes."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.sentence_vectors import cosines, info_nce, mean_pooled, mean_pooled_with_padding, subtract_mean

SENTENCES, TOKENS = 128, 8  # vectors of the statistics; real tokens of the pooled sentence
WIDTHS = tuple(2**power for power in range(3, 11))  # 8 ... 1024, the x axis
SHARED = tuple(0.5 * step for step in range(7))  # 0 ... 3
NOISE = 0.5  # of a sentence's second view


def run(*, width: int, common: float, padding: int, temperature: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    wide, others, noise = (torch.randn(SENTENCES, WIDTHS[-1], generator=generator, dtype=torch.float64) for _ in range(3))
    vectors = wide[:, :width]  # (N, D)
    return {
        **shared_direction(vectors, common),
        "cosine_spread": cosines(vectors).std(),
        "expected_spread": 1 / math.sqrt(width),
        **pooling(vectors, padding),
        **contrastive_losses(vectors, others[:, :width], vectors + NOISE * noise[:, :width], temperature),
        **curves(vectors, wide),
    }


def shared_direction(vectors: Tensor, common: float) -> Numbers:
    """The mean cosine of unrelated vectors to all of which `common` was added."""
    shared = vectors + common
    return {
        "mean_cosine": cosines(shared).mean(),
        "centred_mean_cosine": cosines(subtract_mean(shared)).mean(),
        "expected_cosine": common**2 / (1 + common**2),
    }


def pooling(vectors: Tensor, padding: int) -> Numbers:
    """Eight tokens of one sentence; what stands at its padding is not 0 in a real model: a vector like the others."""
    tokens, pad = vectors[None, :TOKENS], vectors[None, TOKENS, :].expand(1, padding, -1)
    filled, present = torch.cat((tokens, pad), 1), torch.arange(TOKENS + padding)[None] < TOKENS  # (1, T, D), (1, T)
    alone = tokens.mean(1)
    return {
        "padded_pool_cosine": torch.cosine_similarity(mean_pooled_with_padding(filled), alone).squeeze(),
        "masked_pool_cosine": torch.cosine_similarity(mean_pooled(filled, present), alone).squeeze(),
    }


def contrastive_losses(vectors: Tensor, others: Tensor, views: Tensor, temperature: float) -> Numbers:
    return {
        "random_loss": info_nce(vectors, others, temperature),
        "random_loss_at_one": info_nce(vectors, others, 1.0),
        "chance_loss": math.log(SENTENCES),
        "view_loss": info_nce(vectors, views, temperature),
        "sentences": SENTENCES,
    }


def curves(vectors: Tensor, wide: Tensor) -> Numbers:
    points = [shared_direction(vectors, common) for common in SHARED]
    return {
        "mean_cosine_over_common": (SHARED, [point["mean_cosine"] for point in points]),
        "centred_mean_cosine_over_common": (SHARED, [point["centred_mean_cosine"] for point in points]),
        "cosine_spread_over_width": (WIDTHS, [cosines(wide[:, :width]).std() for width in WIDTHS]),
    }


WIDTH, COMMON = Label("width D", "宽度 D"), Label("shared direction c", "共同方向 c")
COSINE = (-1, 1)

MEASURES = (
    wrong("mean_cosine", "mean cosine of all pairs, shared direction", "所有配对的平均余弦，有共同方向", within=COSINE),
    right("centred_mean_cosine", "mean cosine of all pairs, mean vector subtracted", "所有配对的平均余弦，减去平均向量后", within=COSINE),
    measured("expected_cosine", "mean cosine by formula, c²/(1 + c²)", "按公式的平均余弦，c²/(1 + c²)", within=SHARE),
    measured("cosine_spread", "std of the cosines of all pairs, no shared direction", "所有配对余弦的标准差，没有共同方向", within=SHARE),
    measured("expected_spread", "std of the cosines by formula, 1/√D", "按公式的余弦标准差，1/√D", within=SHARE),
    wrong(
        "padded_pool_cosine", "mean over all places: cosine with the unpadded mean", "对所有位置求平均：与无填充平均的余弦", within=COSINE
    ),
    right(
        "masked_pool_cosine",
        "mean over the real tokens: cosine with the unpadded mean",
        "只对真实词元求平均：与无填充平均的余弦",
        within=COSINE,
    ),
    measured("random_loss", "InfoNCE, partners unrelated, at τ", "InfoNCE 损失，配对无关，温度 τ"),
    measured("random_loss_at_one", "InfoNCE, partners unrelated, at τ = 1", "InfoNCE 损失，配对无关，τ = 1"),
    measured("chance_loss", "InfoNCE of a guess among N = {sentences}, ln N", "在 N = {sentences} 个候选中瞎猜的 InfoNCE，ln N"),
    measured("view_loss", "InfoNCE, partners are noisy copies, at τ", "InfoNCE 损失，配对为带噪副本，温度 τ"),
    Curve(
        "mean_cosine_over_common", Label("mean cosine of all pairs, as they are", "所有配对的平均余弦，原样"), COMMON, "common", arm="wrong"
    ),
    Curve(
        "centred_mean_cosine_over_common",
        Label("mean cosine of all pairs, centred", "所有配对的平均余弦，中心化后"),
        COMMON,
        "common",
        arm="right",
    ),
    Curve("cosine_spread_over_width", Label("std of the cosines of all pairs", "所有配对余弦的标准差"), WIDTH, "width", log_x=True),
    note("no_padding", "padding == 0", "Without padding both ways to pool are the same.", "没有填充时两种池化相同。"),
)

EXPERIMENT = Experiment(
    title=Label("sentence vectors and their cosines", "句向量与余弦"),
    summary=Label(
        "Pooling with and without padding, the direction that all vectors share, and the contrastive loss.",
        "带不带填充的池化、所有向量共有的方向，以及对比学习损失。",
    ),
    keywords=(
        "SBERT",
        "embedding",
        "pooling",
        "cosine similarity",
        "contrastive",
        "InfoNCE",
        "anisotropy",
        "whitening",
        "句子嵌入",
        "池化",
        "余弦相似度",
        "对比学习",
        "各向异性",
    ),
    parameters=(
        Parameter("width", WIDTH, 256, WIDTHS[0], WIDTHS[-1], 2, "log"),
        Parameter("common", COMMON, 1.5, SHARED[0], SHARED[-1], 0.1),
        Parameter("padding", Label("padding of the pooled sentence", "被池化句子的填充数"), 8, 0, 64),
        Parameter("temperature", Label("temperature τ", "温度 τ"), 0.1, 0.05, 1.0, 0.05),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("mean_cosine_over_common", "centred_mean_cosine_over_common"),
            over="common",
            mark="mean_cosine",
            caption=Label(
                "A direction that all vectors share makes unrelated sentences look alike; without the mean their cosine is about 0 again.",
                "所有向量共有的方向，让不相干的句子看起来也相似；减去均值，余弦又回到 0 左右。",
            ),
        ),
        Figure("bars", ("padded_pool_cosine", "masked_pool_cosine")),
        Figure("curve", ("cosine_spread_over_width",), over="width", mark="cosine_spread"),
        Figure("bars", ("random_loss", "view_loss"), mark="chance_loss"),
    ),
    arms=("mean_cosine", "centred_mean_cosine"),
    presets=(
        Preset(
            Label("c = 3", "c = 3"),
            {"common": 3.0},
            Label(
                "Sentences that have nothing in common, and a cosine of 0.9: a threshold means nothing by itself.",
                "句子毫不相干，余弦却有 0.9：阈值本身说明不了什么。",
            ),
            "mean_cosine > 0.85 and centred_mean_cosine < 0.05",
        ),
        Preset(
            Label("c = 0", "c = 0"),
            {"common": 0.0},
            Label(
                "Nothing shared, nothing to subtract: both curves start together at 0.",
                "没有共有的方向，就没有可减的：两条曲线都从 0 开始。",
            ),
            "mean_cosine < 0.05",
        ),
        Preset(
            Label("8 dimensions", "8 维"),
            {"width": 8},
            Label(
                "In few dimensions chance alone makes cosines of ±0.35; at 1024 it is ±0.03.",
                "维数少时，光凭偶然余弦就有 ±0.35；到 1024 维只有 ±0.03。",
            ),
            "cosine_spread > 0.3",
            show="cosine_spread_over_width",
        ),
    ),
    run=run,
)
