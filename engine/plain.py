"""From tensors to the plain numbers a Result holds."""

from __future__ import annotations

from torch import Tensor


def number(tensor: Tensor) -> float:
    """The one value of a tensor; -0.0 becomes 0.0, which reads better."""
    return float(tensor) + 0.0


def grid(tensor: Tensor) -> tuple[tuple[float, ...], ...]:
    """A two-dimensional tensor, row by row."""
    return tuple(tuple(float(cell) + 0.0 for cell in row) for row in tensor.tolist())


def names(letter: str, count: int) -> tuple[str, ...]:
    """k1, k2, ... for the rows or columns of a matrix."""
    return tuple(f"{letter}{index + 1}" for index in range(count))
