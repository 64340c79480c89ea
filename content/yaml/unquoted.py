"""Values without quotes between braces, `{says: ..., check: close(a[0], b)}`: YAML ends them at the first comma or bracket.

Where the value was meant to end can mostly be seen: before the next key, or at the brace that closes. Then the mistake is one, told at
the character that ends it, and everything behind it is read as it was meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from content.format import KEYS
from content.messages.sentence import say
from content.yaml.numerals import meant
from content.yaml.yaml_mistakes import QUOTES, excerpt

Spans = Mapping[int, int]  # where values begin, and where they end

LONGEST = 500  # characters of a value
STAND_IN = "x"  # for what may not stand in such a value; the composer takes the value from the file

_SPECIAL = re.compile(r"[][{},]|:(?=\s)")
_TOKEN = re.compile(
    r"""(?<=[\[{,:\s]) (?: "(?:[^"\\\n]|\\.)*" | '(?:[^'\n]|'')*' )  # a text in quotes,
      | [{,]\s* (?P<key>[\w-]{1,60}) :[ ]+ (?=[^\s'"\[{|>&*!%@`#,\]}])  # or the key of a value without any""",
    re.VERBOSE,
)
_NEXT = re.compile(r",\s*(?:[\w-]{1,60}|'[^'\n]{0,60}'|\"[^\"\n]{0,60}\"):(?:\s|$)")
_OWN_NEXT = re.compile(rf",\s*(?:{'|'.join(sorted(KEYS))}):\s")
_FULL_WIDTH = re.compile(  # between two values it is another slip, which has a sentence of its own; within a Chinese sentence it is none
    r"""[｛｝［］] | ，\s* (?: [A-Za-z_][\w-]{0,59}\s*[:：] | ['"] ) | ,\s* [A-Za-z_][\w-]{0,59}\s*：""", re.VERBOSE
)
_CLOSES = {")": "(", "]": "[", "}": "{"}


def unquoted(text: str, start: int, end: int) -> dict[int, int]:
    """The values between two places of a text that YAML would end too early."""
    found: dict[int, int] = {}
    while token := _TOKEN.search(text, start, end):
        start = token.end()
        if token["key"] and (meant := meant_end(text, token.end())):
            if _SPECIAL.search(text, token.end(), meant) and not _FULL_WIDTH.search(text, token.end(), meant):
                found[token.end()] = meant
            start = meant
    return found


def mended(text: str, spans: Spans) -> str:
    """The text with values that YAML reads to their ends; every character stays where it was."""
    pieces: list[str] = []
    last = 0
    for start, end in spans.items():
        pieces += [text[last:start], _SPECIAL.sub(STAND_IN, text[start:end])]
        last = end
    return "".join([*pieces, text[last:]])


def told(text: str, start: int, end: int) -> tuple[int, str, str]:
    """Where a value would be cut, what to say of it, and what to do. A comma is named before brackets: it is what nobody thinks of."""
    comma = text.find(",", start, end)
    special = _SPECIAL.search(text, start, end)
    at = comma if comma >= 0 or special is None else special.start()
    key = re.search(r"([\w-]+):\s*\Z", text[max(0, start - 80) : start])
    value = " ".join(text[start:end].split())
    if text[at] == ":":
        return at, say("a colon and a space inside a text without quotes"), QUOTES
    sign = say("comma") if text[at] == "," else text[at]
    if key is None:
        return at, say("the value of this ends at this {sign}: between braces it needs quotes", sign=sign), QUOTES
    message = say("the value of {key} ends at this {sign}: between braces it needs quotes", key=excerpt(key[1]), sign=sign)
    if number := meant(value):
        return at, message, say("write {key}: {value}", key=key[1], value=number)
    is_plain = len(value) <= 80 and not {'"', "\\"} & set(value)
    return at, message, say('write {key}: "{value}"', key=key[1], value=value) if is_plain else QUOTES


def comma_between(text: str, value: int, key: int) -> int | None:
    """Where the comma is that separates a value without quotes from what stands behind it; None where the value has quotes or is long."""
    at = key - 1
    while text[at].isspace():
        at -= 1
    return at if text[at] == "," and text[value] not in "'\"" and key - value < LONGEST else None


def meant_end(text: str, start: int) -> int:
    """Where the value that begins at a place was meant to end; 0 where nobody can say."""
    open_ones: list[str] = []
    for at in range(start, min(len(text), start + LONGEST)):
        character = text[at]
        if character in "([{":
            open_ones.append(character)
        elif character in ")]}":
            if _CLOSES[character] in open_ones:
                while open_ones.pop() != _CLOSES[character]:
                    pass
            elif character != ")":
                return at
        elif (character == "," and (_OWN_NEXT if open_ones else _NEXT).match(text, at)) or (character == "\n" and not open_ones):
            return at
        elif character == "#" and text[at - 1].isspace():
            return 0
    return 0
