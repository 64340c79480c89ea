"""settings.toml as a text: read with the lines of what is wrong, and changed in one line, so that comments and unknown keys stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from quiz.settings.options import OPTIONS, Value

KEYS = "keys"
HEAD = "# The settings of qkv; `qkv settings` lists them. QKV_* variables and options of the command line win over this file.\n"
_PLACE = re.compile(r" \(at line (\d+), column \d+\)$")
_TABLE = re.compile(r"\s*\[")
_STRING = r'"(?:[^"\\]|\\.)*"|\'[^\']*\''
_VALUE = re.compile(rf"(?P<value>{_STRING}|[^\s#\"'\[{{][^\s#]*)(?P<rest>\s*(?:#.*)?)$")


class Unreadable(Exception):
    """The text is no TOML, and so cannot be changed in one line either."""


@dataclass(frozen=True)
class Fault:
    """Something that is not as it should be: the name of its sentence (settings.fault.KIND), its line, and what the sentence names."""

    kind: str
    line: int = 0
    name: str = ""
    value: str = ""
    other: str = ""


def read(text: str) -> tuple[dict[str, Any], list[Fault]]:
    """What a text sets, by the names of Settings, and what in it was passed over. Of a text that is no TOML nothing is taken."""
    import tomllib

    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        end = text.count("\n") + 1
        return {}, [Fault("toml", int(place[1]) if place else end, value=_PLACE.sub("", str(error)).removesuffix(" (at end of document)"))]
    except RecursionError:
        return {}, [Fault("toml", 1, value="too deep")]
    faults: list[Fault] = []
    found: dict[str, Any] = {}
    for name, value in tree.items():
        line = _line_of(text, name)
        if name == KEYS and isinstance(value, dict):
            found[KEYS] = dict(_bindings(value, text, faults))
        elif name == "exam":
            faults.append(Fault("exam", line))
        elif name not in OPTIONS:
            faults.append(Fault("unknown", line, name))
        elif OPTIONS[name].accepts(value):
            found[name] = value
        else:
            faults.append(Fault("value", line, name, str(value)))
    return found, faults


def change(text: str, name: str, value: Value, *, table: str = "") -> str:
    """The text with one setting in it; None takes it out. Everything else stays, to the letter. Raises Unreadable."""
    import tomllib

    try:
        wanted = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable from error
    lines = text.splitlines(keepends=True) or [HEAD, "\n"]
    at = _find(lines, name, table)
    if at is not None:
        lines[at : at + 1] = [] if value is None else [_with_value(lines[at], value)]
    elif value is not None:
        _insert(lines, f"{_quoted(name)} = {_toml(value)}\n", table)
    changed = "".join(lines)
    place = wanted.setdefault(table, {}) if table else wanted
    place.pop(name, None) if value is None else place.update({name: value})
    try:
        same = _without_empty(tomllib.loads(changed), table) == _without_empty(wanted, table)
    except tomllib.TOMLDecodeError:
        same = False
    if not same:  # written in a way that one line does not hold: over several lines, as a dotted key
        raise Unreadable
    return changed


def _bindings(table: Mapping[str, Any], text: str, faults: list[Fault], above: str = "") -> Iterator[tuple[str, str]]:
    """`"home.lab" = "x"`, and home.lab = "x" without quotes, which TOML takes for a table in a table."""
    for name, value in table.items():
        id = f"{above}{name}"
        if isinstance(value, dict):
            yield from _bindings(value, text, faults, f"{id}.")
        elif isinstance(value, str) and value.strip():
            yield id, value
        else:
            faults.append(Fault("value", _line_of(text, id), id, str(value)))


def _pattern(name: str) -> re.Pattern[str]:
    bare = re.escape(name)
    return re.compile(rf"\s*(?:{bare}|\"{bare}\"|'{bare}')\s*=\s*")


def _line_of(text: str, name: str) -> int:
    """The number of the line that sets a name; 0 where it cannot be found."""
    pattern = _pattern(name)
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 0)


def _part(lines: list[str], table: str) -> range:
    """The lines of a table; of the settings without one those before the first."""
    heads = [at for at, line in enumerate(lines) if _TABLE.match(line)]
    if not table:
        return range(heads[0] if heads else len(lines))
    start = next((at for at in heads if re.match(rf"\s*\[\s*{table}\s*\]", lines[at])), None)
    if start is None:
        return range(0)
    return range(start + 1, next((at for at in heads if at > start), len(lines)))


def _find(lines: list[str], name: str, table: str) -> int | None:
    pattern = _pattern(name)
    return next((at for at in _part(lines, table) if pattern.match(lines[at])), None)


def _with_value(line: str, value: Value) -> str:
    """A line with another value; its comment stays."""
    ending = line[len(line.rstrip("\r\n")) :]
    body = line.removesuffix(ending) if ending else line
    begin = re.match(r"[^=]*=\s*", body)
    found = _VALUE.match(body, begin.end()) if begin else None
    if begin is None or found is None:
        raise Unreadable
    return f"{begin[0]}{_toml(value)}{found['rest']}{ending or chr(10)}"


def _insert(lines: list[str], line: str, table: str) -> None:
    """Below the last line of its table that says something; a table that is missing is begun at the end."""
    part = _part(lines, table)
    if table and not part and not any(re.match(rf"\s*\[\s*{table}\s*\]", each) for each in lines):
        _end(lines)
        lines += [*(["\n"] if lines and lines[-1].strip() else []), f"[{table}]\n", line]
        return
    at = part.stop
    while at > part.start and not lines[at - 1].strip():
        at -= 1
    if at == len(lines):
        _end(lines)
    lines.insert(at, line)


def _end(lines: list[str]) -> None:
    """The last line has an end, too."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _toml(value: Value) -> str:
    """A value as TOML writes it: as JSON does, for those that there are."""
    return json.dumps(value, ensure_ascii=False)


def _without_empty(tree: dict[str, Any], table: str) -> dict[str, Any]:
    """An empty table says what a missing one says."""
    return {name: value for name, value in tree.items() if name != table or value or not table}
