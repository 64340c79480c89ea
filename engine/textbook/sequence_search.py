"""Searching for the likeliest text, not the likeliest next word: greedy, beam search, and the exact answer to compare with.

A model is a table of ln p(next | last), V rows and columns, plus a row for the start; token 0 ends a text. Texts are tuples of tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Text = tuple[int, ...]
END = 0


@dataclass(frozen=True)
class Bigrams:
    """ln p of the first token, (V,), and of every token after every other, (V, V): first[next], after[last][next]."""

    first: Sequence[float]
    after: Sequence[Sequence[float]]

    def next(self, text: Text) -> Sequence[float]:
        return self.after[text[-1]] if text else self.first

    def score(self, text: Text) -> float:
        """ln p(text): the sum over its tokens."""
        return math.fsum(self.next(text[:place])[token] for place, token in enumerate(text))


def penalised(score: float, length: int, alpha: float) -> float:
    """ln p / length^α: 0 compares probabilities, 1 the mean per token. Source: Wu et al. 2016 (a smoother form of it)."""
    return score / math.pow(length, alpha)


def finished(text: Text, longest: int) -> bool:
    return len(text) >= longest or text[-1:] == (END,)


def greedy(model: Bigrams, longest: int) -> Text:
    """The likeliest next token, again and again."""
    text: Text = ()
    while not finished(text, longest):
        following = model.next(text)
        text += (max(range(len(following)), key=following.__getitem__),)
    return text


def beam_search(model: Bigrams, longest: int, width: int, alpha: float = 0.0) -> Text:
    """The `width` best beginnings are all continued, and of all continuations the best are kept; a finished text stays in the race.

    `alpha` as in penalised. The beam compares what it holds by that score too, and at the end returns the best.
    """
    beam: list[tuple[float, Text]] = [(0.0, ())]
    while not all(finished(text, longest) for _, text in beam):
        grown = [pair for pair in beam if finished(pair[1], longest)]
        for score, text in (pair for pair in beam if not finished(pair[1], longest)):
            grown += [(score + gain, (*text, token)) for token, gain in enumerate(model.next(text))]
        beam = sorted(grown, key=lambda pair: -penalised(pair[0], len(pair[1]), alpha))[:width]
    return beam[0][1]


def likeliest(model: Bigrams, longest: int) -> Text:
    """The text of the highest probability, exactly, by dynamic programming: for each last token only the best beginning can matter."""
    best: dict[int, tuple[float, Text]] = {token: (score, (token,)) for token, score in enumerate(model.first)}
    over = [best.pop(END)]
    for _ in range(longest - 1):
        reached: dict[int, tuple[float, Text]] = {}
        for score, text in best.values():
            for token, gain in enumerate(model.after[text[-1]]):
                reached[token] = max(reached.get(token, (-math.inf, ())), (score + gain, (*text, token)))
        over.append(reached.pop(END))
        best = reached
    return max([*over, *best.values()])[1]
