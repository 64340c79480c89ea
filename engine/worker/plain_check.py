"""A Result is plain: Python numbers and texts in tuples, so that it can be compared, cached, sent and written as JSON."""

from __future__ import annotations

from types import NoneType

from engine.label import Label
from engine.result import Matrix, Quantity, Result, Series, Step, Table

PLAIN = {int, float, str, bool, NoneType}
PARTS = {Result, Quantity, Matrix, Series, Table, Step, Label}


def impurity(value: object, where: str = "result") -> str:
    """Which field is anything else, and what it is, as in "result.quantities[0].value: Tensor"; empty where all is plain."""
    if type(value) in PLAIN:
        return ""
    if type(value) in PARTS:
        return next(filter(None, (impurity(part, f"{where}.{field}") for field, part in vars(value).items())), "")
    if type(value) is not tuple:
        return f"{where}: {type(value).__name__}"
    if set(map(type, value)) <= PLAIN:  # a row of a matrix, without a call for each cell
        return ""
    return next(filter(None, (impurity(part, f"{where}[{index}]") for index, part in enumerate(value))), "")
