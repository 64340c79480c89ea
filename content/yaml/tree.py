"""A deck before it means anything: mappings, lists and texts, and where in the file each of them stands."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from content.yaml.problems import Problem, Severity

_WORD = re.compile(r"\s*(\S{0,30})")
_MARGINS = 2_000  # characters that a file may have beside a text's own, and half of them again: indentation, escapes

Node: TypeAlias = "dict[str, Node] | list[Node] | str"
Location = tuple[str | int, ...]


class Place(NamedTuple):
    """`line` and `column` count from 1, in characters; `source` is the whole line, `path` its file."""

    line: int
    column: int
    source: str
    path: str


@dataclass(frozen=True)
class Source:
    """A file's text; its lines are found the first time that a problem needs one."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def place(self, offset: int) -> Place:
        """Where the character at an offset stands."""
        line = min(bisect_right(self._starts, offset), len(self.lines))
        return Place(line, offset - self._starts[line - 1] + 1, self.lines[line - 1], self.path)

    def offset(self, line: int, column: int) -> int:
        """The offset of a character, its line and column counted from 0."""
        return self._starts[line] + column

    def problem(self, offset: int, message: str, hint: str = "", severity: Severity = "error") -> Problem:
        """A problem with the character at an offset."""
        return problem_at(self.place(offset), message, hint, severity)


@dataclass(frozen=True)
class Tree:
    """The tree and its places, four bytes each: `marks` holds the offsets of each node's children, in the order in which the
    nodes end; a mapping has two a child, of the key and of the value. The tree keeps its nodes alive, so that their ids stay theirs."""

    source: Source
    root: Node
    root_mark: int
    marks: array[int]

    @cached_property
    def _starts(self) -> Mapping[int, int]:
        """Where in `marks` each node's children begin; found the first time that a problem needs a place."""
        starts: dict[int, int] = {}
        end = 0
        for node in _ending(self.root):
            starts[id(node)] = end
            end += len(node) * (2 if isinstance(node, dict) else 1)
        return starts

    def mentions(self, word: str) -> bool:
        """Whether a word stands anywhere in the file."""
        return word in self.source.text

    def place(self, location: Location) -> Place:
        """Where a value starts, or the nearest value around it that exists."""
        return self.source.place(self._descend(location)[1])

    def key_place(self, location: Location) -> Place:
        """Where a value's key starts; the value itself, or the nearest around it, where there is no key."""
        node, _ = self._descend(location[:-1])
        if location and isinstance(node, dict) and location[-1] in node:
            key = list(node).index(str(location[-1]))
            return self.source.place(self.marks[self._starts[id(node)] + 2 * key])
        return self.place(location)

    def place_in(self, location: Location, offset: int) -> Place:
        """Where a character of a text stands; the text's start, where the file spells what is there in another way."""
        node, mark = self._descend(location)
        found = _WORD.match(node, offset) if isinstance(node, str) else None
        if not (isinstance(node, str) and found and found[1]):
            return self.source.place(mark)
        raw, at = self.source.text, mark
        if raw[at : at + 1] in ("|", ">"):
            at = raw.find("\n", at)
        elif raw[at : at + 1] not in ("'", '"'):
            at -= 1  # a text without quotes begins at its mark, with the word that may be looked for
        end = mark + 2 * len(node) + _MARGINS
        for _ in range(node.count(found[1], 0, found.start(1)) + 1):
            at = raw.find(found[1], at + 1, end)
            if at < 0:
                return self.source.place(mark)
        return self.source.place(at)

    def _descend(self, location: Location) -> tuple[Node, int]:
        """The deepest existing node on the way, and its mark."""
        node, mark = self.root, self.root_mark
        for step in location:
            if isinstance(node, dict) and step in node:
                mark = self.marks[self._starts[id(node)] + 2 * list(node).index(str(step)) + 1]
                node = node[str(step)]
            elif isinstance(node, list) and isinstance(step, int) and 0 <= step < len(node):
                mark = self.marks[self._starts[id(node)] + step]
                node = node[step]
            elif step != 0 or isinstance(node, list):
                break  # a list of one may be written as its item
        return node, mark


def _ending(node: Node) -> Iterator[dict[str, Node] | list[Node]]:
    """Every mapping and list, in the order in which they end in the file."""
    if isinstance(node, str):
        return
    for child in node.values() if isinstance(node, dict) else node:
        yield from _ending(child)
    yield node


def problem_at(place: Place, message: str, hint: str = "", severity: Severity = "error") -> Problem:
    """A problem at a place of a file."""
    return Problem(place.path, place.line, place.column, message, hint, severity, place.source)
