"""What phones and web pages put behind a character and nobody sees: it is dropped, and the character stays.

A variation selector asks for the coloured form of a sign (⭐ U+FE0F), a joiner makes one picture of several; terminals disagree about both.
One behind a visible character is harmless. A second one, or a joiner between letters, may hide something, and stays to be refused.
"""

from __future__ import annotations

import re

_SELECTOR = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_PICTURE = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"  # symbols and emoji, skin tones among them
_DROPPED = re.compile(
    f"(?<=[^\\s\\x00-\\x1f])(?<!{_SELECTOR}){_SELECTOR}(?!{_SELECTOR})"
    f"|(?<={_PICTURE})\u200d(?={_PICTURE})|(?<={_PICTURE}{_SELECTOR})\u200d(?={_PICTURE})"
    "|(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"  # the flag of a part of a country
)
_ANY = re.compile("[\u200d\ufe00-\ufe0f\U000e0020-\U000e01ef]")

TAB_STOP = 4  # columns, of a tab in code


def as_shown(text: str) -> str:
    """A text without the characters that mean nothing in a terminal: a tab is as many spaces as it takes to the next stop."""
    return without_selectors(text.expandtabs(TAB_STOP) if "\t" in text else text)


def without_selectors(text: str) -> str:
    """The text without what only asks for another form of the character before it."""
    return _DROPPED.sub("", text) if _ANY.search(text) else text


def selectors(text: str) -> frozenset[int]:
    """The offsets of what `without_selectors` drops."""
    if not _ANY.search(text):
        return frozenset()
    return frozenset(place for found in _DROPPED.finditer(text) for place in range(*found.span()))
