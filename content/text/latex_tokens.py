"""A formula taken apart: its tokens one after the other, and what is no formula inside of one, such as words and names."""

from __future__ import annotations

import re

from content.messages.sentence import say
from content.text.latex_node import MathError, Node
from content.text.latex_signs import shown
from content.text.symbols import ALIASES, DELIMITERS

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e-?\d+(?!\w))?|\S", re.DOTALL)  # spaces mean nothing
_ESCAPED = re.compile(r"\\([%_&#$])")
_NO_WORDS = re.compile(r"(?<!\\)[${^_&%#~]|\\(?![%_&#$])")  # what LaTeX itself would choke on
ANGLES = frozenset({"\\langle", "\\rangle"})


class Tokens:
    """The tokens of a formula and a place among them."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = [(found[0], found.start()) for found in _TOKEN.finditer(tex)]
        self.end = ("", len(tex))
        self.at = 0
        self.depth = 0
        self.here, self.offset = self.tokens[0] if self.tokens else self.end

    def take(self) -> str:
        """The token that stands here; `here` and `offset` are the next one's then, an empty one after the last."""
        token = self.here
        self.at += 1
        self.here, self.offset = self.tokens[self.at] if self.at < len(self.tokens) else self.end
        return token

    def words(self, token: str) -> Node:
        """Text is taken as it is written; only what LaTeX itself would choke on is refused."""
        start = self.offset
        if self.here != "{":
            raise MathError(say("{token} lacks its braces", token=token), start, say("write {token}{{...}}", token=token))
        end = self.tex.find("}", start)
        written = self.tex[start + 1 : end]
        if end < 0:
            raise MathError(say("{ is never closed"), start, say("add a }"))
        hidden = next((place for place, letter in enumerate(written) if not letter.isprintable() and letter != "\n"), len(written))
        wrong = _NO_WORDS.search(written)
        place = min(hidden, wrong.start() if wrong else hidden)
        if place < len(written):
            hint = say("text is words only; close it before the math goes on")
            raise MathError(say("{inner} inside {token}", inner=shown(written[place]), token=token), start + 1 + place, hint)
        while self.offset <= end and self.here:
            self.take()
        return Node("word", _ESCAPED.sub(r"\1", written).replace("\n", " "))

    def delimiter(self, of: str) -> str:
        start, token = self.offset, self.take()
        token = ALIASES.get(token[1:], token) if token[:1] == "\\" else token
        if token not in DELIMITERS and token not in ANGLES:
            raise MathError(say("{of} {token} cannot be shown", of=of, token=shown(token)), start, say("use ( ) [ ] \\{ \\} | \\| or ."))
        return token

    def name(self, of: str) -> str:
        start = self.offset
        found = re.compile(r"\{([A-Za-z]+\*?)\}").match(self.tex, start)
        if found is None:
            raise MathError(say("{of} lacks a name", of=of), start, say("write {of}{{pmatrix}}", of=of))
        while self.here and self.offset < found.end():
            self.take()
        return found[1]
