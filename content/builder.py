"""libyaml's events to a tree, one at a time; what YAML allows and a deck does not is a problem, and the building goes on."""

from __future__ import annotations

import re
from array import array

from yaml import events

from content.clean import blanked, unclean
from content.problems import PROBLEMS_LIMIT, Problem, Severity
from content.syntax import ESCAPES, QUOTES
from content.tree import Node, Source, Tree

DEPTH_LIMIT = 16
VALUES_LIMIT = 500_000

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_CUT = " #"  # with two spaces before it a comment is meant, as in Python; with one it may be `use # of heads`
_LOST_LATEX = re.compile(r"\\n(?:abla|eq|eg|otin|ot|mid|u|e|i)(?![a-z.])")
_STANDARD = "tag:yaml.org,2002:"  # what libyaml makes of !!
_REFUSED = "\0"  # stands for a key that is not taken; a real key holds no NUL, it would be unclean


class Stop(Exception):
    """What follows is not worth reading; the reason is among the problems."""


class _Open:
    """A mapping or list whose end has not been seen."""

    __slots__ = ("awaits_key", "flow", "key", "key_mark", "marks", "node")

    def __init__(self, node: dict[str, Node] | list[Node], flow: bool = False) -> None:
        self.node = node
        self.flow = flow
        self.marks: list[int] = []
        self.key = ""
        self.key_mark = 0
        self.awaits_key = isinstance(node, dict)


