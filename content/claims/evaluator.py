"""What a claim says about one run: whether it holds, both sides of every comparison, and why it could not be decided."""

from __future__ import annotations

import math
from collections.abc import Mapping

from content.claims.arithmetic import Undecided, flat
from content.claims.expression_walk import ExpressionWalk
from content.claims.named_values import check_value
from content.claims.outcome import Outcome, deciding_side
from content.claims.parser import Expression
from content.messages.sentence import say


def evaluate(expression: Expression, scope: Mapping[str, object]) -> Outcome:
    """Decides a claim. The scope holds numbers, texts, series (tuples) and matrices (tuples of tuples). Never raises."""
    walk = ExpressionWalk(expression, scope)
    try:
        for name in expression.names:
            check_value(name, scope)
        holds = walk.value(expression.tree)
        if isinstance(holds, tuple):
            raise Undecided(say("{claim} has {count} values, not one; say all(...) or any(...)", claim=expression.text, count=len(holds)))
    except Undecided as undecided:
        return Outcome(False, (), undecided.sentence)
    sides = tuple(deciding_side(left, sign, right, truth, holds) for left, sign, right, truth in walk.links)
    return Outcome(holds, sides, "", tuple(walk.reads))


def number(expression: Expression, scope: Mapping[str, object]) -> tuple[float | None, str]:
    """What an expression for a number is worth in one run, or None and why. Never raises."""
    walk = ExpressionWalk(expression, scope)
    try:
        for name in expression.names:
            check_value(name, scope)
        value = walk.value(expression.tree)
    except Undecided as undecided:
        return None, undecided.sentence
    if isinstance(value, tuple):
        return None, say("{claim} has {count} values, not one", claim=expression.text, count=len(value))
    return value, ""


def numbers(expression: Expression, scope: Mapping[str, object]) -> tuple[float, ...] | None:
    """All numbers that an expression is worth in one run, or None where it has no value there. Never raises."""
    walk = ExpressionWalk(expression, scope)
    try:
        for name in expression.names:
            check_value(name, scope)
        found = tuple(flat(walk.value(expression.tree)))
    except Undecided:
        return None
    return found if all(map(math.isfinite, found)) else None
