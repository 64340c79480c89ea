"""A word list as a person types it, low:5 lower:2, and as the trainers of tokenization.py read it."""

from __future__ import annotations

import re

from engine.label import Label

LONGEST = 40  # characters of a word
GAP = r"(?:[\s;；、]|(?<![0-9])[,，]|[,，](?![0-9]))"  # a comma between two digits, as in low:1,000, separates no words
ENTRY = rf"[^\s,，;；、:：]{{1,{LONGEST}}}(?:[:：][1-9][0-9]{{0,5}})?"
WORD_COUNTS = rf"\s*{ENTRY}(?:{GAP}+{ENTRY})*\s*"
FORM = Label(
    f"words with counts, as in low:5 lower:2 (at most {LONGEST} letters, counts up to 999999)",
    f"词与次数，写成 low:5 lower:2 这样（词最多 {LONGEST} 个字符，次数不超过 999999）",
)


def word_counts(text: str) -> dict[str, int]:
    """Words with how often each occurs, from a text of the form above; without a number, once; the same word twice adds up."""
    found: dict[str, int] = {}
    for entry in re.split(f"{GAP}+", text.strip()):
        word, _, times = entry.replace("：", ":").partition(":")
        found[word] = found.get(word, 0) + int(times or 1)
    return found
