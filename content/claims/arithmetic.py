"""What a claim may compute: finite numbers in, finite numbers out, or a sentence that says why not."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any, cast

from content.messages.sentence import say

Number = int | float
Value = Any  # a number, a truth, or a tuple of either, or a tuple of those: what a scope holds is known only when it is read

BITS_LIMIT = 1000  # whole numbers below 2**1000 are exact and still convert to a float


class Undecided(Exception):
    """The claim cannot be decided; the sentence says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def flat(value: Value) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value


def size(value: Value) -> int:
    """How many cells a value has, without looking at each."""
    if not isinstance(value, tuple):
        return 1
    return sum(map(size, value)) if value and isinstance(value[0], tuple) else len(value)


def shape(value: tuple[Value, ...]) -> tuple[int, ...]:
    return (len(value), *shape(value[0])) if value and isinstance(value[0], tuple) else (len(value),)


def whole(value: Value) -> int:
    """An index. Raises Undecided for what is no whole number."""
    if isinstance(value, tuple) or not math.isfinite(value) or value != int(value):
        raise Undecided(say("is not a whole number"))
    return int(value)


def _finite(number: Number) -> Number:
    if isinstance(number, complex):
        raise Undecided(say("is not a real number"))
    if isinstance(number, int):
        if number.bit_length() > BITS_LIMIT:
            raise Undecided(say("is too large"))
    elif not math.isfinite(number):
        raise Undecided(say("computes with infinity"))
    return number


def _arithmetic(function: Callable[..., Number]) -> Callable[..., Number]:
    """A function that takes and gives finite numbers only."""
    return lambda *numbers: _finite(function(*map(_finite, numbers)))


def _comparison(function: Callable[..., bool]) -> Callable[..., bool]:
    """A comparison of finite numbers: every finite number is below infinity, which therefore proves nothing."""

    def compare(left: Number, right: Number) -> bool:
        if math.isinf(left) or math.isinf(right):
            raise Undecided(say("compares with infinity"))
        return function(left, right)

    return compare


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1 and base.bit_length() * exponent > 2 * BITS_LIMIT:
        raise Undecided(say("is too large"))
    return cast(Number, base**exponent)


def close(left: Number, right: Number, tolerance: Number) -> bool:
    """Relative to the larger of the two, so that their order does not matter."""
    _finite(left), _finite(right), _finite(tolerance)
    return abs(left - right) <= tolerance * max(abs(left), abs(right))


def _variance(cells: list[Number]) -> Number:
    """Over n, as a mean of squares."""
    mean = _sum(cells) / len(cells)
    return _sum((cell - mean) ** 2 for cell in map(_finite, cells)) / len(cells)


def _sum(cells: Iterable[Number]) -> Number:
    numbers = [_finite(cell) for cell in cells]
    return _finite(sum(numbers) if all(isinstance(number, int) for number in numbers) else math.fsum(numbers))


UNARY: dict[type[ast.unaryop], Callable[..., Value]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}
BINARY: dict[type[ast.operator], Callable[..., Number]] = {
    ast.Add: _arithmetic(operator.add),
    ast.Sub: _arithmetic(operator.sub),
    ast.Mult: _arithmetic(operator.mul),
    ast.Div: _arithmetic(operator.truediv),
    ast.Mod: _arithmetic(operator.mod),
    ast.Pow: _arithmetic(_power),
}
COMPARED: dict[type[ast.cmpop], tuple[str, Callable[..., bool]]] = {
    ast.Lt: ("<", _comparison(operator.lt)), ast.LtE: ("≤", _comparison(operator.le)), ast.Gt: (">", _comparison(operator.gt)),
    ast.GtE: ("≥", _comparison(operator.ge)), ast.Eq: ("=", _comparison(operator.eq)), ast.NotEq: ("≠", _comparison(operator.ne)),
}  # fmt: skip
ELEMENTWISE: dict[str, Callable[..., Number]] = {
    "abs": abs, "sqrt": _arithmetic(math.sqrt), "exp": _arithmetic(math.exp), "log": _arithmetic(math.log), "log2": _arithmetic(math.log2),
}  # fmt: skip
GATHERING: dict[str, Callable[[list[Any]], Value]] = {
    "min": lambda cells: min(map(_finite, cells)), "max": lambda cells: max(map(_finite, cells)), "sum": _sum,
    "mean": lambda cells: _sum(cells) / len(cells),
    "var": _variance, "std": lambda cells: math.sqrt(_variance(cells)),
    "norm": lambda cells: math.sqrt(_sum(cell * cell for cell in cells)),
    "argmax": lambda cells: cells.index(max(map(_finite, cells))), "argmin": lambda cells: cells.index(min(map(_finite, cells))),
    "count": sum, "all": all, "any": any,
}  # fmt: skip
REARRANGING: dict[str, Callable[[tuple[Any, ...]], Value]] = {
    "sorted": lambda vector: tuple(sorted(map(_finite, vector))), "cumsum": lambda vector: tuple(accumulate(map(_finite, vector))),
}  # fmt: skip
