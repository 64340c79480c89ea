"""Characters that nobody sees: refused in decks, shown as escapes wherever other people's text reaches a terminal."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_RANGES = (
    (0x00, 0x09), (0x0B, 0x1F),      # C0, with tab; a line break is the only control that a text may hold
    (0x7F, 0x9F),                    # DEL and C1: a terminal obeys U+009B like ESC [
    (0xAD, 0xAD), (0x34F, 0x34F),    # soft hyphen, grapheme joiner
    (0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069),  # bidi: text that reads otherwise than it is
    (0x115F, 0x1160), (0x3164, 0x3164), (0xFFA0, 0xFFA0),                  # fillers without ink
    (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200D), (0x2028, 0x2029), (0x2060, 0x2065), (0x206A, 0x206F), (0xFEFF, 0xFEFF),
    (0xD800, 0xDFFF),                # lone surrogates: undecodable bytes of file names
    (0xFDD0, 0xFDEF), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xFE00, 0xFE0F),                # variation selectors: VS16 has a different width in every terminal
    (0xE0000, 0xE0FFF),              # tags: whole sentences that no one can see
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
)  # fmt: skip
_NAMES = {"\t": "a tab", "\x1b": "an escape character", "\ufeff": "a zero-width mark"}
_SORTS = {"Cc": "a control character", "Cs": "half of a surrogate pair", "Cn": "a code that is no character"}


@cache
def _unclean() -> re.Pattern[str]:
    """Any of them; made at the first use, which is not before the first screen."""
    return re.compile("[" + "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in _RANGES) + "]")


def unclean(text: str) -> list[tuple[int, str]]:
    """Offset and name, for a person, of each character that a deck may not hold, such as `(3, "a tab (U+0009)")`."""
    if not _unclean().search("".join(set(text))):  # a big deck has few different characters: four times as quick
        return []
    return [(found.start(), _named(found.group())) for found in _unclean().finditer(text)]


def clean(text: str) -> str:
    """The text as it may go to a terminal: a tab is a space, everything else that nobody sees is its escape, such as `\\u200b`."""
    return _unclean().sub(_escaped, text)


def blanked(text: str) -> str:
    """The text with every unclean character replaced by one visible character, so that all offsets stay."""
    return _unclean().sub("\N{REPLACEMENT CHARACTER}", text)


def _named(character: str) -> str:
    official = unicodedata.name(character, "an invisible character").lower()
    name = _NAMES.get(character) or _SORTS.get(unicodedata.category(character)) or official
    return f"{name} (U+{ord(character):04X})"


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code == 9:
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
