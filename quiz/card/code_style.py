"""Python in colours: each line of a listing as spans. Only what is read; nothing of it runs."""

from __future__ import annotations

from functools import lru_cache

from quiz.card.typeset import Line, Span

_STYLES = (  # the first kind of token that fits
    ("Comment", "code-comment"),
    ("Keyword", "code-keyword"),
    ("Operator.Word", "code-keyword"),
    ("Literal.String", "code-string"),
    ("Literal.Number", "code-number"),
    ("Name.Builtin", "code-name"),
    ("Name.Function", "code-name"),
    ("Name.Class", "code-name"),
    ("Name.Decorator", "code-name"),
)


@lru_cache(64)
def code_lines(listing: str) -> tuple[Line, ...]:
    """The lines of a listing, with the style of every token; the text is the listing's, character by character."""
    from pygments.lexers.python import PythonLexer  # with its tables: a card without code does not wait for them

    rows: list[list[Span]] = [[]]
    for kind, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens(listing):
        style = _style(str(kind).removeprefix("Token."))
        for number, part in enumerate(text.split("\n")):
            if number:
                rows.append([])
            if part:
                rows[-1].append(Span(part, style))
    return tuple(map(tuple, rows))


def _style(kind: str) -> str:
    return next((style for name, style in _STYLES if kind.startswith(name)), "plain")
