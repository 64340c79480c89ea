"""What a claim is spelled with: a whitelist of tokens, and a helpful sentence for the spellings of other languages."""

from __future__ import annotations

import keyword
import re
from typing import Literal

from content.format import CLAIM_LIMIT
from content.messages.sentence import say, template
from content.yaml.numerals import meant

DEPTH_LIMIT = 50

_WORDS = {"and", "or", "not"}
Dialect = Literal["claim", "computation"]  # what is said of a run's numbers, and a line that makes numbers


def _token(operators: str) -> re.Pattern[str]:
    return re.compile(
        r"(?P<space>\s+)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z]\w*)?)"
        rf"|(?P<operator>\*\*|<=|>=|==|!=|[{operators}]|/(?!/))",
        re.ASCII,
    )


_TOKENS: dict[Dialect, re.Pattern[str]] = {
    "claim": _token(r"-+*%<>(),\[\]:"),
    "computation": _token(r"-+*%<>(),\[\]:@="),  # a matrix product, and an argument by its name
}
_MISTAKES = tuple((re.compile(pattern), message, hint) for pattern, message, hint in (
    (r"≈|~=|≃", template("{sign} is not part of the language"), say("write close(a, b, 0.05): equal within 5 %")),
    (r"≤|⩽|=<", template("{sign} is not part of the language"), say("write <=")),
    (r"≥|⩾|=>", template("{sign} is not part of the language"), say("write >=")),
    (r"≠|<>|=!=|!==", template("{sign} is not part of the language"), say("write !=")),
    (r"===", template("{sign} is not part of the language"), say("write ==")),
    (r":?=", template("{sign} gives a value; a claim compares"), say("write ==")),
    (r"\^", template("{sign} is not a power here"), say("write **, as in x**2")),
    (r"√", template("{sign} is not part of the language"), say("write sqrt(x)")),
    (r"[²³]", template("{sign} is not part of the language"), say("write x**2")),
    (r"&&?|∧", template("{sign} is not part of the language"), say("write and")),
    (r"\|\|?|∨", template("{sign} is not part of the language"), say("write or, and abs(x) for a magnitude")),
    (r"!|¬", template("{sign} is not part of the language"), say("write not")),
    (r"[×·⋅]", template("{sign} is not part of the language"), say("write *")),
    (r"÷|//", template("{sign} is not part of the language"), say("write /")),
    (r"[−–—]", template("{sign} is not a minus sign"), say("write -")),
    (r"[\"'“”‘’`]", template("texts cannot be compared"), say("use numbers; a text parameter belongs in set:")),
    (r"\.", template("a point outside a number has no meaning"), say("write 0.5, or the name of a run and one of its results: long.flops")),
    (r"@", template("{sign} is not part of the language"), say("matrices are multiplied in an experiment's compute:")),
    (r"∞", template("{sign} is not part of the language"), say("compare with a large number, such as 1e6")),
    (r"[‰]", template("{sign} is not part of the language"), say("write 0.005")),
    (r"π", template("{sign} is not part of the language"), say("write 3.14159265")),
    (r"#", template("a claim has no comments"), say("put the words into says:")),
    (r"[（），。；：【】＜＞]", template("{sign} is a full-width character"), say("write its ASCII form")),
))  # fmt: skip
_NUMBERS = tuple((re.compile(pattern), message) for pattern, message in (
    (r"\d[\d.,]*(?:[eE][+-]?\d+)?\s*[%％](?=\s*(?:$|[)\],<>=!&|]|and\b|or\b))",
     template("the % of {written} is no percent: it means a remainder here")),
    (r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d)", template("{written} is not a number here, because of its comma")),
    (r"\d+(?:\.\d{3})*,\d+(?!\d|,\d)", template("{written} is not a number here, because of its comma")),
    (r"\d{1,3}(?: \d{3})+(?![\d.])", template("{written} is not a number here, because of its space")),
        (r"\d{1,3}(?:['’]\d{3})+(?!\d)", template("{written} is not a number here, because of its apostrophe")),
    (r"\d+(?:_\d+)+(?!\w)", template("{written} is not a number here, because of its underscore")),
    (r"0[xX][0-9a-fA-F]+(?!\w)", template("{written} is not a number here")),
    (r"0\d+(?![\w.])", template("{written} is not a number here, because of its leading zero")),
    (r"[0-9.]*(?:(?![0-9])\d|[．。])[\d.．。]*(?!\w)|[½⅓⅔¼¾⅕⅛]", template("{written} is not a number here")),
))  # fmt: skip
_LEADING_ZERO = re.compile(r",0\d")
_ANY_MISTAKE = re.compile("|".join(pattern.pattern for pattern, _, _ in _MISTAKES))


