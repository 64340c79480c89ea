"""T5's pre-training: spans of a text are cut out, a sentinel stands for each, and the target says what stood there.

Source: Raffel et al. 2019. A text is a tuple of words; spans are (start, length), in order and apart from each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Words = tuple[str, ...]
Span = tuple[int, int]


def sentinel(number: int) -> str:
    return f"<{number}>"


def corrupt_spans(words: Words, spans: Sequence[Span]) -> tuple[Words, Words]:
    """The input, a sentinel for every span, and the target, every sentinel followed by its words, closed by one more sentinel."""
    seen: list[str] = []
    target: list[str] = []
    done = 0
    for number, (start, length) in enumerate(spans):
        seen += [*words[done:start], sentinel(number)]
        target += [sentinel(number), *words[start : start + length]]
        done = start + length
    return (*seen, *words[done:]), (*target, sentinel(len(spans)))


def restore_spans(seen: Words, target: Words) -> Words:
    """The text again: every sentinel of the input is replaced by what the target says of it."""
    marks = [index for index, word in enumerate(target) if word == sentinel(sum(w.startswith("<") for w in target[:index]))]
    spans = {target[at]: target[at + 1 : after] for at, after in pairwise(marks)}
    return tuple(word for each in seen for word in spans.get(each, (each,)))


def evenly_spaced_spans(length: int, share: float, span: int) -> list[Span]:
    """T5's counts: the share says how many words are cut, `span` how long the spans are on average. Evenly spread, a word between any two.

    In a short text, where fewer words are cut than a span holds, all of them are one span.
    """
    cut = max(1, round(length * share))
    count = max(1, min(round(cut / span), length - cut - 1))
    gap = (length - cut) / (count + 1)  # at least 1
    edges = [cut * number // count for number in range(count + 1)]  # of the words that are cut: lengths differ by one at most
    return [(math.floor(gap * number) + before, after - before) for number, (before, after) in enumerate(pairwise(edges), start=1)]
