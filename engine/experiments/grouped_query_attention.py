"""Query heads that share keys and values shrink the cache by h/g; neighbours share (1, 1, 2, 2), and g = h and g = 1 are MHA and MQA."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import SEED, Divides, Parameter
from engine.preset import Preset
from engine.textbook.attention import scaled_dot_product_attention
from engine.textbook.differences import largest
from engine.textbook.grouped_attention import (
    absorbed_scores,
    grouped_attention,
    latent_scores,
    loop_over_heads,
    mean_pooled,
    repeat_groups,
    rotated_latent_scores,
    rotation_matrices,
    tile_groups,
)
from engine.textbook.serving_costs import cache_bytes

QUERIES, KEYS, WIDTH, LATENT = 3, 5, 4, 6
LAYERS, HEADS, HEAD_WIDTH, FP16 = 80, 64, 128, 2  # LLaMA-2-70B's shape, which has 8 KV heads
KV_HEADS = tuple(2**power for power in range(7))  # 1 ... 64, the x axis
MLA_LAYERS, MLA_HEADS, MLA_NUMBERS = 60, 128, 512 + 64  # DeepSeek-V2: a latent of 512 and 64 rotated dimensions a token and layer


def run(*, heads: int, groups: int, kv_heads: int, seed: int) -> Numbers:
    g = min(groups, heads)
    generator = torch.Generator().manual_seed(seed)
    query, keys, values = (torch.randn(heads, n, WIDTH, generator=generator, dtype=torch.float64) for n in (QUERIES, KEYS, KEYS))
    heads_read = torch.arange(g, dtype=torch.float64)[:, None, None]
    return {
        **groupings(query, keys[:g], values[:g]),
        **ends(query, keys, values),
        **memory(kv_heads),
        "pooled_loss": pooled_loss(query, keys, values, g),
        **latent(query, generator),
        "sharing": sharing(heads, g),
        "group_of_head": 1 + torch.stack((repeat_groups(heads_read, heads)[:, 0, 0], tile_groups(heads_read, heads)[:, 0, 0])),
        "g": g,
    }


def sharing(heads: int, groups: int) -> Tensor:
    """Which head of keys and values each query head reads, (3, h), counted from 1: MHA, g groups, MQA."""
    return torch.stack([1 + repeat_groups(torch.arange(g, dtype=torch.float64)[:, None, None], heads)[:, 0, 0] for g in (heads, groups, 1)])


def groupings(query: Tensor, key: Tensor, value: Tensor) -> Numbers:
    """Both orders of sharing against a loop that looks up each head's group."""
    exact = loop_over_heads(query, key, value)
    tiled = scaled_dot_product_attention(query, tile_groups(key, len(query)), tile_groups(value, len(query)))[0]
    return {"tiled_error": largest(tiled - exact), "grouped_error": largest(grouped_attention(query, key, value) - exact)}


def ends(query: Tensor, keys: Tensor, values: Tensor) -> Numbers:
    multi_head = scaled_dot_product_attention(query, keys, values)[0]
    multi_query = scaled_dot_product_attention(query, keys[0], values[0])[0]  # one K and one V, broadcast to all heads
    return {
        "multi_head_difference": largest(grouped_attention(query, keys, values) - multi_head),
        "multi_query_difference": largest(grouped_attention(query, keys[:1], values[:1]) - multi_query),
    }


def mebibytes(kv_heads: int) -> float:
    """A token's keys and values in all layers of the 70B shape, fp16."""
    return cache_bytes(1, LAYERS, kv_heads, HEAD_WIDTH, FP16) / 2**20


def memory(kv_heads: int) -> Numbers:
    latents, full = MLA_NUMBERS * MLA_LAYERS, 2 * MLA_HEADS * HEAD_WIDTH * MLA_LAYERS
    return {
        "mha_mebibytes": mebibytes(HEADS),
        "gqa_mebibytes": mebibytes(kv_heads),
        "mqa_mebibytes": mebibytes(1),
        "cache_ratio": HEADS / kv_heads,
        "mla_numbers": latents,
        "mla_as_mha_numbers": full,
        "mla_percent": 100 * latents / full,
        "mla_equivalent_groups": MLA_NUMBERS / (2 * HEAD_WIDTH),
        "mebibytes_over_kv_heads": (KV_HEADS, [mebibytes(each) for each in KV_HEADS]),
        "cache_by_way": [(way, each, 2 * LAYERS * each * HEAD_WIDTH, mebibytes(each), mebibytes(each) * 4096 / 1024) for way, each in WAYS],
    }


