"""`qkv lab`, `qkv cards`, `qkv show`: data on stdout, in figures for people or in JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from content import markup, math
from content.cards import Card
from content.clean import clean
from content.library import bundled, load
from engine import Description, ExperimentError, Label, Parameter, Result, Value, Worker
from quiz.bench import Bench
from quiz.drawing.look import look
from quiz.drawing.picture import Pen, Picture
from quiz.drawing.svg import widened
from quiz.page import reveal
from quiz.selection import Filter, items_of
from quiz.speech import preferred, say
from quiz.turns import Item, Turn
from quiz.typeset import Line, layout, text_of
from quiz.verification import settings

OK, PROBLEM, USAGE = 0, 1, 2
WIDTH = 100  # columns of a printed page at most


def _said(label: Label, language: str) -> str:
    return label.zh if language == "zh" else label.en


def fail(sentence: str, code: int) -> int:
    """A sentence on stderr, and the exit code that goes with it."""
    print(clean(sentence), file=sys.stderr)
    return code


# --- lab -------------------------------------------------------------------------------------------------------------


def lab(name: str | None, given: Iterable[str], *, as_json: bool, svg: str | None, language: str) -> int:
    """Lists the experiments, or runs one."""
    language = language or preferred()
    pairs = [pair.partition("=") for pair in given]
    if any(not sign for _, sign, _ in pairs):
        return fail("Write parameters as NAME=VALUE, such as --set d_k=512.", USAGE)
    with Worker() as worker:
        try:
            if name is None:
                return _list(worker, as_json=as_json, language=language)
            description = worker.describe(name).result()
            parameters = _accepted(description, {key: value for key, _, value in pairs})
            result = worker.submit(name, parameters).result()
        except ExperimentError as error:
            return fail(_said(error.label, language), PROBLEM if name is None else USAGE)
    if as_json:
        print(json.dumps(as_data(name, parameters, result), ensure_ascii=False, allow_nan=False))
    else:
        _print(description, parameters, result, svg, language)
    return OK


def _accepted(description: Description, given: dict[str, str]) -> dict[str, Value]:
    from content.cards import Verification

    return settings(Verification(experiment=description.name, set=given), description)


def _list(worker: Worker, *, as_json: bool, language: str) -> int:
    survey = worker.survey.result()
    if as_json:
        print(json.dumps([_described(one) for one in survey.found.values()], ensure_ascii=False))
    else:
        widest = max((len(name) for name in survey.found), default=0)
        console = Console(highlight=False)
        for name, one in survey.found.items():
            console.print(Text.assemble((name.ljust(widest), "bold"), "  ", _said(one.summary, language)), soft_wrap=True)
    for error in survey.broken.values():
        fail(_said(error.label, language), PROBLEM)
    return PROBLEM if survey.broken else OK


def _described(one: Description) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": {"en": one.title.en, "zh": one.title.zh},
        "summary": {"en": one.summary.en, "zh": one.summary.zh},
        "claim": one.claim,
        "parameters": [_parameter(parameter) for parameter in one.parameters],
    }


def _parameter(one: Parameter) -> dict[str, Any]:
    common = {
        "name": one.name,
        "label": {"en": one.label.en, "zh": one.label.zh},
        "default": one.default,
        "scale": one.scale,
        "unit": one.unit,
    }
    if one.scale == "choice":
        return {**common, "choices": [choice.value for choice in one.choices]}
    return common if one.scale == "text" else {**common, "low": one.low, "high": one.high, "step": one.step}


def as_data(name: str, parameters: dict[str, Value], result: Result) -> dict[str, Any]:
    """A run as JSON: numbers that are not finite become null, since JSON has none."""
    return {
        "experiment": name,
        "parameters": parameters,
        "quantities": {one.name: _number(one.value) for one in result.quantities},
        "series": {one.name: {"x": list(map(_number, one.x)), "y": list(map(_number, one.y))} for one in result.series},
        "matrices": {
            one.name: {"rows": one.rows, "columns": one.columns, "values": [list(map(_number, row)) for row in one.values]}
            for one in result.matrices
        },
        "tables": {
            one.name: {"columns": [column.en for column in one.columns], "rows": [list(map(_cell, row)) for row in one.rows]}
            for one in result.tables
        },
    }


def _number(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def _cell(value: float | str | Label) -> float | str | None:
    return value.en if isinstance(value, Label) else value if isinstance(value, str) else _number(value)


def _print(description: Description, parameters: dict[str, Value], result: Result, svg: str | None, language: str) -> None:
    recorded = svg is not None
    console = Console(highlight=False, record=recorded, width=WIDTH if recorded else None)
    colour = recorded or (console.color_system is not None and not console.no_color)
    pen = Pen(look(dark=True, colour=colour, ascii_only=False), language, partial(say, language), math.display)
    spelled = "  ".join(f"{key}={value}" for key, value in parameters.items())
    console.print(Text.assemble((_said(description.title, language), "bold"), "  ", (spelled, "dim")))
    console.print(Text(_said(description.summary, language)), end="\n\n")
    console.print(Picture(result, pen, description, parameters))
    if svg:
        Path(svg).write_text(widened(console.export_svg(title=f"qkv lab {description.name}")), encoding="utf-8")


# --- cards -----------------------------------------------------------------------------------------------------------


def cards(wanted: Filter, *, as_json: bool, language: str) -> int:
    """Lists the cards of the bundled decks."""
    language = language or preferred()
    library = load(bundled())
    items = items_of((loaded.deck for loaded in library.decks), wanted)
    if as_json:
        print(json.dumps([_card(item) for item in items], ensure_ascii=False))
        return OK
    console = Console(highlight=False)
    widest = max((len(item.card.id) for item in items), default=0)
    for item in items:
        asked = "◆" * (item.card.asked or 0) + "◇" * (5 - (item.card.asked or 0))
        question = text_of(layout(markup.parse(item.card.question.said(language)), 10_000)[0])
        console.print(Text.assemble((item.card.id.ljust(widest), "bold"), f"  {asked}  ", question), soft_wrap=True)
    return OK


def _card(item: Item) -> dict[str, Any]:
    card = item.card
    return {
        "deck": item.deck,
        "id": card.id,
        "kind": card.kind,
        "level": card.level,
        "asked": card.asked,
        "tags": list(card.tags),
        "languages": list(card.question.languages),
        "experiment": card.verify.experiment if card.verify else None,
        "claims": len(card.verify.claims) if card.verify else 0,
        "predict": card.predict is not None,
        "trap": card.trap is not None,
    }


def show(wanted: str, *, language: str) -> int:
    """Prints one card with its verification, run now."""
    language = language or preferred()
    items = items_of(loaded.deck for loaded in load(bundled()).decks)
    found = [item for item in items if wanted in (item.card.id, "/".join(item.key))]
    if not found:
        return fail(f"There is no card {wanted}; `qkv cards` lists them.", USAGE)
    print_card(found[0].card, found[0].deck, language)
    return OK


def print_card(card: Card, deck: str, language: str) -> None:
    """A card as a page of text."""
    bench, state = Bench(card), ""
    if card.verify:
        with Worker() as worker:
            bench, state = run(bench, worker, language)
    turn = Turn(Item(deck, card), shown=tuple(range(len(card.options))), stage="reveal", measured=bench.measured())
    console = Console(highlight=False)
    for part in reveal(turn, language, bench.names, bench.verdicts(), state):
        if part.role == "heading":
            console.print()
        for line in part.lines(min(console.width, WIDTH)):
            console.print(rich_line(line), no_wrap=True, overflow="ignore", crop=False)


def run(bench: Bench, worker: Worker, language: str) -> tuple[Bench, str]:
    """The bench with its card's run, or the sentence that says why there is none."""
    assert bench.card.verify is not None
    name = bench.card.verify.experiment
    try:
        description = worker.describe(name).result()
        values = settings(bench.card.verify, description)
        result = worker.submit(name, values).result()
    except ExperimentError as error:
        return bench, say(language, "reveal.not_computed", reason=clean(_said(error.label, language)))
    return Bench(bench.card, description, values, result), ""


STYLES = {
    "strong": "bold",
    "emphasis": "italic",
    "code": "magenta",
    "math": "magenta",
    "dim": "dim",
    "letter": "blue",
    "picked": "magenta",
    "good": "green",
    "bad": "red",
    "measured": "green",
    "heading-query": "bold blue",
    "heading-key": "bold red",
    "heading-value": "bold green",
    "heading-trap": "bold yellow",
    "heading-detail": "bold magenta",
    "heading-quiet": "bold dim",
}


def rich_line(line: Line) -> Text:
    """A typeset line for a rich console: text as data, never as markup."""
    return Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))
