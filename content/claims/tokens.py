"""What a claim is spelled with: a whitelist of tokens, and a helpful sentence for the spellings of other languages."""

from __future__ import annotations

import keyword
import re

from content.format import CLAIM_LIMIT

DEPTH_LIMIT = 50

_WORDS = {"and", "or", "not"}
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|<=|>=|==|!=|[-+*%<>(),\[\]]|/(?!/))",
    re.ASCII,
)
_MISTAKES = tuple((re.compile(pattern), message, hint) for pattern, message, hint in (
    (r"≈|~=|≃", "{} is not part of the language", "write close(a, b, 0.05): equal within 5 %"),
    (r"≤|⩽|=<", "{} is not part of the language", "write <="),
    (r"≥|⩾|=>", "{} is not part of the language", "write >="),
    (r"≠|<>|=!=|!==", "{} is not part of the language", "write !="),
    (r"===", "{} is not part of the language", "write =="),
    (r":?=", "{} gives a value; a claim compares", "write =="),
    (r"\^", "{} is not a power here", "write **, as in x**2"),
    (r"√", "{} is not part of the language", "write sqrt(x)"),
    (r"[²³]", "{} is not part of the language", "write x**2"),
    (r"&&?|∧", "{} is not part of the language", "write and"),
    (r"\|\|?|∨", "{} is not part of the language", "write or, and abs(x) for a magnitude"),
    (r"!|¬", "{} is not part of the language", "write not"),
    (r"[×·⋅]", "{} is not part of the language", "write *"),
    (r"÷|//", "{} is not part of the language", "write /"),
    (r"[−–—]", "{} is not a minus sign", "write -"),
    (r"[\"'“”‘’`]", "texts cannot be compared", "use numbers; a text parameter belongs in set:"),
    (r"\.", "a point outside a number has no meaning", "names have no parts; write 0.5, not x.y"),
    (r":", "slices and : are not part of the language", "take one element: x[0], x[-1], m[i][j]"),
    (r"#", "a claim has no comments", "put the words into says:"),
    (r"[（），。；：【】＜＞]", "{} is a full-width character", "write its ASCII form"),
))  # fmt: skip
_ANY_MISTAKE = re.compile("|".join(pattern.pattern for pattern, _, _ in _MISTAKES))


class ClaimError(ValueError):
    """A claim that cannot be read: a sentence, the column (from 1) and what to do."""

    def __init__(self, message: str, column: int = 1, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.column, self.hint = message, column, hint


def names_in(text: str) -> tuple[str, ...]:
    """The names in a claim, each once, in order; a function's, too.

    Raises ClaimError unless it is made of numbers, names and known operators: nothing else reaches Python's own parser.
    """
    if not text:
        raise ClaimError("the claim is empty", 1, "compare a result with a number: leak == 0")
    if len(text) > CLAIM_LIMIT:
        raise ClaimError(f"{len(text)} characters; the limit is {CLAIM_LIMIT}", CLAIM_LIMIT + 1, "split it into several claims")
    names: dict[str, None] = {}
    position = depth = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            _check_mistakes(text, position, 0)
            raise _stray(text, position)
        if token.lastgroup == "operator":
            _check_mistakes(text, position, len(token[0]))
            depth += (token[0] in "([") - (token[0] in ")]")
            if depth > DEPTH_LIMIT:
                raise ClaimError("this is nested too deeply", position + 1, "split it into several claims")
        elif token.lastgroup == "name" and token[0] not in _WORDS:
            if keyword.iskeyword(token[0]):
                raise ClaimError(f"{token[0]} is not part of the language", position + 1, "a claim compares numbers: raw_std > 1")
            names[token[0]] = None
        position = token.end()
    return tuple(names)


def _check_mistakes(text: str, position: int, known: int) -> None:
    """Raises ClaimError for a spelling of other languages that is longer than the operator known to stand here."""
    for pattern, message, hint in _MISTAKES if _ANY_MISTAKE.match(text, position) else ():
        found = pattern.match(text, position)
        if found and len(found[0]) > known:
            raise ClaimError(message.format(found[0]), position + 1, hint)


def _stray(text: str, position: int) -> ClaimError:
    character = text[position]
    if character in "0123456789":
        written = re.compile(r"[\w.]+").match(text, position)
        return ClaimError(f"{written[0] if written else character} is not a number", position + 1, "write 12, 0.5 or 1e-6")
    if character.isprintable():
        known = "names are the English names of parameters and results" if character.isalpha() else "there are + - * / ** % and comparisons"
        return ClaimError(f"{character} is not part of the language", position + 1, known)
    return ClaimError(f"there is a character that cannot be seen (U+{ord(character):04X})", position + 1, "delete it")
