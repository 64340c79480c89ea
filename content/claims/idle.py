"""What is said of a result that no change makes matter to a claim: what was tried, and a bound that would be near enough."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress

from content.claims.evaluator import number
from content.claims.mutation import changes
from content.claims.parser import Expression
from content.claims.ranges import EVERYTHING, Range
from content.claims.teeth import affirmed
from content.messages.sentence import say
from content.text.numbers import significant

BETWEEN = 1.5  # times the value: as far from it as from what a change makes of it
MATTERS = say("leave it out, or compare it so that it matters")
_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE}
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def why_idle(expression: Expression, scope: Mapping[str, object], name: str, within: Range = EVERYTHING) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if within[0] == within[1]:
        told = say("{name} is {value} always: its range says so, and nothing can be claimed of it", name=name, value=significant(within[0]))
        return told, say("leave it out")
    told = say("no change of {name} makes the claim false; tried: {tried}", name=name, tried=_tried(within))
    value = scope.get(name)
    if isinstance(value, int | float) and value > 0:
        with suppress(OverflowError):  # of a whole number that no float can hold
            if bound := _nearer_bound(expression, scope, name, value, within):
                return told, say("take a bound nearer than twice its value ({value}): {bound}", value=significant(value), bound=bound)
    return told, MATTERS


def _tried(within: Range) -> list[str]:
    """The changes, each once."""
    return [label for label, _ in changes(within) if label != "=0"]  # which ×0 is, too


def _rounded(number: float) -> str:
    """A number as somebody would write it: two digits."""
    return significant(float(f"{number:.2g}"))


def _nearer_bound(expression: Expression, scope: Mapping[str, object], name: str, value: float, within: Range) -> str:
    """A comparison that a change would break; nothing where the claim holds the name against nothing from above."""
    for op, other in _bounds(expression, name):
        far, _ = number(expression.part(other), scope)
        reach = min(max(2 * value, value + 1), within[1])
        if op in (ast.Lt, ast.LtE) and far is not None and far > reach > value:
            aim = min(BETWEEN * value, (value + reach) / 2)
            return f"{name} {_SIGNS[op]} {_scaled(expression, other, far, aim)}"
    return ""


def _bounds(expression: Expression, name: str) -> Iterator[tuple[type[ast.cmpop], ast.expr]]:
    """What the name is compared with, seen from the name."""
    for node in affirmed(expression.tree):
        if not isinstance(node, ast.Compare):
            continue
        for left, op, right in zip((node.left, *node.comparators), node.ops, node.comparators, strict=False):
            if ast.unparse(left) == name and type(op) in _SIGNS:
                yield type(op), right
            elif ast.unparse(right) == name and type(op) in _TURNED:
                yield _TURNED[type(op)], left


def _scaled(expression: Expression, other: ast.expr, far: float, aim: float) -> str:
    """The other side as it would have to be to be worth `aim` instead of `far`."""
    match other:
        case ast.Constant():
            return _rounded(aim)
        case ast.BinOp(left, ast.Div(), ast.Constant(value=int() | float() as by)):
            return f"{expression.words(left)} / {_rounded(by * far / aim)}"
        case ast.BinOp(ast.Constant(value=int() | float() as by), ast.Mult(), right):
            return f"{_rounded(by * aim / far)} * {expression.words(right)}"
    written = expression.words(other)
    return f"{written if isinstance(other, ast.Name | ast.Attribute | ast.Call) else f'({written})'} / {_rounded(far / aim)}"
