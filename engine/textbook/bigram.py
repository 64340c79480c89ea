"""The smallest language model: how often each token followed each other one, counted in a text. α is added to every count.

A text is a list of sentences, a sentence a list of tokens; each begins after START, which is predicted by nobody.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

START = "<s>"
ALPHA = 0.1  # what every pair is given, so that no pair that was never seen has probability 0


@dataclass(frozen=True)
class Bigram:
    """Counts of pairs and of what stood first in them, and the tokens that may come; one more stands for those that were never seen."""

    pairs: Counter[tuple[str, str]]
    firsts: Counter[str]
    vocabulary: frozenset[str]

    def probability(self, before: str, token: str) -> float:
        """p(token | before) = (count + α) / (count of before + α·(V + 1))."""
        return (self.pairs[before, token] + ALPHA) / (self.firsts[before] + ALPHA * (len(self.vocabulary) + 1))


def train_bigram(sentences: Iterable[Sequence[str]], vocabulary: Iterable[str]) -> Bigram:
    pairs = Counter(pair for sentence in sentences for pair in pairwise((START, *sentence)))
    firsts: Counter[str] = Counter()
    for (before, _), count in pairs.items():
        firsts[before] += count
    return Bigram(pairs, firsts, frozenset(vocabulary))


def log_probabilities(model: Bigram, sentences: Iterable[Sequence[str]]) -> list[float]:
    """ln p of every token, one after the other."""
    return [math.log(model.probability(*pair)) for sentence in sentences for pair in pairwise((START, *sentence))]
