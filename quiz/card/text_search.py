"""Searching texts as one types: Chinese without spaces, letters in full width or in capitals alike. Pure; one index, many searches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_WIDE}]+|[^\s{_WIDE}]+")
_CHINESE = re.compile(rf"[{_WIDE}]")
_MARKS = str.maketrans("", "", "$\\{}*`")  # of LaTeX and Markdown, which nobody sees
SHORTEST = 2  # characters of Chinese that are still a word
Folded = tuple[str, ...]  # the texts of one thing, the weightiest first, ready to be searched


def fold(text: str) -> str:
    """A text as it is compared: ＳｏｆｔＭａｘ and softmax are one; so are $\\sqrt{d_k}$, sqrt d_k and √d_k."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_MARKS).replace("sqrt", "√")


def folded(fields: Iterable[str]) -> Folded:
    """What is searched of one thing; `fields` go from its name down to its small print."""
    return tuple(map(fold, fields))


def tokens(query: str) -> tuple[str, ...]:
    """The words of a query, each of which has to be found. Chinese and letters part without a space: softmax饱和 are two."""
    return tuple(dict.fromkeys(_TOKEN.findall(fold(query))))


def search(things: Sequence[Folded], query: str) -> list[int]:
    """The places of the things that have every word of the query: best first, as they stand where they are equal.

    A word counts by the first field that has it. A query without words finds everything.
    """
    wanted = tokens(query)
    if not wanted:
        return list(range(len(things)))
    found: list[tuple[int, int]] = []
    for place, fields in enumerate(things):
        cost = 0
        for token in wanted:
            at = _first_with(fields, token)
            if at < 0:
                break
            cost += at
        else:
            found.append((cost, place))
    found.sort()
    return [place for _, place in found]


def _first_with(fields: Folded, token: str) -> int:
    """What a word costs: twice the place of the first field that has it, and one more where it begins within another word, as rope does
    in property; -1 for none. Chinese that stands nowhere as a whole may be words that are side by side in the query alone: 缩放点积
    finds 缩放的点积."""
    chinese = _CHINESE.match(token)
    for place, text in enumerate(fields):
        if (at := text.find(token)) >= 0:
            return 2 * place + (0 if chinese or _begins_a_word(text, token, at) else 1)
    if chinese and len(token) >= 2 * SHORTEST:
        for place, text in enumerate(fields):
            if _covered(text, token):
                return 2 * place + 1
    return -1


def _begins_a_word(text: str, token: str, at: int) -> bool:
    """Whether one of the places where a text has a word is the beginning of one; `at` is the first."""
    while at > 0 and text[at - 1].isalnum() and not _CHINESE.match(text[at - 1]):
        at = text.find(token, at + 1)
    return at >= 0


def _covered(text: str, token: str) -> bool:
    """Whether a run of Chinese can be parted into words of two characters and more that a text has: each time the longest."""
    start = 0
    while start < len(token):
        end = next((end for end in range(len(token), start + SHORTEST - 1, -1) if token[start:end] in text), 0)
        if not end:
            return False
        start = end
    return True


def matches(text: str, query: str) -> list[tuple[int, int]]:
    """Where words of a query stand in a text, as ranges of its characters that do not overlap."""
    pieces = [fold(character) for character in text]
    places = [place for place, piece in enumerate(pieces) for _ in piece]  # of each folded character, the one that it comes from
    whole, marked = "".join(pieces), set[int]()
    for token in tokens(query):
        start = whole.find(token)
        while start >= 0:
            marked.update(places[start : start + len(token)])
            start = whole.find(token, start + len(token))
    edges = sorted(marked)
    starts = [place for place in edges if place - 1 not in marked]
    return list(zip(starts, [place + 1 for place in edges if place + 1 not in marked], strict=True))
