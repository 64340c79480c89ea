"""The LaTeX that card text may use, read into a small tree; everything else is refused by name."""

from __future__ import annotations

import re
import unicodedata

from content.text.latex_node import NOTHING, MathError, Node
from content.text.nearest import nearest
from content.text.symbols import ACCENTS, ALIASES, BY_CHARACTER, DELIMITERS, ENVIRONMENTS, FONTS, IGNORED, KINDS, SPACES, SYMBOLS, Kind

LENGTH_LIMIT = 1_000
DEPTH_LIMIT = 12

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e-?\d+(?!\w))?|\S", re.DOTALL)  # spaces mean nothing
_CLOSING = frozenset({"}", "\\right", "\\end", "&", "\\\\"})
_BUILT = frozenset({"frac", "binom", "sqrt", "text", "left", "right", "begin", "end"})  # what the reader itself takes apart
_KIND_OF: dict[str, Kind] = {name: kind for kind, names in reversed(KINDS) for name in names}


def parse(tex: str) -> Node:
    """The tree of a formula. Raises MathError with the name of what cannot be shown."""
    if len(tex) > LENGTH_LIMIT:
        raise MathError(f"{len(tex):,} characters of math; the limit is {LENGTH_LIMIT:,}", LENGTH_LIMIT, "split the formula")
    reader = _Reader(tex)
    node = reader.sequence()
    if reader.here:
        if reader.here in ("&", "\\\\"):
            raise MathError(f"{reader.here} stands outside a matrix", reader.offset, "put it between \\begin{pmatrix} and \\end{pmatrix}")
        raise MathError(f"{reader.here} closes nothing", reader.offset, "count the braces, and \\left with \\right")
    return node


def is_command(name: str) -> bool:
    """Whether a word after a backslash is a command of LaTeX that card text knows."""
    return name in SYMBOLS or name in FONTS or name in ACCENTS or name in ALIASES or name in _BUILT


