"""What ranges alone say of a claim: a share is never above 1, whatever a run may measure.

Only comparisons of a name with a number are looked at, and what `and`, `or`, `not` make of them; everything else may come out either way.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping

from content.claims.parser import Expression

Range = tuple[float, float]

EVERYTHING: Range = (-math.inf, math.inf)
LIMITS = frozenset({-math.inf, -1, 0, 1, 100, math.inf})  # of shares, percents, counts, cosines: they hold by definition


def decided(expression: Expression, ranges: Mapping[str, Range]) -> bool | None:
    """Whether a claim comes out the same for all numbers in the ranges, and how; None where it depends on the numbers."""
    return _truth(expression.tree, ranges)


def by_definition(within: Range) -> Range:
    """A range as far as it follows from what the number is. That an error stays below 0.001 was found, and a claim may say so."""
    low, high = within
    if low == high:
        return EVERYTHING
    return (low if low in LIMITS else -math.inf, high if high in LIMITS else math.inf)


def _truth(node: ast.expr, ranges: Mapping[str, Range]) -> bool | None:
    match node:
        case ast.BoolOp(op=ast.And()):
            return _all([_truth(part, ranges) for part in node.values])
        case ast.BoolOp():
            return _not(_all([_not(_truth(part, ranges)) for part in node.values]))
        case ast.UnaryOp(op=ast.Not()):
            return _not(_truth(node.operand, ranges))
        case ast.Compare():
            sides = [_range(part, ranges) for part in (node.left, *node.comparators)]
            return _all([_compared(left, op, right) for left, op, right in zip(sides, node.ops, sides[1:], strict=False)])
    return None


def _all(truths: list[bool | None]) -> bool | None:
    return False if False in truths else None if None in truths else True


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _range(node: ast.expr, ranges: Mapping[str, Range]) -> Range:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number, number
        case ast.Name() | ast.Attribute():
            return ranges.get(ast.unparse(node), EVERYTHING)
        case ast.UnaryOp(op=ast.USub()):
            low, high = _range(node.operand, ranges)
            return -high, -low
    return EVERYTHING


def _compared(left: Range, op: ast.cmpop, right: Range) -> bool | None:
    match op:
        case ast.Lt():
            return _below(left, right)
        case ast.GtE():
            return _not(_below(left, right))
        case ast.Gt():
            return _below(right, left)
        case ast.LtE():
            return _not(_below(right, left))
    apart = left[1] < right[0] or right[1] < left[0]
    equal = False if apart else True if left[0] == left[1] == right[0] == right[1] else None
    return equal if isinstance(op, ast.Eq) else _not(equal)


def _below(left: Range, right: Range) -> bool | None:
    """Whether every number of one range is below every number of the other, or none is."""
    return True if left[1] < right[0] else False if left[0] >= right[1] else None
