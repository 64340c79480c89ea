"""A word list as a person types it, low:5 lower:2, and as the trainers of tokenization.py read it."""

from __future__ import annotations

import re

from engine.label import ParameterError

LONGEST = 40  # characters of a word
_ENTRIES = re.compile(r"(?:[\s;；、]|(?<![0-9])[,，]|[,，](?![0-9]))+")  # a comma between two digits, as in low:1,000, separates no words


def word_counts(text: str) -> dict[str, int]:
    """Words with how often each occurs; without a number, once; the same word twice adds up. Raises ParameterError."""
    found: dict[str, int] = {}
    for entry in _ENTRIES.split(text.strip()):
        word, _, times = entry.replace("：", ":").partition(":")
        if (
            not re.fullmatch(r"[^,，]+", word)
            or len(word) > LONGEST
            or not re.fullmatch(r"[1-9][0-9]{0,5}|", times, re.ASCII)
            or entry.endswith((":", "："))
        ):
            raise ParameterError(
                f"Write words with counts, as in low:5 lower:2 (at most {LONGEST} letters, counts up to 999999); not {entry!r}.",
                f"请写成 low:5 lower:2 这样的词与次数（词最多 {LONGEST} 个字符，次数不超过 999999），不能是 {entry!r}。",
            )
        found[word] = found.get(word, 0) + int(times or 1)
    return found
