"""Bytes to a tree of mappings, lists and texts, in one pass, with everything refused that YAML would guess.

Scalars stay text: `no`, `012` and `2024-01-01` mean what they say. libyaml only, without a fallback: PyYAML's own parser
accepts other files, and takes two minutes for 100 KB of `{`.
"""

from __future__ import annotations

import re
from itertools import islice

import yaml

from content.format import SIZE_LIMIT
from content.yaml.clean import blanked, unclean
from content.yaml.composer import Composer, Stop
from content.yaml.problems import PROBLEMS_LIMIT, Problem
from content.yaml.tree import Source, Tree
from content.yaml.yaml_errors import explain

_WIDE = {  # by the mark at the start, or by the zeros beside its first letters
    "UTF-32": re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff|[^\0]\0\0\0[^\0]\0\0\0|\0\0\0[^\0]\0\0\0[^\0]"),
    "UTF-16": re.compile(rb"\xff\xfe|\xfe\xff|[^\0]\0[^\0]\0|\0[^\0]\0[^\0]"),
}


def read(path: str, data: bytes) -> tuple[Tree | None, list[Problem]]:
    """The tree of a deck file, or None where it cannot be read to its end, and everything that the reader refuses in it.

    `path` is only named in the problems. Never raises, whatever the bytes.
    """
    if not yaml.__with_libyaml__:
        return None, [Problem(path, 0, 0, "decks cannot be read, because PyYAML is installed without libyaml", "reinstall pyyaml")]
    if len(data) > SIZE_LIMIT:
        return None, [Problem(path, 0, 0, f"the file has more than {SIZE_LIMIT // 2**20} MiB", "split it into several decks")]
    text = _decoded(path, data)
    if isinstance(text, Problem):
        return None, [text]
    source = Source(path, text)
    hidden = [_hidden(source, offset, name) for offset, name in islice(unclean(text), PROBLEMS_LIMIT + 1)]
    if "\t" in text:
        return None, hidden  # it may be indentation: whatever else is found would be guesswork
    tree, problems = _parsed(source, blanked(text) if hidden else text)
    return tree, [*hidden, *problems] if tree else (hidden or problems)


def _decoded(path: str, data: bytes) -> str | Problem:
    """The text with \\n line ends, or why there is none."""
    for name, shape in _WIDE.items():
        if shape.match(data):
            return Problem(path, 1, 1, f"the file is {name}", "save it as UTF-8")
    if b"\0" in data:
        return Problem(path, _line_of(data, data.index(b"\0")), 1, "this is a binary file, not a deck", "give a YAML file")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        data = error.object
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode()) + 1
        source = data[start:].split(b"\n", 1)[0].decode(errors="replace")
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8"
        hint = "save the file as UTF-8; editors on Windows may have used GBK or Latin-1"
        return Problem(path, _line_of(data, start), column, message, hint, source=source)
    if "\r" in text and "\n" not in text:
        return Problem(path, 1, 1, "the lines end with a carriage return alone", "save the file with LF or CRLF line ends")
    return text


def _line_of(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _hidden(source: Source, offset: int, name: str) -> Problem:
    hint = "use spaces" if source.text[offset] == "\t" else "delete it: it cannot be seen, so nobody can check it"
    return source.problem(offset, f"{name} is not allowed in a deck", hint)


def _parsed(source: Source, text: str) -> tuple[Tree | None, list[Problem]]:
    builder, event = Composer(source), None
    takers = builder.takers()
    try:
        for event in iter(yaml.CSafeLoader(text).get_event, None):
            if (kind := type(event)) in takers:
                takers[kind](event)
    except Stop:
        return builder.tree(), builder.problems
    except yaml.YAMLError as error:
        fault = explain(error, source.lines, event, builder.bracket())
        return None, [*builder.problems, source.problem(source.offset(fault.line, fault.column), fault.message, fault.hint)]
    tree = builder.tree()
    if tree is None and not builder.problems:
        return None, [Problem(source.path, 0, 0, "there is no deck in this file", "`qkv new` starts one")]
    return tree, builder.problems
