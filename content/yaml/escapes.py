"""Backslashes in double quotes: what YAML makes of each, and what an author of LaTeX loses by it.

`"\\frac"` is a form feed and the letters `rac`; `"\\sigma"` ends the reading. Each is told where it stands, and the text goes on as it was
meant, so that one slip is one problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import yaml

from content.messages.sentence import say
from content.yaml.clean import unclean
from content.yaml.emoji import without_selectors
from content.yaml.problems import Severity
from content.yaml.yaml_mistakes import ESCAPES

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_KNOWN = frozenset('0abtnvfre "/\\N_LP\n')  # what YAML takes after a backslash, beside x, u and U with their digits
_MADE = {
    "0": say("a zero byte"), "a": say("a bell character"), "b": say("a backspace"), "t": say("a tab"), "n": say("a line break"),
    "v": say("a vertical tab"), "f": say("a form feed"), "r": say("a carriage return"), "e": say("an escape character"),
    "N": say("a line break of another kind"), "_": say("a no-break space"), "L": say("a line separator"), "P": say("a paragraph separator"),
}  # fmt: skip
_MEANT = {  # two escapes that texts have: what follows makes one a command of LaTeX
    "n": re.compile(
        r"(?:abla|atural|cong|earrow|eq|eg|exists|geq|leq|less|gtr|ewline|mid|onumber|ot|otin|parallel|prec|subseteq|succ|warrow)(?![A-Za-z.])"
        r"|[uei](?![A-Za-z.]|\s*(?:[-+*/]?=|\())"
    ),
    "t": re.compile(
        r"(?:ag|anh?|au|bf|ext[a-z]*|frac|herefore|heta|hickspace|hinspace|ilde|imes|o|op|r|riangle[a-z]*|t|woheadrightarrow)(?![A-Za-z])"
    ),
}
_CODE = frozenset({"listing", "right"})  # keys of texts that are code, where line breaks and tabs are meant


class Slip(NamedTuple):
    """A backslash that does not do what its author thinks; `offset` counts from the text's opening quote."""

    offset: int
    message: str
    hint: str = ESCAPES
    severity: Severity = "error"
    is_command: bool = True  # so that the text is what was meant, backslash and all


def without_unknown(text: str, start: int) -> str | None:
    """A file's text, as long as before, with nothing unknown in the double quotes that open at an offset; None where nothing is."""
    found = _QUOTED.match(text, start)
    if not found:
        return None
    mended = _ESCAPE.sub(lambda escape: escape[0] if _is_known(escape[0]) else "/" + escape[0][1:], found[0])
    return None if mended == found[0] else text[:start] + mended + text[found.end() :]


def slips(raw: str, key: str) -> Iterator[Slip]:
    """Every slip in a text in double quotes, which is the value of a key."""
    for found in _ESCAPE.finditer(raw):
        escape, rest = found[0], raw[found.end() : found.end() + 30]
        if not _is_known(escape):
            yield Slip(found.start(), *_unknown(escape))
        elif escape[1] in _MEANT:
            if key not in _CODE and _MEANT[escape[1]].match(rest):
                yield Slip(found.start(), _lost(escape, rest), severity="warning" if escape[1] == "n" else "error")
        elif escape[1] == "_":
            yield Slip(found.start(), _lost(escape, rest), severity="warning")
        elif hidden := unclean(without_selectors("x" + _character(escape))):
            if len(escape) == 2 and rest[:1].isalpha():
                yield Slip(found.start(), _lost(escape, rest))
            else:
                yield Slip(found.start(), say("an escape makes {character} in this text", character=hidden[0][1]), is_command=False)


def as_meant(raw: str, found: Iterable[Slip]) -> str | None:
    """The value of a text in which the backslashes of some slips are what the author typed; None where it cannot be read even so."""
    mended, at = "", 0
    for slip in found:
        if not slip.is_command:
            continue
        mended, at = mended + raw[at : slip.offset] + "\\", slip.offset
    try:
        return next((event.value for event in yaml.parse(mended + raw[at:], yaml.CSafeLoader) if isinstance(event, yaml.ScalarEvent)), None)
    except yaml.YAMLError:
        return None


def _is_known(escape: str) -> bool:
    if escape[1] in "xuU":
        code = int(escape[2:], 16) if len(escape) > 2 else -1
        return 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000
    return escape[1] in _KNOWN


def _character(escape: str) -> str:
    """What a known escape makes, as far as a text may not hold it."""
    if len(escape) > 2:
        return chr(int(escape[2:], 16))
    return {"N": "\x85", "L": "\u2028", "P": "\u2029", "0": "\0", "e": "\x1b", "a": "\a", "b": "\b", "v": "\v", "f": "\f", "r": "\r"}.get(
        escape[1], ""
    )


def _lost(escape: str, rest: str) -> str:
    """What became of a command of LaTeX."""
    letters = re.match("[A-Za-z]*", rest)
    word = letters[0] if letters else ""
    lost = say("{command} in double quotes is {made}", command=escape + word, made=_MADE[escape[1]])
    if not word:
        return lost
    return (
        say("{lost} and the letters {word}", lost=lost, word=word)
        if len(word) > 1
        else say("{lost} and the letter {word}", lost=lost, word=word)
    )


def _unknown(escape: str) -> tuple[str, str]:
    if escape[1] == "'":
        return say("an apostrophe in double quotes has no backslash"), say("delete the backslash")
    if escape[1] in "uU" and len(escape) > 2:
        return say("there is no character with this code"), say("write the character itself")
    return say("this backslash is not an escape that YAML knows"), ESCAPES