class _Reader:
    """Tokens and a place among them."""

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

    def sequence(self, ends: tuple[str, ...] = ()) -> Node:
        """Everything up to one of the closing tokens, which stays."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise MathError(f"more than {DEPTH_LIMIT} levels of nesting", self.offset, "split the formula")
        parts: list[Node] = []
        while self.here and self.here not in _CLOSING and self.here not in ends:
            if self.here in "^_":
                parts.append(self.script(parts.pop() if parts else NOTHING))
            elif self.here[0] == "\\" and self.here[1:] in IGNORED:
                self.take()
            else:
                parts.append(self.piece())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Node("seq", "", tuple(parts))

    def script(self, base: Node) -> Node:
        below = above = NOTHING
        if base.kind == "script":
            base, below, above = base.parts
        start, sign = self.offset, self.take()
        if (sign == "_" and below != NOTHING) or (sign == "^" and above != NOTHING):
            raise MathError(f"a second {sign} on one letter", start, "put one of them in braces: {x_i}^2")
        value = self.argument(sign)
        return Node("script", "", (base, value, above) if sign == "_" else (base, below, value))

    def argument(self, of: str) -> Node:
        """What a command takes: a group in braces, or the next single token."""
        start = self.offset
        if not self.here or self.here in ("}", "&", "\\\\", "\\right", "\\end", "^", "_"):
            raise MathError(f"{of} lacks what belongs to it", start, f"write {of}{{...}}")
        if self.here == "{":
            return self.group()
        if self.here[0].isdigit() and len(self.here) > 1:
            token = self.here
            self.tokens[self.at : self.at + 1] = [(token[0], start), (token[1:], start + 1)]
            self.here = token[0]
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise MathError(f"more than {DEPTH_LIMIT} levels of nesting", start, "split the formula")
        piece = self.piece()
        self.depth -= 1
        return piece

    def group(self) -> Node:
        start = self.offset
        self.take()
        inside = self.sequence()
        if self.here != "}":
            raise MathError("{ is never closed", start, "add a }")
        self.take()
        return inside

    def piece(self) -> Node:
        if self.here == "{":
            inside = self.group()
            return inside if inside.kind == "seq" else Node("seq", "", (inside,))
        start, token = self.offset, self.take()
        if token[0] != "\\":
            return _character(token, start)
        if token == "\\":
            raise MathError("a \\ without a command", start, "delete it")
        token = ALIASES.get(token[1:].removesuffix("*"), token)
        return self.command(token, start) if token[0] == "\\" else _symbol(token)

    def command(self, token: str, start: int) -> Node:
        name = token[1:].removesuffix("*")
        if name in ("frac", "binom"):
            return Node("frac" if name == "frac" else "binom", "", (self.argument(token), self.argument(token)))
        if name == "sqrt":
            return self.root()
        if name == "text":
            return self.words(token)
        if name in FONTS:
            return Node("font", name, (self.argument(token),))
        if name in ACCENTS:
            return Node("accent", name, (self.argument(token),))
        if name == "left":
            return self.fence(start)
        if name == "begin":
            return self.rows(start)
        if name in SYMBOLS or token in SPACES:
            return _symbol(token)
        near = nearest(name, [*SYMBOLS, *FONTS, *ACCENTS, *ALIASES, "frac", "sqrt", "text", "left", "right"], likeness=0.8)
        raise MathError(
            f"{_shown(token)} cannot be shown",
            start,
            f"did you mean \\{near[0]}?" if near else f"write a name as \\mathrm{{{_shown(name)}}}",
        )

    def root(self) -> Node:
        degree: tuple[Node, ...] = ()
        if self.here == "[":
            start = self.offset
            self.take()
            degree = (self.sequence(("]",)),)
            if self.here != "]":
                raise MathError("[ is never closed", start, "write \\sqrt[3]{x}")
            self.take()
        return Node("root", "", (self.argument("\\sqrt"), *degree))

    def words(self, token: str) -> Node:
        """Text is taken as it is written; only what LaTeX itself would choke on is refused."""
        start = self.offset
        if self.here != "{":
            raise MathError(f"{token} lacks its braces", start, f"write {token}{{...}}")
        end = self.tex.find("}", start)
        written = self.tex[start + 1 : end]
        wrong = re.search(r"[\\${^_&%#~]|[^\w\s.,;:!?()<>=+*/'\-\[\]，。：；（）、]", written) if end >= 0 else None
        if end < 0 or wrong:
            what = f"{_shown(wrong[0])} inside {token}" if wrong else "{ is never closed"
            raise MathError(what, start + 1 + wrong.start() if wrong else start, "text is words only; close it before the math goes on")
        while self.offset <= end and self.here:
            self.take()
        return Node("word", " ".join(written.split("\n")))

    def delimiter(self, of: str) -> str:
        start, token = self.offset, self.take()
        if token not in DELIMITERS:
            raise MathError(f"{of} {_shown(token)} cannot be shown", start, "use ( ) [ ] \\{ \\} | \\| or .")
        return token

    def fence(self, start: int) -> Node:
        left = self.delimiter("\\left")
        inside = self.sequence()
        if self.here != "\\right":
            raise MathError("\\left has no \\right", start, "add \\right) or \\right.")
        self.take()
        return Node("fence", f"{left} {self.delimiter(chr(92) + 'right')}", (inside,))

    def rows(self, start: int) -> Node:
        name = self.name("\\begin")
        if name not in ENVIRONMENTS:
            raise MathError(f"\\begin{{{name}}} cannot be shown", start, f"there are {', '.join(sorted(ENVIRONMENTS))}")
        table: list[list[Node]] = [[self.sequence()]]
        while self.here in ("&", "\\\\"):
            if self.take() == "&":
                table[-1].append(self.sequence())
            else:
                table.append([self.sequence()])
        if self.here != "\\end":
            raise MathError(f"\\begin{{{name}}} has no \\end", start, f"add \\end{{{name}}}")
        self.take()
        if self.name("\\end") != name:
            raise MathError(f"\\begin{{{name}}} ends as something else", start, f"write \\end{{{name}}}")
        if table[-1] == [NOTHING]:
            table.pop()
        return Node("rows", name, tuple(Node("seq", "", tuple(row)) for row in table))

    def name(self, of: str) -> str:
        start = self.offset
        found = re.compile(r"\{([A-Za-z]+\*?)\}").match(self.tex, start)
        if found is None:
            raise MathError(f"{of} lacks a name", start, f"write {of}{{pmatrix}}")
        while self.here and self.offset < found.end():
            self.take()
        return found[1]


def _character(token: str, start: int) -> Node:
    if token in BY_CHARACTER:
        return _symbol("\\" + BY_CHARACTER[token])
    if token == "~":
        return _symbol("\\ ")
    if token[0].isdigit() or (token.isalpha() and unicodedata.east_asian_width(token) not in "WF") or token in "+-*/=<>()[]|!?.:;,'@\"%":
        return _symbol(token)
    if token == "$":
        raise MathError("a $ inside math", start, "close the formula before the next one begins")
    if token in "#\\&}":
        raise MathError(f"{token} has no meaning here", start, "& belongs between the cells of a matrix")
    raise MathError(f"{_shown(token)} cannot be shown in math", start, "write its LaTeX command, or \\text{...}")


def _shown(token: str) -> str:
    return "".join(character if character.isprintable() else f"U+{ord(character):04X}" for character in token)


def _symbol(token: str) -> Node:
    name = token[1:] if token[0] == "\\" else token
    return Node("space" if token in SPACES else _KIND_OF.get(name, "ord"), token)
