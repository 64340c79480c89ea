"""The LaTeX that card text may use, read into a small tree; everything else is refused by name."""

from __future__ import annotations

import re

from content.text.latex_node import NOTHING, MathError, Node
from content.text.latex_signs import character, is_command, shown, symbol
from content.text.latex_tokens import ANGLES, Tokens
from content.text.nearest import nearest
from content.text.symbols import (
    ACCENTS,
    ALIASES,
    BRACES,
    CALLED,
    DROPPED,
    ENVIRONMENTS,
    FONTS,
    IGNORED,
    NEGATED,
    SPACES,
    SYMBOLS,
)

LENGTH_LIMIT = 1_000
DEPTH_LIMIT = 12

_NAME = re.compile("[A-Za-z]+")
_CLOSING = frozenset({"}", "\\right", "\\end", "&", "\\\\"})


def parse(tex: str) -> Node:
    """The tree of a formula. Raises MathError with the name of what cannot be shown."""
    if len(tex) > LENGTH_LIMIT:
        raise MathError(f"{len(tex):,} characters of math; the limit is {LENGTH_LIMIT:,}", LENGTH_LIMIT, "split the formula")
    reader = _Reader(tex)
    node = reader.sequence()
    if reader.here:
        if reader.here == "\\\\" and (name := _NAME.match(tex, reader.offset + 2)) and is_command(name[0]):
            raise MathError(f"\\\\{name[0]} has two backslashes", reader.offset, f"write \\{name[0]}: only in double quotes there are two")
        if reader.here in ("&", "\\\\"):
            raise MathError(f"{reader.here} stands outside a matrix", reader.offset, "put it between \\begin{pmatrix} and \\end{pmatrix}")
        raise MathError(f"{reader.here} closes nothing", reader.offset, "count the braces, and \\left with \\right")
    return node


class _Reader(Tokens):
    """What the tokens make, piece by piece."""

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
            return character(token, start)
        if token == "\\":
            raise MathError("a \\ without a command", start, "delete it")
        token = ALIASES.get(token[1:].removesuffix("*"), token)
        return self.command(token, start) if token[0] == "\\" else symbol(token)

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
        if name in BRACES:
            return self.built(name, token, start)
        if name in DROPPED:
            self.argument(token)
            return NOTHING
        if name in SYMBOLS or token in SPACES:
            return symbol(token)
        near = nearest(name, [*SYMBOLS, *FONTS, *ACCENTS, *ALIASES, "frac", "sqrt", "text", "left", "right"], likeness=0.8)
        raise MathError(
            f"{shown(token)} cannot be shown",
            start,
            f"did you mean \\{near[0]}?" if near else f"write a name as \\mathrm{{{shown(name)}}}",
        )

    def built(self, name: str, token: str, start: int) -> Node:
        """What a line cannot hold as it is: what stands over or under something is a script of it."""
        if name == "not":
            negated = NEGATED.get(self.here)
            if negated is None:
                raise MathError(
                    f"\\not before {shown(self.here) or 'nothing'} cannot be shown",
                    start,
                    "write the command of the sign itself, such as \\neq",
                )
            self.take()
            return symbol(negated)
        if name == "substack":
            return self.stacked(token)
        first = self.argument(token)
        match name:
            case "underbrace" | "overbrace":
                return self.braced(first)
            case "underset":
                return Node("script", "", (self.argument(token), first, NOTHING))
            case "overset":
                return Node("script", "", (self.argument(token), NOTHING, first))
            case "xrightarrow" | "xleftarrow":
                return Node("script", "", (symbol("\\rightarrow" if name == "xrightarrow" else "\\leftarrow"), NOTHING, first))
            case "textcolor":
                return self.argument(token)
        return Node("seq", "", (symbol("\\;"), symbol("("), symbol("\\mod"), first, symbol(")")))  # \pmod

    def braced(self, inside: Node) -> Node:
        """A brace over or under something: its label, which would look like an exponent above, stands below."""
        base = Node("fence", "( )", (inside,)) if inside.kind == "seq" and len(inside.parts) > 1 else inside
        if self.here not in ("_", "^"):
            return inside
        return Node("script", "", (base, self.argument(self.take()), NOTHING))

    def stacked(self, token: str) -> Node:
        """Lines below a sum: one after the other, with commas."""
        start = self.offset
        if self.here != "{":
            raise MathError(f"{token} lacks its braces", start, f"write {token}{{...}}")
        self.take()
        parts = [self.sequence()]
        while self.here == "\\\\":
            self.take()
            parts += [symbol(","), self.sequence()]
        if self.here != "}":
            raise MathError("{ is never closed", start, "add a }")
        self.take()
        return Node("seq", "", tuple(parts))

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

    def fence(self, start: int) -> Node:
        left = self.delimiter("\\left")
        inside = self.sequence()
        if self.here != "\\right":
            raise MathError("\\left has no \\right", start, "add \\right) or \\right.")
        self.take()
        right = self.delimiter("\\right")
        if left in ANGLES or right in ANGLES:  # TeXicode draws none that grow
            return Node("seq", "", (*(symbol(left) for _ in left.strip(".")[:1]), inside, *(symbol(right) for _ in right.strip(".")[:1])))
        return Node("fence", f"{left} {right}", (inside,))

    def rows(self, start: int) -> Node:
        name = self.name("\\begin")
        form = CALLED.get(name, name)
        if form not in ENVIRONMENTS:
            raise MathError(f"\\begin{{{name}}} cannot be shown", start, f"there are {', '.join(sorted(ENVIRONMENTS))}")
        if name == "array":  # its columns stand in braces
            self.argument("\\begin{array}")
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
        if form == "gathered" and len(table) == 1:
            return Node("seq", "", tuple(table[0]))
        return Node("rows", form, tuple(Node("seq", "", tuple(row)) for row in table))
