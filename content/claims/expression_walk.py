"""The walk over a claim's tree: what each part of it is worth in one run, within a bound on the work."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import repeat
from typing import cast

from content.claims.arithmetic import (
    BINARY,
    COMPARED,
    ELEMENTWISE,
    GATHERING,
    REARRANGING,
    UNARY,
    Undecided,
    Value,
    close,
    flat,
    shape,
    whole,
)
from content.claims.named_values import CELLS_LIMIT
from content.claims.parser import Expression
from content.messages.sentence import joined, say, template

WORK_LIMIT = 10 * CELLS_LIMIT


@dataclass
class ExpressionWalk:
    """One evaluation: the walk over the tree, the comparisons met on the way, and the work done so far."""

    expression: Expression
    scope: Mapping[str, object]
    links: list[tuple[Value, str, Value, Value]] = field(default_factory=list)
    reads: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    work: int = 0

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name() | ast.Attribute():
                return self.scope[ast.unparse(node)]
            case ast.UnaryOp():
                return self.each(node, UNARY[type(node.op)], self.value(node.operand))
            case ast.BinOp():
                return self.each(node, BINARY[type(node.op)], self.value(node.left), self.value(node.right))
            case ast.BoolOp():
                combine = operator.and_ if isinstance(node.op, ast.And) else operator.or_
                return reduce(lambda left, right: self.each(node, combine, left, right), map(self.value, node.values))
            case ast.Compare():
                return self.compare(node)
            case ast.Subscript():
                return self.element(node)
            case ast.Call():
                return self.call(node, cast(ast.Name, node.func).id)
        raise AssertionError(node)  # the grammar lets no other node through

    def each(self, node: ast.expr, function: Callable[..., Value], *values: Value) -> Value:
        """A function of numbers, applied to numbers or element by element to vectors and matrices of one shape."""
        shapes = {shape(value) for value in values if isinstance(value, tuple)}
        if len(shapes) > 1:
            sizes = joined(template("{one} and {other}"), ("x".join(map(str, shape)) for shape in sorted(shapes)))
            raise Undecided(say("{part} combines {sizes} values, element by element", part=self.expression.words(node), sizes=sizes))
        try:
            return self._map(function, values)
        except Undecided as undecided:
            raise Undecided(say("{part} {reason}", part=self.expression.words(node), reason=undecided.sentence)) from None
        except ZeroDivisionError:
            raise Undecided(say("{part} divides by zero", part=self.expression.words(node))) from None
        except OverflowError:
            raise Undecided(say("{part} is too large", part=self.expression.words(node))) from None
        except ValueError:
            raise Undecided(say("{part} has no value there", part=self.expression.words(node))) from None

    def _map(self, function: Callable[..., Value], values: tuple[Value, ...]) -> Value:
        vectors = [value for value in values if isinstance(value, tuple)]
        self.work += len(vectors[0]) if vectors else 1
        if self.work > WORK_LIMIT:
            raise Undecided(say("takes too long to compute"))
        if not vectors:
            return function(*values)
        if len(set(map(len, vectors))) > 1:
            raise ValueError("rows of different lengths")
        columns = (value if isinstance(value, tuple) else repeat(value) for value in values)
        if vectors[0] and isinstance(vectors[0][0], tuple):
            return tuple(self._map(function, row) for row in zip(*columns, strict=False))
        return tuple(map(function, *columns))

    def compare(self, node: ast.Compare) -> Value:
        values = [self.value(part) for part in (node.left, *node.comparators)]
        truths = []
        for left, relation, right in zip(values, node.ops, values[1:], strict=False):
            sign, function = COMPARED[type(relation)]
            truths.append(self.each(node, function, left, right))
            self.note(node, left, sign, right, truths[-1])
        return reduce(lambda left, right: self.each(node, operator.and_, left, right), truths)

    def note(self, node: ast.expr, left: Value, sign: str, right: Value, truth: Value) -> None:
        if truth == ():
            raise Undecided(say("{part} compares nothing: there are no values", part=self.expression.words(node)))
        self.links.append((left, sign, right, truth))

    def element(self, node: ast.Subscript) -> Value:
        indices: list[ast.expr] = []
        base: ast.expr = node
        while isinstance(base, ast.Subscript):
            indices[:0] = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
            base = base.value
        path = tuple(self.slice(index) if isinstance(index, ast.Slice) else self.index(index) for index in indices)
        found = self.picked(node, self.value(base), path)
        if all(isinstance(index, int) for index in path):
            self.reads.append((ast.unparse(base), cast(tuple[int, ...], path)))
        return found

    def picked(self, node: ast.expr, value: Value, path: tuple[int | slice, ...]) -> Value:
        """What stands in a vector or a matrix at an index, or at several; each index goes along its own dimension."""
        if not path:
            return value
        index, *rest = path
        if not isinstance(value, tuple):
            raise Undecided(say("{part} has no elements there: it is one number", part=self.expression.words(node)))
        if isinstance(index, slice):
            return tuple(self.picked(node, part, tuple(rest)) for part in value[index])
        if not -len(value) <= index < len(value):
            part, count = self.expression.words(node), len(value)
            raise Undecided(say("{part} does not exist: there are {count}, from 0 to {last}", part=part, count=count, last=count - 1))
        return self.picked(node, value[index], tuple(rest))

    def slice(self, node: ast.Slice) -> slice:
        low, high, step = (None if part is None else self.index(part) for part in (node.lower, node.upper, node.step))
        if step == 0:
            raise Undecided(say("a slice's step is not 0"))
        return slice(low, high, step)

    def index(self, node: ast.expr) -> int:
        try:
            return whole(self.value(node))
        except Undecided:
            raise Undecided(say("the index {part} is not a whole number", part=self.expression.words(node))) from None

    def call(self, node: ast.Call, name: str) -> Value:
        values = [self.value(argument) for argument in node.args]
        if name in ELEMENTWISE:
            return self.each(node, ELEMENTWISE[name], *values)
        if name == "close":
            truth = self.each(node, close, *values)
            self.note(node, values[0], "≈", values[1], truth)
            return truth
        if name in ("row", "column"):
            return self.picked(node, values[0], ((whole(values[1]),) if name == "row" else (slice(None), whole(values[1]))))
        if name == "dot":
            return self.each(node, lambda: GATHERING["sum"](list(flat(self.each(node, BINARY[ast.Mult], *values)))))
        if len(values) == 1 and not isinstance(values[0], tuple):
            argument = self.expression.words(node.args[0])
            raise Undecided(say("{part} needs many values, and {argument} is one", part=self.expression.words(node), argument=argument))
        if len(values) > 1 and any(isinstance(value, tuple) for value in values):
            raise Undecided(say("{part} needs numbers, or one vector alone", part=self.expression.words(node)))
        if name == "len":
            return len(values[0])
        if name == "diagonal":
            return tuple(row[place] for place, row in enumerate(self.matrix(node, values[0])) if place < len(row))
        if name in REARRANGING:
            return self.each(node, lambda: REARRANGING[name](self.vector(node, values[0])))
        cells = list(flat(tuple(values)))
        if not cells:
            raise Undecided(say("{part} has no values to look at", part=self.expression.words(node)))
        return self.each(node, lambda: GATHERING[name](cells))

    def vector(self, node: ast.expr, value: Value) -> tuple[Value, ...]:
        if any(isinstance(cell, tuple) for cell in value):
            raise Undecided(say("{part} needs a vector, and this is a matrix", part=self.expression.words(node)))
        return cast(tuple[Value, ...], value)

    def matrix(self, node: ast.expr, value: Value) -> tuple[tuple[Value, ...], ...]:
        if not all(isinstance(row, tuple) for row in value):
            raise Undecided(say("{part} needs a matrix, and this is a vector", part=self.expression.words(node)))
        return cast(tuple[tuple[Value, ...], ...], value)
