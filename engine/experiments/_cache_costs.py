"""Part of kv_cache: what the formulas say of a published model: memory of its cache, work for the next token."""

from __future__ import annotations

import math

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import PERCENT, Curve, Measure, measured
from engine.textbook.serving_costs import Shape, cache_bytes, cached_step_flops, causal_step_flops, token_flops

LENGTHS = tuple(2**power for power in range(7, 18))  # 128 ... 131072, the x axis


def published(shape: Shape, number_bytes: float, context: int) -> Numbers:
    """What the formulas say of a published model."""
    sizes = (shape.parameters, shape.layers, shape.d_model)
    size = cache_bytes(1, shape.layers, shape.kv_heads, shape.head_width, number_bytes)
    cached, uncached = cached_step_flops(*sizes, context), causal_step_flops(*sizes, context)
    return {
        "model_name": shape.name,
        "mebibytes_per_token": size / 2**20,
        "cache_gibibytes": size * context / 2**30,
        "flops_ratio": uncached / cached,
        "attention_percent": 100 * (cached - token_flops(*sizes, 0)) / cached,
    }


def curves(shape: Shape, number_bytes: float) -> Numbers:
    sizes = (shape.parameters, shape.layers, shape.d_model)
    gibibytes = [cache_bytes(each, shape.layers, shape.kv_heads, shape.head_width, number_bytes) / 2**30 for each in LENGTHS]
    return {
        "log10_flops_uncached_over_context": (LENGTHS, [math.log10(causal_step_flops(*sizes, each)) for each in LENGTHS]),
        "log10_flops_cached_over_context": (LENGTHS, [math.log10(cached_step_flops(*sizes, each)) for each in LENGTHS]),
        "gibibytes_over_context": (LENGTHS, gibibytes),
    }


CONTEXT = Label("tokens in the context", "上下文的词元数")
FLOPS = (CONTEXT, "flops", True)  # the axis, the figure, log

COST_MEASURES: tuple[Measure, ...] = (
    measured("mebibytes_per_token", "{model_name}: cache of one token", "{model_name}：每词元缓存", "MiB"),
    measured("cache_gibibytes", "{model_name}: cache of the context", "{model_name}：整个上下文的缓存", "GiB"),
    measured(
        "flops_ratio",
        "{model_name}: work for the next token, no cache / cache",
        "{model_name}：下一个词元的计算量，无缓存 ÷ 有缓存",
        within=(LENGTHS[0] / 2, LENGTHS[-1]),
    ),
    measured(
        "attention_percent", "{model_name}: attention's share of a cached step", "{model_name}：有缓存的一步中注意力的占比", "%", PERCENT
    ),
    Curve(
        "log10_flops_uncached_over_context",
        Label("log₁₀ operations for the next token, no cache", "下一个词元的运算量（log₁₀），无缓存"),
        *FLOPS,
        "wrong",
    ),
    Curve(
        "log10_flops_cached_over_context",
        Label("log₁₀ operations for the next token, cached", "下一个词元的运算量（log₁₀），有缓存"),
        *FLOPS,
        "right",
    ),
    Curve("gibibytes_over_context", Label("cache, GiB: linear in the tokens", "缓存（GiB）：随词元数线性增长"), CONTEXT, "memory"),
)
