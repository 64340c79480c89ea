"""Did you mean ...: the words that a misspelt one is nearest to."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from content.messages.sentence import joined, say, template

LONGEST = 80  # characters that are compared: a longer text was meant to be none of the words


def nearest(word: str, words: Iterable[str], count: int = 1, likeness: float = 0.6) -> list[str]:
    """At most `count` words, the nearest first; none that is less alike (0..1)."""
    return get_close_matches(word[:LONGEST], list(words), count, likeness)


def did_you_mean(word: str, words: Iterable[str], count: int = 1) -> str:
    """The question, such as `did you mean raw_std or raw_mean?`; nothing where no word is near."""
    near = nearest(word, words, count)
    return say("did you mean {words}?", words=joined(template("{one} or {other}"), near)) if near else ""
