"""Part of wordpiece: what either criterion merges, by what it goes, and how many pieces are left."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from engine.assemble import Numbers
from engine.textbook.subword_training import (
    Corpus,
    Merge,
    Pair,
    best_score,
    most_frequent,
    pair_counts,
    scores,
    symbol_counts,
)

SHOWN = 8  # pairs


def first_choice(corpus: Corpus) -> Numbers:
    """Both criteria on the same symbols. A list of one-letter words has no pair; its numbers are 0."""
    counts, found = pair_counts(corpus), scores(corpus)
    frequent, best = (chosen[0] if chosen else ("", "") for chosen in (most_frequent(corpus), best_score(corpus)))
    return {
        "frequent_pair": spelled(frequent),
        "best_pair": spelled(best),
        "most_frequent_score": found.get(frequent, 0.0),
        "best_score": found.get(best, 0.0),
        "most_frequent_count": counts[frequent],
        "best_score_count": counts[best],
        "same_first_choice": frequent == best,
    }


def spelled(pair: Pair) -> str:
    return f"({pair[0]}, {pair[1]})"


def best_pairs(corpus: Corpus) -> list[tuple[str | float, ...]]:
    """The pairs that score best, and what their score is made of."""
    counts, parts, found = pair_counts(corpus), symbol_counts(corpus), scores(corpus)
    best = sorted(found, key=lambda pair: (-found[pair], -counts[pair], pair))[:SHOWN]
    most = [pair for pair in sorted(counts, key=lambda pair: (-counts[pair], pair))[:2] if pair not in best]
    return [(spelled((a, b)), counts[a, b], parts[a], parts[b], found[a, b]) for a, b in (*best, *most)]


def counts_and_scores(pairs: Sequence[tuple[str | float, ...]]) -> Numbers:
    """What either criterion goes by, pair by pair, the most frequent first."""
    ordered = sorted(pairs, key=lambda pair: -float(pair[1]))
    return {
        "pair_counts": [[pair[1] for pair in ordered]],
        "pair_scores": [[pair[-1] for pair in ordered]],
        "pair_names": [pair[0] for pair in ordered],
    }


def vocabulary_size(merges: Sequence[Merge], corpora: Sequence[Corpus]) -> Numbers:
    letters = len(symbol_counts(corpora[0]))
    return {"alphabet_pieces": letters, "trained_pieces": letters + len(merges), "pieces_in_words": pieces_in(corpora[-1])}


def pieces_in(corpus: Corpus) -> int:
    return sum(symbol_counts(corpus).values())


def merges_side_by_side(by_count: Sequence[Merge], by_score: Sequence[Merge]) -> list[tuple[str | float, ...]]:
    """Step by step; one of them may have nothing left to merge."""
    return [
        (step, *symbol_and_count(bpe), *symbol_and_count(piece), round(piece.score, 6) if piece else "")
        for step, (bpe, piece) in enumerate(zip_longest(by_count, by_score), 1)
    ]


def symbol_and_count(merge: Merge | None) -> tuple[str, int | str]:
    return (merge.symbol, merge.count) if merge else ("", "")
