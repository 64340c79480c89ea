"""What is wrong with a mapping as a whole, where single values of it are wrong: pydantic asks for the whole only when all of it is right.

The wrong values are replaced by right ones, so that a card with a wrong level and without an answer is told both in one run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from content.deck.model import Card, Code, Number
from content.deck.model_parts import Model
from content.deck.suggestions import node_at
from content.text.nearest import nearest
from content.yaml.tree import Location, Node

_OPTIONS: Node = [{"text": "a", "right": "true"}, {"text": "b"}]
_RIGHT: Mapping[type[Model], Mapping[str, Node]] = {
    Card: {
        "id": "a",
        "question": "a",
        "answer": "a",
        "options": _OPTIONS,
        "number": {"value": "1"},
        "order": ["a", "b", "c"],
        "code": {"listing": "a", "wrong_line": "1", "right": "a"},
        "predict": {"ask": "a", "quantity": "a"},
    },
    Number: {"quantity": "a", "value": "1"},
    Code: {"listing": "a\n" * 1_000, "wrong_line": "1", "right": "a", "compare": "a"},
}
_WHOLE: Mapping[str, type[Model]] = {"number": Number, "code": Code}  # of a card's values, those with a rule for all of their keys


def second_look(root: Node, details: Iterable[Any]) -> Iterator[Any]:
    """Further details in pydantic's form. `details` are those of the first look."""
    wrong: dict[Location, set[str]] = defaultdict(set)
    told = set()
    for detail in details:
        location = detail["loc"]
        told.add(location)
        for length in (2, 3):
            if location[:1] == ("cards",) and len(location) > length and (length == 2 or location[2] in _WHOLE):
                wrong[location[:length]].add(_meant(location[length], _model(location[:length])))
    for location, keys in wrong.items():
        node = node_at(root, location)
        if location not in told and "kind" not in keys and isinstance(node, dict):
            yield from _whole(location, node, keys)


def _model(location: Location) -> type[Model]:
    return _WHOLE.get(str(location[-1]), Card)


def _meant(key: str | int, of: type[Model]) -> str:
    """A misspelt key as the one that was probably meant: what it says is not missing."""
    return str(key) if key in of.model_fields else next(iter(nearest(str(key), tuple(of.model_fields))), str(key))


def _whole(location: Location, node: dict[str, Node], wrong: set[str]) -> Iterator[Any]:
    of = _model(location)
    right = {key: value for key, value in _RIGHT[of].items() if key in wrong}
    try:
        of.model_validate({key: value for key, value in node.items() if key not in wrong and key in of.model_fields} | right)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            if not detail["loc"] and detail.get("ctx", {}).get("part") not in wrong:
                yield detail | {"loc": location}
