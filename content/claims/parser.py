"""The claim language: a whitelist of syntax, in which every part is a number or a truth."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NoReturn

from content.claims.syntax import on_one_line, syntax_tree
from content.claims.tokens import DEPTH_LIMIT, ClaimError
from content.messages.sentence import say
from content.text.nearest import did_you_mean

Type = Literal["number", "truth"]


@dataclass(frozen=True)
class Function:
    """What a function takes and gives, and of how many. `usage` is how it is written where name(x) does not say it."""

    takes: Type
    gives: Type
    least: int = 1
    most: int = 1
    usage: str = ""


MANY = 1_000
FUNCTIONS: dict[str, Function] = {
    "abs": Function("number", "number"),
    "min": Function("number", "number", most=MANY),
    "max": Function("number", "number", most=MANY),
    "sum": Function("number", "number"),
    "mean": Function("number", "number"),
    "std": Function("number", "number"),
    "var": Function("number", "number"),
    "norm": Function("number", "number"),
    "argmax": Function("number", "number"),
    "argmin": Function("number", "number"),
    "sorted": Function("number", "number"),
    "cumsum": Function("number", "number"),
    "diagonal": Function("number", "number"),
    "row": Function("number", "number", least=2, most=2, usage="row(m, i)"),
    "column": Function("number", "number", least=2, most=2, usage="column(m, j)"),
    "dot": Function("number", "number", least=2, most=2, usage="dot(a, b)"),
    "len": Function("number", "number"),
    "sqrt": Function("number", "number"),
    "exp": Function("number", "number"),
    "log": Function("number", "number"),
    "log2": Function("number", "number"),
    "close": Function("number", "truth", least=3, most=3, usage=say("close(a, b, 0.05): true when they differ by at most 5 %")),
    "count": Function("truth", "number", usage="count(x > 0)"),
    "all": Function("truth", "truth"),
    "any": Function("truth", "truth"),
}
RELATIONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Pow)
_ALSO_NAMES = frozenset({"std", "var", "norm", "argmax", "argmin", "sorted", "cumsum", "diagonal", "row", "column", "dot", "count"})
"""Functions that came late: results could be called so before, and still may."""
_ALIASES = {"avg": "mean", "average": "mean", "ln": "log", "isclose": "close", "allclose": "close", "approx": "close"}


@dataclass(frozen=True)
class Expression:
    """A claim that can be evaluated; `names` are the parameters and results that it uses, in order."""

    text: str
    names: tuple[str, ...]
    tree: ast.expr = field(repr=False, compare=False)

    def words(self, node: ast.expr) -> str:
        """The part of the text that a node came from."""
        return ast.get_source_segment(self.text, node) or self.text

    def part(self, node: ast.expr) -> Expression:
        """A part of it as an expression of its own."""
        return Expression(self.text, tuple(dict.fromkeys(_names(node))), node)


def parse(text: str) -> Expression:
    """Reads a claim. Raises ClaimError for everything that is not one; no other exception leaves."""
    expression = _expression(text)
    if _type(expression.tree, 0) != "truth":
        raise ClaimError(say("a claim is true or false; this is a number"), 1, say("compare it: ... < 0.1"))
    return expression


def parse_number(text: str) -> Expression:
    """Reads an expression for a number: `16 * cache_gibibytes`. Raises ClaimError for everything else."""
    expression = _expression(text)
    if _type(expression.tree, 0) != "number":
        raise ClaimError(say("a number stands here; this is true or false"), 1, say("write the number itself, without a comparison"))
    return expression


def _expression(text: str) -> Expression:
    text = on_one_line(text)
    tree = syntax_tree(text, "claim")
    return Expression(text, tuple(dict.fromkeys(_names(tree))), tree)


def _names(node: ast.AST) -> Iterator[str]:
    """The names of parameters and results, in order; a run's result is one name: long.flops."""
    if isinstance(node, ast.Name | ast.Attribute):
        yield ast.unparse(node)
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Call) and child is node.func):
            yield from _names(child)


def _refuse(node: ast.expr, message: str, hint: str = "") -> NoReturn:
    raise ClaimError(message, node.col_offset + 1, hint)


