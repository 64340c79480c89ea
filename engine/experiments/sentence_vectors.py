"""Cosines of sentence vectors mislead when padding is pooled with the tokens, or when all share a direction, which centring removes."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import number
from engine.result import Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.sentence_vectors import cosines, info_nce, mean_pooled, mean_pooled_with_padding, subtract_mean

SENTENCES, TOKENS = 128, 8  # vectors of the statistics; real tokens of the pooled sentence
WIDTHS = tuple(2**power for power in range(3, 11))  # 8 ... 1024, the x axis
SHARED = tuple(0.5 * step for step in range(7))  # 0 ... 3
NOISE = 0.5  # of a sentence's second view
WIDTH, COMMON = Label("width D", "宽度 D"), Label("shared direction c", "共同方向 c")


def run(*, width: int, common: float, padding: int, temperature: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    wide = torch.randn(SENTENCES, WIDTHS[-1], generator=generator, dtype=torch.float64)
    vectors = wide[:, :width]
    others, noise = (torch.randn(SENTENCES, WIDTHS[-1], generator=generator, dtype=torch.float64)[:, :width] for _ in range(2))
    shared = vectors + common
    return Result(
        quantities=(
            wrong(
                "mean_cosine",
                number(cosines(shared).mean()),
                "unrelated sentences, shared direction: mean cosine",
                "无关句子、有共同方向：平均余弦",
            ),
            right("centred_mean_cosine", number(cosines(subtract_mean(shared)).mean()), "... mean vector subtracted", "……减去平均向量后"),
            measured("expected_cosine", common**2 / (1 + common**2), "c²/(1 + c²)", "c²/(1 + c²)"),
            measured(
                "cosine_spread", number(cosines(vectors).std()), "no shared direction: spread of the cosines", "没有共同方向：余弦的标准差"
            ),
            measured("expected_spread", 1 / math.sqrt(width), "1/√D", "1/√D"),
            *_pooling(vectors, padding),
            *_contrast(vectors, others, vectors + NOISE * noise, temperature),
        ),
        series=_curves(vectors, wide),
        notes=(Label("Without padding both ways to pool are the same.", "没有填充时两种池化相同。"),) if padding == 0 else (),
    )


def _pooling(vectors: Tensor, padding: int) -> tuple[Quantity, ...]:
    """Eight tokens of one sentence; what stands at its padding is not 0 in a real model: a vector like the others."""
    tokens, pad = vectors[None, :TOKENS], vectors[None, TOKENS, :].expand(1, padding, -1)
    filled, present = torch.cat((tokens, pad), 1), torch.arange(TOKENS + padding)[None] < TOKENS
    alone = tokens.mean(1)

    def cosine(pooled: Tensor) -> float:
        return number(torch.cosine_similarity(pooled, alone).squeeze())

    return (
        wrong(
            "padded_pool_cosine",
            cosine(mean_pooled_with_padding(filled)),
            "mean over all places: cosine with the sentence alone",
            "对所有位置求平均：与单独该句的余弦",
        ),
        right("masked_pool_cosine", cosine(mean_pooled(filled, present)), "... over the real tokens", "……只对真实词元求平均"),
    )


def _contrast(vectors: Tensor, others: Tensor, views: Tensor, temperature: float) -> tuple[Quantity, ...]:
    return (
        measured("random_loss", number(info_nce(vectors, others, temperature)), "InfoNCE, partners unrelated", "InfoNCE 损失，配对无关"),
        measured("random_loss_at_one", number(info_nce(vectors, others, 1.0)), "... at τ = 1", "……τ = 1 时"),
        measured("chance_loss", math.log(SENTENCES), f"ln N of N = {SENTENCES} candidates", f"N = {SENTENCES} 个候选的 ln N"),
        measured(
            "view_loss", number(info_nce(vectors, views, temperature)), "InfoNCE, partners are noisy copies", "InfoNCE 损失，配对为带噪副本"
        ),
    )


def _curves(vectors: Tensor, wide: Tensor) -> tuple[Series, ...]:
    spreads = tuple(number(cosines(wide[:, :width]).std()) for width in WIDTHS)
    plain = tuple(number(cosines(vectors + common).mean()) for common in SHARED)
    without = tuple(number(cosines(subtract_mean(vectors + common)).mean()) for common in SHARED)
    return (
        Series("mean_cosine_over_common", SHARED, plain, Label("mean cosine", "平均余弦"), COMMON, "common", arm="wrong"),
        Series(
            "centred_mean_cosine_over_common",
            SHARED,
            without,
            Label("mean cosine, centred", "平均余弦，中心化后"),
            COMMON,
            "common",
            arm="right",
        ),
        Series(
            "cosine_spread_over_width",
            tuple(map(float, WIDTHS)),
            spreads,
            Label("spread of the cosines", "余弦的标准差"),
            WIDTH,
            "width",
            log_x=True,
        ),
    )


def cost(*, width: int, common: float, padding: int, temperature: float, seed: int) -> Cost:
    size = max(width, WIDTHS[-1])
    pairs = SENTENCES**2 * (2 * size + 20)
    return Cost(
        bytes=8 * (8 * SENTENCES * size + 4 * SENTENCES**2 + 4 * padding * size),
        flops=(2 * len(SHARED) + len(WIDTHS) + 8) * pairs + padding * size,
    )


EXPERIMENT = Experiment(
    title=Label("sentence vectors and their cosines", "句向量与余弦"),
    summary=Label(
        "Pooling with and without padding, the direction that all vectors share, and the contrastive loss.",
        "带不带填充的池化、所有向量共有的方向，以及对比学习损失。",
    ),
    parameters=(
        Parameter("width", WIDTH, 256, WIDTHS[0], WIDTHS[-1], 2, "log"),
        Parameter("common", COMMON, 1.5, SHARED[0], SHARED[-1], 0.1),
        Parameter("padding", Label("padding of the pooled sentence", "被池化句子的填充数"), 8, 0, 64),
        Parameter("temperature", Label("temperature τ", "温度 τ"), 0.1, 0.05, 1.0, 0.05),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(mean_pooled, mean_pooled_with_padding, cosines, subtract_mean, info_nce),
    arms=("mean_cosine", "centred_mean_cosine"),
)
