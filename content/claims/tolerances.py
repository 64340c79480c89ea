"""Equalities that a claim says up to a tolerance, and whether the numbers of a neighbouring setting pass for those of the card's own.

An inequality has no tolerance: that more is more may be true of the neighbour too. Nor has what holds exactly, which content.claims.teeth
looks at. What is said of results alone is a law and holds everywhere; a result beside a parameter or a number is said of one setting.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from content.claims.evaluator import number, numbers
from content.claims.parser import Expression
from content.claims.teeth import EXACT, affirmed

Scope = Mapping[str, object]

APART = 2.0  # times what the card's own seeds need: what is nearer might be told apart by luck
ROUNDING = 1e-6  # of a tolerance: what is nearer is the same number


@dataclass(frozen=True)
class Tolerance:
    """Both sides of an equality, and how far apart they may be: relative to the larger one, as `close` has it, or absolutely."""

    left: Expression
    right: Expression
    width: float
    relative: bool

    def is_of_one_setting(self, results: Collection[str], parameters: Collection[str]) -> bool:
        """Whether results are held against a number, or against what parameters make."""
        measured = [not set(results).isdisjoint(side.names) for side in (self.left, self.right)]
        return any(measured) and (not all(measured) or not set(parameters).isdisjoint(self.names))

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.left.names, *self.right.names)

    def gap(self, scope: Scope) -> float | None:
        """How far apart both sides are, of many numbers the furthest; None where they cannot be computed."""
        left, right = (numbers(side, scope) for side in (self.left, self.right))
        if not left or not right or (len(left) != len(right) and 1 not in (len(left), len(right))):
            return None
        count = max(len(left), len(right))
        pairs = zip(left * (count // len(left)), right * (count // len(right)), strict=True)
        return max(abs(a - b) / (max(abs(a), abs(b)) or 1.0) if self.relative else abs(a - b) for a, b in pairs)


def tolerances(expression: Expression) -> Iterator[Tolerance]:
    """Every equality that a claim says up to a tolerance: close(a, b, 0.05), abs(a - b) < 0.1."""
    for node in affirmed(expression.tree):
        match node:
            case ast.Call(ast.Name("close"), [left, right, width]):
                relative = True
            case ast.Compare(ast.Call(ast.Name("abs"), [ast.BinOp(left, ast.Sub(), right)]), [ast.Lt() | ast.LtE()], [width]):
                relative = False
            case ast.Compare(width, [ast.Gt() | ast.GtE()], [ast.Call(ast.Name("abs"), [ast.BinOp(left, ast.Sub(), right)])]):
                relative = False
            case _:
                continue
        size, _ = number(expression.part(width), {})  # one that is measured itself is no tolerance
        if size is not None and size > EXACT:
            yield Tolerance(expression.part(left), expression.part(right), size, relative)


def passing_neighbour(tolerance: Tolerance, own: Sequence[Scope], neighbour: Sequence[Scope]) -> float | None:
    """A tolerance narrow enough to refuse a neighbour's numbers, whatever their seed, and wide enough for the card's own, where this one
    lets both pass; else None. The scopes are those of one seed each."""
    needed, gaps = ([tolerance.gap(scope) for scope in scopes] for scopes in (own, neighbour))
    if None in needed or None in gaps or not needed or not gaps:
        return None
    most, least, widest = (pick(gap for gap in side if gap is not None) for pick, side in ((max, needed), (min, gaps), (max, gaps)))
    if widest > tolerance.width or least <= max(APART * most, ROUNDING * tolerance.width):
        return None
    return max((most * least) ** 0.5, least / 10) if most else least / 2  # an error of rounding asks for no tolerance of its size