def _type(node: ast.expr, depth: int) -> Type:
    """Whether a node is a number or a truth. Raises ClaimError for every node that is not listed here."""
    if depth > DEPTH_LIMIT:
        _refuse(node, say("this is nested too deeply"), say("split it into several claims"))
    match node:
        case ast.Constant() if type(node.value) in (int, float):
            if node.value in (float("inf"), float("-inf")):
                _refuse(node, say("this number is too large"))
            return "number"
        case ast.Name():
            if node.id in FUNCTIONS and node.id not in _ALSO_NAMES:
                _refuse(node, say("{name} is a function", name=node.id), say("write {name}(...)", name=node.id))
            return "number"
        case ast.Attribute(value=ast.Name()):
            return "number"
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return _operands((node.operand,), "number", depth)
        case ast.BinOp() if isinstance(node.op, OPERATORS):
            return _operands((node.left, node.right), "number", depth)
        case ast.Compare() if all(isinstance(relation, RELATIONS) for relation in node.ops):
            return _operands((node.left, *node.comparators), "number", depth, gives="truth")
        case ast.BoolOp():
            return _operands(node.values, "truth", depth)
        case ast.UnaryOp(op=ast.Not()):
            return _operands((node.operand,), "truth", depth)
        case ast.Subscript():
            return _subscript(node, depth)
        case ast.Call():
            return _call(node, depth)
        case ast.Tuple():
            _refuse(node, say("a claim is one sentence, without a comma"), say("write and between two comparisons, or make two claims"))
    _refuse(
        node, say("this kind of expression is not part of the language"), say("numbers, names, + - * / ** %, comparisons, and / or / not")
    )


def _operands(parts: Iterable[ast.expr], wanted: Type, depth: int, gives: Type | None = None) -> Type:
    for part in parts:
        if _type(part, depth + 1) != wanted:
            told = (
                say("this is true or false, and a number is needed")
                if wanted == "number"
                else say("this is a number, and a comparison is needed")
            )
            _refuse(part, told, say("a chain is written 0 <= x <= 1") if wanted == "number" else say("write x > 0"))
    return gives or wanted


def _subscript(node: ast.Subscript, depth: int) -> Type:
    inner = node.value.value if isinstance(node.value, ast.Subscript) else node.value
    if not isinstance(inner, ast.Name | ast.Attribute) or (ast.unparse(inner) in FUNCTIONS and ast.unparse(inner) not in _ALSO_NAMES):
        _refuse(node, say("only a vector or a matrix by its name has elements"), say("write x[0] or m[i, j]"))
    if isinstance(node.value, ast.Subscript):
        _subscript(node.value, depth + 1)
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if isinstance(node.slice, ast.Tuple) and len(indices) < 2:
        _refuse(node.slice, say("an index is missing"), say("write x[0] or m[i, j]"))
    for index in indices:
        bounds = (index.lower, index.upper, index.step) if isinstance(index, ast.Slice) else (index,)
        for bound in bounds:
            if bound is not None and _type(bound, depth + 1) != "number":
                _refuse(bound, say("an index is a whole number"), say("write x[0], x[1:3] or m[:, 0]"))
    return "number"


def _call(node: ast.Call, depth: int) -> Type:
    if not isinstance(node.func, ast.Name):
        _refuse(node, say("only a function by its name can be called"), say("the functions are {names}", names=tuple(FUNCTIONS)))
    name = node.func.id
    if name not in FUNCTIONS:
        _refuse(node, say("there is no function {name}", name=name), _did_you_mean(name))
    function, count = FUNCTIONS[name], len(node.args)
    usage = function.usage or f"{name}(x{' > 0' if function.takes == 'truth' else ''})"
    if not function.least <= count <= function.most or node.keywords:
        hint = say("write {usage}", usage=usage)
        if any(_is_decimal_comma(*pair) for pair in pairwise(node.args)):
            hint = say("a decimal has a point, as in 8.5; {hint}", hint=hint)
        _refuse(node, say("{name} does not take {count} values", name=name, count=count), hint)
    for argument in node.args:
        if _type(argument, depth + 1) != function.takes:
            _refuse(
                argument,
                say("{name} needs a number", name=name) if function.takes == "number" else say("{name} needs a comparison", name=name),
                say("write {usage}", usage=usage),
            )
    return function.gives


def _is_decimal_comma(left: ast.expr, right: ast.expr) -> bool:
    """Whether two numbers stand with a comma and no space between them: 8,5."""
    return isinstance(left, ast.Constant) and isinstance(right, ast.Constant) and right.col_offset == (left.end_col_offset or 0) + 1


def _did_you_mean(name: str) -> str:
    if name.lower() in _ALIASES:
        return say("did you mean {words}?", words=_ALIASES[name.lower()])
    return did_you_mean(name.lower(), FUNCTIONS) or say("the functions are {names}", names=tuple(FUNCTIONS))
