"""The LaTeX that card text may use, read into a small tree; everything else is refused by name."""

from __future__ import annotations

import re

from content.messages.sentence import say
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
        told = say("{count:,} characters of math; the limit is {limit:,}", count=len(tex), limit=LENGTH_LIMIT)
        raise MathError(told, LENGTH_LIMIT, say("split the formula"))
    reader = _Reader(tex)
    node = reader.sequence()
    if reader.here:
        if reader.here == "\\\\" and (name := _NAME.match(tex, reader.offset + 2)) and is_command(name[0]):
            raise MathError(
                say("\\\\{name} has two backslashes", name=name[0]),
                reader.offset,
                say("write \\{name}: only in double quotes there are two", name=name[0]),
            )
        if reader.here in ("&", "\\\\"):
            hint = say("put it between \\begin{pmatrix} and \\end{pmatrix}")
            raise MathError(say("{token} stands outside a matrix", token=reader.here), reader.offset, hint)
        raise MathError(say("{token} closes nothing", token=reader.here), reader.offset, say("count the braces, and \\left with \\right"))
    return node


class _Reader(Tokens):
    """What the tokens make, piece by piece."""

    def sequence(self, ends: tuple[str, ...] = ()) -> Node:
        """Everything up to one of the closing tokens, which stays."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise MathError(say("more than {limit} levels of nesting", limit=DEPTH_LIMIT), self.offset, say("split the formula"))
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
            raise MathError(say("a second {sign} on one letter", sign=sign), start, say("put one of them in braces: {x_i}^2"))
        value = self.argument(sign)
        return Node("script", "", (base, value, above) if sign == "_" else (base, below, value))

    def argument(self, of: str) -> Node:
        """What a command takes: a group in braces, or the next single token."""
        start = self.offset
        if not self.here or self.here in ("}", "&", "\\\\", "\\right", "\\end", "^", "_"):
            raise MathError(say("{of} lacks what belongs to it", of=of), start, say("write {of}{{...}}", of=of))
        if self.here == "{":
            return self.group()
        if self.here[0].isdigit() and len(self.here) > 1:
            token = self.here
            self.tokens[self.at : self.at + 1] = [(token[0], start), (token[1:], start + 1)]
            self.here = token[0]
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise MathError(say("more than {limit} levels of nesting", limit=DEPTH_LIMIT), start, say("split the formula"))
        piece = self.piece()
        self.depth -= 1
        return piece

    def group(self) -> Node:
        start = self.offset
        self.take()
        inside = self.sequence()
        if self.here != "}":
            raise MathError(say("{ is never closed"), start, say("add a }"))
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
            raise MathError(say("a \\ without a command"), start, say("delete it"))
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
            say("{token} cannot be shown", token=shown(token)),
            start,
            say("did you mean \\{near}?", near=near[0]) if near else say("write a name as \\mathrm{{{name}}}", name=shown(name)),
        )

    def built(self, name: str, token: str, start: int) -> Node:
        """What a line cannot hold as it is: what stands over or under something is a script of it."""
        if name == "not":
            negated = NEGATED.get(self.here)
            if negated is None:
                raise MathError(
                    say("\\not before {token} cannot be shown", token=shown(self.here) or say("nothing")),
                    start,
                    say("write the command of the sign itself, such as \\neq"),
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
            raise MathError(say("{token} lacks its braces", token=token), start, say("write {token}{{...}}", token=token))
        self.take()
        parts = [self.sequence()]
        while self.here == "\\\\":
            self.take()
            parts += [symbol(","), self.sequence()]
        if self.here != "}":
            raise MathError(say("{ is never closed"), start, say("add a }"))
        self.take()
        return Node("seq", "", tuple(parts))

    def root(self) -> Node:
        degree: tuple[Node, ...] = ()
        if self.here == "[":
            start = self.offset
            self.take()
            degree = (self.sequence(("]",)),)
            if self.here != "]":
                raise MathError(say("[ is never closed"), start, say("write \\sqrt[3]{x}"))
            self.take()
        return Node("root", "", (self.argument("\\sqrt"), *degree))

    def fence(self, start: int) -> Node:
        left = self.delimiter("\\left")
        inside = self.sequence()
        if self.here != "\\right":
            raise MathError(say("\\left has no \\right"), start, say("add \\right) or \\right."))
        self.take()
        right = self.delimiter("\\right")
        if left in ANGLES or right in ANGLES:  # TeXicode draws none that grow
            return Node("seq", "", (*(symbol(left) for _ in left.strip(".")[:1]), inside, *(symbol(right) for _ in right.strip(".")[:1])))
        return Node("fence", f"{left} {right}", (inside,))

    def rows(self, start: int) -> Node:
        name = self.name("\\begin")
        form = CALLED.get(name, name)
        if form not in ENVIRONMENTS:
            raise MathError(
                say("\\begin{{{name}}} cannot be shown", name=name), start, say("there are {names}", names=sorted(ENVIRONMENTS))
            )
        if name == "array":  # its columns stand in braces
            self.argument("\\begin{array}")
        table: list[list[Node]] = [[self.sequence()]]
        while self.here in ("&", "\\\\"):
            if self.take() == "&":
                table[-1].append(self.sequence())
            else:
                table.append([self.sequence()])
        if self.here != "\\end":
            raise MathError(say("\\begin{{{name}}} has no \\end", name=name), start, say("add \\end{{{name}}}", name=name))
        self.take()
        if self.name("\\end") != name:
            raise MathError(say("\\begin{{{name}}} ends as something else", name=name), start, say("write \\end{{{name}}}", name=name))
        if table[-1] == [NOTHING]:
            table.pop()
        if form == "gathered" and len(table) == 1:
            return Node("seq", "", tuple(table[0]))
        return Node("rows", form, tuple(Node("seq", "", tuple(row)) for row in table))
