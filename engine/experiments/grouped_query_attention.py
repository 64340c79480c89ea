"""Query heads that share keys and values shrink the cache by h/g; neighbours share (0, 0, 1, 1), and g = h and g = 1 are MHA and MQA."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import scaled_dot_product_attention
from engine.textbook.grouped_attention import (
    absorbed_scores,
    grouped_attention,
    latent_scores,
    loop_over_heads,
    mean_pooled,
    repeat_groups,
    rotated_latent_scores,
    tile_groups,
    rotation_matrices,
)
from engine.textbook.serving_costs import cache_bytes

QUERIES, KEYS, WIDTH, LATENT = 3, 5, 4, 6
LAYERS, HEADS, HEAD_WIDTH, FP16 = 80, 64, 128, 2  # LLaMA-2-70B's shape, which has 8 KV heads
KV_HEADS = tuple(2**power for power in range(7))  # 1 ... 64, the x axis
KV_LABEL = Label("KV heads of a 70B model", "70B 模型的 KV 头数")
MLA_LAYERS, MLA_HEADS, MLA_NUMBERS = 60, 128, 512 + 64  # DeepSeek-V2: a latent of 512 and 64 rotated dimensions a token and layer


def run(*, heads: int, groups: int, kv_heads: int, seed: int) -> Result:
    g = min(groups, heads)
    generator = torch.Generator().manual_seed(seed)
    query, keys, values = (torch.randn(heads, n, WIDTH, generator=generator, dtype=torch.float64) for n in (QUERIES, KEYS, KEYS))
    key, value = keys[:g], values[:g]
    return Result(
        quantities=(
            *_order(query, key, value),
            *_ends(query, keys, values),
            *_memory(kv_heads),
            *_pooling(query, keys, values, g),
            *_latent(query, generator),
        ),
        matrices=(_group_of_head(heads, g),),
        series=_curve(),
        tables=(_models(),),
        notes=_notes(heads, groups, g),
    )


def largest(change: Tensor) -> float:
    return number(change.abs().max())


def _order(query: Tensor, key: Tensor, value: Tensor) -> tuple[Quantity, ...]:
    exact = loop_over_heads(query, key, value)
    tiled = scaled_dot_product_attention(query, tile_groups(key, len(query)), tile_groups(value, len(query)))[0]
    return (
        wrong("tiled_error", largest(tiled - exact), "error with groups 0, 1, 0, 1", "误差：按 0、1、0、1 分组"),
        right(
            "grouped_error",
            largest(grouped_attention(query, key, value) - exact),
            "error with groups 0, 0, 1, 1",
            "误差：按 0、0、1、1 分组",
        ),
    )


def _ends(query: Tensor, keys: Tensor, values: Tensor) -> tuple[Quantity, ...]:
    multi_head = scaled_dot_product_attention(query, keys, values)[0]
    multi_query = scaled_dot_product_attention(query, keys[0], values[0])[0]  # one K and one V, broadcast to all heads
    return (
        right(
            "multi_head_difference",
            largest(grouped_attention(query, keys, values) - multi_head),
            "g = h against multi-head attention",
            "g = h 与多头注意力之差",
        ),
        right(
            "multi_query_difference",
            largest(grouped_attention(query, keys[:1], values[:1]) - multi_query),
            "g = 1 against multi-query attention",
            "g = 1 与多查询注意力之差",
        ),
    )


def mebibytes(kv_heads: int) -> float:
    """A token's keys and values in all layers of the 70B shape, fp16."""
    return cache_bytes(1, LAYERS, kv_heads, HEAD_WIDTH, FP16) / 2**20


def _memory(kv_heads: int) -> tuple[Quantity, ...]:
    latent, full = MLA_NUMBERS * MLA_LAYERS, 2 * MLA_HEADS * HEAD_WIDTH * MLA_LAYERS
    return (
        wrong("mha_mebibytes", mebibytes(HEADS), "cache of a token, 64 KV heads (MHA)", "每词元缓存，64 个 KV 头（MHA）", "MiB"),
        right("gqa_mebibytes", mebibytes(kv_heads), f"cache of a token, {kv_heads} KV heads", f"每词元缓存，{kv_heads} 个 KV 头", "MiB"),
        measured("mqa_mebibytes", mebibytes(1), "cache of a token, one KV head (MQA)", "每词元缓存，1 个 KV 头（MQA）", "MiB"),
        measured("cache_ratio", HEADS / kv_heads, "times smaller than MHA", "比 MHA 小的倍数"),
        measured("mla_numbers", latent, "MLA: numbers cached for a token (DeepSeek-V2)", "MLA：每词元缓存的数（DeepSeek-V2）"),
        measured("mla_as_mha_numbers", full, "the same model as MHA", "同一模型若用 MHA"),
        measured("mla_percent", 100 * latent / full, "MLA's share of that", "MLA 所占比例", "%"),
        measured("mla_equivalent_groups", MLA_NUMBERS / (2 * HEAD_WIDTH), "as much as GQA with so many groups", "相当于多少组的 GQA"),
    )


