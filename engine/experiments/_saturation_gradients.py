"""Part of softmax_saturation: what arrives at a query and at W_Q through the softmax, unscaled and scaled."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.measures import Measure, measured
from engine.textbook.attention import softmax
from engine.textbook.saturation_gradient import gradient_at_projection, gradients_at_queries

D_MODEL = 64  # of the inputs that W_Q reads


def gradients(raw: Tensor, scaled: Tensor, key: Tensor, seed: int) -> Numbers:
    """What arrives at a query and at W_Q when every weight is pulled at from N(0, 1): the same pulls in both arms."""
    generator = torch.Generator().manual_seed(seed + 1000)  # another stream than the queries and keys
    pulls = torch.randn(raw.shape, generator=generator, dtype=torch.float64)  # (rows, keys), the gradient at the weights
    inputs = torch.randn(len(raw), D_MODEL, generator=generator, dtype=torch.float64)
    found: dict[str, Tensor] = {}
    for arm, scores, factor in (("raw", raw, 1.0), ("scaled", scaled, 1 / math.sqrt(key.shape[-1]))):
        at_queries = gradients_at_queries(softmax(scores), pulls, key, factor)
        sizes = at_queries.norm(dim=-1)
        found |= {f"{arm}_gradient_median": sizes.median(), f"{arm}_gradient_mean": sizes.mean()}
        found[f"{arm}_projection_gradient"] = gradient_at_projection(inputs, at_queries).norm()
    return {
        **found,
        "median_gradient_ratio": found["raw_gradient_median"] / found["scaled_gradient_median"],
        "mean_gradient_ratio": found["raw_gradient_mean"] / found["scaled_gradient_mean"],
        "projection_gradient_ratio": found["raw_projection_gradient"] / found["scaled_projection_gradient"],
    }


GRADIENT_RATIOS: tuple[Measure, ...] = (
    measured(
        "median_gradient_ratio", "gradient at a query, median of 200 rows: unscaled / scaled", "查询的梯度，200 行的中位数：未缩放 ÷ 缩放后"
    ),
    measured(
        "mean_gradient_ratio", "gradient at a query, mean of 200 rows: unscaled / scaled", "查询的梯度，200 行的平均：未缩放 ÷ 缩放后"
    ),
    measured(
        "projection_gradient_ratio", "gradient at W_Q, Frobenius norm: unscaled / scaled", "W_Q 的梯度，Frobenius 范数：未缩放 ÷ 缩放后"
    ),
)
