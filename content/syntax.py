"""libyaml's complaints in words for people, at the place where they have to look."""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml

from content.slips import BLOCK, ESCAPES, QUOTES, clue


class Fault(NamedTuple):
    """`line` and `column` count from 0, in characters."""

    line: int
    column: int
    message: str
    hint: str


_COMPLAINTS = {
    "found character that cannot start any token": ("a text cannot start like this", QUOTES),
    "mapping values are not allowed in this context": (
        "a colon is not expected here", "start each key below its neighbours; a text with a colon and a space in it needs quotes"),
    "could not find expected ':'": (
        "this line has no key", "write `key: value`, with a colon after the key, or indent a longer text deeper than its key"),
    "block sequence entries are not allowed in this context": (
        "a list item is not expected here", "start a list on the line after its key, each item with `- `"),
    "mapping keys are not allowed in this context": ("a text cannot start with ? and a space", QUOTES),
    "found unexpected end of stream": ("the quote that opens here is never closed", "close it at the end of the text"),
    "found unexpected document indicator": ("the quote that opens here is never closed", "close it at the end of the text"),
    "found unknown escape character": ("this backslash is not an escape that YAML knows", ESCAPES),
    "did not find expected hexdecimal number": ("this backslash is not an escape that YAML knows", ESCAPES),
    "found invalid Unicode character escape code": ("there is no character with this code", ESCAPES),
    "did not find expected comment or line break": BLOCK,
    "did not find expected <document start>": (
        "this line does not belong to what stands above", "the keys of a deck, such as deck, title and cards, start in the first column"),
    "did not find expected key": (
        "this does not line up with the keys above", "start keys that belong together in one column; nothing may follow a closing quote"),
    "did not find expected '-' indicator": (
        "this does not line up with the list above", "start each item with `- ` in one column, and its other keys below its first"),
    "did not find expected ',' or ']'": ("the list that opens with [ is not closed", "close it with ], or put the text in quotes"),
    "did not find expected ',' or '}'": ("the mapping that opens with { is not closed", "close it with }, or put the text in quotes"),
    "exceeded maximum nesting depth": ("too many brackets are nested here", f"if this is a text, {QUOTES}"),
    "did not find expected node content": ("a value is missing here", "write one; a text that starts with a punctuation mark needs quotes"),
}  # fmt: skip
_CONTEXTS = {
    "while scanning an alias": ("a text cannot start with *", QUOTES),
    "while scanning an anchor": ("a text cannot start with &", QUOTES),
    "while scanning a tag": ("a text cannot start with !", QUOTES),
    "while parsing a tag": ("a text cannot start with !", QUOTES),
    "while scanning a directive": ("a line cannot start with %", QUOTES),
}
_MISPLACED = ("did not find expected key", "did not find expected '-' indicator")
_ANYTHING_ELSE = ("this cannot be read as YAML", "check quotes, colons and indentation near this line")
_LATE = "mapping values are not allowed in this context"
_AT_ITS_START = tuple(f"while {what}" for what in (
    "scanning a simple key", "scanning a quoted", "parsing a flow", "scanning an a", "scanning a tag", "scanning a directive"))  # fmt: skip


def explain(error: yaml.YAMLError, lines: list[str], last: yaml.Event | None = None, bracket: tuple[int, int] | None = None) -> Fault:
    """A libyaml error as a place, a sentence and what to do about it; `last` is the event before it, `bracket` the innermost open one."""
    if fault := _quote_left_open(error, last) or _bracket_left_open(lines, error, bracket):
        return fault
    mark = _mark(error)
    context, problem = getattr(error, "context", None) or "", getattr(error, "problem", None) or ""
    line = min(mark.line, len(lines) - 1) if mark else 0
    column = min(mark.column, len(lines[line])) if mark else 0
    for suspect in (line, _above(line, lines) if problem == _LATE else line):
        if found := clue(lines[suspect]):
            return Fault(suspect, *found)
    misplaced = _misplaced(lines[line], column) if problem in _MISPLACED else None
    return Fault(line, column, *(misplaced or _CONTEXTS.get(context) or _COMPLAINTS.get(problem) or _ANYTHING_ELSE))


def _quote_left_open(error: yaml.YAMLError, last: yaml.Event | None) -> Fault | None:
    """A text in quotes that ends just before the error, lines below its start: it took the next text's opening quote for its own end."""
    mark: yaml.Mark | None = getattr(error, "problem_mark", None)
    if not (mark and isinstance(last, yaml.ScalarEvent) and last.style in ("'", '"') and last.start_mark and last.end_mark):
        return None
    start, end = last.start_mark, last.end_mark
    if start.line == end.line or mark.line != end.line:
        return None
    message = f"the quote that opens here is closed only in line {end.line + 1}"
    return Fault(start.line, start.column, message, "close it at the end of the text")


def _bracket_left_open(lines: list[str], error: yaml.YAMLError, bracket: tuple[int, int] | None) -> Fault | None:
    """A bracket after which the file ends, where libyaml misses a value at its end."""
    mark: yaml.Mark | None = getattr(error, "problem_mark", None)
    if not (mark and bracket) or "".join(lines[mark.line :]).strip():
        return None
    line, column = bracket
    closing = "]" if lines[line][column] == "[" else "}"
    return Fault(line, column, *_COMPLAINTS[f"did not find expected ',' or '{closing}'"])


def _misplaced(line: str, column: int) -> tuple[str, str] | None:
    """What stands where a key or an item should be: a bracket, an item, a text that goes on."""
    rest = line[column:]
    if rest[:1] in ("]", "}"):
        return f"this {rest[0]} closes nothing", f"delete it; if it belongs to a text, {QUOTES}"
    if rest.startswith("- "):
        return "this item does not line up with a list above", "put its dash below the other dashes, or the first one below its key"
    if not line[:column].strip() and not re.search(r":(?:\s|$)", rest):
        return _COMPLAINTS["could not find expected ':'"]
    return None


def _mark(error: yaml.YAMLError) -> yaml.Mark | None:
    """Where the author has to look: the start of what was never finished, else where libyaml stopped."""
    context = getattr(error, "context", None) or ""
    start: yaml.Mark | None = getattr(error, "context_mark", None)
    return start if start and context.startswith(_AT_ITS_START) else getattr(error, "problem_mark", None)


def _above(line: int, lines: list[str]) -> int:
    """The nearest line above that is not blank: a key without its space is noticed one line late."""
    return next((number for number in range(line - 1, max(-1, line - 20), -1) if lines[number].strip()), line)
