"""Bytes to a tree of mappings, lists and texts, in one pass, with everything refused that YAML would guess.

Scalars stay text: `no`, `012` and `2024-01-01` mean what they say. libyaml only, without a fallback: PyYAML's own parser
accepts other files, and takes two minutes for 100 KB of `{`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import yaml

from content.format import SIZE_LIMIT
from content.messages.sentence import say
from content.yaml import escapes, unquoted
from content.yaml.clean import unclean
from content.yaml.composer import BRACES, Composer
from content.yaml.decode import decoded
from content.yaml.emoji import selectors
from content.yaml.open_node import Stop
from content.yaml.problems import PROBLEMS_LIMIT, Problem
from content.yaml.tree import Source, Tree
from content.yaml.yaml_errors import explain

_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w .+-]*")  # around a file that was copied out of Markdown or a chat
_INDENTING_TAB = re.compile(r"^ *(\t)", re.MULTILINE)
_FAR = 5_000  # characters between the brace that opens and the place where libyaml stopped
_BETWEEN_BRACES = ("while parsing a flow mapping", "while parsing a flow sequence")
_NO_TOKEN = "found character that cannot start any token"
_READ_AGAIN = 4 * SIZE_LIMIT  # characters, because of backslashes
_BACKSLASHES = ("found unknown escape character", "did not find expected hexdecimal number", "found invalid Unicode character escape code")

Spans = list[tuple[int, int]]


class Complaint(NamedTuple):
    """Why libyaml stopped, and the event before it."""

    error: yaml.YAMLError
    last: yaml.Event | None


def read(path: str, data: bytes) -> tuple[Tree | None, list[Problem]]:
    """The tree of a deck file, or None where it cannot be read to its end, and everything that the reader refuses in it.

    `path` is only named in the problems. Never raises, whatever the bytes.
    """
    if not yaml.__with_libyaml__:
        return None, [
            Problem(path, 0, 0, say("decks cannot be read, because PyYAML is installed without libyaml"), say("reinstall pyyaml"))
        ]
    text = decoded(path, data)
    if isinstance(text, Problem):
        return None, [text]
    if len(data) > SIZE_LIMIT:
        return None, [
            Problem(path, 0, 0, say("the file has more than {limit} MiB", limit=SIZE_LIMIT // 2**20), say("split it into several decks"))
        ]
    source = Source(path, text)
    unseen = list(_unseen(text))
    fences = _fences(source) if "```" in text or "~~~" in text else []
    told = [_hidden(source, offset, name) for offset, name in unseen[: PROBLEMS_LIMIT + 1]]
    told += [_fence(source, line) for line in fences]
    tree, problems, texts = _parsed(source, _readable(source, [offset for offset, _ in unseen], fences))
    if "\t" in text and (tabs := list(islice(_indenting_tabs(source, texts if tree else []), PROBLEMS_LIMIT + 1))):
        return None, [*told, *tabs]  # whatever else is found would be guesswork
    return tree, told if unseen and not tree else [*told, *problems]


def _unseen(text: str) -> Iterator[tuple[int, str]]:
    """What cannot be seen and may stand nowhere; a tab may, within a text, and what belongs to an emoji is dropped."""
    found = unclean(text)
    dropped = selectors(text) if found else frozenset()
    return ((offset, name) for offset, name in found if offset not in dropped and text[offset] != "\t")


def _hidden(source: Source, offset: int, name: str) -> Problem:
    return source.problem(
        offset, say("{name} is not allowed in a deck", name=name), say("delete it: it cannot be seen, so nobody can check it")
    )


def _fences(source: Source) -> list[int]:
    """The lines, from 0, of a fence of Markdown around the whole file."""
    written = [number for number, line in enumerate(source.lines) if line.strip()]
    return [number for number in dict.fromkeys(written[:1] + written[-1:]) if _FENCE.fullmatch(source.lines[number].rstrip())]


def _fence(source: Source, line: int) -> Problem:
    return source.problem(source.offset(line, 0), say("this is a fence of Markdown; the file itself is YAML"), say("delete the line"))


def _readable(source: Source, unseen: list[int], fences: list[int]) -> str:
    """The text for the parser, every character where it was: what is told anyway does not stop it."""
    if not (unseen or fences):
        return source.text
    characters = list(source.text)
    for offset in unseen:
        characters[offset] = "\N{REPLACEMENT CHARACTER}"
    for line in fences:
        characters[source.offset(line, 0)] = "#"
    return "".join(characters)


def _indenting_tabs(source: Source, texts: Spans) -> Iterator[Problem]:
    """The first tab of every line that is indented with one, unless it is a part of a text."""
    for found in _INDENTING_TAB.finditer(source.text):
        text = bisect_right(texts, (found.start(1), 0)) - 1
        if text < 0 or texts[text][1] <= found.start(1):
            yield source.problem(found.start(1), say("a tab (U+0009) indents this line"), say("indent with spaces"))


def _parsed(source: Source, text: str) -> tuple[Tree | None, list[Problem], Spans]:
    """The tree, what was wrong, and where its texts stand. Of what ends the reading and can be mended it is begun again."""
    cut: dict[int, int] = {}
    for _ in range(max(1, min(PROBLEMS_LIMIT, _READ_AGAIN // (len(text) + 1)))):
        composer = Composer(source, cut)
        complaint = _composed(composer, text)
        mended = complaint and (_past_backslashes(text, complaint.error) or _past_values(text, complaint.error, cut))
        if not mended:
            break
        text = mended
    composer.problems += [source.problem(*unquoted.told(source.text, start, end)) for start, end in cut.items()]
    if complaint:
        fault = explain(complaint.error, source.lines, complaint.last, composer.bracket())
        problem = source.problem(source.offset(fault.line, fault.column), fault.message, fault.hint)
        braces = {found.line for found in composer.problems if found.message == BRACES}  # what libyaml says of that line is its echo
        return None, [*composer.problems, *(() if problem.line in braces else (problem,))], []
    tree = composer.tree()
    if tree is None and not composer.problems:
        return None, [Problem(source.path, 0, 0, say("there is no deck in this file"), say("`qkv new` starts one"))], []
    return tree, composer.problems, composer.texts


def _composed(composer: Composer, text: str) -> Complaint | None:
    """Gives a composer every event of a file; libyaml's complaint, where it makes one."""
    event, takers = None, composer.takers()
    try:
        for event in iter(yaml.CSafeLoader(text).get_event, None):
            if (kind := type(event)) in takers:
                takers[kind](event)
    except Stop:
        return None
    except yaml.YAMLError as error:
        return Complaint(error, event)
    return None


def _past_values(text: str, error: yaml.YAMLError, cut: dict[int, int]) -> str | None:
    """The text with the values that YAML ends too early, near where libyaml stopped, and these put to the others in `cut`."""
    opened, stopped = getattr(error, "context_mark", None), getattr(error, "problem_mark", None)
    if stopped is None:
        return None
    if opened and getattr(error, "context", None) in _BETWEEN_BRACES and stopped.index - opened.index < _FAR:
        start = opened.index
    elif getattr(error, "problem", None) == _NO_TOKEN:
        start = text.rfind("\n", 0, stopped.index) + 1
    else:
        return None
    end = text.find("\n", stopped.index, stopped.index + unquoted.LONGEST)
    found = unquoted.unquoted(text, max(start, stopped.index - _FAR), end if end >= 0 else stopped.index + unquoted.LONGEST)
    cut |= found
    return unquoted.mended(text, found) if found else None


def _past_backslashes(text: str, error: yaml.YAMLError) -> str | None:
    """The text without the backslashes that stopped libyaml, in the quotes in which it stopped; None where something else did."""
    start = getattr(error, "context_mark", None)
    if start is None or getattr(error, "problem", None) not in _BACKSLASHES:
        return None
    return escapes.without_unknown(text, start.index)
