"""The table of functions: what an author writes, and the function of torch that it stands for.

A function's signature is its rule, and what an author is told: a Tensor takes a number, too; an int and a bool are known beforehand.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, get_type_hints

from torch import Tensor

from engine.computed import elementwise, making, reducing, shaping
from engine.computed.recipe import GRADIENT, ComputeError
from engine.computed.values import Value, broadcast, number, shape_text, tensor, whole

Function = Callable[..., Value]

FUNCTIONS: Mapping[str, Function] = {
    "zeros": making.zeros, "ones": making.ones, "eye": making.identity, "arange": making.counting, "linspace": making.evenly,
    "randn": making.normal, "rand": making.uniform,
    "exp": elementwise.exp, "log": elementwise.log, "log2": elementwise.log2, "sqrt": elementwise.sqrt, "abs": elementwise.absolute,
    "sin": elementwise.sine, "cos": elementwise.cosine, "floor": elementwise.floor, "ceil": elementwise.ceil, "round": elementwise.rounded,
    "relu": elementwise.relu, "gelu": elementwise.gelu, "tanh": elementwise.tanh, "sigmoid": elementwise.sigmoid, "erf": elementwise.erf,
    "sign": elementwise.sign, "where": elementwise.where, "masked_fill": elementwise.masked_fill, "clamp": elementwise.clamp,
    "close": elementwise.close,
    "sum": reducing.total, "mean": reducing.mean, "std": reducing.deviation, "var": reducing.variance, "norm": reducing.norm,
    "max": reducing.largest, "min": reducing.smallest, "argmax": reducing.argmax, "argmin": reducing.argmin, "count": reducing.count,
    "softmax": reducing.softmax, "log_softmax": reducing.log_softmax, "logsumexp": reducing.logsumexp, "layer_norm": reducing.layer_norm,
    "sort": reducing.sort, "argsort": reducing.argsort, "cumsum": reducing.cumsum, "topk": reducing.topk, "quantile": reducing.quantile,
    "svdvals": reducing.singular_values, "dot": reducing.dot, "cosine": reducing.cosine_of,
    "transpose": shaping.transpose, "reshape": shaping.reshape, "flatten": shaping.flatten, "cat": shaping.cat, "stack": shaping.stack,
    "outer": shaping.outer, "diagonal": shaping.diagonal, "tril": shaping.tril, "triu": shaping.triu, "row": shaping.row,
    "column": shaping.column, "one_hot": shaping.one_hot, "len": shaping.length, "size": shaping.size,
}  # fmt: skip
NAMES = (*FUNCTIONS, GRADIENT)


def call(name: str, values: list[Value], named: Mapping[str, Value]) -> Value:
    """A function's value. Raises ComputeError where the values are not those that it takes, and whatever torch raises."""
    if name == GRADIENT:  # the interpreter takes it where it is written as it should be
        raise _written_otherwise(name, len(values) + len(named))
    places, types = rule_of(name, len(values), tuple(named))
    taken = [_taken(value, types[parameter], parameter) for parameter, value in zip(places, values, strict=True)]
    also = {parameter: _taken(value, types[parameter], parameter) for parameter, value in named.items()}
    _check_dimension({**dict(zip(places, taken, strict=True)), **also})
    return FUNCTIONS[name](*taken, **also)


@lru_cache(None)
def rule_of(name: str, count: int, named: tuple[str, ...]) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """The parameters that so many values stand for beside the named ones, and the types of all. Raises ComputeError where they do not."""
    signature, types = _rule(FUNCTIONS[name])
    try:
        bound = signature.bind(*range(count), **dict.fromkeys(named))
    except TypeError:
        raise _written_otherwise(name, count + len(named)) from None
    places = [key for key, value in bound.arguments.items() for _ in (value if isinstance(value, tuple) else (value,)) if key not in named]
    return tuple(places), types


def operations(name: str, values: list[Value], made: Value) -> int:
    """About how many numbers a function computes: of those that it is given, spread over each other, or of those that it makes."""
    tensors = [value for value in (*values, made) if isinstance(value, Tensor)]
    largest = max((each.numel() for each in tensors), default=1)
    if FUNCTIONS[name] is reducing.singular_values:
        return reducing.SWEEPS * largest * min(tensors[0].shape[-2:])
    with suppress(RuntimeError):  # what does not fit is put beside each other
        return max(largest, math.prod(broadcast(*(each.shape for each in tensors[:-1]))))
    return largest


def _written_otherwise(name: str, count: int) -> ComputeError:
    return ComputeError(f"this is written {usage(name)}; it has {count} values", f"应写作 {usage(name)}；这里给了 {count} 个值")


def _check_dimension(given: Mapping[str, Any]) -> None:
    """Raises ComputeError where `dim` is no dimension of x."""
    x, dim = given.get("x"), given.get("dim")
    if isinstance(x, Tensor) and dim is not None and not -x.dim() <= dim < x.dim():
        en, zh = (
            (f"it lies in {-x.dim()}..{x.dim() - 1}", f"应在 {-x.dim()}..{x.dim() - 1} 之间") if x.dim() else ("it has none", "它没有维度")
        )
        raise ComputeError(f"{shape_text(x)} has no dimension {dim}; {en}", f"{shape_text(x)} 没有第 {dim} 维；{zh}")


def usage(name: str) -> str:
    """How a function is written: softmax(x, dim=-1)."""
    if name == GRADIENT:
        return "grad(y, x)"
    parameters = []
    for parameter in _rule(FUNCTIONS[name])[0].parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            parameters.append("sizes..., seed" if parameter.name == "sizes_and_seed" else f"{parameter.name}...")
        elif parameter.default is inspect.Parameter.empty:
            parameters.append(parameter.name)
        else:
            parameters.append(f"{parameter.name}={_default(parameter.default)}")
    return f"{name}({', '.join(parameters)})"


def _default(value: object) -> str:
    return {None: "all", False: "false", True: "true"}.get(value, str(value)) if value is None or isinstance(value, bool) else str(value)


@lru_cache(None)
def _rule(function: Function) -> tuple[inspect.Signature, Mapping[str, Any]]:
    return inspect.signature(function), get_type_hints(function)


def _taken(value: Value, kind: Any, parameter: str) -> Any:
    """A value as the function's parameter wants it."""
    if kind is Tensor:
        return tensor(value)
    if kind is int or kind == int | None:
        return whole(value, (parameter, parameter))
    if kind is bool:
        return bool(whole(value, (parameter, parameter), 0, 1))
    if kind is float:
        if isinstance(value, Tensor):
            raise ComputeError(f"{parameter} is a number known beforehand, not a tensor", f"{parameter} 应为事先已知的数，不能是张量")
        return number(value)
    return value
