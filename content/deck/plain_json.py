"""A valid deck as JSON and back, for the cache: without a schema library, and without trust in what is read.

What a reader of cards relies on is looked at again: types, limits, the part that a card's kind asks for, characters that nobody sees.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date

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
    Text,
    Tolerance,
    Turns,
    Verification,
    with_computations,
)
from content.deck.json_values import (
    Check,
    Spoiled,
    file_name,
    flag,
    list_of,
    named,
    number,
    one_of,
    part_of,
    range_of,
    setting,
    string,
    text,
    tolerance,
    whole,
)
from content.format import (
    ANSWER_LIMIT,
    CARDS_LIMIT,
    FORMAT,
    HINTS_LIMIT,
    INCLUDES_LIMIT,
    PARTS,
    PRESETS_LIMIT,
    SEEDS_LIMIT,
    FigureKind,
    Kind,
    Scale,
)
from content.yaml.clean import unclean

__all__ = ("Spoiled", "dumps", "loads")

_ESCAPE = re.compile(r'\\["\\n]')  # all that a deck's texts need


def dumps(deck: Deck) -> str:
    """A deck as JSON; what it does not say is left out."""
    return json.dumps(_node(deck), ensure_ascii=False, separators=(",", ":"))


def loads(written: str) -> Deck:
    """The deck that `dumps` has written. Raises Spoiled for every other text."""
    if "\\" in _ESCAPE.sub("", written) or unclean(written):
        raise Spoiled
    try:
        return with_computations(_deck(json.loads(written)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Spoiled from error


def _node(value: object) -> object:
    if isinstance(value, Part | Computation):
        held = ((name, getattr(value, name)) for name in value.__slots__ if name != "computation")  # it stands in the deck
        return {name: _node(part) for name, part in held if part is not None and part != () and part != {}}
    if isinstance(value, Text | Tolerance):
        return value.root
    if isinstance(value, tuple):
        return [_node(part) for part in value]
    if isinstance(value, dict):
        return {name: _node(part) for name, part in value.items()}
    return value.isoformat() if isinstance(value, date) else value


def _has_its_part(card: Card) -> object:
    return getattr(card, next((part for part, kind in PARTS.items() if kind == card.kind), "answer"))


_claim = part_of(Claim, {"says": text, "check": string})
_predict = part_of(Predict, {"ask": text, "quantity": string, "within": tolerance, "unit": string})
_option = part_of(Option, {"text": text, "right": flag, "why": text})
_measured = part_of(
    Number,
    {"quantity": string, "value": number, "within": tolerance, "unit": string},
    lambda asked: (asked.quantity is None) != (asked.value is None),
)
_code = part_of(
    Code,
    {**dict.fromkeys(("listing", "right", "compare", "agrees"), string), "wrong_line": whole(1, ANSWER_LIMIT), "inputs": named(string)},
    lambda code: code.wrong_line <= len(code.listing.splitlines()) and (code.compare or not (code.inputs or code.agrees)),
)
_ran: Mapping[str, Check] = {"experiment": string, "set": named(setting), "seeds": whole(1, SEEDS_LIMIT)}
_preset = part_of(Preset, {"name": text, "set": named(setting), "watch": text, "check": string})
_shown: Mapping[str, Check] = {"show": string, "caption": text, "presets": list_of(_preset, PRESETS_LIMIT)}
_verification = part_of(
    Verification,
    {**_ran, **_shown, "runs": named(part_of(Run, _ran)), "claims": list_of(_claim)},
    lambda verify: bool(verify.experiment) != bool(verify.runs),
)
_parameter = part_of(
    ComputedParameter,
    {**dict.fromkeys(("default", "low", "high", "step", "unit"), string), "scale": one_of(Scale), "label": text},
)
_turns = part_of(Turns, {"repeat": string, "do": named(string), "keep": string})
_figure = part_of(ComputedFigure, {"kind": one_of(FigureKind), "shows": list_of(string), "over": string, "mark": string})
_computation = part_of(
    Computation,
    {
        "title": text,
        "parameters": named(_parameter),
        "compute": named(lambda line: _turns(line) if isinstance(line, dict) else string(line)),
        "arms": part_of(Arms, {"wrong": string, "right": string}),
        "figures": list_of(_figure),
        "labels": named(text),
        "units": named(string),
        "ranges": named(range_of),
    },
)
_card = part_of(
    Card,
    {
        **dict.fromkeys(("id", "formula"), string),
        **dict.fromkeys(("question", "answer", "detail", "trap"), text),
        **dict.fromkeys(("formerly", "tags", "follow_ups", "sources"), list_of(string)),
        **dict.fromkeys(("order", "key_points"), list_of(text)),
        "hint": list_of(text, HINTS_LIMIT),
        **dict.fromkeys(("level", "asked"), whole(1, 5)),
        "kind": one_of(Kind),
        "predict": _predict,
        "options": list_of(_option),
        "number": _measured,
        "code": _code,
        "verify": _verification,
        "checked": lambda value: date.fromisoformat(string(value)),
    },
    _has_its_part,
)
_deck = part_of(
    Deck,
    {
        "format": whole(FORMAT, FORMAT),
        "deck": string,
        "formerly": list_of(string),
        "title": text,
        "experiments": named(_computation),
        "include": list_of(file_name, INCLUDES_LIMIT),
        "cards": list_of(_card, CARDS_LIMIT),
    },
    lambda deck: deck.cards,
)
