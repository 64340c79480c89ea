"""`qkv lab`: the experiments listed, or one run and its figures printed; for people, as JSON, or as a picture."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from content import math
from content.cards import Verification
from engine import Description, ExperimentError, Label, Parameter, Result, Value, Worker
from quiz.drawing.look import look
from quiz.drawing.picture import Pen, Picture
from quiz.drawing.svg import widened
from quiz.printing import OK, PROBLEM, USAGE, WIDTH, fail, said
from quiz.speech import preferred, say
from quiz.verification import settings


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
            return fail(said(error.label, language), PROBLEM if name is None else USAGE)
    if as_json:
        print(json.dumps(as_data(name, parameters, result), ensure_ascii=False, allow_nan=False))
    else:
        _print(description, parameters, result, svg, language)
    return OK


def _accepted(description: Description, given: dict[str, str]) -> dict[str, Value]:
    return settings(Verification(experiment=description.name, set=given), description)


def _list(worker: Worker, *, as_json: bool, language: str) -> int:
    survey = worker.survey.result()
    if as_json:
        print(json.dumps([_described(one) for one in survey.found.values()], ensure_ascii=False))
    else:
        widest = max((len(name) for name in survey.found), default=0)
        console = Console(highlight=False)
        for name, one in survey.found.items():
            console.print(Text.assemble((name.ljust(widest), "bold"), "  ", said(one.summary, language)), soft_wrap=True)
    for error in survey.broken.values():
        fail(said(error.label, language), PROBLEM)
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
    console.print(Text.assemble((said(description.title, language), "bold"), "  ", (spelled, "dim")))
    console.print(Text(said(description.summary, language)), end="\n\n")
    console.print(Picture(result, pen, description, parameters))
    if svg:
        Path(svg).write_text(widened(console.export_svg(title=f"qkv lab {description.name}")), encoding="utf-8")


def source(name: str, *, language: str) -> int:
    """Prints the functions that compute an experiment's figures."""
    console = Console(highlight=False)
    with Worker() as worker:
        try:
            description = worker.describe(name).result()
        except ExperimentError as error:
            return fail(said(error.label, language or preferred()), USAGE)
    for one in description.sources:
        console.print(Text(f"# {one.file}:{one.line}", "dim"))
        console.print(Syntax(one.code, "python", theme="ansi_dark", background_color="default") if console.color_system else Text(one.code))
    return OK
