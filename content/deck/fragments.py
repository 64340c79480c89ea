"""What is right in a card that is refused, so that a file's problems are all said in one run. What is wrong of it is left blank.

Lists keep their length: a claim that is no claim is a blank one, and the next one's place stays its own.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from content.deck import cards, model, run_model
from content.deck.model_parts import Model, Short
from content.yaml.tree import Node

_NOTHING = cards.Text({})
_WRONG = object()
_PARTS: dict[str, tuple[type[Model], type[cards.Part], dict[str, Any]]] = {  # what is blank in it where it is wrong
    "predict": (model.Predict, cards.Predict, {"ask": _NOTHING, "quantity": ""}),
    "number": (model.Number, cards.Number, {}),
    "verify": (run_model.Verification, cards.Verification, {"experiment": ""}),
    "options": (model.Option, cards.Option, {"text": _NOTHING}),
    "presets": (run_model.Preset, cards.Preset, {"name": _NOTHING, "set": {}, "watch": _NOTHING, "check": cards.UNREAD}),
    "claims": (run_model.Claim, cards.Claim, {"says": _NOTHING, "check": cards.UNREAD}),
}
_COMPUTED = ("title", "parameters", "compute")
_LISTED = ("options", "claims", "presets")
_TEXTS = ("order", "key_points", "hint")


def fragment(card: Node) -> cards.Card:
    """The card as far as it can be read."""
    return cards.Card(**{"id": "", "question": _NOTHING, **_fields(model.Card, card)})


def readable_title(deck: Node) -> cards.Text:
    """A deck's title, or a blank one."""
    title = _field(model.Deck, "title", deck.get("title", {})) if isinstance(deck, dict) else _WRONG
    return title if isinstance(title, cards.Text) else _NOTHING


def readable_computations(deck: Node) -> dict[str, cards.Computation]:
    """A deck's own experiments that are right in their form, each by itself; of one that is not, its lines, where they are."""
    own = deck.get("experiments") if isinstance(deck, dict) else None
    found: dict[str, cards.Computation] = {}
    for name, node in own.items() if isinstance(own, dict) else ():
        lines = {key: value for key, value in node.items() if key in _COMPUTED} if isinstance(node, dict) else {}
        for shape in (node, lines):
            if name not in found and (read := _field(model.Deck, "experiments", {name: shape})) is not _WRONG:
                found |= read
    return found


def _fields(of: type[Model], node: Node) -> dict[str, Any]:
    """What a mapping's keys give that are right, alone or in part."""
    found = {name: _field(of, name, node[name]) for name in of.model_fields if name in node} if isinstance(node, dict) else {}
    return {name: value for name, value in found.items() if value is not _WRONG}


def _field(of: type[Model], name: str, node: Node) -> Any:
    try:
        return _adapter(of, name).validate_python(node)
    except ValidationError:
        return _in_part(name, node)


@cache
def _adapter(of: type[Model], name: str) -> TypeAdapter[Any]:
    field = of.model_fields[name]
    kind: Any = field.annotation
    return TypeAdapter(Annotated[kind, *field.metadata] if field.metadata else kind)


def _in_part(name: str, node: Node) -> Any:
    if name in _LISTED:
        return tuple(_part(name, item) for item in node) if isinstance(node, list) else ()
    if name in _PARTS:
        return _part(name, node)
    if name in _TEXTS and isinstance(node, list):
        return tuple(_text(item) for item in node)
    if name == "set" and isinstance(node, dict):
        return {key: value for key, value in node.items() if isinstance(value, str)}
    return _WRONG


def _part(name: str, node: Node) -> cards.Part:
    of, plain, blanks = _PARTS[name]
    return plain(**{**blanks, **_fields(of, node)})


def _text(item: Node) -> Any:
    try:
        return _short().validate_python(item)
    except ValidationError:
        return _NOTHING


@cache
def _short() -> TypeAdapter[Any]:
    return TypeAdapter(Short)
