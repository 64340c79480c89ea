"""What people really type where YAML wants something else, and libyaml's complaints in words for them."""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml

_LOOKED_AT = 1_000  # characters of a line; a longer one is not what a person typed

ESCAPES = "in double quotes a backslash starts an escape; write LaTeX in single quotes, or each backslash twice"
QUOTES = "put the whole text in quotes"


class Fault(NamedTuple):
    """`line` and `column` count from 0, in characters."""

    line: int
    column: int
    message: str
    hint: str


class Clue(NamedTuple):
    column: int
    message: str
    hint: str


_BLOCK = ("text stands on the line of the | or >", "start the text on the next line, indented")
_KEY = r"^\s*(?:-\s+)*[\w.-]{1,60}"
_CLUES = tuple(
    (re.compile(pattern), message, hint)
    for pattern, message, hint in (
        (r"(?P<at>^(?:<{7}|={7}|>{7})(?:\s|$))", "a merge conflict was left in the file",
         "keep one of the two versions and delete the lines that start with <<<<<<<, ======= and >>>>>>>"),
        (_KEY + r"(?P<at>：)", "a full-width colon stands after the key", "write an ordinary colon and a space"),
        (r"^ *(?:-)?(?P<at>[\u00a0\u2000-\u200a\u3000])", "the line starts with a space of another kind", "indent with ordinary spaces"),
        (_KEY + r":(?P<at>[\u00a0\u2000-\u200a\u3000])", "a space of another kind stands after the colon", "write an ordinary space"),
        (r"^\s*(?:-\s+)*[A-Za-z_]+(?P<at>:)[^\s:/]", "a space is missing after the colon", "write `key: value`"),
        (r"^\s*(?P<at>-)[^\s-]", "a space is missing after the dash", "write `- item`"),
        (_KEY + r":\s+(?P<at>-)\s", "a list cannot start on the line of its key", "start it on the next line, each item with `- `"),
        (_KEY + r":\s+(?P<at>[|>])[-+0-9]*\s*[^\s#0-9+-]", *_BLOCK),
        (r"(?:^\s*-|:)\s+(?P<at>[@`%,\]}*&])", "a text cannot start with {at}", QUOTES),
        (r"(?:^\s*-|[:,])\s+(?P<at>[\[{])[^\[\]{}]*[\]}]\s*[^\s,\]}#:]", "a text cannot start with {at}", QUOTES),
        (r"(?:^\s*-|:)\s+'(?:[^']|'')*(?P<at>')\s*[^\s',\]}#]", "the text ends at this apostrophe",
         "write an apostrophe twice inside single quotes, or use double quotes"),
        (r'(?:^\s*-|:)\s+"(?:[^"\\]|\\.)*(?P<at>")\s*[^\s",\]}#]', "the text ends at this quote", 'write \\" inside double quotes'),
        (_KEY + r":\s+[^\s'\"\[{|>#].*?(?P<at>:)(?:\s|$)", "a colon and a space inside a text without quotes", QUOTES),
        (r"[{,]\s*[\w-]{1,60}:\s+[^\s'\"\[{,}][^,}]*?(?P<at>:)(?:\s|$)", "a colon and a space inside a text without quotes", QUOTES),
    )
)  # fmt: skip

_COMPLAINTS = {
    "found character that cannot start any token": ("a text cannot start like this", QUOTES),
    "mapping values are not allowed in this context": (
        "a colon is not expected here", "start each key below its neighbours; a text with a colon and a space in it needs quotes"),
    "could not find expected ':'": ("this line has no key", "write `key: value`, or indent a longer text deeper than its key"),
    "block sequence entries are not allowed in this context": (
        "a list item is not expected here", "start a list on the line after its key, each item with `- `"),
    "mapping keys are not allowed in this context": ("a text cannot start with ? and a space", QUOTES),
    "found unexpected end of stream": ("the quote that opens here is never closed", "close it at the end of the text"),
    "found unexpected document indicator": ("the quote that opens here is never closed", "close it at the end of the text"),
    "found unknown escape character": ("this backslash is not an escape that YAML knows", ESCAPES),
    "did not find expected hexdecimal number": ("this backslash is not an escape that YAML knows", ESCAPES),
    "found invalid Unicode character escape code": ("there is no character with this code", ESCAPES),
    "did not find expected comment or line break": _BLOCK,
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
_ANYTHING_ELSE = ("this cannot be read as YAML", "check quotes, colons and indentation near this line")
_LATE = "mapping values are not allowed in this context"
_AT_ITS_START = tuple(f"while {what}" for what in (
    "scanning a simple key", "scanning a quoted", "parsing a flow", "scanning an a", "scanning a tag", "scanning a directive"))  # fmt: skip


def clue(line: str) -> Clue | None:
    """The usual slip that a line shows, if it shows one; for lines that did not become what their author meant."""
    for pattern, message, hint in _CLUES:
        if found := pattern.search(line[:_LOOKED_AT]):
            return Clue(found.start("at"), message.format(at=found["at"]), hint)
    return None


def explain(error: yaml.YAMLError, lines: list[str]) -> Fault:
    """A libyaml error as a place, a sentence and what to do about it."""
    mark = _mark(error)
    context, problem = getattr(error, "context", None) or "", getattr(error, "problem", None) or ""
    line = min(mark.line, len(lines) - 1) if mark else 0
    column = min(mark.column, len(lines[line])) if mark else 0
    for suspect in (line, _above(line, lines) if problem == _LATE else line):
        if found := clue(lines[suspect]):
            return Fault(suspect, *found)
    return Fault(line, column, *(_CONTEXTS.get(context) or _COMPLAINTS.get(problem) or _ANYTHING_ELSE))


def _mark(error: yaml.YAMLError) -> yaml.Mark | None:
    """Where the author has to look: the start of what was never finished, else where libyaml stopped."""
    context = getattr(error, "context", None) or ""
    start: yaml.Mark | None = getattr(error, "context_mark", None)
    return start if start and context.startswith(_AT_ITS_START) else getattr(error, "problem_mark", None)


def _above(line: int, lines: list[str]) -> int:
    """The nearest line above that is not blank: a key without its space is noticed one line late."""
    return next((number for number in range(line - 1, max(-1, line - 20), -1) if lines[number].strip()), line)
