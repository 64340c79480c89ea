"""What an input is when a listing gets it: the language of inputs has one kind of number, Python has three.

What compares is true or false, as a mask has to be; what counts places is a whole number, as an index has to be; all else is a float64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from engine.computed.recipe import Node
from engine.computed.values import Value

Kind = torch.dtype

PLACES = frozenset({"arange", "argmax", "argmin", "argsort"})
SAME = frozenset({"reshape", "flatten", "transpose", "diagonal", "tril", "triu", "row", "column", "cat", "stack"})  # numbers moved about
WHOLE = frozenset("+-*%")
DTYPES: Mapping[Kind, type] = {torch.bool: bool, torch.int64: int, torch.float64: float}


def kind_of(node: Node, known: Mapping[str, Kind]) -> Kind:
    """The kind of an expression's value; `known` are those of the inputs above."""
    match node:
        case ("compare", *_) | ("unary", _, _, "not", _) | ("binary", _, _, "and" | "or", _, _):
            return torch.bool
        case ("name", _, _, "true" | "false"):
            return torch.bool
        case ("name", _, _, name):
            return known.get(name, torch.float64)
        case ("number", _, _, written):
            return torch.int64 if isinstance(written, int) else torch.float64
        case ("call", _, _, name, _, _) if name in PLACES:
            return torch.int64
        case ("call", _, _, name, arguments, _) if name in SAME and arguments:
            return kind_of(arguments[0], known)
        case ("index", _, _, indexed, _):
            return kind_of(indexed, known)
        case ("unary", _, _, _, operand):
            return _counted(kind_of(operand, known))
        case ("binary", _, _, sign, left, right) if sign in WHOLE:
            sides = {_counted(kind_of(side, known)) for side in (left, right)}
            return torch.int64 if sides == {torch.int64} else torch.float64
    return torch.float64


def _counted(kind: Kind) -> Kind:
    return torch.int64 if kind == torch.bool else kind


def as_python(value: Value, kind: Kind) -> Any:
    """A value as a listing gets it. A number alone stays one, whole where it is whole; true and false alone are such."""
    if isinstance(value, Tensor):
        return value.detach().to(kind, copy=True)
    return bool(value) if kind == torch.bool else value
