"""BPE: training on the paper's four words, encoding against Hugging Face's tokenizers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models

from engine.experiments.bpe import EXPERIMENT, LEARNED
from engine.label import ParameterError
from engine.parameter import Value
from engine.textbook.subword_training import (
    bpe_symbols,
    encode_by_rank,
    encode_longest_first,
    join_bpe,
    merge,
    merge_by_replace,
    most_frequent,
    pair_counts,
    train,
)
from tests.engine.runs import runs_of

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


run, quantities = runs_of(EXPERIMENT)


def rows(name: str, **given: Value) -> list[tuple[object, ...]]:
    return list(next(table for table in run(**given).tables if table.name == name).rows)


def by_regular_expression(words: dict[str, int], merges: int) -> list[tuple[str, str]]:
    """A second trainer: the words as texts with spaces, merged by a pattern that starts and ends at a space."""
    texts = {" ".join(word) + " </w>": times for word, times in words.items()}
    learned = []
    for _ in range(merges):
        counts: dict[tuple[str, str], int] = {}
        for text, times in texts.items():
            symbols = text.split()
            for index in range(len(symbols) - 1):
                pair = (symbols[index], symbols[index + 1])
                counts[pair] = counts.get(pair, 0) + times
        if not counts:
            break
        best = max(counts, key=lambda pair: counts[pair])
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        texts = {pattern.sub("".join(best), text): times for text, times in texts.items()}
        learned.append(best)
    return learned


def test_first_merges() -> None:
    """On low, lower, newest, widest the merges begin es 9, est 9, est</w> 9, lo 7, low 7."""
    learned = rows("learned_merges", merges=5)

    assert [("es", 9), ("est", 9), ("est</w>", 9), ("lo", 7), ("low", 7)] == [(symbol, count) for _, _, symbol, count in learned]
    assert 9 == quantities()["first_merge_count"]


@settings(deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 12))
def test_training_is_a_second_trainers(words: dict[str, int], merges: int) -> None:
    """Pairs, ties and merged words are those of a trainer written with regular expressions."""
    learned, _ = train({bpe_symbols(word): times for word, times in words.items()}, most_frequent, join_bpe, merges)

    assert by_regular_expression(words, merges) == [each.pair for each in learned]


@settings(deadline=None)
@given(st.lists(st.text("abc", min_size=2, max_size=6), min_size=1, max_size=6), st.integers(0, 9), st.text("abc", min_size=1, max_size=12))
def test_encoding_is_hugging_faces(words: list[str], count: int, word: str) -> None:
    """Merges applied in the order learned give the pieces of the tokenizers package."""
    learned, _ = train({tuple(each): 1 for each in words}, most_frequent, join_bpe, count)
    symbols = dict.fromkeys(["a", "b", "c", *(each.symbol for each in learned)])
    oracle = models.BPE({symbol: number for number, symbol in enumerate(symbols)}, [each.pair for each in learned])

    assert [token.value for token in oracle.tokenize(word)] == list(
        encode_by_rank(tuple(word), [(each.pair, each.symbol) for each in learned])[-1]
    )


def test_order_learned_against_longest_first() -> None:
    """abcd is ab|c|d by rank and a|bcd by length."""
    found = quantities()

    assert ("ab", "c", "d") == encode_by_rank(tuple("abcd"), LEARNED)[-1]
    assert ("a", "bcd") == encode_longest_first("abcd", {"ab", "bc", "bcd"})
    assert (3, 2) == (found["by_rank_pieces"], found["longest_first_pieces"])


def test_replace_merges_what_is_not_there() -> None:
    """str.replace joins the end of ab with c, and b with the start of cd; whole symbols leave both alone."""
    symbols = ("ab", "c", "b", "cd")
    found = quantities()

    assert symbols == merge(symbols, ("b", "c"), "bc")
    assert ("abc", "bcd") == merge_by_replace(symbols, ("b", "c"), "bc")
    assert (4, 2) == (found["whole_symbols"], found["replace_symbols"])
    assert (
        ("x", "ab", "ab", "a")
        == merge(("x", "a", "b", "a", "b", "a"), ("a", "b"), "ab")
        == merge_by_replace(tuple("xababa"), ("a", "b"), "ab")
    )
    assert ("aa", "a") == merge(("a", "a", "a"), ("a", "a"), "aa")


def test_lowest_is_never_seen_and_still_encoded() -> None:
    """lowest, which is not among the words, becomes low est</w>, and its pieces join to the word."""
    found = quantities(word="lowest")

    assert "low est</w>" == rows("encoding", word="lowest")[-1][1]
    assert (2, 1.0, 0) == (found["word_pieces"], found["joins_back"], found["unknown_characters"])
    assert 7 == quantities(word="lowest", merges=0)["word_pieces"]


def test_bytes_know_every_character() -> None:
    """我 was never seen, and is three bytes: E6 88 91."""
    found = quantities(word="我")

    assert (1, 3) == (found["unknown_characters"], found["word_bytes"])
    assert [("我", "E6 88 91")] == rows("utf8", word="我")


def test_counts_of_a_word_with_repeats() -> None:
    """A pair counts as often as it stands in a word times how often the word occurs, never across words."""
    assert {("a", "b"): 6, ("b", "a"): 3, ("b", "</w>"): 5} == dict(pair_counts({bpe_symbols("abab"): 3, bpe_symbols("b"): 2}))


def test_curves() -> None:
    """The curve of symbols falls and passes through the quantity; the next pair occurs 9, 9, 9, 7 times."""
    found, curves = quantities(merges=7), {series.name: series.y for series in run().series}

    assert found["symbols_in_words"] == curves["symbols_over_merges"][7]
    assert found["vocabulary_symbols"] == found["alphabet_symbols"] + 7
    assert list(curves["symbols_over_merges"]) == sorted(curves["symbols_over_merges"], reverse=True)
    assert (9.0, 9.0, 9.0, 7.0) == curves["best_count_over_merges"][:4]


def test_training_that_ends_early() -> None:
    """When every word is one symbol a note says so."""
    assert "After 2 merges" in run(words="ab:3", merges=5).notes[0].en
    assert () == run(words="ab:3", merges=2).notes


@pytest.mark.parametrize("word", ["", " ", "two words", "a" * 41, "low "])
def test_word_that_is_refused(word: str) -> None:
    """Exactly one word of readable length is encoded."""
    with pytest.raises(ParameterError, match="one word"):
        run(word=word)
