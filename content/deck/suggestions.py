"""What to write instead: named only where it would be accepted at that place, with what stands beside it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from content.deck.computation_model import ComputedFigure
from content.deck.model import Card, Number, is_slug
from content.deck.model_parts import Model
from content.deck.run_model import Verification
from content.format import FIGURE_KINDS, PARTS
from content.messages.sentence import say
from content.text.nearest import nearest
from content.yaml.tree import Location, Node

Beside = Mapping[str, Node]  # the keys and values of the mapping that something stands in

_ONE_RUN = ("experiment", "set", "seeds")  # of verify; several runs have their own
_REFERRING = ("arms", "figures", "labels", "units", "ranges")  # name the lines of a computation


def free_keys(model: type[Model], beside: Beside, kind: Node) -> tuple[str, ...]:
    """The keys that a mapping may take beside those that it has; of a card, those of its kind."""
    taken = set(beside)
    if model is ComputedFigure:
        taken |= {"kind", "shows"} | (set(FIGURE_KINDS) if taken & set(FIGURE_KINDS) else set())
        return tuple(key for key in (*FIGURE_KINDS, *model.model_fields) if key not in taken)
    if model is Verification:
        taken |= set(_ONE_RUN) if "runs" in taken else {"runs"} if taken & set(_ONE_RUN) else set()
    if model is Number and taken & {"value", "quantity"}:
        taken |= {"value", "quantity"}
    if model is Card:
        taken |= {part for part, owner in PARTS.items() if owner != kind} | ({"predict"} if "number" in taken else set())
    return tuple(key for key in model.model_fields if key not in taken)


def key_meant(key: str, model: type[Model], location: Location, root: Node) -> tuple[str, str]:
    """The key that was probably meant in the mapping at a location, and what to do; two empty texts where none is near."""
    node, defaults = node_at(root, location), node_at(root, ("defaults",))
    beside: Beside = node if isinstance(node, dict) else {}
    free = free_keys(model, beside, {**(defaults if isinstance(defaults, dict) else {}), **beside}.get("kind", "explain"))
    known = tuple(dict.fromkeys((*free, *((*beside, *PARTS) if model is Card else beside))))
    close = next((near for near in nearest(key, known, count=3) if near != key), "")
    if close in free:
        return close, say("write {close}, or delete it", close=close)
    if close in beside and close in model.model_fields:
        return close, say("{key} is there already: delete one of the two", key=close)
    if close in PARTS and model is Card:
        return close, say("write {key}, and `kind: {kind}`", key=close, kind=PARTS[close])
    return "", ""


def is_accepted(model: type[Model] | None, key: str, value: object) -> bool:
    """Whether a key could hold a value."""
    if model is None or key not in model.model_fields:
        return False
    try:
        _adapter(model, key).validate_python(value)
    except ValidationError:
        return False
    return True


@cache
def _adapter(model: type[Model], key: str) -> TypeAdapter[Any]:
    field = model.model_fields[key]
    kind: Any = field.annotation
    return TypeAdapter(Annotated[kind, *field.metadata] if field.metadata else kind)


def listed_item(value: object, model: type[Model] | None, key: str) -> str:
    """The one item of a list that was written without its brackets; nothing where the list would not take it."""
    short = value if isinstance(value, str) and re.fullmatch(r"[\w-]{1,30}", value) else ""
    return next((item for item in (short, _slug(short)) if item and is_accepted(model, key, [item])), "")


def form_of(pattern: str) -> str:
    """What a pattern of the model asks for, in words."""
    if "-[" not in pattern:
        return say("letters, digits and _, and no digit first")
    dashed = say("small letters a-z and digits, with single dashes between them")
    return say("{dashed}, or two of these as deck/card", dashed=dashed) if "/" in pattern else dashed


def written_better(value: str, location: Location, pattern: str, root: Node) -> str:
    """What to write for an id, a link or a name that is none; nothing where it would not be accepted, or would name nothing."""
    if "-[" not in pattern:
        return _name(value, location, root)
    if "/" not in pattern:
        return _slug(value) or say("it with English letters, such as why-attention")
    return "" if "/" in value else next(iter(nearest(_slug(value), _card_ids(root))), "")  # what other decks have is not known here


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:80].strip("-")


def _name(text: str, location: Location, root: Node) -> str:
    """A name in its form. Of what an author names it must be free, of what names something it must be there; which experiments there are
    is not known here."""
    name = re.sub("^[0-9_]+", "", "_".join(re.findall(r"[A-Za-z0-9]+", text)))[:80].rstrip("_")
    if location[:1] == ("experiments",) and len(location) > 2 and location[2] in _REFERRING:
        computation = node_at(root, location[:2])
        part = computation.get("parameters" if location[-1] == "over" else "compute") if isinstance(computation, dict) else None
        return next(iter(nearest(name, part)), "") if isinstance(part, dict) else ""
    named = node_at(root, location[:-2]) if location[-1] == "[key]" else None
    return name if isinstance(named, dict) and name not in named and not keyword.iskeyword(name) else ""


def _card_ids(root: Node) -> list[str]:
    cards = root.get("cards") if isinstance(root, dict) else None
    ids = (card.get("id") for card in cards if isinstance(card, dict)) if isinstance(cards, list) else ()
    return [id for id in ids if isinstance(id, str) and is_slug(id)]


def node_at(root: Node, location: Location) -> Node | None:
    """What stands at a location; None where there is nothing."""
    node: Node | None = root
    for step in location:
        if isinstance(node, dict) and step in node:
            node = node[str(step)]
        elif isinstance(node, list) and isinstance(step, int) and step < len(node):
            node = node[step]
        else:
            return None
    return node