class Builder:
    """Feed it every event with `take`, then ask for the `tree`. `take` raises Stop at a limit."""

    def __init__(self, source: Source) -> None:
        self.problems: list[Problem] = []
        self._source = source
        self._documents: list[Node] = []
        self._top = _Open(self._documents)
        self._stack: list[_Open] = []  # what encloses the top
        self._starts: dict[int, int] = {}
        self._marks = array("I")
        self._values = 0

    def tree(self) -> Tree | None:
        """The tree, or None if no document was read to its end."""
        if self._stack or not self._documents:
            return None
        return Tree(self._source, self._documents[0], self._top.marks[0], self._starts, self._marks)

    def take(self, event: events.Event) -> None:
        """The next event of `yaml.parse`."""
        if isinstance(event, events.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, events.CollectionStartEvent):
            self._open(event)
        elif isinstance(event, events.CollectionEndEvent):
            self._close()
        elif isinstance(event, events.AliasEvent):
            self._alias(event)
        elif isinstance(event, events.DocumentStartEvent):
            self._document(event)

    def _note(self, offset: int, message: str, hint: str, severity: Severity = "error") -> None:
        self.problems.append(self._source.problem(offset, message, hint, severity))
        if len(self.problems) > PROBLEMS_LIMIT:
            raise Stop

    def _document(self, event: events.DocumentStartEvent) -> None:
        offset = _start(event)
        if event.version or event.tags:
            self._note(offset, "a deck has no % directives", "delete the line")
        if self._documents:
            self._note(offset, "a second document starts here", "a file holds one deck: delete the line ---, or make two files")
            raise Stop

    def _scalar(self, event: events.ScalarEvent) -> None:
        text, style, offset = event.value, event.style, _start(event)
        if event.anchor is not None or event.tag is not None:
            self._refuse_extras(event)
        if style == '"':
            text = self._unescaped(event)
        if self._top.awaits_key:
            self._key(text, offset, plain=not style)
            return
        if not style and text in _NOTHING:
            text, offset = "", self._nothing(event)
        elif not style and self._source.text.startswith(_CUT, _end(event)):
            hint = "put the text in quotes; if you mean a comment, put two spaces before it"
            self._note(_end(event) + 1, "the text ends before this #: what follows is a comment", hint, "warning")
        self._value(text, offset)

    def _open(self, event: events.CollectionStartEvent) -> None:
        offset = _start(event)
        self._refuse_extras(event)
        if len(self._stack) == DEPTH_LIMIT:
            self._note(offset, f"more than {DEPTH_LIMIT} levels are nested here", f"check the indentation; if this is a text, {QUOTES}")
            raise Stop
        node: dict[str, Node] | list[Node] = {} if isinstance(event, events.MappingStartEvent) else []
        if self._top.awaits_key:
            self._note(offset, "a list or a mapping cannot be a key", f"write `key: value`; if this is a text, {QUOTES}")
            self._key(_REFUSED, offset)
        else:
            self._value(node, offset)
        self._stack.append(self._top)
        self._top = _Open(node, bool(event.flow_style))

    def _close(self) -> None:
        closed = self._top
        self._starts[id(closed.node)] = len(self._marks)
        self._marks.extend(closed.marks)
        self._top = self._stack.pop()

    def _alias(self, event: events.AliasEvent) -> None:
        offset = _start(event)
        self._note(
            offset, f"*{shown(event.anchor or '')} is a YAML alias; decks have none", f"write the value out; if this is a text, {QUOTES}"
        )
        if self._top.awaits_key:
            self._key(_REFUSED, offset)
        else:
            self._value("", offset)

    def _key(self, key: str, offset: int, plain: bool = False) -> None:
        top = self._top
        top.key, top.key_mark, top.awaits_key = key, offset, False
        if key in top.node:
            first = self._source.place(top.marks[2 * list(top.node).index(key)]).line
            self._note(offset, f"{shown(key)} is already given in line {first}", "keep one of the two")
        elif plain and key == "<<":
            self._note(offset, "<< is a YAML merge key; decks have none", "write the keys out, or use the deck's `defaults`")
        elif not key:
            self._note(offset, "a key is missing before this colon", f"write `key: value`; if this is a text, {QUOTES}")
        else:
            return
        top.key = _REFUSED

    def _value(self, node: Node, offset: int) -> None:
        self._values += 1
        if self._values > VALUES_LIMIT:
            self._note(offset, f"the deck has more than {VALUES_LIMIT:,} values", "split it into several decks")
            raise Stop
        top = self._top
        if isinstance(top.node, list):
            top.node.append(node)
            top.marks.append(offset)
            return
        if top.key != _REFUSED:
            top.node[top.key] = node
            top.marks += (top.key_mark, offset)
        top.awaits_key = True

    def _refuse_extras(self, event: events.ScalarEvent | events.CollectionStartEvent) -> None:
        offset = _start(event)
        if event.anchor is not None:
            hint = f"write the value out wherever it is needed; if this is a text, {QUOTES}"
            self._note(offset, f"&{shown(event.anchor)} is a YAML anchor; decks have none", hint)
        elif event.tag is not None:
            self._note(
                offset,
                f"{shown(event.tag.replace(_STANDARD, '!!'))} is a YAML tag; decks have none",
                f"delete it; if this is a text, {QUOTES}",
            )

    def _nothing(self, event: events.ScalarEvent) -> int:
        """Report a value that is not there; returns the place that it is reported at."""
        top, offset = self._top, _start(event)
        if top.key == _REFUSED:
            return offset
        if not self._stack:
            self._note(offset, "there is no deck in this file", "`qkv new` starts one")
            return offset
        if isinstance(top.node, list):
            self._note(offset, "this item has no value", "write one, or delete the dash")
            return offset
        hint = "a text with a comma in it needs quotes here" if top.flow else "write one, or delete the line"
        if event.value:
            hint = f"delete the line; if you mean the word itself, write '{event.value}'"
        self._note(top.key_mark, f"{shown(top.key)} has no value", hint)
        return top.key_mark

    def _unescaped(self, event: events.ScalarEvent) -> str:
        """A text in double quotes; escapes may have put characters into it that the file itself does not hold."""
        text: str = event.value
        raw = self._source.text[_start(event) : _end(event)]
        if "\\" not in raw:
            return text
        if hidden := unclean(text):
            self._note(_start(event), f"an escape makes {hidden[0][1]} in this text", ESCAPES)
        elif lost := _LOST_LATEX.search(raw):
            message = f"{lost.group()} in double quotes is a line break and the letters {lost.group()[2:]}"
            self._note(_start(event) + lost.start(), message, ESCAPES, "warning")
        return blanked(text)


def _start(event: events.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: events.Event) -> int:
    return event.end_mark.index if event.end_mark else 0


def shown(text: str) -> str:
    """A short form of what somebody typed, for a sentence about it."""
    short = text if len(text) <= 40 else f"{text[:37]}..."
    return short if re.fullmatch(r"\S+", short) else f'"{short}"'
