"""Functions that make a tensor from sizes. What is random names its seed, so that equal parameters give equal numbers."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from engine.computed.recipe import ComputeError
from engine.computed.values import DIMENSIONS, DTYPE, Value, check_bytes, shaped, whole

SEEDS = 2**31


def _sizes(sizes: Iterable[Value]) -> list[int]:
    found = [whole(size, ("a size", "尺寸"), 0) for size in sizes]
    if len(found) > DIMENSIONS:
        raise ComputeError(f"a tensor has at most {DIMENSIONS} dimensions here", f"这里的张量最多 {DIMENSIONS} 维")
    check_bytes(found)
    return found


def zeros(*sizes: Value) -> Tensor:
    return torch.zeros(_sizes(sizes), dtype=DTYPE)


def ones(*sizes: Value) -> Tensor:
    return torch.ones(_sizes(sizes), dtype=DTYPE)


def identity(n: int) -> Tensor:
    (size,) = _sizes([n])
    check_bytes([size, size])
    return torch.eye(size, dtype=DTYPE)


def counting(*bounds: Value) -> Tensor:
    """arange(n) counts 0 .. n-1, arange(a, b) from a to b-1."""
    if not 1 <= len(bounds) <= 2:
        raise ComputeError("arange takes one bound or two: arange(n), arange(a, b)", "arange 需要一或两个界限：arange(n)、arange(a, b)")
    low, high = (whole(bound, ("a bound", "界限")) for bound in (0, *bounds)[-2:])
    check_bytes([max(high - low, 0)])
    return torch.arange(low, max(low, high), dtype=DTYPE)


def evenly(low: float, high: float, n: int) -> Tensor:
    return torch.linspace(low, high, *_sizes([n]), dtype=DTYPE)


def normal(*sizes_and_seed: Value) -> Tensor:
    """Normal numbers; the last value is the seed: randn(8, 64, seed)."""
    sizes, generator = _drawn("randn", sizes_and_seed)
    return torch.randn(sizes, generator=generator, dtype=DTYPE) if generator else shaped(sizes)


def uniform(*sizes_and_seed: Value) -> Tensor:
    """Numbers between 0 and 1; the last value is the seed: rand(8, 64, seed)."""
    sizes, generator = _drawn("rand", sizes_and_seed)
    return torch.rand(sizes, generator=generator, dtype=DTYPE) if generator else shaped(sizes)


def _drawn(name: str, sizes_and_seed: tuple[Value, ...]) -> tuple[list[int], torch.Generator | None]:
    if len(sizes_and_seed) < 2:
        raise ComputeError(
            f"{name} takes sizes and then a seed: {name}(8, 64, seed)", f"{name} 需要尺寸，最后是随机种子：{name}(8, 64, seed)"
        )
    *sizes, seed = sizes_and_seed
    number = whole(seed, ("a seed", "随机种子"), 0, SEEDS)
    on_meta = torch.get_default_device().type == "meta"  # where nothing is drawn
    return _sizes(sizes), None if on_meta else torch.Generator("cpu").manual_seed(number)
