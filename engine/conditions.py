"""When a note is shown: comparisons of the run's own numbers, so that a sentence cannot deny the figures that it stands beside.

    "norm_length == gradient_norm and outlier > 1"

A side is a number, a name (a parameter, a quantity, whatever a text mentions), or the value of a choice. No condition is always true.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

AND = " and "
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Comparison = tuple[str, str, str]


@lru_cache(maxsize=512)
def comparisons(condition: str) -> tuple[Comparison, ...]:
    """The parts of a condition, each as (left, sign, right). Raises ValueError where one is not of this form."""
    return tuple(_comparison(part) for part in condition.split(AND)) if condition else ()


def _comparison(part: str) -> Comparison:
    words = part.split()
    if len(words) != 3 or words[1] not in SIGNS:
        raise ValueError(f"{part!r} compares nothing: write a name, one of {', '.join(SIGNS)}, and a name or a number")
    return words[0], words[1], words[2]


def holds(condition: str, values: Mapping[str, Any]) -> bool:
    """Whether all comparisons are true of these values. What was not measured, or not yet, is no reason to say anything."""
    return all(_compare(*each, values) for each in comparisons(condition))


def _compare(left: str, sign: str, right: str, values: Mapping[str, Any]) -> bool:
    if left not in values:
        return False
    one = _plain(values[left])
    # A choice is compared with how it is spelled, whatever else has that name.
    other = right if isinstance(one, str) else _plain(values[right]) if right in values else _literal(right)
    return isinstance(one, str) == isinstance(other, str) and bool(SIGNS[sign](one, other))


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _literal(spelled: str) -> float | str:
    try:
        return float(spelled)
    except ValueError:
        return spelled
