"""`qkv lab`: the experiments listed, or one run and its figures printed; for people, as JSON, or as a picture."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Column, Table
from rich.text import Text

from content.text import formula
from engine import Description, ExperimentError, Label, Parameter, ParameterError, Recipe, Result, Value, Worker
from quiz.card.hero import Trial
from quiz.card.planned_run import accepted
from quiz.charts.code_lines import hanging
from quiz.charts.result_figures import ResultPicture
from quiz.charts.svg import widen_chinese
from quiz.commands.lab_deck import is_deck, own_computations, own_recipe, unmoved
from quiz.commands.lab_names import print_names
from quiz.commands.new_file import new_file
from quiz.commands.output import WIDTH, fail, print_json, tell
from quiz.commands.picture import trial_lines
from quiz.commands.printer import Printer
from quiz.commands.replace_file import reason
from quiz.exit_codes import OK, PROBLEM, USAGE
from quiz.words.i18n import Words
from quiz.words.numbers import read_number, spell_number

Asked = str | tuple[str, str]  # an experiment of the program's, or a deck's file and the name of its own


def lab(name: Asked | None, given: Iterable[str], *, as_json: bool, svg: str | None, language: str) -> int:
    """Lists the experiments, or runs one."""
    words = Words.of(language)
    if svg is None:
        return _lab(name, given, as_json=as_json, picture=None, words=words)
    try:
        with new_file(svg) as picture:  # that it cannot be written is found before anything is computed
            return _lab(name, given, as_json=as_json, picture=picture, words=words)
    except BrokenPipeError:
        raise
    except FileExistsError:
        return fail(words("backup.exists", path=svg), USAGE)
    except (OSError, ValueError) as error:
        return fail(words("new.nowhere", path=svg, reason=reason(error)), USAGE)


def _lab(name: Asked | None, given: Iterable[str], *, as_json: bool, picture: BinaryIO | None, words: Words) -> int:
    if isinstance(name, str) and is_deck(name):
        return list_own(name, as_json=as_json, words=words)
    with Worker() as worker:
        try:
            if name is None:
                return _list(worker, as_json=as_json, words=words)
            description, parameters, result = _ran(worker, name, given)
        except ExperimentError as error:
            return fail(words.label(error.label), PROBLEM if name is None else USAGE)
    if as_json:
        print_json(as_data(description.name, parameters, result))
    else:
        _print(description, parameters, result, picture, words)
    return OK


def _ran(worker: Worker, name: Asked, given: Iterable[str]) -> tuple[Description, dict[str, Value], Result]:
    """One run with the parameters of the command line. Raises ExperimentError."""
    experiment = _experiment(name)
    description = worker.describe(experiment).result()
    pairs = {key: _as_number(value, description.parameter(key)) for key, _, value in map(_pair, given)}
    own = {key: found.accept(pairs.pop(key)) for key in list(pairs) if (found := description.parameter(key)) and found.names_model}
    parameters = accepted(pairs, description) | own  # who types a folder's name allows it
    return description, parameters, worker.submit(experiment, parameters).result()


def _experiment(name: Asked) -> str | Recipe:
    """Raises ExperimentError."""
    return own_recipe(*name) if isinstance(name, tuple) else name


def _pair(given: str) -> tuple[str, str, str]:
    if "=" not in given:
        raise ParameterError("Write parameters as NAME=VALUE, such as --set d_k=512.", "参数写成 名字=值，例如 --set d_k=512。")
    return given.partition("=")


def _as_number(typed: str, parameter: Parameter | None) -> str:
    """A number as a deck writes it, where one was typed in another way: 1,000 and ５１２; what is none is refused with its range."""
    number = None if parameter is None or parameter.scale in ("choice", "text") else read_number(typed, parameter.unit)
    return typed if number is None else spell_number(number)


def _list(worker: Worker, *, as_json: bool, words: Words) -> int:
    survey = worker.survey.result()
    if as_json:
        print_json([_described(one) for one in survey.found.values()])
    else:
        _print_list({name: words.label(one.summary) for name, one in survey.found.items()})
    for error in survey.broken.values():
        fail(words.label(error.label), PROBLEM)
    return PROBLEM if survey.broken else OK


def list_own(file: str, *, as_json: bool, words: Words) -> int:
    """The computations of a deck, by the names that its cards use."""
    try:
        own = own_computations(file)
    except ExperimentError as error:
        return fail(words.label(error.label), USAGE)
    if as_json:
        print_json([{"name": name, "title": {"en": one.title.said("en"), "zh": one.title.said("zh")}} for name, one in own.items()])
    elif own:
        _print_list({name: one.title.said(words.language) for name, one in own.items()})
    else:
        tell(words("lab.no_own", file=file))
    return OK


def _print_list(summaries: Mapping[str, str]) -> None:
    """A name and a line each: folded below its own column on a screen, never folded in a pipe, where a line is a record."""
    console = Printer()
    widest = max(map(len, summaries), default=0)
    if console.is_terminal:
        grid = Table.grid(Column(no_wrap=True), Column(), padding=(0, 2))
        for name, summary in summaries.items():
            grid.add_row(Text(name, "bold"), Text(summary))
        console.print(grid)
    else:
        for name, summary in summaries.items():
            tell(f"{name.ljust(widest)}  {summary}")


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
    """A run as JSON, with `timings` where something was timed: numbers that are not finite become null, since JSON has none."""
    timed = {"timings": {one.name: _number(one.value) for one in result.timings}} if result.timings else {}
    return {
        "experiment": name,
        "parameters": parameters,
        "quantities": {one.name: _number(one.value) for one in result.quantities},
        "series": {one.name: {"x": list(map(_number, one.x)), "y": list(map(_number, one.y))} for one in result.series},
        "matrices": {
            one.name: {"rows": _names(one.rows), "columns": _names(one.columns), "values": [list(map(_number, row)) for row in one.values]}
            for one in result.matrices
        },
        "tables": {
            one.name: {"columns": [column.en for column in one.columns], "rows": [list(map(_cell, row)) for row in one.rows]}
            for one in result.tables
        },
        **timed,
    }


def _number(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def _names(names: Iterable[Label | str]) -> list[str]:
    return [name.en if isinstance(name, Label) else name for name in names]


def _cell(value: float | str | Label) -> float | str | None:
    return value.en if isinstance(value, Label) else value if isinstance(value, str) else _number(value)


def _print(description: Description, parameters: dict[str, Value], result: Result, picture: BinaryIO | None, words: Words) -> None:
    console = Printer(record=picture is not None, width=None if picture is None else WIDTH)
    pen = console.pen(words, formula.display)
    spelled = "  ".join(f"{key}={value}" for key, value in parameters.items())
    console.print(Text.assemble((words.label(description.title), "bold"), "  ", (spelled, "dim")))
    console.print(Text(words.label(description.summary)), end="\n\n")
    console.print(ResultPicture(result, pen, description, parameters))
    tries = [Trial(preset.name, preset.values, preset.watch) for preset in description.presets]
    for trial, line in zip(tries, trial_lines(tries, words), strict=True):
        console.print(Text(f"{line}  {settings_text(trial.values)}", "dim"))
    if picture:
        picture.write(widen_chinese(console.export_svg(title=f"qkv lab {description.name}")).encode())


def settings_text(values: Mapping[str, Value]) -> str:
    """The options that set these values, as one types them in a shell."""
    return " ".join(f"--set {shlex.quote(f'{name}={value}')}" for name, value in values.items())


def names(name: Asked, given: Iterable[str], *, language: str) -> int:
    """Prints what a card may call the experiment's parameters and results, with their values in one run."""
    words = Words.of(language)
    with Worker() as worker:
        try:
            description, parameters, result = _ran(worker, name, given)
            constant = {*description.fixed, *(unmoved(worker, own_recipe(*name), description) if isinstance(name, tuple) else ())}
        except ExperimentError as error:
            return fail(words.label(error.label), USAGE)
    print_names(description, parameters, result, words, constant)
    return OK


def source(name: Asked, *, language: str) -> int:
    """Prints the functions that compute an experiment's figures: in a pipe as they stand in their files, a program that can be compiled."""
    console = Printer()
    with Worker() as worker:
        try:
            description = worker.describe(_experiment(name)).result()
        except ExperimentError as error:
            return fail(Words.of(language).label(error.label), USAGE)
    for one in description.sources:
        place, code = f"# {one.file}:{one.line}" if one.file else f"# {description.name}", one.code.rstrip("\n")
        if console.is_terminal:
            console.print(Text(place, "dim"))
            _print_code(console, code)
        else:
            tell(f"{place}\n{code}\n")
    return OK


def _print_code(console: Console, code: str) -> None:
    """Code in colours; a line that is wider than the terminal goes on under its own indentation."""
    coloured = Syntax(code, "python", theme="ansi_dark", background_color="default").highlight(code)
    for line in coloured.split("\n"):
        for columns, part in hanging(line.plain, console.width):
            console.print(Text(" " * columns) + line[part.start : part.stop], no_wrap=True, crop=False)
    console.print()
