"""What a claim that holds may still lack: it says the same of the wrong way, of twice the value, or of what a number is by definition."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from content.claims.evaluator import evaluate
from content.claims.parser import Expression
from content.messages.sentence import say
from content.text.numbers import significant

Scope = Mapping[str, object]

EXACT = 1e-6  # relative: an equality that asks for more is meant exactly
HALF = 0.5  # a tolerance from which twice the value passes
FEWEST = 5  # settings from which on "always" may be said


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


def by_definition(expression: Expression, settings: Sequence[Scope], results: Collection[str]) -> str:
    """A sentence where a claim says only what a number is called, or how it is computed; else nothing.

    `settings` are what runs with other parameters gave: an equality between results that is exact at every one of them is a definition.
    """
    if len(settings) < FEWEST:
        return ""
    for left, right in _equalities(expression.tree):
        named = [{ast.unparse(part) for part in ast.walk(side) if isinstance(part, ast.Name | ast.Attribute)} for side in (left, right)]
        alone = [ast.unparse(side) for side in (left, right) if ast.unparse(side) in results]
        other = named[1] if alone and ast.unparse(left) == alone[0] else named[0]
        plain = ast.unparse(right if alone and ast.unparse(left) == alone[0] else left)
        if not alone or not (other & set(results) or plain in settings[0]):
            continue
        equality = Expression(expression.text, expression.names, ast.Call(ast.Name("close"), [left, right, ast.Constant(EXACT)], []))
        if all(evaluate(equality, scope).holds for scope in settings):
            return say(
                "{name} is {plain} by definition: they are equal at {count} other settings, too",
                name=alone[0],
                plain=plain,
                count=len(settings),
            )
    return ""


def always_the_same(expression: Expression, settings: Sequence[Scope], results: Collection[str], arms: Collection[str]) -> str:
    """A sentence where a number that the claim names is the same at all settings, and no other way is there to compare it with.

    A vector or a matrix may be: that a table of a formula begins with sin 1 is a claim about the formula.
    """
    if len(settings) < FEWEST:
        return ""
    for name in expression.names:
        value = settings[0].get(name)
        if isinstance(value, int | float) and name in results and name not in arms and len({scope.get(name) for scope in settings}) == 1:
            return say("{name} is {value} whatever the parameters are: it depends on none of them", name=name, value=significant(value))
    return ""


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
