"""The JSON Schema of a deck, for editors: completion, hover texts and red lines while typing. Made from the model.

`qkv schema` makes it, with the experiments, which this package does not know.

An editor reads `level: 2` and `text: 4` as numbers where a deck reads texts, so that every text may be a number or true here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from content.deck.model import Deck
from content.format import FIGURE_KINDS, LANGUAGES, PARTS, SHARED, Kind

SCHEMA_ID = "urn:qkv:schema:deck"
_FEWEST: dict[Kind, dict[str, Any]] = {"choice": {"options": {"minItems": 2}}, "order": {"order": {"minItems": 3}}}
_ALONE = {"required": ["deck"], "not": {"required": ["include"]}}  # a deck in one file: nothing is said elsewhere
_SCALAR = ["string", "number", "boolean"]
_TEXT = {
    "description": "A text, or one for each language.",
    "anyOf": [
        {"type": _SCALAR},
        {
            "type": "object",
            "properties": {language: {"type": _SCALAR, "description": f"The text in {language}."} for language in LANGUAGES},
            "additionalProperties": False,
            "minProperties": 1,
        },
    ],
}


@dataclass(frozen=True)
class ExperimentSchema:
    """An experiment: its name and those that it had, for each parameter the schema of its values, and for each quantity its words."""

    name: str
    parameters: Mapping[str, Mapping[str, Any]]
    quantities: Mapping[str, str]
    formerly: tuple[str, ...] = ()  # a deck may write them; an editor does not offer them


def schema(experiments: Iterable[ExperimentSchema] = ()) -> dict[str, Any]:
    """The JSON Schema, draft 2020-12. Where experiments are given, a card takes these and its deck's own; of these, an editor knows the
    parameters and the quantities."""
    found = Deck.model_json_schema()
    found["$defs"]["Text"] = {}
    loosened: dict[str, Any] = _loosened(found)
    loosened["$defs"]["Text"] = _TEXT
    loosened["$defs"]["ComputedFigure"] = written_figure(loosened["$defs"]["ComputedFigure"])
    loosened["$defs"]["Card"] = written_card(loosened["$defs"]["Card"])
    loosened["$defs"]["Card"]["allOf"] = [{"if": _says("kind", kind), "then": _its_parts(kind)} for kind in get_args(Kind)]
    loosened["$defs"]["Verification"]["oneOf"] = [{"required": ["experiment"]}, {"required": ["runs"]}]
    loosened["properties"]["include"] = _included(loosened["properties"]["include"])
    loosened["allOf"] = [*(_by_default(kind) for kind in get_args(Kind)), _deck_or_part(loosened.pop("required"))]
    if known := tuple(experiments):
        names = {"enum": [one.name for one in known]}
        for form in ("Verification", "Run"):
            run = loosened["$defs"][form]
            own = run["properties"]["experiment"]
            run["properties"]["experiment"] = {"description": own.pop("description"), "anyOf": [names, own]}  # the first is completed
            run["allOf"] = [_its_parameters(one) for one in known]
        former = [old for one in known for old in one.formerly]
        loosened["allOf"].append(_without_its_own({"enum": [*names["enum"], *former]}))
        loosened["$defs"]["Card"]["allOf"] += [_its_quantities(one) for one in known]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, **loosened, "title": "A deck of qkv"}


def written_card(described: dict[str, Any]) -> dict[str, Any]:
    """A card as a deck writes it: a hint that is the only one needs no list."""
    properties = dict(described["properties"])
    hint = dict(properties["hint"])
    said = {key: hint.pop(key) for key in ("description", "default") if key in hint}
    properties["hint"] = said | {"anyOf": [hint["items"], hint]}
    return described | {"properties": properties}


def written_figure(described: dict[str, Any]) -> dict[str, Any]:
    """A figure as a deck writes it: {curve: entropy, over: T}, the kind by the key that holds the names."""
    properties = dict(described["properties"])
    shows = properties.pop("shows")
    several = {key: value for key, value in shows.items() if key != "description"}
    names = {"description": "The lines that are drawn so: a name, or a list of names.", "anyOf": [shows["items"], several]}
    del properties["kind"]
    return {
        **{key: value for key, value in described.items() if key != "required"},
        "properties": dict.fromkeys(FIGURE_KINDS, names) | properties,
        "oneOf": [{"required": [kind]} for kind in FIGURE_KINDS],
    }


def _included(described: dict[str, Any]) -> dict[str, Any]:
    """One file, or a list of them."""
    file = {"type": "string", "pattern": r"^[^./\\:][^/\\:]*\.[yY][aA]?[mM][lL]$", "maxLength": 200}
    several = {"type": "array", "items": file, "maxItems": described["maxItems"]}
    return {"description": described["description"], "anyOf": [several, file]}


def _deck_or_part(needed: list[str]) -> dict[str, Any]:
    """What a deck needs; a file with nothing of a deck's own is one that a deck includes, which has no more than it likes."""
    own = [key for key in Deck.model_fields if key not in SHARED]
    named = [key for key in needed if key != "cards"]
    cards = [{"required": ["cards"]}, {"required": ["include"]}]
    return {
        "if": {"anyOf": [{"required": [key]} for key in own]},
        "then": {"required": named, "anyOf": cards},
        "else": {"minProperties": 1},
    }


