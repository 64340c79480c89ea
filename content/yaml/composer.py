"""libyaml's events to a tree, one at a time; what YAML allows and a deck does not is a problem, and the building goes on."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from types import MethodType
from typing import Any

from yaml import events

from content.messages.sentence import say
from content.yaml.clean import blanked
from content.yaml.emoji import as_shown
from content.yaml.escapes import as_meant, slips
from content.yaml.open_node import OpenNode, Stop
from content.yaml.problems import PROBLEMS_LIMIT, Problem, Severity
from content.yaml.tree import Node, Source, Tree
from content.yaml.unquoted import Spans, comma_between, meant_end, told
from content.yaml.yaml_mistakes import QUOTES, excerpt, missing_value, swallowed_dash

DEPTH_LIMIT = 16
VALUES_LIMIT = 500_000
BRACES = say("a text cannot start with {{")
_PAIR = say("write `key: value`; if this is a text, {quotes}", quotes=QUOTES)

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_CUT = " #"  # with two spaces before it a comment is meant, as in Python; with one it may be `use # of heads`
_STANDARD = "tag:yaml.org,2002:"  # what libyaml makes of !!
_REFUSED = "\0"  # stands for a key that is not taken; a real key holds no NUL, it would be unclean


class Composer:
    """Give every event to its taker, then ask for the `tree`. A taker raises Stop at a limit."""

    def __init__(self, source: Source, mended: Spans | None = None) -> None:
        self.problems: list[Problem] = []
        self.texts: list[tuple[int, int]] = []  # where blocks and quoted texts stand, of a file with tabs
        self._has_tabs = "\t" in source.text
        self._source = source
        self._mended = mended or {}  # values that stand otherwise in the text that libyaml reads
        self._documents: list[Node] = []
        self._top = OpenNode(self._documents)
        self._stack: list[OpenNode] = []  # what encloses the top
        self._marks = array("I")
        self._values = 0
        self._keys: dict[str, str] = {}  # ten thousand cards have few different keys: one object each

    def tree(self) -> Tree | None:
        """The tree, or None if no document was read to its end."""
        if self._stack or not self._documents:
            return None
        return Tree(self._source, self._documents[0], self._top.marks[0], self._marks)

    def bracket(self) -> tuple[int, int] | None:
        """Line and column, from 0, of the innermost [ or { that has not been closed."""
        if not (self._top.flow and self._stack[-1].marks):
            return None
        place = self._source.place(self._stack[-1].marks[-1])
        return (place.line - 1, place.column - 1) if place.source[place.column - 1 : place.column] in ("[", "{") else None

    def takers(self) -> dict[type[events.Event], Callable[[Any], None]]:
        """What takes the next event of libyaml, by its type; the others mean nothing here."""
        return {kind: MethodType(taken, self) for kind, taken in _TAKEN.items()}

    def _note(self, offset: int, message: str, hint: str, severity: Severity = "error") -> None:
        self.problems.append(self._source.problem(offset, message, hint, severity))
        if len(self.problems) > PROBLEMS_LIMIT:
            raise Stop

    def _document(self, event: events.DocumentStartEvent) -> None:
        offset = _start(event)
        if event.version or event.tags:
            self._note(offset, say("a deck has no % directives"), say("delete the line"))
        if self._documents:
            self._note(offset, say("a second document starts here"), say("a file holds one deck: delete the line ---, or make two files"))
            raise Stop

    def _scalar(self, event: Any) -> None:  # a ScalarEvent; yaml's types do not know that libyaml's have their marks
        text, style, offset, top = event.value, event.style, event.start_mark.index, self._top
        if event.anchor is not None or event.tag is not None:
            self._refuse_extras(event)
        elif top.key is None and text in self._keys and text not in top.node:  # most keys, and nothing to say of them
            top.key = self._keys[text]
            top.marks.append(offset)
            return
        if style and self._has_tabs:
            self.texts.append((offset, event.end_mark.index))
        if offset in self._mended:
            text = as_shown(" ".join(self._source.text[offset : event.end_mark.index].split()))
        elif style == '"':
            text = self._unescaped(event)
        elif not text.isascii() or "\t" in text:
            text = as_shown(text)
        if top.key is None:
            self._key(text, offset, plain=not style)
            return
        if not style and text in _NOTHING:
            if not text and self._goes_on(offset):
                return
            text, offset = "", self._nothing(event)
        elif not style and self._source.text.startswith(_CUT, event.end_mark.index):
            hint = say("put the text in quotes; if you mean a comment, put two spaces before it")
            self._note(event.end_mark.index + 1, say("the text ends before this #: what follows is a comment"), hint, "warning")
        folded = not style and event.start_mark.line != event.end_mark.line
        if folded and (dash := swallowed_dash(self._source.text, offset, event.end_mark.index)):
            self._note(*dash, "warning")
        self._value(text, offset)

    def _open(self, event: events.CollectionStartEvent) -> None:
        offset = _start(event)
        if event.anchor is not None or event.tag is not None:
            self._refuse_extras(event)
        if len(self._stack) == DEPTH_LIMIT:
            hint = say("check the indentation; if this is a text, {quotes}", quotes=QUOTES)
            self._note(offset, say("more than {limit} levels are nested here", limit=DEPTH_LIMIT), hint)
            raise Stop
        node: dict[str, Node] | list[Node] = {} if isinstance(event, events.MappingStartEvent) else []
        around = self._top
        if around.key is None:
            self._refuse_key(offset)
            around.key = _REFUSED
            kept = False
        else:
            kept = around.kept and around.key is not _REFUSED
            self._value(node, offset)
        self._stack.append(around)
        self._top = OpenNode(node, bool(event.flow_style), kept)

    def _close(self, event: events.CollectionEndEvent) -> None:
        if self._top.kept:
            self._marks.extend(self._top.marks)
        self._top = self._stack.pop()

    def _alias(self, event: events.AliasEvent) -> None:
        offset = _start(event)
        self._note(
            offset,
            say("*{name} is a YAML alias; decks have none", name=excerpt(event.anchor or "")),
            say("write the value out; if this is a text, {quotes}", quotes=QUOTES),
        )
        if self._top.key is None:
            self._top.key = _REFUSED
        else:
            self._value("", offset)

    def _key(self, key: str, offset: int, plain: bool) -> None:
        top = self._top
        top.key = _REFUSED
        if key in top.node:
            first = self._source.place(top.marks[2 * list(top.node).index(key)]).line
            self._note(offset, say("{key} is already given in line {first}", key=excerpt(key), first=first), say("keep one of the two"))
        elif plain and key == "<<":
            self._note(offset, say("<< is a YAML merge key; decks have none"), say("write the keys out, or use the deck's `defaults`"))
        elif not key:
            self._note(offset, say("a key is missing before this colon"), _PAIR)
        else:
            top.key = self._keys.setdefault(key, key)
            top.marks.append(offset)

    def _refuse_key(self, offset: int) -> None:
        """A list or a mapping where a key should be; two braces at the start of a text are a live number."""
        if self._source.text.startswith("{{", offset - 1):
            self._note(offset - 1, BRACES, QUOTES)
        else:
            self._note(offset, say("a list or a mapping cannot be a key"), _PAIR)

    def _value(self, node: Node, offset: int) -> None:
        self._values += 1
        if self._values > VALUES_LIMIT:
            self._note(offset, say("the deck has more than {limit:,} values", limit=VALUES_LIMIT), say("split it into several decks"))
            raise Stop
        top = self._top
        if top.key is not _REFUSED:
            top.marks.append(offset)
            if isinstance(top.node, list):
                top.node.append(node)
                return
            top.node[top.key] = node
        top.key = None

    def _refuse_extras(self, event: events.ScalarEvent | events.CollectionStartEvent) -> None:
        offset = _start(event)
        if event.anchor is not None:
            hint = say("write the value out wherever it is needed; if this is a text, {quotes}", quotes=QUOTES)
            self._note(offset, say("&{name} is a YAML anchor; decks have none", name=excerpt(event.anchor)), hint)
        elif event.tag is not None:
            told = say("{tag} is a YAML tag; decks have none", tag=excerpt(event.tag.replace(_STANDARD, "!!")))
            self._note(offset, told, say("delete it; if this is a text, {quotes}", quotes=QUOTES))

    def _goes_on(self, end: int) -> bool:
        """Whether a key without a value, which ends here, is the rest of the value before it that a comma has cut; then they are joined."""
        top = self._top
        if not (top.flow and top.kept and isinstance(top.node, dict) and len(top.marks) > 2 and top.key is not _REFUSED):
            return False
        value, key = top.marks[-2:]
        cut, name = comma_between(self._source.text, value, key), list(top.node)[-1]
        if cut is None or not top.node[name] or not isinstance(top.node[name], str):
            return False
        if cut == self._source.text.find(",", value):  # of several commas the first
            self._note(*told(self._source.text, value, meant_end(self._source.text, value) or end))
        top.node[name] = as_shown(" ".join(self._source.text[value:end].split()))
        top.marks.pop()
        top.key = None
        return True

    def _nothing(self, event: events.ScalarEvent) -> int:
        """Report a value that is not there; returns the place that it is reported at."""
        top, offset = self._top, _start(event)
        if top.key is _REFUSED or not top.kept:
            return offset
        if not self._stack:
            self._note(offset, say("there is no deck in this file"), say("`qkv new` starts one"))
            return offset
        if isinstance(top.node, list):
            self._note(offset, say("this item has no value"), say("write one, or delete the dash"))
            return offset
        message, hint = missing_value(top.key, self._source.place(top.marks[-1]).source, flow=top.flow)
        if event.value:
            hint = say("delete the line; if you mean the word itself, write '{word}'", word=event.value)
        self._note(top.marks[-1], message, hint)
        return top.marks[-1]

    def _unescaped(self, event: events.ScalarEvent) -> str:
        """A text in double quotes; escapes may have put characters into it that the file itself does not hold."""
        text: str = event.value
        raw = self._source.text[_start(event) : _end(event)]
        if "\\" not in raw:
            return as_shown(text)
        found = list(slips(raw, self._top.key if isinstance(self._top.key, str) else ""))
        for slip in found:
            self._note(_start(event) + slip.offset, slip.message, slip.hint, slip.severity)
        return blanked(as_shown((as_meant(raw, found) if found else None) or text))


_TAKEN: dict[type[events.Event], Callable[[Composer, Any], None]] = {
    events.ScalarEvent: Composer._scalar,
    events.MappingStartEvent: Composer._open,
    events.SequenceStartEvent: Composer._open,
    events.MappingEndEvent: Composer._close,
    events.SequenceEndEvent: Composer._close,
    events.AliasEvent: Composer._alias,
    events.DocumentStartEvent: Composer._document,
}


def _start(event: events.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: events.Event) -> int:
    return event.end_mark.index if event.end_mark else 0
