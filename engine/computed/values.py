"""What an expression can be: a number known beforehand, which sizes are made of, or a tensor of float64. True is 1, and false is 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

from engine.computed.recipe import ComputeError
from engine.experiment import BYTES_LIMIT

Value: TypeAlias = "int | float | Tensor"

DTYPE = torch.float64
WHOLE = 2**53  # beyond, a float has gaps and a size has no meaning
DIMENSIONS = 6
BYTES = 8  # of a number


def number(value: Any) -> int | float:
    """A number of Python: whole ones stay whole as long as a float could hold them. Raises ComputeError for nan, which nothing may be."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, complex):
        raise ComputeError("this is no real number", "结果不是实数")
    if isinstance(value, int):
        return value if abs(value) <= WHOLE else float(value)
    if math.isnan(value):
        raise ComputeError("this is not a number (NaN)", "结果不是数（NaN）")
    return float(value)


def whole(value: Value, what: tuple[str, str], low: int = -WHOLE, high: int = WHOLE) -> int:
    """A whole number known beforehand: a size, an index, a count. Raises ComputeError."""
    en, zh = what
    if isinstance(value, Tensor):
        raise ComputeError(
            f"{en} is computed from a tensor; it must be known beforehand: a number, a parameter, or what + - * / make of these",
            f"{zh}由张量算出；它必须事先已知：数字、参数，或它们的四则运算",
        )
    if value != value or value in (math.inf, -math.inf) or value != int(value):
        raise ComputeError(f"{en} is a whole number, not {value:g}", f"{zh}应为整数，不能是 {value:g}")
    if not low <= value <= high:
        raise ComputeError(f"{en} is {int(value)}; it lies in {low}..{high}", f"{zh}为 {int(value)}，应在 {low}..{high} 之间")
    return int(value)


def tensor(value: Value) -> Tensor:
    return value if isinstance(value, Tensor) else torch.tensor(float(value), dtype=DTYPE)


def shape_text(value: Value) -> str:
    """A shape as people write it: (8, 64); of a single number, "a number"."""
    sizes = tuple(value.shape) if isinstance(value, Tensor) else ()
    return f"({', '.join(map(str, sizes))}{',' if len(sizes) == 1 else ''})" if sizes else "a number"


def only_shapes(*values: Value) -> bool:
    """Whether nothing but a shape can come of these: they have no numbers, and no gradient goes back over them.

    torch's meta device takes 0.2 ms to say the shape of a product, and 1 ms for a norm; what is known here is said in its place.
    """
    tensors = [value for value in values if isinstance(value, Tensor)]
    return any(each.is_meta for each in tensors) and not any(each.requires_grad for each in tensors)


def shaped(sizes: Sequence[int]) -> Tensor:
    """A tensor without numbers."""
    return torch.empty(sizes, dtype=DTYPE, device="meta")


def check_broadcast(*tensors: Tensor) -> list[int]:
    """The shape of what tensors give together, number by number. Raises ComputeError where it would be too large."""
    sizes = broadcast(*(each.shape for each in tensors))
    check_bytes(sizes)
    return sizes


def broadcast(*shapes: torch.Size) -> list[int]:
    """The shape of what tensors give together: torch's rule, a hundred times as fast. Raises RuntimeError in torch's words."""
    made = [1] * max(map(len, shapes), default=0)
    for shape in shapes:
        for place, size in enumerate(shape, len(made) - len(shape)):
            if size != 1 and made[place] != size:
                if made[place] != 1:
                    torch.broadcast_shapes(*shapes)  # type: ignore[no-untyped-call]  # raises
                made[place] = size
    return made


def check_bytes(sizes: list[int]) -> None:
    """Raises ComputeError for a tensor that would be larger than a run may be: before torch is asked for it."""
    count = math.prod(sizes)
    if count * BYTES > BYTES_LIMIT:
        shown = f"({', '.join(f'{size:,}' for size in sizes)})"
        need = f"{count * BYTES / 2**20:,.0f} MiB"
        raise ComputeError(
            f"{shown} would need {need}; the limit is {BYTES_LIMIT // 2**20} MiB", f"{shown} 需要 {need}，上限是 {BYTES_LIMIT // 2**20} MiB"
        )