WAYS = (("MHA", HEADS), ("GQA-8", 8), ("MQA", 1))


def pooled_loss(query: Tensor, keys: Tensor, values: Tensor, groups: int) -> float:
    """What sharing costs before any further training: heads of a group replaced by their mean."""
    exact = scaled_dot_product_attention(query, keys, values)[0]
    pooled = grouped_attention(query, mean_pooled(keys, groups), mean_pooled(values, groups))
    return float((pooled - exact).norm() / exact.norm())


def latent(query: Tensor, generator: torch.Generator) -> Numbers:
    """MLA: W_UK moved from the keys into the query; with a rotation between them it cannot be."""
    latents = torch.randn(KEYS, LATENT, generator=generator, dtype=torch.float64)
    W_UK = torch.randn(len(query), WIDTH, LATENT, generator=generator, dtype=torch.float64)
    absorbed = absorbed_scores(query, latents, W_UK)
    return {
        "absorbed_error": largest(absorbed - latent_scores(query, latents, W_UK)),
        "absorbed_rotation_error": largest(absorbed - rotated_latent_scores(query, latents, W_UK, rotation_matrices(KEYS, WIDTH))),
    }


KV_LABEL = Label("KV heads of a 70B model", "70B 模型的 KV 头数")

MEASURES = (
    wrong("tiled_error", "largest error, groups dealt out in turn (1, 2, 1, 2)", "最大误差，按组轮流分配（0、1、0、1）"),
    right("grouped_error", "largest error, neighbours in a group (1, 1, 2, 2)", "最大误差，相邻的头同组（0、0、1、1）"),
    right("multi_head_difference", "largest difference, g = h and multi-head attention", "最大差，g = h 与多头注意力"),
    right("multi_query_difference", "largest difference, g = 1 and multi-query attention", "最大差，g = 1 与多查询注意力"),
    wrong("mha_mebibytes", "cache of a token, 64 KV heads (MHA)", "每词元缓存，64 个 KV 头（MHA）", "MiB"),
    right("gqa_mebibytes", "cache of a token, {kv_heads} KV heads", "每词元缓存，{kv_heads} 个 KV 头", "MiB"),
    measured("mqa_mebibytes", "cache of a token, one KV head (MQA)", "每词元缓存，1 个 KV 头（MQA）", "MiB"),
    measured("cache_ratio", "cache of MHA / cache of {kv_heads} KV heads", "MHA 的缓存 ÷ {kv_heads} 个 KV 头的缓存", within=(1, HEADS)),
    measured("mla_numbers", "MLA: numbers cached for a token (DeepSeek-V2)", "MLA：每词元缓存的数（DeepSeek-V2）"),
    measured("mla_as_mha_numbers", "MHA: numbers cached for a token in that model", "MHA：同一模型每词元缓存的数"),
    measured("mla_percent", "MLA's cache, share of that model's cache as MHA", "MLA 的缓存占同一模型 MHA 缓存的比例", "%", PERCENT),
    measured("mla_equivalent_groups", "MLA caches as much as GQA with so many groups", "MLA 的缓存相当于多少组的 GQA"),
    measured(
        "pooled_loss",
        "heads of a group mean-pooled: relative error of the outputs",
        "一组的头平均池化：输出的相对误差",
    ),
    right("absorbed_error", "MLA, (W_UKᵀ q)·c for q·(W_UK c): largest error", "MLA，以 (W_UKᵀ q)·c 代 q·(W_UK c)：最大误差"),
    wrong("absorbed_rotation_error", "MLA, as above, keys rotated by position: largest error", "MLA，键按位置旋转而仍如此代换：最大误差"),
    Grid(
        "sharing",
        Label("KV head that each query head reads", "每个查询头读第几个 KV 头"),
        rows=("MHA, {heads}", "GQA, {g}", "MQA, 1"),
        columns="q{1}",
        kind="magnitude",
    ),
    Grid(
        "group_of_head",
        Label("which group each query head reads: neighbours together, or dealt out in turn", "每个查询头读哪一组：相邻的一组，或轮流分"),
        rows=("1 + ⌊i·g/h⌋", "1 + i mod g"),
        columns="q{1}",
        kind="magnitude",
    ),
    Curve("mebibytes_over_kv_heads", Label("cache of a token, MiB", "每词元缓存（MiB）"), KV_LABEL, "memory", log_x=True),
    Rows(
        "cache_by_way",
        Label("80 layers, 64 heads of 128, fp16", "80 层、64 个宽 128 的头，fp16"),
        (
            Label("way", "做法"),
            Label("KV heads", "KV 头数"),
            Label("numbers a token", "每词元的数"),
            Label("MiB a token", "MiB/词元"),
            Label("GiB at 4096", "4096 词元 GiB"),
        ),
    ),
    note("clamped", "groups > heads", "There cannot be more groups than heads: g = {g} is used.", "组数不能多于头数：这里取 g = {g}。"),
    note(
        "accident",
        "tiled_error < 0.000000001",
        "With one group, or one head a group, the tiled order is right by accident.",
        "只有一组、或每组一个头时，平铺的顺序恰好也对。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("MHA, GQA, MQA, MLA", "MHA、GQA、MQA、MLA"),
    summary=Label(
        "Fewer keys and values than queries: who shares, what it saves, where the ends are.",
        "键值头少于查询头：谁与谁共享、省多少、两端各是什么。",
    ),
    keywords=("GQA", "MQA", "MLA", "multi-query", "multi-head latent attention", "DeepSeek", "LLaMA", "多查询", "分组查询", "潜在注意力"),
    parameters=(
        Parameter("heads", Label("query heads h", "查询头数 h"), 4, 1, 8, 2, "log"),
        Parameter("groups", Label("groups g", "组数 g"), 2, 1, 8, 2, "log"),
        Parameter("kv_heads", KV_LABEL, 8, KV_HEADS[0], KV_HEADS[-1], 2, "log"),
        SEED,
    ),
    rules=(Divides("groups", "heads", capped=True),),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("sharing",),
            caption=Label(
                "Every query head keeps its queries; the fewer heads of keys and values they read, the smaller the cache.",
                "每个查询头都有自己的查询；它们读的 KV 头越少，缓存就越小。",
            ),
        ),
        Figure("heatmap", ("group_of_head",)),
        Figure("curve", ("mebibytes_over_kv_heads",), over="kv_heads", mark="gqa_mebibytes"),
        Figure("bars", ("mha_mebibytes", "gqa_mebibytes", "mqa_mebibytes")),
        Figure("table", ("cache_by_way",)),
    ),
    arms=("tiled_error", "grouped_error"),
    presets=(
        Preset(
            Label("g = h", "g = h"),
            {"groups": 4},
            Label(
                "A group for each head is multi-head attention: nothing is shared, nothing is lost, nothing is saved.",
                "每个头一组就是多头注意力：不共享，不损失，也不节省。",
            ),
            "g == heads and pooled_loss < 1e-9",
        ),
        Preset(
            Label("g = 1", "g = 1"),
            {"groups": 1},
            Label(
                "One group is multi-query attention: with nobody to tell apart, even the wrong order of sharing is right.",
                "只有一组就是 MQA：没有别的组可以弄混，共享次序错了也对。",
            ),
            "g == 1 and tiled_error < 1e-9",
        ),
        Preset(
            Label("70B, one KV head", "70B，一个 KV 头"),
            {"kv_heads": 1},
            Label("Of 64 heads of keys and values one is kept: a cache of 1/64.", "64 个 KV 头只留一个：缓存只剩 1/64。"),
            "cache_ratio == 64",
            show="mebibytes_over_kv_heads",
        ),
    ),
    run=run,
)
