"""In 16 bits a small update to a large number is rounded away, so mixed precision adds to a 32-bit master copy."""

from __future__ import annotations

import math

import torch

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, YES_OR_NO, Curve, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.precision import DTYPES, counts_to, exp_overflows_at, row_sum_error, spacing, survives, updated_in, updated_with_master

MAGNITUDES = tuple(2.0**power for power in range(-10, 16))  # fp16's normal numbers, roughly; the x axis
ROWS = 32
GRADIENT = 1e-8
BITS = {"fp16": (5, 10), "bf16": (8, 7), "fp32": (8, 23)}  # of exponent and fraction


def run(*, numbers: str, update: float, updates: int, magnitude: float, loss_scale: float, keys: int, seed: int) -> Numbers:
    dtype = DTYPES[numbers]
    scores = torch.randn(ROWS, keys, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return {
        **weights(dtype, update, updates),
        "counts_to_limit": counts_to(dtype),
        "spacing_at_number": spacing(dtype, magnitude),
        "largest_number": torch.finfo(dtype).max,
        "exp_overflow": exp_overflows_at(dtype),
        "softmax_row_sum_error": row_sum_error(scores, dtype),
        "gradient_survives": survives(GRADIENT, dtype),
        "scaled_gradient_survives": survives(GRADIENT * loss_scale, dtype),
        **masks(dtype),
        **spacings(),
        "formats": formats(),
    }


def weights(dtype: torch.dtype, update: float, updates: int) -> Numbers:
    """A weight of 1 after all updates, in one format and with a master copy."""
    kept = updated_in(dtype, 1.0, update, updates)
    return {
        "updated_weight": kept,
        "master_weight": updated_with_master(dtype, 1.0, update, updates),
        "exact_weight": 1 + update * updates,
        "half_gap": spacing(dtype, 1) / 2,
    }


def masks(dtype: torch.dtype) -> Numbers:
    """What becomes of large negative numbers that should forbid a key. Infinite and NaN are told as a 1: a Result stays finite."""
    billion = torch.tensor(-1e9, dtype=torch.float64).to(dtype)
    lowest = torch.tensor(torch.finfo(dtype).min, dtype=dtype)
    row = torch.softmax(torch.stack((lowest + lowest,) * 4), -1)  # causal and padding mask, added, forbid all keys
    return {
        "billion_is_infinite": billion.isinf(),
        "added_masks_are_infinite": (lowest + lowest).isinf(),
        "added_masks_give_nan": row.isnan().any(),
        "minimum_of_masks_gives_nan": torch.softmax(torch.stack((lowest,) * 4), -1).isnan().any(),
    }


def spacings() -> Numbers:
    return {
        f"log10_spacing_{name}": (MAGNITUDES, [math.log10(spacing(dtype, each)) for each in MAGNITUDES]) for name, dtype in DTYPES.items()
    }


def formats() -> list[tuple[float, ...]]:
    """A row for each property, a column for each format."""
    return list(zip(*(properties(name, dtype) for name, dtype in DTYPES.items()), strict=True))


def properties(name: str, dtype: torch.dtype) -> tuple[float, ...]:
    limits = torch.finfo(dtype)
    smallest = limits.tiny * limits.eps  # subnormal
    return limits.max, exp_overflows_at(dtype), *BITS[name], limits.eps, counts_to(dtype), limits.tiny, smallest


MAGNITUDE, AT_LEAST_ONE = Label("number", "数值"), (1, math.inf)

MEASURES = (
    wrong("updated_weight", "1 + updates, all in {numbers}", "1 加上全部更新，全程 {numbers}", within=AT_LEAST_ONE),
    right(
        "master_weight",
        "1 + updates, {numbers} added to a 32-bit master",
        "1 加上全部更新，{numbers} 更新加到 32 位主副本",
        within=AT_LEAST_ONE,
    ),
    measured("exact_weight", "1 + updates, exactly", "1 加上全部更新，精确值", within=AT_LEAST_ONE),
    measured("counts_to_limit", "{numbers} counts up to", "{numbers} 逐一加 1 能数到", within=(2**8, 2**24)),
    measured("spacing_at_number", "gap from the number to the next, {numbers}", "该数到下一个数的间隔，{numbers}"),
    measured("largest_number", "largest number of {numbers}", "{numbers} 的最大数", within=(65504, math.inf)),
    measured("exp_overflow", "smallest whole x with e^x = inf", "使 e^x = inf 的最小整数 x", within=(12, 89)),
    measured("softmax_row_sum_error", "largest |row sum - 1| of softmax rows", "softmax 各行 |行和 − 1| 的最大值", within=SHARE),
    wrong("gradient_survives", "a gradient of 1e-8 survives (1 = yes)", "梯度 1e-8 能存下（1 = 是）", within=YES_OR_NO),
    right(
        "scaled_gradient_survives",
        "a gradient of 1e-8 times the loss scale survives (1 = yes)",
        "梯度 1e-8 乘上损失缩放后能存下（1 = 是）",
        within=YES_OR_NO,
    ),
    measured("billion_is_infinite", "-1e9 becomes -inf (1 = yes)", "−1e9 变成 −inf（1 = 是）", within=YES_OR_NO),
    wrong(
        "added_masks_are_infinite",
        "two masks of the lowest number: sum is -inf (1 = yes)",
        "两个最小数掩码：相加得 −inf（1 = 是）",
        within=YES_OR_NO,
    ),
    wrong(
        "added_masks_give_nan",
        "two masks of the lowest number: added, row is NaN (1 = yes)",
        "两个最小数掩码：相加后该行为 NaN（1 = 是）",
        within=YES_OR_NO,
    ),
    right(
        "minimum_of_masks_gives_nan",
        "two masks of the lowest number: smaller taken, NaN (1 = yes)",
        "两个最小数掩码：取较小值时为 NaN（1 = 是）",
        within=YES_OR_NO,
    ),
    Curve("log10_spacing_fp16", Label("log10 of the gap, fp16", "间隔的 log10，fp16"), MAGNITUDE, "spacing", log_x=True),
    Curve("log10_spacing_bf16", Label("log10 of the gap, bf16", "间隔的 log10，bf16"), MAGNITUDE, "spacing", log_x=True),
    Curve("log10_spacing_fp32", Label("log10 of the gap, fp32", "间隔的 log10，fp32"), MAGNITUDE, "spacing", log_x=True),
    Rows(
        "formats",
        Label("three formats", "三种格式"),
        (Label("format", "格式"), *(Label(name, name) for name in DTYPES)),
        rows=(
            Label("largest", "最大数"),
            Label("e^x is infinite from x", "e^x 溢出于 x ="),
            Label("exponent bits", "指数位数"),
            Label("fraction bits", "尾数位数"),
            Label("gap at 1", "1 处的间隔"),
            Label("counts to", "逐一加 1 能数到"),
            Label("smallest normal", "最小正规数"),
            Label("smallest", "最小正数"),
        ),
    ),
    note(
        "lost",
        "updated_weight == 1 and update <= half_gap",
        "Half the gap at 1 is {half_gap:.2g} in {numbers}; an update of {update:.2g} is no more than that and is rounded away each time.",
        "{numbers} 在 1 处间隔的一半是 {half_gap:.2g}；{update:.2g} 的更新不超过它，每次都被舍掉。",
    ),
    note(
        "no_difference",
        "updated_weight == master_weight",
        "Added in {numbers} or to a 32-bit master, the updates come to the same here.",
        "这里更新无论全程用 {numbers}，还是加到 32 位主副本，结果相同。",
    ),
    note(
        "rounded_up",
        "updated_weight > master_weight",
        "Here rounding enlarges the updates instead of losing them: {updated_weight:.4g}, where {exact_weight:.4g} is exact.",
        "这里舍入不是丢失更新，而是放大更新：得到 {updated_weight:.4g}，精确值为 {exact_weight:.4g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("16-bit numbers", "16 位浮点数"),
    summary=Label(
        "fp16, bf16 and fp32: gaps, limits, lost updates, masks that overflow.", "fp16、bf16 与 fp32：间隔、上限、丢失的更新、溢出的掩码。"
    ),
    keywords=(
        "fp16",
        "bf16",
        "fp32",
        "half precision",
        "mixed precision",
        "loss scaling",
        "overflow",
        "underflow",
        "半精度",
        "混合精度",
        "损失缩放",
        "溢出",
    ),
    parameters=(
        choice("numbers", Label("format", "格式"), *((name, name, name) for name in DTYPES)),
        Parameter("update", Label("one update", "一次更新"), 1e-4, 1e-6, 1e-1, 10**0.25, "log"),
        Parameter("updates", Label("updates", "更新次数"), 1000, 100, 2000, 100),
        Parameter("magnitude", MAGNITUDE, 1.0, MAGNITUDES[0], MAGNITUDES[-1], 2, "log"),
        Parameter("loss_scale", Label("loss scale", "损失缩放"), 1024.0, 1.0, 65536.0, 2, "log"),
        Parameter("keys", Label("keys of a softmax row", "softmax 一行的键数"), 512, 2, 4096, 2, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("updated_weight", "master_weight"),
            mark="exact_weight",
            caption=Label(
                "An update smaller than half the gap to the next number is rounded away every time; a 32-bit master adds it up.",
                "更新小于到下一个数的间隔的一半，每次都会被舍掉；32 位主副本能一次次累加起来。",
            ),
        ),
        Figure("curve", ("log10_spacing_fp16", "log10_spacing_bf16", "log10_spacing_fp32"), over="magnitude"),
        Figure("bars", ("counts_to_limit",)),
        Figure("table", ("formats",)),
    ),
    arms=("updated_weight", "master_weight"),
    presets=(
        Preset(
            Label("fp32", "fp32"),
            {"numbers": "fp32"},
            Label(
                "Gaps are 8192 times finer: nothing is lost, and the master copy changes nothing.",
                "间隔细了 8192 倍：什么都不丢，主副本也就没有区别。",
            ),
            "updated_weight > 1.09",
        ),
        Preset(
            Label("bf16", "bf16"),
            {"numbers": "bf16"},
            Label(
                "The range of fp32 with fewer digits than fp16: it counts to 256 and no further.",
                "范围和 fp32 一样，位数比 fp16 还少：逐一加 1 只能数到 256。",
            ),
            "counts_to_limit == 256 and gradient_survives == 1",
            show="counts_to_limit",
        ),
        Preset(
            Label("updates of 0.1", "每次 0.1"),
            {"update": 0.1},
            Label("Rounding can also enlarge: a thousand times 0.1 makes more than 100.", "舍入也会变大：一千个 0.1 加出来超过了 100。"),
            "updated_weight > master_weight",
        ),
    ),
    run=run,
)
