"""Math for a terminal: LaTeX as one line of Unicode, or as the art of TeXicode where it needs several."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from texicode import arts, lexer, parser, renderer

from content.messages.sentence import say
from content.text.formula_inline import one_line, spacing_roles
from content.text.latex import parse
from content.text.latex_node import NOTHING, MathError, Node
from content.text.symbols import BY_CHARACTER, EXTRA

__all__ = ["MathError", "check", "display", "inline"]

WIDTH_LIMIT = 160
ROWS_LIMIT = 40
SURE_LENGTH = 80  # characters of a formula that cannot be wider than WIDTH_LIMIT
SURE_SIZE = 60  # nodes of one, scripts that are not there included
_SURE_SIGNS = {*"+-=<>", "\\cdot", "\\times", "\\le", "\\ge", "\\top", "\\alpha", "\\beta", "\\theta", "\\sigma", "\\mu", "\\lambda"}

_OVERLINE = 0x305  # on a single letter under a root; most fonts set it beside the letter
for _rare in "CQqY":  # few fonts have these raised letters
    arts.unicode_scripts.pop(_rare, None)


@lru_cache(4096)
def inline(tex: str) -> str:
    """One line: `x^2` is x², `\\frac{QK^\\top}{\\sqrt{d_k}}` is QKᵀ/√d_k. Raises MathError."""
    return one_line(parse(tex))


@lru_cache(1024)
def display(tex: str) -> tuple[str, ...]:
    """Rows of equal meaning to the formula, as plain text. Raises MathError, also for what TeXicode cannot draw.

    Where only a letter that fonts do not have below the line would make a second row, one row is easier to read: W_Q.
    """
    strange: dict[str, str] = {}
    tree = parse(tex)
    source = _source(tree, strange)
    arts.font = arts.font_normal  # a setting of the whole module, so it is made each time
    try:
        drawn = ["".join(row) for row in renderer.render(parser.parse(lexer.lexer(source, False), False), False)]
    except Exception as error:  # it raises IndexError, KeyError and ValueError for what it does not expect
        hint = (
            say("a matrix or cases stands alone, not inside another construct") if "cmd_bgin" in str(error) else say("write it more simply")
        )
        raise MathError(say("this formula cannot be drawn"), 0, hint) from error
    written = {_OVERLINE: "", **{ord(cell): character for cell, character in strange.items()}}
    rows = _trimmed([row.translate(written).rstrip() for row in drawn])
    return (one_line(tree),) if len(rows) > 1 and _flat(tree) else rows


def _flat(node: Node) -> bool:
    """Whether a formula loses nothing in one line: no fractions, roots, sums or matrices, and scripts of one symbol."""
    if node.kind == "script":
        base, *scripts = node.parts
        return base.kind != "big" and _flat(base) and all(script == NOTHING or _is_symbol(script) for script in scripts)
    return node.kind not in ("frac", "binom", "root", "accent", "rows") and all(map(_flat, node.parts))


def _is_symbol(node: Node) -> bool:
    return not node.parts or (node.kind == "seq" and len(node.parts) == 1 and not node.parts[0].parts)


def check(tex: str) -> None:
    """Raises what `display` would raise, without drawing formulas that are sure to be drawn: most are, and drawing takes a while."""
    tree = parse(tex)
    if tree == NOTHING or len(tex) > SURE_LENGTH or sum(_sizes(tree)) > SURE_SIZE or not _is_sure(tree):
        display(tex)


def _sizes(node: Node) -> Iterator[int]:
    yield 1
    for part in node.parts:
        yield from _sizes(part)


def _is_sure(node: Node) -> bool:
    """Whether a formula is letters, numbers and common signs, with scripts, fractions and roots: TeXicode draws those."""
    match node.kind:
        case "ord" | "rel" | "bin":
            return node.text in _SURE_SIGNS or (node.text.isascii() and node.text.isalnum())
        case "script":
            base, *scripts = node.parts
            return base.kind == "ord" and _is_sure(base) and all(script == NOTHING or _is_sure(script) for script in scripts)
        case "root":
            return len(node.parts) == 1 and _is_sure(node.parts[0])
        case "seq" | "frac":
            return bool(node.parts) and all(map(_is_sure, node.parts))
    return False


def _trimmed(rows: list[str]) -> tuple[str, ...]:
    while rows and not rows[0]:
        rows = rows[1:]
    while rows and not rows[-1]:
        rows = rows[:-1]
    if not rows:
        raise MathError(say("this formula is empty"), 0, say("write something between the dollars"))
    if len(rows) > ROWS_LIMIT or max(map(len, rows)) > WIDTH_LIMIT:
        raise MathError(
            say("this formula is larger than {columns} columns or {rows} rows", columns=WIDTH_LIMIT, rows=ROWS_LIMIT), 0, say("split it")
        )
    margin = min(len(row) - len(row.lstrip()) for row in rows if row)
    return tuple(row[margin:] for row in rows)


def _source(node: Node, strange: dict[str, str], script: bool = False) -> str:
    """TeXicode's input, written anew from the tree, so that it only ever sees what it can draw."""

    def inner(part: Node, small: bool = script) -> str:
        return "{" + _source(part, strange, small) + "}"

    match node.kind:
        case "seq":
            return _row(node.parts, strange, script)
        case "word":
            return "\\text{" + "".join(_stand_in(character, strange) for character in node.text) + "}"
        case "frac" | "binom":
            return f"\\{node.kind}" + "".join(map(inner, node.parts))
        case "root":
            degree = f"[{_source(node.parts[1], strange, True)}]" if len(node.parts) > 1 else ""
            return f"\\sqrt{degree}{inner(node.parts[0])}"
        case "script":
            base, below, above = node.parts
            written = inner(base) if base.kind == "seq" else _source(base, strange, script or base.kind == "rel")
            raised = "{T}" if above.text == "\\top" else inner(above, True)
            if below != NOTHING and above.text == "\\top":  # above a low letter TeXicode wants a low T, which there is not
                raised = "{\\text{" + _stand_in("ᵀ", strange) + "}}"
            written += ("_" + inner(below, True) if below != NOTHING else "") + ("^" + raised if above != NOTHING else "")
            return f"\\;{written}\\;" if base.kind == "rel" and not script else written
        case "font" | "accent":
            return f"\\{node.text}{inner(node.parts[0])}"
        case "fence":
            left, _, right = node.text.partition(" ")
            return f"\\left{left} {_source(node.parts[0], strange, script)}\\right{right} "
        case "rows":
            body = " \\\\ ".join(" & ".join(_source(cell, strange, script) for cell in row.parts) for row in node.parts)
            return f"\\begin{{{node.text}}}{body}\\end{{{node.text}}}"
        case "rel":
            return _sign(node.text, strange) if script else f"\\;{_sign(node.text, strange)}\\;"
    return _sign(node.text, strange)


