"""Writes the decks' JSON Schema: the model of `content` and the experiments of `engine`, which do not know each other.

python -m quiz.commands.deck_schema
"""

from __future__ import annotations

from typing import Any

from content.deck.json_schema import PATH, ExperimentSchema, schema, schema_text
from engine import Parameter, Worker

_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def text() -> str:
    """The schema as its file holds it, with the experiments as they are now: this starts the engine."""
    with Worker() as worker:
        described = worker.survey.result().found.values()
    return schema_text(
        schema(ExperimentSchema(one.name, {parameter.name: values(parameter) for parameter in one.parameters}) for one in described)
    )


def values(parameter: Parameter) -> dict[str, Any]:
    """What an editor lets a parameter be: a deck reads every value as text, an editor may see a number or a truth."""
    said = {"description": f"{parameter.label.en} · {parameter.label.zh}", "default": parameter.default}
    if parameter.scale == "choice":
        return {**said, "enum": [seen for choice in parameter.choices for seen in _seen(choice.value)]}
    if parameter.scale == "text":
        return {**said, "type": ["string", "number", "boolean"]}
    kind = "integer" if isinstance(parameter.default, int) else "number"
    return {**said, "type": [kind, "string"], "minimum": parameter.low, "maximum": parameter.high}


def _seen(value: str) -> list[Any]:
    """A choice as a deck and as an editor reads it."""
    if value in _TRUTHS:
        return [value, _TRUTHS[value]]
    try:
        number = float(value)
    except ValueError:
        return [value]
    return [value, number] if abs(number) < float("inf") else [value]


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
