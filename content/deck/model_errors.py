"""What pydantic finds, as sentences: the key, what it is, what it must be, and what to do. No word of pydantic's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from annotated_types import Ge, Le

from content.deck.computation_model import ComputedFigure
from content.deck.location_names import location_name, value_name
from content.deck.model import Card, Option
from content.deck.model_at import NOUNS, add_key, field_at, model_at, owner_name
from content.deck.model_parts import Model
from content.deck.numerals import better_number
from content.deck.suggestions import form_of, free_keys, is_accepted, key_meant, listed_item, written_better
from content.format import LANGUAGES
from content.messages.sentence import say
from content.text.nearest import nearest
from content.yaml.numerals import meant
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
Said = tuple[str, str]  # what is wrong, what to do


def sentence_for(location: Location, detail: Any, root: Node) -> Said:
    """The sentence and the hint for one of pydantic's errors, as in `ValidationError.errors()`, of a deck's tree."""
    return _SENTENCES.get(detail["type"], _anything_else)(location, detail | {"root": root})


def _missing(location: Location, detail: Any) -> Said:
    key = str(location[-1])
    if location == ("deck",):
        return say("a deck needs deck"), say(
            "add `deck:` (its id, for ever); if this file belongs to a deck, name it there: `include: [this.yaml]`"
        )
    return say("{owner} needs {key}", owner=owner_name(location), key=key), add_key(key, field_at(location))


def _unknown(location: Location, detail: Any) -> Said:
    key = str(location[-1])
    model = model_at(location[:-1]) or Card
    wrong = say("{key} is not a key of {part}", key=excerpt(key), part=NOUNS[model])
    close, hint = key_meant(key, model, location[:-1], detail["root"])
    if close:
        return say("{wrong}; did you mean {close}?", wrong=wrong, close=close), hint
    for other, noun in NOUNS.items():
        if key in other.model_fields:
            return wrong, say("it is a key of {noun}: check the indentation", noun=noun)
    return wrong, say("the keys of {part} are {keys}", part=NOUNS[model], keys=_listed(_written_keys(model), "and"))


def _one_of(location: Location, detail: Any) -> Said:
    if location[-1] == "[key]":
        return say("{key} is not a language", key=excerpt(str(location[-2]))), say(
            "write {languages}; if this is one text, {quotes}", languages=_listed(LANGUAGES, "or"), quotes=QUOTES
        )
    allowed = tuple(re.findall(r"'(\w+)'", detail["ctx"]["expected"]))
    close = next(iter(nearest(str(detail["input"]), allowed)), "")
    close = close or _CALLED.get(str(detail["input"]).lower(), "")
    return say("{subject}; it must be {allowed}", subject=_is(location, detail), allowed=_listed(allowed, "or")), say(
        "write {close}", close=close
    ) if close else ""


def _whole_number(location: Location, detail: Any) -> Said:
    field = field_at(location)
    low = next((limit.ge for limit in field.metadata if isinstance(limit, Ge)), None) if field else None
    high = next((limit.le for limit in field.metadata if isinstance(limit, Le)), None) if field else None
    span = say(", {low} to {high}", low=low, high=high) if high is not None else say(", {low} or more", low=low) if low is not None else ""
    better = meant(detail["input"]) if isinstance(detail["input"], str) else ""
    fits = better != detail["input"] and is_accepted(model_at(location[:-1]), str(location[-1]), better)
    hint = say("write {better}", better=better) if fits else say(field.description) if field and field.description else ""
    return say("{subject}; it must be a whole number{span}", subject=_is(location, detail), span=span), hint


def _number(location: Location, detail: Any) -> Said:
    return say("{subject}; it must be a number", subject=_is(location, detail)), say(
        "write {number}", number=better_number(detail["input"])
    )


def _yes_or_no(location: Location, detail: Any) -> Said:
    return say("{subject}; it must be true or false", subject=_is(location, detail)), say(
        "write `right: true` at what is right, and nothing at the others"
    )


def _date(location: Location, detail: Any) -> Said:
    return say("{subject}; it must be a date", subject=_is(location, detail)), say("write year, month and day: 2026-11-29")


def _text(location: Location, detail: Any) -> Said:
    return say("{subject}; it must be a text", subject=_is(location, detail)), say("if it is one, {quotes}", quotes=QUOTES)


def _list(location: Location, detail: Any) -> Said:
    value, key = detail["input"], str(location[-1])
    item = listed_item(value, model_at(location[:-1]), key)
    hint = say("write `{key}: [{value}]`", key=key, value=item) if item else say("start each item on a line of its own with `- `")
    return say("{subject}; it must be a list", subject=_is(location, detail)), hint


def _mapping(location: Location, detail: Any) -> Said:
    if not location:
        return say("the file holds {value}, not a deck", value=value_name(detail["input"])), say(
            "a deck has the keys deck, title and cards"
        )
    if model := model_at(location):
        keys = _listed(_written_keys(model), "and")
        if model is Option and isinstance(detail["input"], str):
            return (
                say("{subject}; it must be keys with values", subject=_is(location, detail)),
                say("write `- text: {text}`, and `right: true` at what is right", text=excerpt(detail["input"])),
            )
        return say("{subject}; it must be keys with values", subject=_is(location, detail)), say(
            "the keys of {part} are {keys}", part=NOUNS[model], keys=keys
        )
    if example := _BY_NAMES.get(location[-1]):
        return say("{subject}; it must be names with values", subject=_is(location, detail)), say("write `{example}`", example=example)
    if isinstance(detail["input"], list) and len(detail["input"]) > 1:
        return (
            say("{subject}; it must be a text", subject=_is(location, detail)),
            say("write `{key}: |`, and the list below it as it stands: a text may have one", key=location[-1]),
        )
    return say("{subject}; it must be a text", subject=_is(location, detail)), say(
        "write a text, or {{en: ..., zh: ...}}; if it starts with [, {quotes}", quotes=QUOTES
    )


def _too_long(location: Location, detail: Any) -> Said:
    return say(
        "{subject} has {count:,} characters; the limit is {limit:,}",
        subject=location_name(location),
        count=len(detail["input"]),
        limit=detail["ctx"]["max_length"],
    ), say("shorten it")


def _too_many(location: Location, detail: Any) -> Said:
    told = say(
        "{subject} has {count:,} items; the limit is {limit:,}",
        subject=location_name(location),
        count=len(detail["input"]),
        limit=detail["ctx"]["max_length"],
    )
    return told, say("delete some, or split it")


def _too_few(location: Location, detail: Any) -> Said:
    return say("{subject} is empty", subject=location_name(location)), say("add an item: start it with `- `")


def _misspelt(location: Location, detail: Any) -> Said:
    value = str(detail["input"])
    if comma := re.search("[，、；]", value):
        return say("{subject}; {sign} separates nothing here", subject=_is(location, detail), sign=comma[0]), say(
            "write an ordinary comma between two items"
        )
    better = written_better(value, location, detail["ctx"]["pattern"], detail["root"])
    listed = say("`qkv lab` lists them") if location[-1] == "experiment" else ""
    return say("{subject}; it must be {wanted}", subject=_is(location, detail), wanted=form_of(detail["ctx"]["pattern"])), say(
        "write {better}", better=better
    ) if better else listed


def _misfit(location: Location, detail: Any) -> Said:
    part, owner, kind = detail["ctx"]["part"], detail["ctx"]["kind"], detail["input"].get("kind", "explain")
    return say("{part} belongs to a card of kind {owner}, and this one is {kind}", part=part, owner=owner, kind=kind), say(
        "write `kind: {owner}`, or delete {part}", owner=owner, part=part
    )


def _second_number(location: Location, detail: Any) -> Said:
    return say("predict would ask for a second number: a number card has its own"), say("delete predict, or make it an explain card")


def _beside_runs(location: Location, detail: Any) -> Said:
    return say("{part} stands in each of the runs, not beside them", part=detail["ctx"]["part"]), say(
        "move it into the run that it belongs to"
    )


def _no_such_line(location: Location, detail: Any) -> Said:
    line, lines = detail["ctx"]["line"], detail["ctx"]["lines"]
    return (
        say("wrong_line is {line}, but the listing has 1 line", line=line)
        if lines == 1
        else say("wrong_line is {line}, but the listing has {lines} lines", line=line, lines=lines)
    ), say("count from 1, empty lines too")


def _not_beside(location: Location, detail: Any) -> Said:
    told = say("{subject}; it must be the name of a file beside this one, ending in .yaml", subject=_is(location, detail))
    return told, say("write `include: [defaults.yaml]`: a deck reaches no other folder")


def _own_words(location: Location, detail: Any) -> Said:
    """A rule of the model itself; it is a sentence already, about the value or about the whole mapping."""
    sentence = detail["ctx"]["error"].args[0]
    return sentence if model_at(location) else say("{subject}: {sentence}", subject=location_name(location), sentence=sentence), ""


def _anything_else(location: Location, detail: Any) -> Said:
    return say("{subject} is not what it should be", subject=location_name(location)), say("compare it with another card")


_SENTENCES: dict[str, Callable[[Location, Any], Said]] = {
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
    return say("{subject} is {value}", subject=location_name(location), value=value_name(detail["input"]))


def _listed(words: tuple[str, ...], conjunction: str) -> str:
    listed, last = words[:-1], words[-1]
    return (
        say("{listed} or {last}", listed=listed, last=last) if conjunction == "or" else say("{listed} and {last}", listed=listed, last=last)
    )


def _written_keys(model: type[Model]) -> tuple[str, ...]:
    return free_keys(model, {}, "") if model is ComputedFigure else tuple(model.model_fields)
