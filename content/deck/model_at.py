"""Which part of a deck's model describes a place of it, and how a sentence calls that part."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from pydantic.fields import FieldInfo

from content.deck.computation_model import Arms, Computation, ComputedFigure, ComputedParameter, Turns
from content.deck.location_names import location_name
from content.deck.model import Card, Code, Deck, Defaults, Number, Option, Predict
from content.deck.model_parts import Model
from content.deck.run_model import Claim, Preset, Run, Verification
from content.messages.sentence import say
from content.yaml.tree import Location

NOUNS: dict[type[Model], str] = {
    Deck: say("a deck"), Defaults: "defaults", Card: say("a card"), Predict: "predict", Option: say("an option"),
    Number: "number", Code: "code", Claim: say("a claim"), Verification: "verify", Run: say("a run"), Preset: say("a preset"),
    Computation: say("an experiment"), ComputedParameter: say("a parameter"), Turns: say("a line that is repeated"), Arms: "arms",
    ComputedFigure: say("a figure"),
}  # fmt: skip


def field_at(location: Location) -> FieldInfo | None:
    """The field that the last step of a location names, or None where it is none of a model's."""
    model = model_at(location[:-1])
    return model.model_fields.get(str(location[-1])) if model else None


def model_at(location: Location) -> type[Model] | None:
    """The model that describes the mapping at a location, or None where it is a text, a list of texts, or things by their names."""
    model: type[Model] | None = Deck
    named = False
    for step in location:
        if named or not isinstance(step, str):
            named = False  # the step is a name of the author's, or a place in a list
            continue
        field = model.model_fields.get(step) if model else None
        model = _inner_model(field.annotation) if field else None
        named = field is not None and get_origin(field.annotation) is dict
    return None if named else model


def _inner_model(annotation: Any) -> type[Model] | None:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation
    return next((model for argument in get_args(annotation) if (model := _inner_model(argument))), None)


def owner_name(location: Location) -> str:
    """What the mapping is called that the last step of a location belongs to."""
    model = model_at(location[:-1])
    return NOUNS[model] if model else location_name(location[:-1])


def add_key(key: str, field: FieldInfo | None) -> str:
    """What to do where a key is missing, with what the reference says of it."""
    if field is None or not field.description:
        return say("add `{key}:`", key=key)
    return say("add `{key}:` ({description})", key=key, description=say(field.description))
