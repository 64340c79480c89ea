"""Sub-word vocabularies are trained by merging pairs: BPE takes the most frequent pair, WordPiece the one whose parts are rarely apart.

A word is a tuple of symbols; a corpus says how often each word occurs. BPE marks a word's end (</w>), WordPiece every symbol that continues
one (##). Sources: Sennrich et al. 2015; Schuster and Nakajima 2012. BERT's own trainer was never released: the score is the documented one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Symbols = tuple[str, ...]
Pair = tuple[str, str]
Corpus = Mapping[Symbols, int]
Join = Callable[[str, str], str]

END = "</w>"
CONTINUES = "##"


@dataclass(frozen=True)
class Merge:
    """One step of training: which pair became one symbol, how often it stood there, and the number it was chosen by."""

    pair: Pair
    symbol: str
    count: int
    score: float


Choose = Callable[[Corpus], tuple[Pair, float] | None]


def bpe_symbols(word: str) -> Symbols:
    """low -> l o w </w>"""
    return (*word, END)


def wordpiece_symbols(word: str) -> Symbols:
    """low -> l ##o ##w"""
    return (word[0], *(CONTINUES + letter for letter in word[1:]))


def pair_counts(corpus: Corpus) -> Counter[Pair]:
    """How often each two symbols stand side by side within a word; never across words."""
    found: Counter[Pair] = Counter()
    for symbols, times in corpus.items():
        for pair in pairwise(symbols):
            found[pair] += times
    return found


def symbol_counts(corpus: Corpus) -> Counter[str]:
    found: Counter[str] = Counter()
    for symbols, times in corpus.items():
        for symbol in symbols:
            found[symbol] += times
    return found


def most_frequent(corpus: Corpus) -> tuple[Pair, float] | None:
    """BPE's choice: the largest f(ab); of equals the one seen first. None when nothing is left to merge."""
    counts = pair_counts(corpus)
    pair = max(counts, key=counts.__getitem__, default=None)
    return None if pair is None else (pair, counts[pair])


def scores(corpus: Corpus) -> dict[Pair, float]:
    """f(ab)/(f(a)·f(b)) for every pair: high when two symbols hardly occur without each other."""
    parts = symbol_counts(corpus)
    return {(a, b): count / (parts[a] * parts[b]) for (a, b), count in pair_counts(corpus).items()}


def best_score(corpus: Corpus) -> tuple[Pair, float] | None:
    """WordPiece's choice: the largest score; of equals the one seen first. None when nothing is left to merge."""
    found = scores(corpus)
    pair = max(found, key=found.__getitem__, default=None)
    return None if pair is None else (pair, found[pair])


def join_bpe(left: str, right: str) -> str:
    return left + right


def join_wordpiece(left: str, right: str) -> str:
    """The continuation mark of the right part goes: h + ##u = hu, ##g + ##s = ##gs."""
    return left + right.removeprefix(CONTINUES)


def merge(symbols: Symbols, pair: Pair, symbol: str) -> Symbols:
    """Every occurrence of the pair becomes `symbol`, from the left; whole symbols are compared."""
    merged: list[str] = []
    for each in symbols:
        if merged and (merged[-1], each) == pair:
            merged[-1] = symbol
        else:
            merged.append(each)
    return tuple(merged)


def merge_by_replace(symbols: Symbols, pair: Pair, symbol: str) -> Symbols:
    """Wrong, and often copied: str.replace on the joined text also hits the end of one symbol and the start of the next."""
    return tuple(" ".join(symbols).replace(" ".join(pair), symbol).split(" "))


def train(corpus: Corpus, choose: Choose, join: Join, steps: int) -> tuple[list[Merge], list[Corpus]]:
    """The merges in order, and the corpus before the first and after each."""
    merges: list[Merge] = []
    corpora: list[Corpus] = [corpus]
    while len(merges) < steps and (chosen := choose(corpora[-1])):
        pair, score = chosen
        symbol = join(*pair)
        merges.append(Merge(pair, symbol, pair_counts(corpora[-1])[pair], score))
        corpora.append({merge(symbols, pair, symbol): times for symbols, times in corpora[-1].items()})
    return merges, corpora


def encode_by_rank(symbols: Symbols, merges: Sequence[tuple[Pair, str]]) -> list[Symbols]:
    """BPE's encoding: of all pairs in the word, the one that was learned first is merged, again and again. Every stage of it."""
    ranks = {pair: (rank, symbol) for rank, (pair, symbol) in reversed(list(enumerate(merges)))}
    stages = [symbols]
    while found := [pair for pair in pairwise(stages[-1]) if pair in ranks]:
        pair = min(found, key=lambda each: ranks[each][0])
        stages.append(merge(stages[-1], pair, ranks[pair][1]))
    return stages


def encode_longest_first(text: str, vocabulary: set[str]) -> Symbols:
    """Wrong for BPE: the longest symbol found anywhere in the text is cut out first, then the same on both sides of it."""
    for length in range(len(text), 1, -1):
        for start in range(len(text) - length + 1):
            if text[start : start + length] in vocabulary:
                left, right = text[:start], text[start + length :]
                middle = text[start : start + length]
                return (*encode_longest_first(left, vocabulary), middle, *encode_longest_first(right, vocabulary))
    return tuple(text)
