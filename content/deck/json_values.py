"""The values in a deck's JSON, each looked at before it is taken: its type, its limits, and what it is turned into."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

from content.deck.cards import Computation, Part, Setting, Text, Tolerance
from content.deck.deck_files import is_file_name
from content.format import ANSWER_LIMIT, LANGUAGES

Check = Callable[[Any], Any]
Made = TypeVar("Made", bound="Part | Computation")

_LANGUAGES = {"", *LANGUAGES}


class Spoiled(Exception):
    """This is no deck that was written here."""


def _require(holds: object) -> None:
    if not holds:
        raise Spoiled


def string(value: Any) -> str:
    """A text of a bearable length."""
    if type(value) is not str or len(value) > ANSWER_LIMIT:
        raise Spoiled
    return value


def file_name(value: Any) -> str:
    """The name of a file beside the deck."""
    _require(is_file_name(string(value)))
    return str(value)


def text(value: Any) -> Text:
    """What a person reads, in one language or several."""
    if type(value) is not dict or not value or not value.keys() <= _LANGUAGES:
        raise Spoiled
    for said in value.values():
        if not string(said).strip():
            raise Spoiled
    return Text(value)


def setting(value: Any) -> Setting:
    """What a parameter of a run is set to."""
    return text(value) if isinstance(value, dict) else string(value)


def tolerance(value: Any) -> Tolerance:
    """How far a number may be off."""
    found = Tolerance(string(value))
    _require(found.is_readable)
    return found


def flag(value: Any) -> bool:
    """True or false."""
    _require(type(value) is bool)
    return value  # type: ignore[no-any-return]


def whole(low: int, high: int) -> Check:
    """A whole number between two ends, both included."""

    def check(value: Any) -> int:
        _require(type(value) is int and low <= value <= high)
        return value  # type: ignore[no-any-return]

    return check


def number(value: Any) -> float:
    """Any finite number."""
    _require(type(value) in (int, float) and math.isfinite(value))
    return float(value)


def named(check: Check) -> Check:
    """Values of one kind by their names."""

    def checked(value: Any) -> Mapping[str, Any]:
        _require(type(value) is dict)
        return {key: check(inner) for key, inner in value.items()}

    return checked


def range_of(value: Any) -> tuple[float, float]:
    """The least and the largest value of a result."""
    low, high = value
    return number(low), number(high)


def one_of(literal: Any) -> Check:
    """A value of a Literal type."""

    def check(value: Any) -> Any:
        _require(value in get_args(literal))
        return value

    return check


def list_of(check: Check, limit: int = 1_000) -> Check:
    """Values of one kind in their order."""

    def checked(value: Any) -> tuple[Any, ...]:
        _require(type(value) is list and len(value) <= limit)
        return tuple([check(part) for part in value])

    return checked


def part_of(
    part: Callable[..., Made], keys: Mapping[str, Check], valid: Callable[[Made], object] = lambda made: True
) -> Callable[[Any], Made]:
    """A part of a deck from its keys; `valid` is what else must hold of it."""

    def made(value: Any) -> Made:
        found = part(**{key: keys[key](inner) for key, inner in value.items()})
        _require(valid(found))
        return found

    return made
