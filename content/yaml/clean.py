"""Characters that nobody sees: refused in decks, shown as escapes wherever other people's text reaches a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby

from content.messages.sentence import say, template

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
_NAMES = {"\t": say("a tab"), "\x1b": say("an escape character"), "\ufeff": say("a zero-width mark")}
_VISIBLE = "\N{REPLACEMENT CHARACTER}"
MOST_MARKS = 8  # on one letter: no script needs more, and a terminal draws ten thousand over each other, or stops
_PERHAPS_MARKS = re.compile(rf"[^\w\s\x00-\x7f]{{{MOST_MARKS + 1},}}")  # neither letters nor spaces: marks, or a line of a box
_SORTS = {"Cc": say("a control character"), "Cs": say("half of a surrogate pair"), "Cn": say("a code that is no character")}


@cache
def _unclean() -> re.Pattern[str]:
    """Any of them; made at the first use, which is not before the first screen."""
    return re.compile("[" + "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in _RANGES) + "]")


def unclean(text: str) -> list[tuple[int, str]]:
    """Offset and name, for a person, of each character that a deck may not hold, such as `(3, "a tab (U+0009)")`."""
    different = "".join(set(text))  # a big deck has few different characters: four times as quick
    found = [(each.start(), _named(each.group())) for each in _unclean().finditer(text)] if _unclean().search(different) else []
    if not any(map(_is_mark, different)):
        return found
    return sorted(
        [
            *found,
            *(
                (start, say("mark {most} on one letter (U+{code:04X})", most=MOST_MARKS + 1, code=ord(text[start])))
                for start, _ in _stacked(text)
            ),
        ]
    )


def clean(text: str) -> str:
    """The text as it may go to a terminal: a tab is a space, everything else that nobody sees is its escape, such as `\\u200b`."""
    return replaced(_cut(text, lambda marks: "…"), _escape)


def blanked(text: str) -> str:
    """The text with every unclean character replaced by one visible character, so that all offsets stay."""
    return replaced(text, lambda character: _VISIBLE)


def replaced(text: str, spell: Callable[[str], str]) -> str:
    """The text with every unclean character spelled in another way."""
    return _unclean().sub(lambda found: spell(found.group()), _cut(text, lambda marks: "".join(map(spell, marks))))


def _is_mark(character: str) -> bool:
    return character > "\u02ff" and unicodedata.category(character) in ("Mn", "Me")


def _stacked(text: str) -> Iterator[tuple[int, int]]:
    """Where the marks begin and end that are too many for their letter."""
    for found in _PERHAPS_MARKS.finditer(text):
        start = found.start()
        for marks, characters in groupby(found.group(), _is_mark):
            end = start + len(list(characters))
            if marks and end - start > MOST_MARKS:
                yield start + MOST_MARKS, end
            start = end


def _cut(text: str, spell: Callable[[str], str]) -> str:
    """The text with the marks that are too many spelled in another way."""
    for start, end in reversed(list(_stacked(text))):
        text = text[:start] + spell(text[start:end]) + text[end:]
    return text


def _named(character: str) -> str:
    official = say(unicodedata.name(character, template("an invisible character")).lower())
    name = _NAMES.get(character) or _SORTS.get(unicodedata.category(character)) or official
    return say("{name} (U+{code:04X})", name=name, code=ord(character))


def _escape(character: str) -> str:
    code = ord(character)
    if code == 9:
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
