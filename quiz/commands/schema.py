"""`qkv schema`: the JSON Schema of decks, for editors: the model of `content` and the experiments of `engine`, brought together.

It is made where both are known, never kept: with `qkv new` a copy is laid into the person's data folder, and `qkv check` keeps that one
up to date, so that an update of the program or another experiment reaches every deck whose first line names it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from content.deck.json_schema import SCHEMA_ID, ExperimentSchema, schema, schema_text
from content.regular_file import read_file
from engine import Description, ExperimentError, Parameter, Scalar, Worker
from engine.parameter import TEXT_LIMIT
from quiz.commands.output import fail, print_json_text
from quiz.commands.replace_file import reason, replace_file
from quiz.exit_codes import OK, PROBLEM, USAGE
from quiz.progress.private_files import make_private_folder
from quiz.progress.progress import default_path
from quiz.words.i18n import Words

LONGEST = 2**24  # bytes of a schema that is looked at
_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def run(file: str | None, *, language: str) -> int:
    """Prints the schema, or writes it to a file and says which line of a deck names it."""
    words = Words.of(language)
    try:
        if file is not None and os.path.lexists(file) and not _is_ours(Path(file)):
            return fail(words("backup.exists", path=file), USAGE)
        made = _made()
    except ExperimentError as error:
        return fail(words.label(error.label), PROBLEM)
    except (OSError, ValueError) as error:
        return fail(words("new.nowhere", path=file, reason=reason(error)), USAGE)
    if file is None:
        print_json_text(made)
        return OK
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, made.encode())
    except (OSError, ValueError) as error:
        return fail(words("new.nowhere", path=file, reason=reason(error)), USAGE)
    return fail(words("schema.written", path=file, address=Path(file).resolve().as_uri()), OK)


def schema_path() -> Path:
    """The copy that the decks of `qkv new` name: in the data folder, which stays where it is when the program moves."""
    return default_path().parent / "deck.schema.json"


def schema_address() -> str:
    """That copy as the first line of a deck names it."""
    return schema_path().resolve().as_uri()


def ensure_schema() -> None:
    """Makes that copy where there is none. Without an engine, it knows no experiments. Raises OSError."""
    path = schema_path()
    if not path.exists():
        try:
            made = _made()
        except ExperimentError:
            made = text(())
        make_private_folder(path.parent)
        replace_file(path, made.encode())


def refresh_schema(described: Iterable[Description]) -> None:
    """Brings that copy up to date, where there is one. An editor without the newest schema is no reason to stop anything."""
    path = schema_path()
    with suppress(OSError):
        if path.exists() and (not path.is_symlink() or _is_ours(path)) and read_file(path, LONGEST) != (made := text(described).encode()):
            replace_file(path, made)


def _is_ours(path: Path) -> bool:
    """Whether a file is a schema of decks, which a newer one may replace. Raises OSError."""
    try:
        found = json.loads(read_file(path, LONGEST))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("$id") == SCHEMA_ID


def _made() -> str:
    """The schema with the experiments as they are now: this starts the engine. Raises ExperimentError."""
    with Worker() as worker:
        return text(worker.survey.result().found.values())


def text(described: Iterable[Description]) -> str:
    """The schema as a file holds it."""
    return schema_text(
        schema(
            ExperimentSchema(
                one.name,
                {parameter.name: values(parameter) for parameter in one.parameters},
                {each.name: _words(each) for each in one.measures if isinstance(each, Scalar) and not each.timed},
                one.formerly,
            )
            for one in described
        )
    )


def _words(quantity: Scalar) -> str:
    return f"{quantity.label.en} · {quantity.label.zh}" + (f" ({quantity.unit})" if quantity.unit else "")


def values(parameter: Parameter) -> dict[str, Any]:
    """What an editor lets a parameter be: a deck reads every value as text, an editor may see a number or a truth."""
    said = {"description": f"{parameter.label.en} · {parameter.label.zh}", "default": parameter.default}
    if parameter.scale == "choice":
        return {**said, "enum": [seen for choice in parameter.choices for seen in _seen(choice.value)]}
    if parameter.scale == "text":
        form = {"pattern": f"^(?:{parameter.pattern})$"} if parameter.pattern else {}
        return {**said, "type": ["string", "number", "boolean"], "maxLength": TEXT_LIMIT, **form}
    if parameter.divisor_of:
        fitting = [each for each in range(max(1, int(parameter.low)), int(parameter.high) + 1) if parameter.divisor_of % each == 0]
        return {**said, "enum": [seen for each in fitting for seen in (each, str(each))]}
    kind = "integer" if isinstance(parameter.default, int) else "number"
    multiple = {"multipleOf": parameter.multiple_of} if parameter.multiple_of > 1 else {}
    return {**said, "type": [kind, "string"], "minimum": parameter.low, "maximum": parameter.high, **multiple}


def _seen(value: str) -> list[Any]:
    """A choice as a deck and as an editor reads it."""
    if value in _TRUTHS:
        return [value, _TRUTHS[value]]
    try:
        number = float(value)
    except ValueError:
        return [value]
    return [value, number] if abs(number) < float("inf") else [value]
