"""A line of an author's computation, read into a plain tree that another process can give a meaning to.

A node is a tuple: its kind, where it begins and ends in the text, and its parts:

    ("number", start, end, 2.5)                 ("name", start, end, "logits")        ("list", start, end, (node, ...))
    ("unary", start, end, "-", node)            ("binary", start, end, "@", left, right)
    ("compare", start, end, ("<", ...), (node, ...))
    ("call", start, end, "softmax", (node, ...), (("dim", node), ...))
    ("index", start, end, node, (item, ...))    an item is a node, or ("slice", start, end, low, high, step) whose parts may be None
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, NoReturn

from content.claims.syntax import on_one_line, syntax_tree
from content.claims.tokens import DEPTH_LIMIT, ClaimError
from content.messages.sentence import say
from content.text.nearest import did_you_mean, nearest

Node = tuple[Any, ...]

# How each function is written; the engine has the same names, and a test holds the two together.
USAGE: Mapping[str, str] = {
    "zeros": "zeros(sizes...)", "ones": "ones(sizes...)", "eye": "eye(n)", "arange": "arange(bounds...)",
    "linspace": "linspace(low, high, n)", "randn": "randn(sizes..., seed)", "rand": "rand(sizes..., seed)",
    "exp": "exp(x)", "log": "log(x)", "log2": "log2(x)", "sqrt": "sqrt(x)", "abs": "abs(x)", "sin": "sin(x)", "cos": "cos(x)",
    "floor": "floor(x)", "ceil": "ceil(x)", "round": "round(x)", "relu": "relu(x)", "gelu": "gelu(x)", "tanh": "tanh(x)",
    "sigmoid": "sigmoid(x)", "erf": "erf(x)", "sign": "sign(x)", "where": "where(condition, then, otherwise)",
    "masked_fill": "masked_fill(x, mask, value)", "clamp": "clamp(x, low, high)", "close": "close(a, b, within)",
    "sum": "sum(x, dim=all)", "mean": "mean(x, dim=all)", "std": "std(x, dim=all)", "var": "var(x, dim=all)", "norm": "norm(x, dim=all)",
    "max": "max(values..., dim=all)", "min": "min(values..., dim=all)", "argmax": "argmax(x, dim=all)", "argmin": "argmin(x, dim=all)",
    "count": "count(condition, dim=all)", "softmax": "softmax(x, dim=-1)", "log_softmax": "log_softmax(x, dim=-1)",
    "logsumexp": "logsumexp(x, dim=-1)", "layer_norm": "layer_norm(x, eps=1e-05)", "sort": "sort(x, descending=false, dim=-1)",
    "argsort": "argsort(x, descending=false, dim=-1)", "cumsum": "cumsum(x, dim=-1)", "topk": "topk(x, k, dim=-1)",
    "quantile": "quantile(x, q)", "svdvals": "svdvals(x)", "dot": "dot(a, b)", "cosine": "cosine(a, b)",
    "transpose": "transpose(x, a=-2, b=-1)",
    "reshape": "reshape(x, sizes...)", "flatten": "flatten(x)", "cat": "cat(tensors..., dim=0)", "stack": "stack(tensors..., dim=0)",
    "outer": "outer(a, b)", "diagonal": "diagonal(x)", "tril": "tril(x, k=0)", "triu": "triu(x, k=0)", "row": "row(x, index)",
    "column": "column(x, index)", "one_hot": "one_hot(index, n)", "len": "len(x)", "size": "size(x, dim)", "grad": "grad(y, x)",
}  # fmt: skip
CONSTANTS = frozenset({"true", "false", "inf", "pi"})
_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip
_UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not"}
_COMPARED: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_ALIASES = {
    "avg": "mean", "average": "mean", "ln": "log", "length": "len", "sorted": "sort", "concat": "cat", "concatenate": "cat", "matmul": "@",
    "mm": "@", "T": "transpose", "t": "transpose", "range": "arange", "random": "rand", "normal": "randn",
    "maximum": "max", "minimum": "min",
    "view": "reshape", "power": "**", "pow": "**", "sigma": "sigmoid", "logits": "log_softmax",
}  # fmt: skip


def parse_computation(text: str) -> Node:
    """Reads a line. Raises ClaimError with a column for everything that is none; no other exception leaves."""
    text = on_one_line(text)
    return _node(syntax_tree(text, "computation"), 0)


def names_of(node: Node) -> Iterator[tuple[str, int]]:
    """The names that a line needs, in order, with their places; no function's, no constant's."""
    if node[0] == "name" and node[3] not in CONSTANTS:
        yield node[3], node[1]
    for part in node[3:]:
        yield from _names_in(part)


def _names_in(part: object) -> Iterator[tuple[str, int]]:
    if isinstance(part, tuple):
        if len(part) > 2 and isinstance(part[0], str) and isinstance(part[1], int):
            yield from names_of(part)
        else:
            for each in part:
                yield from _names_in(each)


def _refuse(node: ast.AST, message: str, hint: str = "") -> NoReturn:
    raise ClaimError(message, getattr(node, "col_offset", 0) + 1, hint)


def _node(node: ast.expr, depth: int) -> Node:
    """Raises ClaimError for every node that is not listed here."""
    if depth > DEPTH_LIMIT:
        _refuse(node, say("this is nested too deeply"), say("split it into several lines"))
    start, end, below = node.col_offset, node.end_col_offset or node.col_offset, depth + 1
    match node:
        case ast.Constant() if type(node.value) in (int, float):
            if node.value in (math.inf, -math.inf) or (isinstance(node.value, int) and node.value.bit_length() > 1000):
                _refuse(node, say("this number is too large"))
            return "number", start, end, node.value
        case ast.Name():
            if node.id in USAGE:
                _refuse(node, say("{name} is a function", name=node.id), say("write {usage}", usage=USAGE[node.id]))
            return "name", start, end, node.id
        case ast.List():
            return "list", start, end, tuple(_node(part, below) for part in node.elts)
        case ast.UnaryOp() if type(node.op) in _UNARY:
            return "unary", start, end, _UNARY[type(node.op)], _node(node.operand, below)
        case ast.BinOp() if type(node.op) in _BINARY:
            return "binary", start, end, _BINARY[type(node.op)], _node(node.left, below), _node(node.right, below)
        case ast.BoolOp():
            sign, parts = "and" if isinstance(node.op, ast.And) else "or", [_node(part, below) for part in node.values]
            return reduce(lambda left, right: ("binary", left[1], right[2], sign, left, right), parts)
        case ast.Compare() if all(type(op) in _COMPARED for op in node.ops):
            signs = tuple(_COMPARED[type(op)] for op in node.ops)
            return "compare", start, end, signs, tuple(_node(part, below) for part in (node.left, *node.comparators))
        case ast.Subscript():
            items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return "index", start, end, _node(node.value, below), tuple(_item(item, below) for item in items)
        case ast.Call():
            return _call(node, below)
        case ast.Attribute():
            _refuse(node, say("names have no parts here"), say("write transpose(x), not x.T; an experiment reads no other run"))
    _refuse(
        node,
        say("this kind of expression is not part of the language"),
        say("numbers, names, + - * / ** % @, comparisons, x[i, :], functions"),
    )


def _item(node: ast.expr, depth: int) -> Node:
    if not isinstance(node, ast.Slice):
        return _node(node, depth)
    parts = (None if part is None else _node(part, depth) for part in (node.lower, node.upper, node.step))
    return "slice", node.col_offset, node.end_col_offset or node.col_offset, *parts


def _call(node: ast.Call, depth: int) -> Node:
    if not isinstance(node.func, ast.Name):
        _refuse(node, say("only a function by its name can be called"), say("write transpose(x), not x.transpose()"))
    name = node.func.id
    if name not in USAGE:
        _refuse(node, say("there is no function {name}", name=name), _meant(name))
    if any(isinstance(argument, ast.Starred) for argument in node.args) or any(keyword.arg is None for keyword in node.keywords):
        _refuse(node, say("* and ** take no list apart here"), say("write {usage}", usage=USAGE[name]))
    arguments = tuple(_node(argument, depth) for argument in node.args)
    named = tuple((keyword.arg, _node(keyword.value, depth)) for keyword in node.keywords)
    return "call", node.col_offset, node.end_col_offset or node.col_offset, name, arguments, named


def _meant(name: str) -> str:
    """What to write for a function that does not exist: by the name that other programs have for it, or by one that is nearly so spelt."""
    near = name if name in _ALIASES else next(iter(nearest(name.lower(), (*USAGE, *_ALIASES))), "")
    meant = _ALIASES.get(near)
    if meant:
        return say("write {usage}", usage=USAGE[meant]) if meant in USAGE else say("write {meant} between the two", meant=meant)
    return did_you_mean(name.lower(), USAGE) or say("the functions are {names}", names=tuple(USAGE))