def _pooling(query: Tensor, keys: Tensor, values: Tensor, groups: int) -> tuple[Quantity, ...]:
    """What sharing costs before any further training."""
    exact = scaled_dot_product_attention(query, keys, values)[0]
    pooled = grouped_attention(query, mean_pooled(keys, groups), mean_pooled(values, groups))
    return (
        measured(
            "pooled_loss",
            number((pooled - exact).norm() / exact.norm()),
            "mean-pooled from MHA: outputs off, before further training",
            "由 MHA 平均池化：再训练之前输出的偏差",
        ),
    )


def _latent(query: Tensor, generator: torch.Generator) -> tuple[Quantity, ...]:
    latent = torch.randn(KEYS, LATENT, generator=generator, dtype=torch.float64)
    W_UK = torch.randn(len(query), WIDTH, LATENT, generator=generator, dtype=torch.float64)
    absorbed = absorbed_scores(query, latent, W_UK)
    rotated = rotated_latent_scores(query, latent, W_UK, rotation_matrices(KEYS, WIDTH))
    return (
        right(
            "absorbed_error",
            largest(absorbed - latent_scores(query, latent, W_UK)),
            "MLA: (W_UKᵀ q)·c against q·(W_UK c)",
            "MLA：(W_UKᵀ q)·c 与 q·(W_UK c) 之差",
        ),
        wrong(
            "absorbed_rotation_error",
            largest(absorbed - rotated),
            "... leaving out that keys are rotated by position",
            "……若忽略键按位置的旋转",
        ),
    )


def _group_of_head(heads: int, groups: int) -> Matrix:
    numbers = torch.arange(groups, dtype=torch.float64)[:, None, None]
    rows = torch.stack((repeat_groups(numbers, heads)[:, 0, 0], tile_groups(numbers, heads)[:, 0, 0]))
    columns = tuple(f"h{head}" for head in range(heads))
    return Matrix(
        "group_of_head",
        grid(rows),
        Label("which group each query head reads", "每个查询头读哪一组"),
        ("⌊i·g/h⌋", "i mod g"),
        columns,
        kind="magnitude",
    )


def _curve() -> tuple[Series, ...]:
    y = tuple(mebibytes(kv_heads) for kv_heads in KV_HEADS)
    return (
        Series(
            "mebibytes_over_kv_heads",
            tuple(map(float, KV_HEADS)),
            y,
            Label("cache of a token, MiB", "每词元缓存（MiB）"),
            KV_LABEL,
            "memory",
            True,
        ),
    )


def _models() -> Table:
    def row(name: str, kv_heads: int) -> tuple[float | str, ...]:
        return name, kv_heads, 2 * LAYERS * kv_heads * HEAD_WIDTH, mebibytes(kv_heads), mebibytes(kv_heads) * 4096 / 1024

    columns = (
        Label("way", "做法"),
        Label("KV heads", "KV 头数"),
        Label("numbers a token", "每词元的数"),
        Label("MiB a token", "MiB/词元"),
        Label("GiB at 4096", "4096 词元 GiB"),
    )
    rows = (row("MHA", HEADS), row("GQA-8", 8), row("MQA", 1))
    return Table("cache_by_way", Label("80 layers, 64 heads of 128, fp16", "80 层、64 个宽 128 的头，fp16"), columns, rows)


def _notes(heads: int, groups: int, g: int) -> tuple[Label, ...]:
    clamped = Label(f"There cannot be more groups than heads: g = {g} is used.", f"组数不能多于头数：这里取 g = {g}。")
    accident = Label(
        "With one group, or one head a group, the tiled order is right by accident.", "只有一组、或每组一个头时，平铺的顺序恰好也对。"
    )
    return tuple(note for applies, note in ((groups > heads, clamped), (g in (1, heads), accident)) if applies)


def cost(*, heads: int, groups: int, kv_heads: int, seed: int) -> Cost:
    numbers = heads * (QUERIES + 2 * KEYS) * WIDTH
    return Cost(bytes=8 * 10 * numbers, flops=8 * 4 * heads * QUERIES * KEYS * (2 * WIDTH + LATENT))


EXPERIMENT = Experiment(
    title=Label("MHA, GQA, MQA, MLA", "MHA、GQA、MQA、MLA"),
    summary=Label(
        "Fewer keys and values than queries: who shares, what it saves, where the ends are.",
        "键值头少于查询头：谁与谁共享、省多少、两端各是什么。",
    ),
    parameters=(
        Parameter("heads", Label("query heads h", "查询头数 h"), 4, 1, 8, 2, "log"),
        Parameter("groups", Label("groups g", "组数 g"), 2, 1, 8, 2, "log"),
        Parameter("kv_heads", KV_LABEL, 8, KV_HEADS[0], KV_HEADS[-1], 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(grouped_attention, repeat_groups, tile_groups, mean_pooled, latent_scores, absorbed_scores),
    arms=("tiled_error", "grouped_error"),
)
