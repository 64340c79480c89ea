"""libyaml's complaints in words for people, at the place where they have to look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import yaml

from content.format import KEYS
from content.messages.sentence import say
from content.yaml.yaml_mistakes import BLOCK, ESCAPES, QUOTES, Mistake, astray, mistake_in, obvious_mistake


class Fault(NamedTuple):
    """`line` and `column` count from 0, in characters."""

    line: int
    column: int
    message: str
    hint: str


_COMPLAINTS = {
    "found character that cannot start any token": (say("a text cannot start like this"), QUOTES),
    "mapping values are not allowed in this context": (
        say("a colon is not expected here"),
        say("start each key below its neighbours; a text with a colon and a space in it needs quotes")),
    "could not find expected ':'": (
        say("this line has no key"), say("write `key: value`, with a colon after the key, or indent a longer text deeper than its key")),
    "block sequence entries are not allowed in this context": (
        say("a list item is not expected here"), say("start a list on the line after its key, each item with `- `")),
    "mapping keys are not allowed in this context": (say("a text cannot start with ? and a space"), QUOTES),
    "found unexpected end of stream": (say("the quote that opens here is never closed"), say("close it at the end of the text")),
    "found unexpected document indicator": (say("the quote that opens here is never closed"), say("close it at the end of the text")),
    "found unknown escape character": (say("this backslash is not an escape that YAML knows"), ESCAPES),
    "did not find expected hexdecimal number": (say("this backslash is not an escape that YAML knows"), ESCAPES),
    "found invalid Unicode character escape code": (say("there is no character with this code"), ESCAPES),
    "did not find expected comment or line break": BLOCK,
    "did not find expected <document start>": (
        say("this line does not belong to what stands above"),
        say("the keys of a deck, such as deck, title and cards, start in the first column")),
    "did not find expected key": (
        say("this does not line up with the keys above"),
        say("start keys that belong together in one column, here or in the line above; nothing may follow a closing quote")),
    "did not find expected '-' indicator": (
        say("this does not line up with the list above"),
        say("start each item with `- ` in one column, and its other keys below its first")),
    "did not find expected ',' or ']'": (
        say("the list that opens with [ is not closed"), say("close it with ], or put the text in quotes")),
    "did not find expected ',' or '}'": (
        say("the mapping that opens with { is not closed"), say("close it with }, or put the text in quotes")),
    "exceeded maximum nesting depth": (say("too many brackets are nested here"), say("if this is a text, {quotes}", quotes=QUOTES)),
    "did not find expected node content": (
        say("a value is missing here"), say("write one; a text that starts with a punctuation mark needs quotes")),
}  # fmt: skip
_CONTEXTS = {
    "while scanning an alias": (say("a text cannot start with *"), QUOTES),
    "while scanning an anchor": (say("a text cannot start with &"), QUOTES),
    "while scanning a tag": (say("a text cannot start with !"), QUOTES),
    "while parsing a tag": (say("a text cannot start with !"), QUOTES),
    "while scanning a directive": (say("a line cannot start with %"), QUOTES),
}
_MISPLACED = ("did not find expected key", "did not find expected '-' indicator")
_ANYTHING_ELSE = (say("this cannot be read as YAML"), say("check quotes, colons and indentation near this line"))
_NEVER = ("found unexpected end of stream", "found unexpected document indicator")
_NO_VALUE = "did not find expected node content"
_LATE = "mapping values are not allowed in this context"
_KEY = re.compile(rf"\s*(?:-\s+)?(?:{'|'.join(sorted(KEYS))}):(?:\s|$)")
_FAR = 20  # lines
_AT_ITS_START = tuple(f"while {what}" for what in (
    "scanning a simple key", "scanning a quoted", "parsing a flow", "scanning an a", "scanning a tag", "scanning a directive"))  # fmt: skip


class _Complaint(NamedTuple):
    """What libyaml says: what it was doing since `start`, and what it met at `mark`."""

    context: str
    problem: str
    start: yaml.Mark | None
    mark: yaml.Mark | None


def explain(error: yaml.YAMLError, lines: list[str], last: yaml.Event | None = None, bracket: tuple[int, int] | None = None) -> Fault:
    """A libyaml error as a place, a sentence and what to do about it; `last` is the event before it, `bracket` the innermost open one."""
    said = _Complaint(
        getattr(error, "context", None) or "",
        getattr(error, "problem", None) or "",
        getattr(error, "context_mark", None),
        getattr(error, "problem_mark", None),
    )
    return _left_open(said, lines, last, bracket) or _told(said, lines)


def _told(said: _Complaint, lines: list[str]) -> Fault:
    """The slip on the line to look at, or above it; where none is seen, the complaint in other words."""
    mark = said.start if said.start and said.context.startswith(_AT_ITS_START) else said.mark
    line = min(mark.line, len(lines) - 1) if mark else 0
    column = min(mark.column, len(lines[line])) if mark else 0
    for suspect, look in _suspects(line, lines, said.problem):
        if found := look(lines[suspect]):
            return Fault(suspect, *found)
    misplaced = _misplaced(lines[line], column) if said.problem in _MISPLACED else None
    return Fault(line, column, *(misplaced or _CONTEXTS.get(said.context) or _COMPLAINTS.get(said.problem) or _ANYTHING_ELSE))


def _left_open(said: _Complaint, lines: list[str], last: yaml.Event | None, bracket: tuple[int, int] | None) -> Fault | None:
    """What was opened far above: a quote that took the next text's opening one for its own end, or keys for text; a bracket."""
    hint = say("close it at the end of the text")
    if isinstance(last, yaml.ScalarEvent) and last.style in ("'", '"') and said.mark and last.start_mark and last.end_mark:
        start, end = last.start_mark, last.end_mark
        if start.line < end.line == said.mark.line:
            return Fault(start.line, start.column, say("the quote that opens here is closed only in line {line}", line=end.line + 1), hint)
    quoted = said.context.endswith("a quoted scalar") and said.problem not in _NEVER
    if quoted and said.start and said.mark and any(map(_KEY.match, lines[said.start.line + 1 : said.mark.line + 1])):
        return Fault(said.start.line, said.start.column, say("the quote that opens here is not closed in its line"), hint)
    if said.mark and bracket and said.problem == _NO_VALUE and not "".join(lines[said.mark.line :]).strip():
        closing = "]" if lines[bracket[0]][bracket[1]] == "[" else "}"
        return Fault(*bracket, *_COMPLAINTS[f"did not find expected ',' or '{closing}'"])
    return None


def _misplaced(line: str, column: int) -> tuple[str, str] | None:
    """What stands where a key or an item should be: a bracket, an item, a text that goes on."""
    rest = line[column:]
    if rest[:1] in ("]", "}"):
        return say("this {sign} closes nothing", sign=rest[0]), say("delete it; if it belongs to a text, {quotes}", quotes=QUOTES)
    if rest.startswith("- "):
        return say("this item does not line up with a list above"), say(
            "put its dash below the other dashes, or the first one below its key"
        )
    if not line[:column].strip() and not re.search(r":(?:\s|$)", rest):
        return _COMPLAINTS["could not find expected ':'"]
    return None


def _suspects(line: int, lines: list[str], problem: str) -> Iterator[tuple[int, Callable[[str], Mistake | None]]]:
    """The lines to look at, and for what: a key that YAML took for text is noticed lines later, where a text was taken for a key."""
    late = problem in (_LATE, *_MISPLACED)
    above = [number for number in range(line, max(-1, line - _FAR), -1) if lines[number].strip()] if late else []
    yield from ((number, obvious_mistake) for number in above)
    yield line, mistake_in
    yield from ((number, mistake_in) for number in above[1:2] if problem == _LATE)
    yield from ((number, astray) for number in above)