def _without_its_own(names: dict[str, Any]) -> dict[str, Any]:
    """A deck without computations of its own takes the program's experiments and no others."""
    card = {"properties": {"verify": {"properties": {"experiment": names}}}}
    return {"if": {"allOf": [_ALONE, {"not": {"required": ["experiments"]}}]}, "then": {"properties": {"cards": {"items": card}}}}


def _says(key: str, value: str) -> dict[str, Any]:
    return {"properties": {key: {"const": value}}, "required": [key]}


def _its_parts(kind: Kind) -> dict[str, Any]:
    """What a card of a kind needs, and what only the other kinds have."""
    foreign = [part for part, owner in PARTS.items() if owner != kind] + (["predict"] if kind == "number" else [])
    needed = next((part for part, owner in PARTS.items() if owner == kind), "answer")
    return {"required": [needed], "properties": dict.fromkeys(foreign, False) | _FEWEST.get(kind, {})}


def _by_default(kind: Kind) -> dict[str, Any]:
    """The same for cards that do not say their kind, in a deck whose defaults do; without any they are to be explained."""
    said: dict[str, Any] = {"properties": {"defaults": _says("kind", kind)}, "required": ["defaults"]}
    if kind == "explain":
        unsaid_here = {"not": {"properties": {"defaults": {"required": ["kind"]}}, "required": ["defaults"]}}
        said = {"anyOf": [said, {"allOf": [_ALONE, unsaid_here]}]}
    unsaid = {"if": {"not": {"required": ["kind"]}}, "then": _its_parts(kind)}
    return {"if": said, "then": {"properties": {"cards": {"items": unsaid}}}}


def _its_parameters(one: ExperimentSchema) -> dict[str, Any]:
    sets = {"properties": {name: _or_by_language(value) for name, value in one.parameters.items()}, "additionalProperties": False}
    return {"if": _says("experiment", one.name), "then": {"properties": {"set": sets}}}


def _or_by_language(value: Mapping[str, Any]) -> dict[str, Any]:
    each = {"type": "object", "properties": dict.fromkeys(LANGUAGES, True), "additionalProperties": False, "minProperties": 1}
    return {"description": value.get("description", ""), "anyOf": [value, each]}


def _its_quantities(one: ExperimentSchema) -> dict[str, Any]:
    """What a card on an experiment may ask for, or an expression of it; editors show the words of each, or all of them at once."""
    described = "\n".join(f"{name}: {words}" for name, words in one.quantities.items())
    names = {"enum": list(one.quantities), "enumDescriptions": list(one.quantities.values())}
    quantity = {"anyOf": [names, {"type": "string", "pattern": "[^A-Za-z0-9_]"}], "description": described}
    asked = {"properties": {"quantity": quantity}}
    on_it = {"properties": {"verify": _says("experiment", one.name)}, "required": ["verify"]}
    return {"if": on_it, "then": {"properties": {"predict": asked, "number": asked}}}


def schema_text(schema: Mapping[str, Any]) -> str:
    """The schema as its file holds it."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _loosened(node: Any) -> Any:
    """The same schema for what an editor reads: texts may look like numbers, and what is optional is left out, not null."""
    if isinstance(node, list):
        return [_loosened(item) for item in node if item != {"type": "null"}]
    if not isinstance(node, dict):
        return node
    found = {key: _loosened(value) for key, value in node.items() if (key, value) != ("default", None)}
    if isinstance(node.get("title"), str):
        del found["title"]  # pydantic's, made from the key
    if node.get("type") == "string" and "enum" not in node and "format" not in node:
        found["type"] = _SCALAR
    if "patternProperties" in found:
        found["additionalProperties"] = False  # a name that is none is underlined
    if len(found.get("anyOf", ())) == 1:
        found |= found.pop("anyOf")[0]
    return found
