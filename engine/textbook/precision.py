"""Floating-point numbers with 16 bits: what they cannot count, hold or add, and what mixed precision does about it."""

from __future__ import annotations

import math

import torch
from torch import Tensor

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}


def spacing(dtype: torch.dtype, magnitude: float) -> float:
    """The gap from a normal number to the next larger one: eps at 1, doubled at every power of two."""
    return float(torch.finfo(dtype).eps * 2.0 ** math.floor(math.log2(magnitude)))


def counts_to(dtype: torch.dtype) -> int:
    """The largest n that adding 1 again and again reaches: from there n + 1 is rounded back to n."""
    n = torch.tensor(1, dtype=dtype)
    while n + 1 != n:  # between powers of two the gap stays as it is
        n = n * 2
    return int(n)


def survives(value: float, dtype: torch.dtype) -> bool:
    """Whether a number is neither rounded to 0 nor to infinity."""
    stored = float(torch.tensor(value, dtype=torch.float64).to(dtype))
    return stored != 0 and math.isfinite(stored)


def exp_overflows_at(dtype: torch.dtype) -> int:
    """The smallest whole x with e^x = inf."""
    whole = torch.arange(200).to(dtype)
    return int(whole[torch.isinf(whole.exp())][0])


def updated_in(dtype: torch.dtype, weight: float, update: float, steps: int) -> float:
    """A weight that gets the same small update again and again, kept in one format all the time."""
    kept, small = torch.tensor(weight, dtype=dtype), torch.tensor(update, dtype=dtype)
    for _ in range(steps):
        kept = kept + small
    return float(kept)


def updated_with_master(dtype: torch.dtype, weight: float, update: float, steps: int) -> float:
    """Mixed precision: the updates come in 16 bits, the master copy that they are added to has 32."""
    master, small = torch.tensor(weight, dtype=torch.float32), torch.tensor(update, dtype=dtype)
    for _ in range(steps):
        master = master + small
    return float(master)


def row_sum_error(scores: Tensor, dtype: torch.dtype) -> float:
    """How far rows of softmax, computed and stored in a format, sum away from 1; the sum itself is exact."""
    weights = torch.softmax(scores.to(dtype), -1)
    return float((weights.double().sum(-1) - 1).abs().max())
