"""What a claim asks of a single number as if it were many: found by the names alone, in the words of a run."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import TypeGuard

from content.claims.arithmetic import ELEMENTWISE, REARRANGING
from content.claims.parser import Expression
from content.messages.sentence import say

ELEMENT_BY_ELEMENT = frozenset({*ELEMENTWISE, "close"})  # the other functions look at many values
GIVES_MANY = frozenset({*REARRANGING, "diagonal", "row", "column"})


def misuse(expression: Expression, numbers: Collection[str]) -> str:
    """What is wrong where one of the `numbers` is given an index, or looked at as many; nothing where all fits."""
    for node in ast.walk(expression.tree):
        if isinstance(node, ast.Subscript) and _is_one(_base(node), numbers):
            return say("{part} has no elements there: it is one number", part=expression.words(node))
        if _gathers(node) and _is_one(node.args[0], numbers):
            return say(
                "{part} needs many values, and {argument} is one", part=expression.words(node), argument=expression.words(node.args[0])
            )
    return ""


def _base(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _gathers(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in ELEMENT_BY_ELEMENT and len(node.args) == 1


def _is_one(node: ast.expr, numbers: Collection[str]) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Name() | ast.Attribute():
            return ast.unparse(node) in numbers
        case ast.UnaryOp():
            return _is_one(node.operand, numbers)
        case ast.BinOp():
            return _is_one(node.left, numbers) and _is_one(node.right, numbers)
        case ast.Compare():
            return all(_is_one(part, numbers) for part in (node.left, *node.comparators))
        case ast.Call(func=ast.Name(id=name)) if name in GIVES_MANY:
            return False
        case ast.Call():
            return _gathers(node) or len(node.args) > 1 or _is_one(node.args[0], numbers)
    return False
