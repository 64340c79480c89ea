"""A valid deck as JSON and back, for the cache: without a schema library, and without trust in what is read.

What a reader of cards relies on is looked at again: types, limits, the part that a card's kind asks for, characters that nobody sees.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar, get_args

from content.deck.cards import (
    Arms,
    Card,
    Claim,
    Code,
    Computation,
    ComputedFigure,
    ComputedParameter,
    Deck,
    Number,
    Option,
    Part,
    Predict,
    Preset,
    Run,
    Setting,
    Text,
    Tolerance,
    Turns,
    Verification,
    with_computations,
)
from content.deck.deck_files import is_file_name
from content.format import (
    ANSWER_LIMIT,
    CARDS_LIMIT,
    FORMAT,
    HINTS_LIMIT,
    INCLUDES_LIMIT,
    LANGUAGES,
    PARTS,
    PRESETS_LIMIT,
    SEEDS_LIMIT,
    FigureKind,
    Kind,
    Scale,
)
from content.yaml.clean import unclean

Check = Callable[[Any], Any]
Made = TypeVar("Made", bound="Part | Computation")

_LANGUAGES = {"", *LANGUAGES}
_ESCAPE = re.compile(r'\\["\\n]')  # all that a deck's texts need


class Spoiled(Exception):
    """This is no deck that was written here."""


def dumps(deck: Deck) -> str:
    """A deck as JSON; what it does not say is left out."""
    return json.dumps(_node(deck), ensure_ascii=False, separators=(",", ":"))


def loads(text: str) -> Deck:
    """The deck in a text of `dumps`. Raises Spoiled for every other text."""
    if "\\" in _ESCAPE.sub("", text) or unclean(text):
        raise Spoiled
    try:
        return with_computations(_deck(json.loads(text)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Spoiled from error


def _node(value: object) -> object:
    if isinstance(value, Part | Computation):
        named = ((name, getattr(value, name)) for name in value.__slots__ if name != "computation")  # it stands in the deck
        return {name: _node(part) for name, part in named if part is not None and part != () and part != {}}
    if isinstance(value, Text | Tolerance):
        return value.root
    if isinstance(value, tuple):
        return [_node(part) for part in value]
    if isinstance(value, dict):
        return {name: _node(part) for name, part in value.items()}
    return value.isoformat() if isinstance(value, date) else value


def _require(holds: object) -> None:
    if not holds:
        raise Spoiled


def _string(value: Any) -> str:
    if type(value) is not str or len(value) > ANSWER_LIMIT:
        raise Spoiled
    return value


def _file_name(value: Any) -> str:
    _require(is_file_name(_string(value)))
    return str(value)


def _text(value: Any) -> Text:
    if type(value) is not dict or not value or not value.keys() <= _LANGUAGES:
        raise Spoiled
    for said in value.values():
        if not _string(said).strip():
            raise Spoiled
    return Text(value)


def _setting(value: Any) -> Setting:
    return _text(value) if isinstance(value, dict) else _string(value)


def _tolerance(value: Any) -> Tolerance:
    tolerance = Tolerance(_string(value))
    _require(tolerance.is_readable)
    return tolerance


def _flag(value: Any) -> bool:
    _require(type(value) is bool)
    return value  # type: ignore[no-any-return]


def _whole(low: int, high: int) -> Check:
    def check(value: Any) -> int:
        _require(type(value) is int and low <= value <= high)
        return value  # type: ignore[no-any-return]

    return check


def _number(value: Any) -> float:
    _require(type(value) in (int, float) and math.isfinite(value))
    return float(value)


def _named(check: Check) -> Check:
    def checked(value: Any) -> Mapping[str, Any]:
        _require(type(value) is dict)
        return {key: check(inner) for key, inner in value.items()}

    return checked


def _range(value: Any) -> tuple[float, float]:
    low, high = value
    return _number(low), _number(high)


def _one_of(literal: Any) -> Check:
    def check(value: Any) -> Any:
        _require(value in get_args(literal))
        return value

    return check


def _list(check: Check, limit: int = 1_000) -> Check:
    def checked(value: Any) -> tuple[Any, ...]:
        _require(type(value) is list and len(value) <= limit)
        return tuple([check(part) for part in value])

    return checked


def _part(
    part: Callable[..., Made], keys: Mapping[str, Check], valid: Callable[[Made], object] = lambda made: True
) -> Callable[[Any], Made]:
    def made(value: Any) -> Made:
        found = part(**{key: keys[key](inner) for key, inner in value.items()})
        _require(valid(found))
        return found

    return made


def _has_its_part(card: Card) -> object:
    return getattr(card, next((part for part, kind in PARTS.items() if kind == card.kind), "answer"))


_claim = _part(Claim, {"says": _text, "check": _string})
_predict = _part(Predict, {"ask": _text, "quantity": _string, "within": _tolerance, "unit": _string})
_option = _part(Option, {"text": _text, "right": _flag, "why": _text})
_measured = _part(
    Number,
    {"quantity": _string, "value": _number, "within": _tolerance, "unit": _string},
    lambda number: (number.quantity is None) != (number.value is None),
)
_code = _part(
    Code,
    {**dict.fromkeys(("listing", "right", "compare", "agrees"), _string), "wrong_line": _whole(1, ANSWER_LIMIT), "inputs": _named(_string)},
    lambda code: code.wrong_line <= len(code.listing.splitlines()) and (code.compare or not (code.inputs or code.agrees)),
)
_ran: Mapping[str, Check] = {"experiment": _string, "set": _named(_setting), "seeds": _whole(1, SEEDS_LIMIT)}
_preset = _part(Preset, {"name": _text, "set": _named(_setting), "watch": _text, "check": _string})
_shown: Mapping[str, Check] = {"show": _string, "caption": _text, "presets": _list(_preset, PRESETS_LIMIT)}
_verification = _part(
    Verification,
    {**_ran, **_shown, "runs": _named(_part(Run, _ran)), "claims": _list(_claim)},
    lambda verify: bool(verify.experiment) != bool(verify.runs),
)
_parameter = _part(
    ComputedParameter,
    {**dict.fromkeys(("default", "low", "high", "step", "unit"), _string), "scale": _one_of(Scale), "label": _text},
)
_turns = _part(Turns, {"repeat": _string, "do": _named(_string), "keep": _string})
_figure = _part(ComputedFigure, {"kind": _one_of(FigureKind), "shows": _list(_string), "over": _string, "mark": _string})
_computation = _part(
    Computation,
    {
        "title": _text,
        "parameters": _named(_parameter),
        "compute": _named(lambda line: _turns(line) if isinstance(line, dict) else _string(line)),
        "arms": _part(Arms, {"wrong": _string, "right": _string}),
        "figures": _list(_figure),
        "labels": _named(_text),
        "units": _named(_string),
        "ranges": _named(_range),
    },
)
_card = _part(
    Card,
    {
        **dict.fromkeys(("id", "formula"), _string),
        **dict.fromkeys(("question", "answer", "detail", "trap"), _text),
        **dict.fromkeys(("formerly", "tags", "follow_ups", "sources"), _list(_string)),
        **dict.fromkeys(("order", "key_points"), _list(_text)),
        "hint": _list(_text, HINTS_LIMIT),
        **dict.fromkeys(("level", "asked"), _whole(1, 5)),
        "kind": _one_of(Kind),
        "predict": _predict,
        "options": _list(_option),
        "number": _measured,
        "code": _code,
        "verify": _verification,
        "checked": lambda value: date.fromisoformat(_string(value)),
    },
    _has_its_part,
)
_deck = _part(
    Deck,
    {
        "format": _whole(FORMAT, FORMAT),
        "deck": _string,
        "formerly": _list(_string),
        "title": _text,
        "experiments": _named(_computation),
        "include": _list(_file_name, INCLUDES_LIMIT),
        "cards": _list(_card, CARDS_LIMIT),
    },
    lambda deck: deck.cards,
)
