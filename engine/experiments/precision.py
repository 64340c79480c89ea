"""In 16 bits a small update to a large number is rounded away, so mixed precision adds to a 32-bit master copy."""

from __future__ import annotations

import math

import torch

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.precision import DTYPES, counts_to, exp_overflows_at, row_sum_error, spacing, survives, updated_in, updated_with_master

MAGNITUDES = tuple(2.0**power for power in range(-10, 16))  # fp16's normal numbers, roughly; the x axis
ROWS = 32
GRADIENT = 1e-8
MAGNITUDE = Label("number", "数值")
BITS = {"fp16": (5, 10), "bf16": (8, 7), "fp32": (8, 23)}  # of exponent and fraction


def run(*, numbers: str, update: float, updates: int, magnitude: float, loss_scale: float, keys: int, seed: int) -> Result:
    dtype = DTYPES[numbers]
    scores = torch.randn(ROWS, keys, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    kept, master = updated_in(dtype, 1.0, update, updates), updated_with_master(dtype, 1.0, update, updates)
    return Result(
        quantities=(
            wrong("updated_weight", kept, f"1 + updates, all in {numbers}", f"1 加上全部更新，全程 {numbers}"),
            right(
                "master_weight",
                master,
                f"1 + updates, {numbers} added to a 32-bit master",
                f"1 加上全部更新，{numbers} 更新加到 32 位主副本",
            ),
            measured("exact_weight", 1 + update * updates, "1 + updates, exactly", "1 加上全部更新，精确值"),
            measured("counts_to_limit", counts_to(dtype), f"{numbers} counts up to", f"{numbers} 逐一加 1 能数到"),
            measured("spacing_at_number", spacing(dtype, magnitude), "gap to the next number", "到下一个数的间隔"),
            measured("largest_number", torch.finfo(dtype).max, f"largest number of {numbers}", f"{numbers} 的最大数"),
            measured("exp_overflow", exp_overflows_at(dtype), "smallest whole x with e^x = inf", "使 e^x = inf 的最小整数 x"),
            measured("softmax_row_sum_error", row_sum_error(scores, dtype), "softmax rows off 1", "softmax 行和与 1 的偏差"),
            *_gradients(dtype, loss_scale),
            *_masks(dtype),
        ),
        series=_spacings(),
        tables=(_formats(),),
        notes=_notes(numbers, kept, update),
    )


def _gradients(dtype: torch.dtype, loss_scale: float) -> tuple[Quantity, ...]:
    return (
        wrong("gradient_survives", float(survives(GRADIENT, dtype)), "a gradient of 1e-8 survives (1 = yes)", "梯度 1e-8 能存下（1 = 是）"),
        right("scaled_gradient_survives", float(survives(GRADIENT * loss_scale, dtype)), "... times the loss scale", "……乘上损失缩放后"),
    )


def _masks(dtype: torch.dtype) -> tuple[Quantity, ...]:
    """What becomes of large negative numbers that should forbid a key. Infinite and NaN are told as a 1: a Result stays finite."""
    billion = torch.tensor(-1e9, dtype=torch.float64).to(dtype)
    lowest = torch.tensor(torch.finfo(dtype).min, dtype=dtype)
    row = torch.softmax(torch.stack((lowest + lowest,) * 4), -1)  # causal and padding mask, added, forbid all keys
    return (
        measured("billion_is_infinite", float(billion.isinf()), "-1e9 becomes -inf (1 = yes)", "−1e9 变成 −inf（1 = 是）"),
        wrong(
            "added_masks_are_infinite",
            float((lowest + lowest).isinf()),
            "two masks of the lowest number add to -inf",
            "两个最小数掩码相加得 −inf",
        ),
        wrong("added_masks_give_nan", float(row.isnan().any()), "... and a row masked by both is NaN", "……两者都掩的一行是 NaN"),
        right(
            "minimum_of_masks_gives_nan",
            float(torch.softmax(torch.stack((lowest,) * 4), -1).isnan().any()),
            "... with the smaller of the two instead of the sum",
            "……取两者较小值而不相加时",
        ),
    )


def _spacings() -> tuple[Series, ...]:
    def curve(name: str, dtype: torch.dtype) -> Series:
        y = tuple(math.log10(spacing(dtype, magnitude)) for magnitude in MAGNITUDES)
        label = Label(f"log10 of the gap, {name}", f"间隔的 log10，{name}")
        return Series(f"log10_spacing_{name}", MAGNITUDES, y, label, MAGNITUDE, "spacing", log_x=True)

    return tuple(curve(name, dtype) for name, dtype in DTYPES.items())


def _formats() -> Table:
    def column(name: str, dtype: torch.dtype) -> tuple[float, ...]:
        limits = torch.finfo(dtype)
        smallest = limits.tiny * limits.eps  # subnormal
        return *BITS[name], limits.eps, limits.max, limits.tiny, smallest, counts_to(dtype), exp_overflows_at(dtype)

    properties = (
        Label("exponent bits", "指数位数"),
        Label("fraction bits", "尾数位数"),
        Label("gap at 1", "1 处的间隔"),
        Label("largest", "最大数"),
        Label("smallest normal", "最小正规数"),
        Label("smallest", "最小正数"),
        Label("counts to", "逐一加 1 能数到"),
        Label("e^x overflows at", "e^x 溢出于 x ="),
    )
    columns = [column(name, dtype) for name, dtype in DTYPES.items()]
    rows = tuple((label, *values) for label, *values in zip(properties, *columns, strict=True))
    return Table("formats", Label("three formats", "三种格式"), (Label("format", "格式"), *(Label(name, name) for name in DTYPES)), rows)


def _notes(numbers: str, kept: float, update: float) -> tuple[Label, ...]:
    half = spacing(DTYPES[numbers], 1) / 2
    lost = Label(
        f"Half the gap at 1 is {half:.2g} in {numbers}; an update of {update:.2g} is less and is rounded away each time.",
        f"{numbers} 在 1 处间隔的一半是 {half:.2g}；{update:.2g} 的更新更小，每次都被舍掉。",
    )
    return (lost,) if kept == 1 else ()


def cost(*, numbers: str, update: float, updates: int, magnitude: float, loss_scale: float, keys: int, seed: int) -> Cost:
    return Cost(bytes=16 * ROWS * keys, flops=20 * ROWS * keys + 10_000 * updates)  # a step on a single number costs its overhead


EXPERIMENT = Experiment(
    title=Label("16-bit numbers", "16 位浮点数"),
    summary=Label(
        "fp16, bf16 and fp32: gaps, limits, lost updates, masks that overflow.", "fp16、bf16 与 fp32：间隔、上限、丢失的更新、溢出的掩码。"
    ),
    parameters=(
        choice("numbers", Label("format", "格式"), ("fp16", "fp16", "fp16"), ("bf16", "bf16", "bf16"), ("fp32", "fp32", "fp32")),
        Parameter("update", Label("one update", "一次更新"), 1e-4, 1e-6, 1e-1, 10**0.25, "log"),
        Parameter("updates", Label("updates", "更新次数"), 1000, 100, 2000, 100),
        Parameter("magnitude", MAGNITUDE, 1.0, MAGNITUDES[0], MAGNITUDES[-1], 2, "log"),
        Parameter("loss_scale", Label("loss scale", "损失缩放"), 1024.0, 1.0, 65536.0, 2, "log"),
        Parameter("keys", Label("keys of a softmax row", "softmax 一行的键数"), 512, 2, 4096, 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(updated_in, updated_with_master, spacing, counts_to, row_sum_error),
    arms=("updated_weight", "master_weight"),
)
