"""The JSON Schema of a deck, for editors: completion, hover texts and red lines while typing. Written from the model.

    python -m content.json_schema

An editor reads `level: 2` and `text: 4` as numbers where a deck reads texts, so that every text may be a number or true here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from content.cards import LANGUAGES, Deck

PATH = Path(__file__).parent / "schema" / "deck.json"
_ID = "urn:qkv:schema:deck"
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


def schema() -> dict[str, Any]:
    """The JSON Schema, draft 2020-12."""
    found = Deck.model_json_schema()
    found["$defs"]["Text"] = {}
    loosened: dict[str, Any] = _loosened(found)
    loosened["$defs"]["Text"] = _TEXT
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": _ID, **loosened, "title": "A deck of qkv"}


def written() -> str:
    """The schema as its file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


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
    if len(found.get("anyOf", ())) == 1:
        found |= found.pop("anyOf")[0]
    return found


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
