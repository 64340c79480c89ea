"""What a listing has computed as plain numbers: a number, or lists of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from engine.label import Label
from engine.listing.request import DEPTH_LIMIT, VALUES_LIMIT

BITS = 63


class NoNumbers(Exception):
    """What is compared is nothing that can be compared; the sentence says what it is."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.label = Label(en, zh)


def plain(value: Any) -> Any:
    """A value as JSON holds it; a truth is 1 or 0. Raises NoNumbers, and whatever an object of the listing's own raises."""
    count = itertools.count(1)
    return _plain(value, count, 0)


def _plain(value: Any, count: Iterator[int], depth: int) -> Any:
    if isinstance(value, Tensor):
        return _tensor(value)
    if hasattr(value, "tolist"):  # an array of numpy, or a number of it
        return _plain(value.tolist(), count, depth)
    if isinstance(value, list | tuple):
        if depth == DEPTH_LIMIT:
            raise NoNumbers("nests too deeply", "嵌套太深")
        return [_plain(part, count, depth + 1) for part in value]
    if next(count) > VALUES_LIMIT:
        raise _too_many()
    if isinstance(value, bool | int | float):
        number = int(value) if isinstance(value, int) else float(value)
        return number if isinstance(number, float) or number.bit_length() <= BITS else float(number)
    if value is None:
        raise NoNumbers("is None", "是 None")
    raise NoNumbers(f"is of the type {type(value).__name__}", f"的类型是 {type(value).__name__}")


def _tensor(value: Tensor) -> Any:
    if value.is_complex():
        raise NoNumbers("is a complex tensor", "是复数张量")
    if value.numel() > VALUES_LIMIT:
        raise _too_many()
    if value.dim() > DEPTH_LIMIT:
        raise NoNumbers("nests too deeply", "嵌套太深")
    dense = (value.to_dense() if value.layout is not torch.strided else value).detach()
    return (dense.int() if dense.dtype is torch.bool else dense).tolist()


def _too_many() -> NoNumbers:
    return NoNumbers(f"has more than {VALUES_LIMIT:,} numbers", f"超过 {VALUES_LIMIT:,} 个数")
