"""An expression's text as Python's syntax tree, once nothing is in it but what the language is spelled with."""

from __future__ import annotations

import ast

from content.claims.tokens import ClaimError, Dialect, check_spelling
from content.messages.sentence import say


def syntax_tree(text: str, dialect: Dialect) -> ast.expr:
    """Raises ClaimError for everything that is no expression; no other exception leaves."""
    check_spelling(text, dialect)
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        column = min(max(error.offset or 1, 1), len(text))
        raise ClaimError(say("this is not a complete expression"), column, _completion(text, dialect)) from None
    except (ValueError, RecursionError, MemoryError):
        raise ClaimError(say("this is nested too deeply"), 1, say("split it into several")) from None


def on_one_line(text: str) -> str:
    """A text as it is read: a line's end is a space."""
    return " ".join(text.split("\n")).strip()


def _completion(text: str, dialect: Dialect) -> str:
    for opening, closing in ("()", "[]"):
        missing = text.count(opening) - text.count(closing)
        if missing:
            return (
                say("a {closing} is missing", closing=closing) if missing > 0 else say("there is one {closing} too many", closing=closing)
            )
    return (
        say("write something like abs(raw_std - 1) < 0.1")
        if dialect == "claim"
        else say("write something like softmax(q @ transpose(k) / sqrt(d_k))")
    )
