"""What a claim says about one run: whether it holds, both sides of every comparison, and why it could not be decided."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import repeat
from typing import cast

from content.claims.arithmetic import (
    BINARY,
    BITS_LIMIT,
    COMPARED,
    ELEMENTWISE,
    GATHERING,
    UNARY,
    Undecided,
    Value,
    close,
    flat,
    shape,
    size,
)
from content.claims.parser import Expression
from content.text.nearest import did_you_mean
from content.text.numbers import DIGITS, significant

_CONSTANTS = {
    "pi": "write 3.14159265", "e": "write exp(1)", "inf": "infinity decides nothing: compare with a large number, such as 1e6",
    "infinity": "infinity decides nothing: compare with a large number, such as 1e6", "nan": "a NaN makes every claim false by itself",
}  # fmt: skip
CELLS_LIMIT = 1_000_000
WORK_LIMIT = 10 * CELLS_LIMIT


@dataclass(frozen=True)
class Side:
    """One comparison with its numbers. For vectors: the element that decided it, or the closest one."""

    left: float
    relation: str
    right: float
    holds: bool

    @property
    def text(self) -> str:
        """Both numbers with as many digits as it takes to tell them apart: `0.0021 < 0.1`; for ≈ they may look the same."""
        digits = DIGITS
        while (
            self.relation != "≈"
            and self.left != self.right
            and digits < 17
            and significant(self.left, digits) == significant(self.right, digits)
        ):
            digits += 1
        return f"{significant(self.left, digits)} {self.relation} {significant(self.right, digits)}"


@dataclass(frozen=True)
class Outcome:
    """Whether a claim holds. A `reason` says why it could not be decided; then it does not hold.

    `reads` are the elements that the claim took one by one: ("row", (3,)), ("weights", (0, -1)).
    """

    holds: bool
    sides: tuple[Side, ...] = ()
    reason: str = ""
    reads: tuple[tuple[str, tuple[int, ...]], ...] = field(default=(), repr=False)

    @property
    def told(self) -> str:
        """Why it does not hold: the reason, or the comparisons that are false with both sides' numbers; all of them where none is."""
        false = [side.text for side in self.sides if not side.holds]
        return self.reason or "; ".join(false or [side.text for side in self.sides])


def evaluate(expression: Expression, scope: Mapping[str, object]) -> Outcome:
    """Decides a claim. The scope holds numbers, texts, series (tuples) and matrices (tuples of tuples). Never raises."""
    run = _Run(expression, scope)
    try:
        for name in expression.names:
            run.check(name)
        holds = run.value(expression.tree)
        if isinstance(holds, tuple):
            raise Undecided(f"{expression.text} has {len(holds)} values, not one; say all(...) or any(...)")
    except Undecided as undecided:
        return Outcome(False, (), str(undecided))
    sides = tuple(_deciding(left, sign, right, truth, holds) for left, sign, right, truth in run.links)
    return Outcome(holds, sides, "", tuple(run.reads))


def _deciding(left: Value, sign: str, right: Value, truth: Value, holds: bool) -> Side:
    """The pair of elements that made a comparison of vectors come out as it did; the closest pair where all agree."""
    truths = list(flat(truth))
    lefts, rights = (list(flat(side)) if isinstance(side, tuple) else [side] * len(truths) for side in (left, right))
    if all(truths) or not any(truths):
        gaps = [0.0 if a == b else abs(float(a) - float(b)) for a, b in zip(lefts, rights, strict=True)]
        index = gaps.index(min(gaps))
    else:
        index = truths.index(holds)
    return Side(lefts[index], sign, rights[index], truths[index])


def unknown_name(name: str, known: Iterable[str]) -> str:
    """What to say of a name that neither a parameter nor a result has."""
    hint = _CONSTANTS.get(name.lower()) or did_you_mean(name, known)
    return "; ".join(filter(None, (f"there is no parameter or result {name}", hint)))


