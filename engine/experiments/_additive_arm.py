"""Part of softmax_saturation: additive scores of the same queries and keys. Their tanh bounds them, whatever d_k and σ are.

"Additive beats dot product" was said of the *unscaled* dot product. Source: Vaswani et al. 2017, section 3.2.1; Britz et al. 2017.
"""

from __future__ import annotations

import math
from functools import lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import NOT_NEGATIVE, PERCENT, Curve, Measure, Range, right
from engine.textbook.additive_attention import additive_scores
from engine.textbook.attention import softmax
from engine.textbook.weight_statistics import entropy, saturated_percent

ROWS = 50  # of the 200 queries: the tanh is taken for every pair and hidden unit
HIDDEN = 64  # units of the small network, however wide the head


def additive_sharpness(query: Tensor, key: Tensor, widest: int, seed: int) -> Numbers:
    """How sharp the weights of additive scores are. query (rows, d_k), key (keys, d_k); a smaller d_k has the first rows of W and U."""
    d_k = query.shape[-1]
    W, U, v = weights(widest, seed)
    root = math.sqrt(d_k)  # entries of W and U have variance 1/d_k, as initialisers choose them
    scores = additive_scores(query[:ROWS].float(), key.float(), W[:d_k] / root, U[:d_k] / root, v)
    probabilities = softmax(scores)
    return {"saturated_percent": saturated_percent(probabilities), "std": scores.std(), "entropy": entropy(probabilities)}


@lru_cache(2)
def weights(widest: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """W and U (widest, 64), v (64,): standard normal, v with variance 1/64. In float32: a spread needs no more."""
    generator = torch.Generator().manual_seed(seed + 2000)  # another stream than queries, keys and pulls
    first, second = (torch.randn(widest, HIDDEN, generator=generator) for _ in range(2))
    return first, second, torch.randn(HIDDEN, generator=generator) / math.sqrt(HIDDEN)


def additive_measures(d_k: Label, most_entropy: float) -> tuple[Measure, ...]:
    def labelled(name: str, en: str, zh: str, unit: str, within: Range) -> Measure:
        return right(f"additive_{name}", f"{en}, additive", f"{zh}，加性打分", unit, within=within)

    return (
        labelled("saturated_percent", "rows with a weight > .99", "有权重 > .99 的行", "%", PERCENT),
        labelled("std", "std of all scores", "全部分数的标准差", "", NOT_NEGATIVE),
        labelled("entropy", "entropy, mean over 50 rows", "熵，50 行平均", "nats", (0, most_entropy)),
        *(
            Curve(f"additive_{name}_over_dk", Label(f"{en}, additive", f"{zh}，加性打分"), d_k, figure, log_x=True, arm="right")
            for name, figure, en, zh in (
                ("saturated", "saturation", "rows with a weight > .99, %", "有权重 > .99 的行（%）"),
                ("std", "std", "std of all scores", "全部分数的标准差"),
                ("entropy", "entropy", "mean entropy of a row", "每行熵的平均"),
            )
        ),
    )