def _sign(token: str, strange: dict[str, str]) -> str:
    """A sign for TeXicode, or the stand-ins for one that it has no art for."""
    shown = EXTRA.get(token[1:], "") if token[:1] == "\\" else "" if token.isascii() or token in BY_CHARACTER else token
    return "\\text{" + "".join(_stand_in(character, strange) for character in shown) + "}" if shown else f"{token} "


def _row(parts: tuple[Node, ...], strange: dict[str, str], script: bool) -> str:
    """TeXicode sets no space after log or max: log p would be logp."""
    written, before = "", NOTHING
    for role, part in zip(spacing_roles(parts), parts, strict=True):
        named = before.kind in ("op", "big") and before.text not in ("\\sum", "\\prod", "\\int", "\\oint")
        gap = "\\;" if named and role not in ("open", "close", "punct", "fence", "sign", "space") else ""
        written += gap + _source(part, strange, script)
        before = part.parts[0] if part.kind == "script" else part
    return written


def _stand_in(character: str, strange: dict[str, str]) -> str:
    """Letters that TeXicode takes for one cell each; a wide character is two cells, so that what stands above it stays above it."""
    if character.isascii() and (character.isalnum() or character == " "):
        return character
    cells = ""
    for written in (character, "") if unicodedata.east_asian_width(character) in "WF" else (character,):
        cell = chr(0xAC00 + len(strange))  # a block of letters that math itself may not hold
        strange[cell] = written
        cells += cell
    return cells