@dataclass
class _Run:
    """One evaluation: the walk over the tree, the comparisons met on the way, and the work done so far."""

    expression: Expression
    scope: Mapping[str, object]
    links: list[tuple[Value, str, Value, Value]] = field(default_factory=list)
    reads: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    work: int = 0

    def check(self, name: str) -> None:
        """A name must be there, be numeric, be of a bearable size and hold no NaN."""
        if name not in self.scope:
            raise Undecided(unknown_name(name, self.scope))
        if size(self.scope[name]) > CELLS_LIMIT:
            raise Undecided(f"{name} has more than {CELLS_LIMIT:,} values")
        for cell in flat(self.scope[name]):
            if isinstance(cell, str):
                raise Undecided(f"{name} is a text ({cell[:40]!r}); a claim compares numbers")
            if type(cell) not in (int, float):
                raise Undecided(f"{name} is not a number")
            if cell != cell:
                raise Undecided(f"{name} is not a number (NaN)")
            if isinstance(cell, int) and cell.bit_length() > BITS_LIMIT:
                raise Undecided(f"{name} is too large")

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self.scope[node.id]
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
            sizes = " and ".join("x".join(map(str, shape)) for shape in sorted(shapes))
            raise Undecided(f"{self.expression.words(node)} combines {sizes} values, element by element")
        try:
            return self._map(function, values)
        except Undecided as undecided:
            raise Undecided(f"{self.expression.words(node)} {undecided}") from None
        except ZeroDivisionError:
            raise Undecided(f"{self.expression.words(node)} divides by zero") from None
        except OverflowError:
            raise Undecided(f"{self.expression.words(node)} is too large") from None
        except ValueError:
            raise Undecided(f"{self.expression.words(node)} has no value there") from None

    def _map(self, function: Callable[..., Value], values: tuple[Value, ...]) -> Value:
        vectors = [value for value in values if isinstance(value, tuple)]
        self.work += len(vectors[0]) if vectors else 1
        if self.work > WORK_LIMIT:
            raise Undecided("takes too long to compute")
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
            raise Undecided(f"{self.expression.words(node)} compares nothing: there are no values")
        self.links.append((left, sign, right, truth))

    def element(self, node: ast.Subscript) -> Value:
        indices: list[ast.expr] = []
        base: ast.expr = node
        while isinstance(base, ast.Subscript):
            indices.insert(0, base.slice)
            base = base.value
        path = tuple(self.index(index) for index in indices)
        found: Value = self.value(base)
        for index in path:
            if not isinstance(found, tuple):
                raise Undecided(f"{self.expression.words(node)} has no elements there: it is one number")
            if not -len(found) <= index < len(found):
                raise Undecided(f"{self.expression.words(node)} does not exist: there are {len(found)}, from 0 to {len(found) - 1}")
            found = found[index]
        self.reads.append((cast(ast.Name, base).id, path))
        return found

    def index(self, node: ast.expr) -> int:
        index = self.value(node)
        if isinstance(index, tuple) or index in (math.inf, -math.inf) or index != int(index):
            raise Undecided(f"the index {self.expression.words(node)} is not a whole number")
        return int(index)

    def call(self, node: ast.Call, name: str) -> Value:
        values = [self.value(argument) for argument in node.args]
        if name in ELEMENTWISE:
            return self.each(node, ELEMENTWISE[name], *values)
        if name == "close":
            truth = self.each(node, close, *values)
            self.note(node, values[0], "≈", values[1], truth)
            return truth
        if len(values) == 1 and not isinstance(values[0], tuple):
            raise Undecided(f"{self.expression.words(node)} needs many values, and {self.expression.words(node.args[0])} is one")
        if len(values) > 1 and any(isinstance(value, tuple) for value in values):
            raise Undecided(f"{self.expression.words(node)} needs numbers, or one vector alone")
        if name == "len":
            return len(values[0])
        cells = list(flat(tuple(values)))
        if not cells:
            raise Undecided(f"{self.expression.words(node)} has no values to look at")
        return self.each(node, lambda: GATHERING[name](cells))
