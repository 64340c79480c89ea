"""What pydantic finds, as sentences: the key, what it is, what it must be, and what to do. No word of pydantic's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from content.deck.computation_model import Arms, Computation, ComputedFigure, ComputedParameter, Turns
from content.deck.location_names import location_name
from content.deck.model import Card, Code, Deck, Defaults, Number, Option, Predict
from content.deck.model_parts import Model
from content.deck.numerals import better_number
from content.deck.run_model import Claim, Preset, Run, Verification
from content.deck.suggestions import form_of, free_keys, is_accepted, key_meant, listed_item, written_better
from content.format import LANGUAGES
from content.text.nearest import nearest
from content.text.numerals import meant
from content.yaml.tree import Location, Node
from content.yaml.yaml_mistakes import QUOTES, excerpt

_CALLED = {  # kinds of cards by the names of other programs
    "multiple-choice": "choice", "multiple choice": "choice", "mcq": "choice", "quiz": "choice", "select": "choice", "选择": "choice",
    "选择题": "choice", "basic": "explain", "qa": "explain", "q&a": "explain", "open": "explain", "text": "explain", "简答": "explain",
    "问答": "explain", "简答题": "explain", "numeric": "number", "numerical": "number", "value": "number", "数值": "number",
    "sort": "order", "sequence": "order", "ordering": "order", "排序": "order", "bug": "code", "debug": "code", "coding": "code",
    "代码": "code", "填空": "number",
}  # fmt: skip
_BY_NAMES: dict[str | int, str] = {
    "set": "set: {d_k: 512}",
    "runs": "runs: {short: {experiment: ...}, long: {experiment: ...}}",
    "experiments": "experiments: {nucleus: {title: ..., compute: ...}}",
}
Sentence = tuple[str, str]  # what is wrong, what to do

_NOUNS: dict[type[Model], str] = {
    Deck: "a deck", Defaults: "defaults", Card: "a card", Predict: "predict", Option: "an option",
    Number: "number", Code: "code", Claim: "a claim", Verification: "verify", Run: "a run", Preset: "a preset",
    Computation: "an experiment", ComputedParameter: "a parameter", Turns: "repeated lines", Arms: "arms", ComputedFigure: "a figure",
}  # fmt: skip


def sentence_for(location: Location, detail: Any, root: Node) -> Sentence:
    """The sentence and the hint for one of pydantic's errors, as in `ValidationError.errors()`, of a deck's tree."""
    say = _SENTENCES.get(detail["type"], _anything_else)
    return say(location, detail | {"root": root})


def _missing(location: Location, detail: Any) -> Sentence:
    key = str(location[-1])
    field = _field(location)
    if location == ("deck",):
        return "a deck needs deck", "add `deck:` (its id, for ever); if this file belongs to a deck, name it there: `include: [this.yaml]`"
    return f"{_owner(location)} needs {key}", f"add `{key}:`" + (f" ({field.description})" if field and field.description else "")


def _unknown(location: Location, detail: Any) -> Sentence:
    key = str(location[-1])
    model = _model(location[:-1]) or Card
    wrong = f"{excerpt(key)} is not a key of {_NOUNS[model]}"
    close, hint = key_meant(key, model, location[:-1], detail["root"])
    if close:
        return f"{wrong}; did you mean {close}?", hint
    for other, noun in _NOUNS.items():
        if key in other.model_fields:
            return wrong, f"it is a key of {noun}: check the indentation"
    return wrong, f"the keys of {_NOUNS[model]} are {_listed(_written_keys(model), 'and')}"


def _one_of(location: Location, detail: Any) -> Sentence:
    if location[-1] == "[key]":
        return f"{excerpt(str(location[-2]))} is not a language", f"write {_listed(LANGUAGES, 'or')}; if this is one text, {QUOTES}"
    allowed = tuple(re.findall(r"'(\w+)'", detail["ctx"]["expected"]))
    close = next(iter(nearest(str(detail["input"]), allowed)), "")
    close = close or _CALLED.get(str(detail["input"]).lower(), "")
    return f"{_is(location, detail)}; it must be {_listed(allowed, 'or')}", f"write {close}" if close else ""


def _whole_number(location: Location, detail: Any) -> Sentence:
    field = _field(location)
    low = next((limit.ge for limit in field.metadata if isinstance(limit, Ge)), None) if field else None
    high = next((limit.le for limit in field.metadata if isinstance(limit, Le)), None) if field else None
    span = f", {low} to {high}" if high is not None else f", {low} or more" if low is not None else ""
    better = meant(detail["input"]) if isinstance(detail["input"], str) else ""
    fits = better != detail["input"] and is_accepted(_model(location[:-1]), str(location[-1]), better)
    hint = f"write {better}" if fits else field.description or "" if field else ""
    return f"{_is(location, detail)}; it must be a whole number{span}", hint


def _number(location: Location, detail: Any) -> Sentence:
    return f"{_is(location, detail)}; it must be a number", f"write {better_number(detail['input'])}"


def _yes_or_no(location: Location, detail: Any) -> Sentence:
    return f"{_is(location, detail)}; it must be true or false", "write `right: true` at what is right, and nothing at the others"


def _date(location: Location, detail: Any) -> Sentence:
    return f"{_is(location, detail)}; it must be a date", "write year, month and day: 2026-11-29"


def _text(location: Location, detail: Any) -> Sentence:
    return f"{_is(location, detail)}; it must be a text", f"if it is one, {QUOTES}"


def _list(location: Location, detail: Any) -> Sentence:
    value, key = detail["input"], str(location[-1])
    item = listed_item(value, _model(location[:-1]), key)
    hint = f"write `{key}: [{item}]`" if item else "start each item on a line of its own with `- `"
    return f"{_is(location, detail)}; it must be a list", hint


def _mapping(location: Location, detail: Any) -> Sentence:
    if not location:
        return f"the file holds {_sort(detail['input'])}, not a deck", "a deck has the keys deck, title and cards"
    if model := _model(location):
        keys = _listed(_written_keys(model), "and")
        if model is Option and isinstance(detail["input"], str):
            return (
                f"{_is(location, detail)}; it must be keys with values",
                f"write `- text: {excerpt(detail['input'])}`, and `right: true` at what is right",
            )
        return f"{_is(location, detail)}; it must be keys with values", f"the keys of {_NOUNS[model]} are {keys}"
    if example := _BY_NAMES.get(location[-1]):
        return f"{_is(location, detail)}; it must be names with values", f"write `{example}`"
    if isinstance(detail["input"], list) and len(detail["input"]) > 1:
        return (
            f"{_is(location, detail)}; it must be a text",
            f"write `{location[-1]}: |`, and the list below it as it stands: a text may have one",
        )
    return f"{_is(location, detail)}; it must be a text", f"write a text, or {{en: ..., zh: ...}}; if it starts with [, {QUOTES}"


def _too_long(location: Location, detail: Any) -> Sentence:
    return f"{location_name(location)} has {len(detail['input']):,} characters; the limit is {detail['ctx']['max_length']:,}", "shorten it"


def _too_many(location: Location, detail: Any) -> Sentence:
    told = f"{location_name(location)} has {len(detail['input']):,} items; the limit is {detail['ctx']['max_length']:,}"
    return told, "delete some, or split it"


def _too_few(location: Location, detail: Any) -> Sentence:
    return f"{location_name(location)} is empty", "add an item: start it with `- `"


def _misspelt(location: Location, detail: Any) -> Sentence:
    value = str(detail["input"])
    if comma := re.search("[，、；]", value):
        return f"{_is(location, detail)}; {comma[0]} separates nothing here", "write an ordinary comma between two items"
    better = written_better(value, location, detail["ctx"]["pattern"], detail["root"])
    return f"{_is(location, detail)}; it must be {form_of(detail['ctx']['pattern'])}", f"write {better}" if better else ""


def _misfit(location: Location, detail: Any) -> Sentence:
    part, owner, kind = detail["ctx"]["part"], detail["ctx"]["kind"], detail["input"].get("kind", "explain")
    return f"{part} belongs to a card of kind {owner}, and this one is {kind}", f"write `kind: {owner}`, or delete {part}"


def _second_number(location: Location, detail: Any) -> Sentence:
    return "predict would ask for a second number: a number card has its own", "delete predict, or make it an explain card"


def _beside_runs(location: Location, detail: Any) -> Sentence:
    return f"{detail['ctx']['part']} stands in each of the runs, not beside them", "move it into the run that it belongs to"


def _no_such_line(location: Location, detail: Any) -> Sentence:
    line, lines = detail["ctx"]["line"], detail["ctx"]["lines"]
    return f"wrong_line is {line}, but the listing has {lines} line{'s' * (lines != 1)}", "count from 1, empty lines too"


def _not_beside(location: Location, detail: Any) -> Sentence:
    told = f"{location_name(location)} is {_sort(detail['input'])}; it must be the name of a file beside this one, ending in .yaml"
    return told, "write `include: [defaults.yaml]`: a deck reaches no other folder"


def _own_words(location: Location, detail: Any) -> Sentence:
    """A rule of the model itself; it is a sentence already, about the value or about the whole mapping."""
    sentence = str(detail["ctx"]["error"])
    return (sentence if _model(location) else f"{location_name(location)}: {sentence}"), ""


def _anything_else(location: Location, detail: Any) -> Sentence:
    return f"{location_name(location)} is not what it should be", "compare it with another card"


_SENTENCES: dict[str, Callable[[Location, Any], Sentence]] = {
    "missing": _missing, "extra_forbidden": _unknown, "literal_error": _one_of,
    "int_parsing": _whole_number, "int_type": _whole_number, "int_from_float": _whole_number, "int_parsing_size": _whole_number,
    "greater_than_equal": _whole_number, "less_than_equal": _whole_number,
    "float_parsing": _number, "float_type": _number, "finite_number": _number,
    "bool_parsing": _yes_or_no, "bool_type": _yes_or_no,
    "date_type": _date, "date_parsing": _date, "date_from_datetime_parsing": _date, "date_from_datetime_inexact": _date,
    "string_type": _text, "string_too_long": _too_long, "string_pattern_mismatch": _misspelt,
    "tuple_type": _list, "too_long": _too_many, "too_short": _too_few, "dict_type": _mapping, "model_type": _mapping,
    "misfit": _misfit, "second_number": _second_number, "beside_runs": _beside_runs, "no_such_line": _no_such_line,
    "not_beside": _not_beside, "value_error": _own_words,
}  # fmt: skip


def _is(location: Location, detail: Any) -> str:
    return f"{location_name(location)} is {_sort(detail['input'])}"


def _sort(value: object) -> str:
    """A value in a sentence: a short text itself, the rest by what it is."""
    if isinstance(value, str):
        return excerpt(value) if value else "empty"
    if isinstance(value, int | float):
        return f"{value:g}"
    return "a list" if isinstance(value, list) else "a mapping of keys and values"


def _listed(words: tuple[str, ...], conjunction: str) -> str:
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def _written_keys(model: type[Model]) -> tuple[str, ...]:
    return free_keys(model, {}, "") if model is ComputedFigure else tuple(model.model_fields)


def _owner(location: Location) -> str:
    model = _model(location[:-1])
    return _NOUNS[model] if model else location_name(location[:-1])


def _field(location: Location) -> FieldInfo | None:
    model = _model(location[:-1])
    return model.model_fields.get(str(location[-1])) if model else None


def _model(location: Location) -> type[Model] | None:
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
