"""A problem of a deck: where it is, what it is, what to do. One line for editors, a caret for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from content.messages.sentence import in_language, say
from content.yaml.clean import clean
from content.yaml.emoji import without_selectors

Severity = Literal["error", "warning"]

PROBLEMS_LIMIT = 200  # of one file; nobody reads more before mending the first
_EXCERPT = 100  # columns
_BEFORE = 60  # of them at most left of the caret, where a line has to be cut
_GAP = "..."


@dataclass(frozen=True, order=True)
class Problem:
    """`line` and `column` count characters from 1, and are 0 for the file itself; `source` is the line itself, for the caret."""

    path: str
    line: int
    column: int
    message: str
    hint: str = ""
    severity: Severity = "error"
    source: str = ""


_SEVERITIES: dict[Severity, str] = {"error": say("error"), "warning": say("warning")}


def spoken(problem: Problem, language: str) -> Problem:
    """The same problem with its sentences in a language."""
    return replace(problem, message=in_language(problem.message, language), hint=in_language(problem.hint, language))


def render(problem: Problem, language: str = "en") -> str:
    """The problem as plain text, safe for a terminal: `path:line:col: error: sentence`, the line, a caret, a hint."""
    place = f"{problem.path}:{problem.line}:{problem.column}" if problem.line else problem.path
    told = say("{severity}: {message}", severity=_SEVERITIES[problem.severity], message=problem.message)
    lines = [f"{_one_line(place)}: {_one_line(in_language(told, language))}"]
    if problem.source.strip():
        excerpt, caret = _excerpt(problem.source, problem.column - 1)
        lines += [f"    {excerpt}", "    " + " " * caret + "^"]
    if problem.hint:
        lines.append("  " + _one_line(in_language(say("hint: {hint}", hint=problem.hint), language)))
    return "\n".join(lines)


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """One deck's problems by place, one a place, and a last one that says so where there are too many."""
    places: dict[tuple[str, int, int], Problem] = {}
    for problem in problems:
        places.setdefault((problem.path, problem.line, problem.column), problem)
    found = sorted(places.values())
    if len(found) <= PROBLEMS_LIMIT:
        return tuple(found)
    more = replace(
        found[PROBLEMS_LIMIT], message=say("there are more problems from here on"), hint=say("mend the ones above first"), severity="error"
    )
    return (*found[:PROBLEMS_LIMIT], more)


def width(text: str) -> int:
    """The columns that a text takes in a terminal: wide East Asian characters two, combining marks none."""
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _one_line(text: str) -> str:
    return clean(text).replace("\n", " ")


def _excerpt(source: str, caret: int) -> tuple[str, int]:
    """The line, cut around the caret to 100 columns, and the column (from 0) of the caret in it."""
    before, after = _legible(source[max(0, caret - _EXCERPT) : caret]), _legible(source[caret : caret + _EXCERPT + 1])
    if caret <= _EXCERPT and width(before) + width(after) <= _EXCERPT:
        return before + after, width(before)
    if caret > _EXCERPT or width(before) > _BEFORE:
        before = _GAP + _fitting(before[::-1], _BEFORE - len(_GAP))[::-1]
    room = _EXCERPT - width(before)
    if width(after) > room:
        after = _fitting(after, room - len(_GAP)) + _GAP
    return before + after, width(before)


def _legible(source: str) -> str:
    return clean(without_selectors(source))


def _fitting(text: Sequence[str] | str, room: int) -> str:
    """As many of the first characters as fit into so many columns."""
    taken = ""
    for character in text:
        room -= _cells(character)
        if room < 0:
            break
        taken += character
    return taken
