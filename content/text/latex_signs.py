"""One sign of a formula: a command of LaTeX or a character, and which of them card text knows."""

from __future__ import annotations

import unicodedata

from content.messages.sentence import say
from content.text.latex_node import MathError, Node
from content.text.symbols import ACCENTS, ALIASES, BRACES, BY_CHARACTER, FONTS, KINDS, SPACES, SYMBOLS, TYPED, Kind

_SIGNS = frozenset({"Sm", "No", "Lm", "Sc"})
_BUILT = BRACES | frozenset({"frac", "binom", "sqrt", "text", "left", "right", "begin", "end"})  # what the reader itself takes apart
_KIND_OF: dict[str, Kind] = {name: kind for kind, names in reversed(KINDS) for name in names}


def is_command(name: str) -> bool:
    """Whether a word after a backslash is a command of LaTeX that card text knows."""
    return name in SYMBOLS or name in FONTS or name in ACCENTS or name in ALIASES or name in _BUILT


def character(token: str, start: int) -> Node:
    """The sign that a character means. Raises MathError where it means none."""
    if "！" <= token <= "～":
        token = unicodedata.normalize("NFKC", token)  # typed with a Chinese keyboard
    token = TYPED.get(token, token)
    if token in BY_CHARACTER:
        return symbol("\\" + BY_CHARACTER[token])
    if token == "~":
        return symbol("\\ ")
    if (
        token[0] == "\\"
        or token[0].isdigit()
        or _is_sign(token)
        or (token.isalpha() and unicodedata.east_asian_width(token) not in "WF")
        or token in "+-*/=<>()[]|!?.:;,'@\"%"
    ):
        return symbol(token)
    if token == "$":
        raise MathError(say("a $ inside math"), start, say("close the formula before the next one begins"))
    if token in "#\\&}":
        raise MathError(say("{token} has no meaning here", token=token), start, say("& belongs between the cells of a matrix"))
    raise MathError(say("{token} cannot be shown in math", token=shown(token)), start, say("write its LaTeX command, or \\text{...}"))


def _is_sign(token: str) -> bool:
    """A sign that takes one column and has no command here: a raised digit, a currency, an arrow of another kind."""
    return not token.isascii() and unicodedata.category(token) in _SIGNS and unicodedata.east_asian_width(token) not in "WF"


def shown(token: str) -> str:
    """What somebody typed, for a sentence about it."""
    return "".join(character if character.isprintable() else f"U+{ord(character):04X}" for character in token)


def symbol(token: str) -> Node:
    """The sign of a command or of a character that card text knows."""
    name = token[1:] if token[0] == "\\" else token
    return Node("space" if token in SPACES else _KIND_OF.get(name, "ord"), token)
