"""The claim language: a whitelist of syntax, in which every part is a number or a truth."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NoReturn

from content.claims.tokens import DEPTH_LIMIT, ClaimError, names_in
from content.text.nearest import did_you_mean

Type = Literal["number", "truth"]

# What each function takes and gives. `min` and `max` also take several numbers.
FUNCTIONS: dict[str, tuple[Type, Type]] = {
    "abs": ("number", "number"),
    "min": ("number", "number"),
    "max": ("number", "number"),
    "sum": ("number", "number"),
    "mean": ("number", "number"),
    "len": ("number", "number"),
    "sqrt": ("number", "number"),
    "exp": ("number", "number"),
    "log": ("number", "number"),
    "log2": ("number", "number"),
    "close": ("number", "truth"),
    "all": ("truth", "truth"),
    "any": ("truth", "truth"),
}
RELATIONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Pow)
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


def parse(text: str) -> Expression:
    """Reads a claim. Raises ClaimError for everything that is not one; no other exception leaves."""
    text = " ".join(text.split("\n")).strip()
    names = names_in(text)
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        column = min(max(error.offset or 1, 1), len(text))
        raise ClaimError("this is not a complete expression", column, _completion(text)) from None
    except (ValueError, RecursionError, MemoryError):
        raise ClaimError("this is nested too deeply", 1, "split it into several claims") from None
    if _type(tree, 0) != "truth":
        raise ClaimError("a claim is true or false; this is a number", 1, "compare it: ... < 0.1")
    return Expression(text, tuple(name for name in names if name not in FUNCTIONS), tree)


def _completion(text: str) -> str:
    missing = text.count("(") - text.count(")")
    if missing:
        return "a ) is missing" if missing > 0 else "there is one ) too many"
    return "write something like abs(raw_std - 1) < 0.1"


def _refuse(node: ast.expr, message: str, hint: str = "") -> NoReturn:
    raise ClaimError(message, node.col_offset + 1, hint)


def _type(node: ast.expr, depth: int) -> Type:
    """Whether a node is a number or a truth. Raises ClaimError for every node that is not listed here."""
    if depth > DEPTH_LIMIT:
        _refuse(node, "this is nested too deeply", "split it into several claims")
    match node:
        case ast.Constant() if type(node.value) in (int, float):
            if node.value in (float("inf"), float("-inf")):
                _refuse(node, "this number is too large")
            return "number"
        case ast.Name():
            if node.id in FUNCTIONS:
                _refuse(node, f"{node.id} is a function", f"write {node.id}(...)")
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
            _refuse(node, "a claim is one sentence, without a comma", "write and between two comparisons, or make two claims")
    _refuse(node, "this kind of expression is not part of the language", "numbers, names, + - * / ** %, comparisons, and / or / not")


def _operands(parts: Iterable[ast.expr], wanted: Type, depth: int, gives: Type | None = None) -> Type:
    for part in parts:
        if _type(part, depth + 1) != wanted:
            told = "this is true or false, and a number is needed" if wanted == "number" else "this is a number, and a comparison is needed"
            _refuse(part, told, "a chain is written 0 <= x <= 1" if wanted == "number" else "write x > 0")
    return gives or wanted


def _subscript(node: ast.Subscript, depth: int) -> Type:
    inner = node.value.value if isinstance(node.value, ast.Subscript) else node.value
    if not isinstance(inner, ast.Name) or inner.id in FUNCTIONS:
        _refuse(node, "only a vector or a matrix by its name has elements", "write x[0] or m[i][j]")
    if isinstance(node.slice, ast.Tuple):
        _refuse(node.slice, "an element is named by one index at a time", "write m[i][j]")
    if isinstance(node.value, ast.Subscript):
        _subscript(node.value, depth + 1)
    if _type(node.slice, depth + 1) != "number":
        _refuse(node.slice, "an index is a whole number", "write x[0]")
    return "number"


def _call(node: ast.Call, depth: int) -> Type:
    if not isinstance(node.func, ast.Name):
        _refuse(node, "only a function by its name can be called", f"the functions are {', '.join(FUNCTIONS)}")
    name = node.func.id
    if name not in FUNCTIONS:
        _refuse(node, f"there is no function {name}", _did_you_mean(name))
    count = len(node.args)
    right = count == 3 if name == "close" else count >= 1 if name in ("min", "max") else count == 1
    if not right:
        hint = "close(a, b, 0.05) is true when a and b differ by at most 5 %" if name == "close" else f"write {name}(x)"
        if any(_is_decimal_comma(*pair) for pair in pairwise(node.args)):
            hint = f"a decimal has a point, as in 8.5; {hint}"
        _refuse(node, f"{name} does not take {count} values", hint)
    takes, gives = FUNCTIONS[name]
    for argument in node.args:
        if _type(argument, depth + 1) != takes:
            _refuse(
                argument,
                f"{name} needs a {'number' if takes == 'number' else 'comparison'}",
                f"write {name}(x{'' if takes == 'number' else ' > 0'})",
            )
    return gives


def _is_decimal_comma(left: ast.expr, right: ast.expr) -> bool:
    """Whether two numbers stand with a comma and no space between them: 8,5."""
    return isinstance(left, ast.Constant) and isinstance(right, ast.Constant) and right.col_offset == (left.end_col_offset or 0) + 1


def _did_you_mean(name: str) -> str:
    if name.lower() in _ALIASES:
        return f"did you mean {_ALIASES[name.lower()]}?"
    return did_you_mean(name.lower(), FUNCTIONS) or f"the functions are {', '.join(FUNCTIONS)}"
