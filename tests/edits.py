"""Single edits of a module, each of which its tests should see: another number, operator or return value, a statement less."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED = {
    "<=": "<",
    "<": "<=",
    ">=": ">",
    ">": ">=",
    "==": "!=",
    "!=": "==",
    "is not": "is",
    "is": "is not",
    "not in": "in",
    "in": "not in",
}
COMPUTED = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*")}
OPERATOR = re.compile(r"is\s+not|not\s+in|is|in|[<>=!]=|[<>]")


@dataclass(frozen=True)
class Edit:
    """The source from `start` to `end` (bytes) is replaced by `new`."""

    line: int
    start: int
    end: int
    old: str
    new: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    def __str__(self) -> str:
        return f"{' '.join(self.old.split())}  ->  {self.new}"


def edits(source: bytes) -> list[Edit]:
    """Every edit of a module, in the order of its lines."""
    module = _Module(source)
    return sorted((edit for node in _code(ast.parse(source)) for edit in module.edits_of(node)), key=lambda edit: (edit.start, edit.end))


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that compute: no annotations, no docstrings, no text; nothing that only a type checker reads."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _silent(child):
                yield child
                yield from _code(child)


def _silent(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "dataclass"  # that it is frozen is for the type checker to see
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


class _Module:
    """A source in which nodes have places."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self.lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def replace(self, node: ast.expr | ast.stmt, new: str) -> Edit:
        return self.at(self.start(node), self.end(node), new)

    def at(self, start: int, end: int, new: str) -> Edit:
        line = self.source.count(b"\n", 0, start) + 1
        return Edit(line, start, end, self.source[start:end].decode(), new)

    def between(self, left: ast.expr, right: ast.expr, operator: re.Pattern[str], new: dict[str, str]) -> Iterator[Edit]:
        """An edit of the operator between two expressions, which may stand in parentheses."""
        start, end = self.end(left), self.start(right)
        found = operator.search(self.source[start:end].decode())
        if found and (other := new.get(" ".join(found[0].split()))):
            yield self.at(start + found.start(), start + found.end(), other)

    def edits_of(self, node: ast.AST) -> Iterator[Edit]:
        match node:
            case ast.Constant(value=bool() as value):
                yield self.replace(node, str(not value))
            case ast.Constant(value=int() | float() as value):
                yield self.replace(node, repr(value + 1))
            case ast.Compare():
                for left, right in zip((node.left, *node.comparators), node.comparators, strict=False):
                    yield from self.between(left, right, OPERATOR, COMPARED)
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from self.between(left, right, re.compile(r"\b(and|or)\b"), {"and": "or", "or": "and"})
            case ast.BinOp(op=operator) if type(operator) in COMPUTED:
                old, new = COMPUTED[type(operator)]
                yield from self.between(node.left, node.right, re.compile(re.escape(old)), {old: new})
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield self.at(self.start(node), self.start(node.operand), "")
            case ast.If() | ast.IfExp() | ast.While():
                yield self.replace(node.test, f"(not ({ast.unparse(node.test)}))")
            case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
                yield self.replace(value, "None")
            case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
                yield self.replace(node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield self.replace(node, "pass")