class ClaimError(ValueError):
    """A claim that cannot be read: a sentence, the column (from 1) and what to do."""

    def __init__(self, message: str, column: int = 1, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.column, self.hint = message, column, hint


def check_spelling(text: str, dialect: Dialect) -> None:
    """Raises ClaimError unless a text is made of numbers, names and known operators: nothing else reaches Python's own parser."""
    if not text:
        raise ClaimError(
            say("the claim is empty") if dialect == "claim" else say("the line is empty"),
            1,
            say("compare a result with a number: leak == 0"),
        )
    if len(text) > CLAIM_LIMIT:
        raise ClaimError(
            say("{count} characters; the limit is {limit}", count=len(text), limit=CLAIM_LIMIT),
            CLAIM_LIMIT + 1,
            say("split it into several claims"),
        )
    position = depth = 0
    before = ""  # the last word, number or closing bracket, behind which an operator has to come
    while position < len(text):
        if text[position].isnumeric() and not text[position - 1 : position].isalnum():
            _check_number(text, position, depth)
        token = _TOKENS[dialect].match(text, position)
        if token is None:
            _check_mistakes(text, position, 0)
            raise _stray(text, position)
        if token.lastgroup == "operator":
            _check_mistakes(text, position, len(token[0]))
            depth += (token[0] in "([") - (token[0] in ")]")
            if depth > DEPTH_LIMIT:
                raise ClaimError(say("this is nested too deeply"), position + 1, say("split it into several claims"))
        elif token.lastgroup != "space":
            _check_operand(token, before)
        if token.lastgroup != "space":
            before = "" if token[0] in _WORDS or (token.lastgroup == "operator" and token[0] not in ")]") else token[0]
        position = token.end()


def _check_operand(token: re.Match[str], before: str) -> None:
    """Raises ClaimError for a word of Python's, and for a number or a name right behind another one."""
    if any(map(keyword.iskeyword, token[0].split("."))) and token[0] not in _WORDS:
        raise ClaimError(
            say("{sign} is not part of the language", sign=token[0]), token.start() + 1, say("a claim compares numbers: raw_std > 1")
        )
    if before and token[0] not in ("and", "or"):
        raise ClaimError(
            say("nothing stands between {before} and {token}", before=before, token=token[0]),
            token.start() + 1,
            say("put an operator between them: < + * and"),
        )


def _check_number(text: str, position: int, depth: int) -> None:
    """Raises ClaimError for a number that is spelt as in other places: with a percent sign, a comma, a space, in other digits."""
    for spelling, message in _NUMBERS:
        found = spelling.match(text, position)
        if not found or (depth and "," in found[0] and not _LEADING_ZERO.search(found[0])):
            continue  # within parentheses a comma parts two values
        better = meant(found[0])
        raise ClaimError(
            say(message, written=found[0]), position + 1, say("write {better}", better=better) if better else say("write 12, 0.5 or 1e-6")
        )


def _check_mistakes(text: str, position: int, known: int) -> None:
    """Raises ClaimError for a spelling of other languages that is longer than the operator known to stand here."""
    for pattern, message, hint in _MISTAKES if _ANY_MISTAKE.match(text, position) else ():
        found = pattern.match(text, position)
        if found and len(found[0]) > known:
            raise ClaimError(say(message, sign=found[0]), position + 1, hint)


def _stray(text: str, position: int) -> ClaimError:
    character = text[position]
    if character in "0123456789":
        written = re.compile(r"[\w.]+").match(text, position)
        return ClaimError(
            say("{name} is not a number", name=written[0] if written else character), position + 1, say("write 12, 0.5 or 1e-6")
        )
    if character.isprintable():
        known = (
            say("names are the English names of parameters and results")
            if character.isalpha()
            else say("there are + - * / ** % and comparisons")
        )
        return ClaimError(say("{sign} is not part of the language", sign=character), position + 1, known)
    return ClaimError(say("there is a character that cannot be seen (U+{code:04X})", code=ord(character)), position + 1, say("delete it"))
