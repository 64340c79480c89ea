"""What a claim that holds may still lack: it says the same of the wrong way, of twice the value, or of what a number is by definition."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from content.claims.evaluator import evaluate
from content.claims.parser import Expression
from content.messages.sentence import say
from content.text.numbers import significant

Scope = Mapping[str, object]

NOISE = 1e-9  # relative: what differs by less is one number, rounded in other ways
EXACT = 1e-6  # relative: an equality that asks for more is meant exactly
LARGEST = 1e300  # beyond, whole numbers are no floats
HALF = 0.5  # a tolerance from which twice the value passes


def of_the_wrong_way(expression: Expression, scope: Scope, arms: tuple[str, str]) -> str:
    """A sentence where a claim about the right way holds with the wrong way's value in its place; else nothing."""
    wrong, right = arms
    if right not in expression.names or not {wrong, right} <= scope.keys():
        return ""
    if not evaluate(expression, {**scope, right: scope[wrong]}).holds:
        return ""
    value = scope[wrong]
    shown = say(", {value},", value=significant(value)) if isinstance(value, int | float) else ""
    return say("it holds as well with {wrong}{shown} in the place of {right}", wrong=wrong, shown=shown, right=right)


def too_wide(expression: Expression) -> str:
    """A sentence where a tolerance lets twice the value pass; else nothing."""
    for node in affirmed(expression.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "close":
            tolerance = node.args[2]
            if isinstance(tolerance, ast.Constant) and isinstance(tolerance.value, int | float) and tolerance.value >= HALF:
                return say("a tolerance of {percent:g} % lets twice the value pass", percent=tolerance.value * 100)
    return ""


def by_definition(expression: Expression, settings: Sequence[Scope], results: Collection[str], drawn: Collection[str]) -> str:
    """A sentence where a claim says only what a number is called, or how it is computed; else nothing.

    `settings` are what runs with other parameters gave, at least one. An equality between results that is exact at all of them is two names
    of one number, or a number that is computed from the other, unless it is a law: one of counts, which no seed moves (`drawn` are those
    that one does), with a parameter in it that matters.
    """
    for left, right in _equalities(expression.tree):
        alone = [ast.unparse(side) for side in (left, right) if ast.unparse(side) in results]
        if not alone:
            continue
        other = right if ast.unparse(left) == alone[0] else left
        named = _named(other)
        if not (named & set(results) or ast.unparse(other) in settings[0]):
            continue
        equality = _close(expression, left, right)
        if not all(evaluate(equality, scope).holds for scope in settings):
            continue
        parameters = named - set(results)
        if named & set(results) and not {alone[0], *named} & set(drawn) and _matters(equality, settings, parameters):
            continue
        plain = ast.unparse(other)
        return say(
            "{name} is {plain} by definition: they are equal at {count} other settings, too",
            name=alone[0],
            plain=plain,
            count=len(settings),
        )
    return ""


def _close(expression: Expression, left: ast.expr, right: ast.expr) -> Expression:
    return Expression(expression.text, expression.names, ast.Call(ast.Name("close"), [left, right, ast.Constant(EXACT)], []))


def _named(tree: ast.expr) -> set[str]:
    return {ast.unparse(part) for part in ast.walk(tree) if isinstance(part, ast.Name | ast.Attribute)}


def _matters(equality: Expression, settings: Sequence[Scope], parameters: Collection[str]) -> bool:
    """Whether a parameter in an equality has a part in it: with another value of it, it does not hold any more."""
    moved = [
        {**scope, name: value * 2 + 1} for scope in settings for name in parameters if isinstance(value := scope.get(name), int | float)
    ]
    return any(not evaluate(equality, scope).holds for scope in moved)


def always_the_same(expression: Expression, settings: Sequence[Scope], results: Collection[str], arms: Collection[str]) -> str:
    """A sentence where a part of a claim names only numbers that are the same at all settings, and is true at all of them; else nothing.

    There is at least one of the settings. A part is what `and` joins, and every comparison of a chain. Beside a number that moves, a
    constant is what it is held against, and a constant of one of the two ways has the other way to be compared with. What rounding moves is
    a constant where a claim has nothing else. A vector or a matrix may be the same: that a table of a formula begins with sin 1 is a claim
    about the formula.
    """
    whole = [name for name in expression.names if name in results]
    noise = NOISE if all(is_constant(name, settings) for name in whole) else 0.0
    for part in map(expression.part, _conjuncts(expression.tree)):
        named = [name for name in part.names if name in results]
        if not named or any(name in arms or not is_constant(name, settings, noise) for name in named):
            continue
        if all(evaluate(part, scope).holds for scope in settings):
            value = settings[0][named[0]]
            assert isinstance(value, int | float)
            return say("{name} is {value} whatever the parameters are: it depends on none of them", name=named[0], value=significant(value))
    return ""


def _conjuncts(tree: ast.expr) -> Iterator[ast.expr]:
    """What has to hold, each by itself: a < b < c says two things."""
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        for part in tree.values:
            yield from _conjuncts(part)
    elif isinstance(tree, ast.Compare):
        for left, op, right in zip((tree.left, *tree.comparators), tree.ops, tree.comparators, strict=False):
            yield ast.Compare(left, [op], [right])
    else:
        yield tree


def is_constant(name: str, settings: Sequence[Scope], noise: float = NOISE) -> bool:
    """Whether a number is the same at all settings, but for rounding."""
    values = [value for scope in settings if isinstance(value := scope.get(name), int | float)]
    if len(values) < len(settings) or len(set(values)) == 1 or max(map(abs, values)) > LARGEST:
        return len(values) == len(settings) and len(set(values)) == 1
    return max(values) - min(values) <= noise * max(map(abs, values))


def _equalities(tree: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Both sides of every equality that is meant exactly."""
    found: list[tuple[ast.expr, ast.expr]] = []
    for node in affirmed(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            found.append((node.left, node.comparators[0]))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "close":
            left, right, tolerance = node.args
            if isinstance(tolerance, ast.Constant) and isinstance(tolerance.value, int | float) and tolerance.value <= EXACT:
                found.append((left, right))
    return found


def affirmed(tree: ast.AST) -> Iterator[ast.AST]:
    """Every part that the claim says: what stands under a `not`, it denies."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return
    yield tree
    for part in ast.iter_child_nodes(tree):
        yield from affirmed(part)
