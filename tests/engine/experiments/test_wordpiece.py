"""WordPiece: its criterion by hand, its cutting against Hugging Face's tokenizer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from engine.experiments import wordpiece
from engine.experiments.wordpiece import EXPERIMENT
from engine.label import ParameterError
from engine.parameter import Value
from engine.textbook.bert_tokenizer import SMALL, SPECIAL, WordPiece
from engine.textbook.subword_training import best_score, join_wordpiece, most_frequent, scores, train, wordpiece_symbols
from engine.textbook.word_counts import word_counts
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789éµß小猫.,!'$[]"
PIECES = (*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), *SMALL.pieces[5:])
TEXTS = (
    "Playing the unaffable CATS!",
    "小猫没有吃鱼，因为它不饿。",
    "café naïve ＡＢ ①",
    "[CLS] the [MASK] sat. [SEP]",
    "[MASK][MASK]ing [mask] [UNK]",
    "x" * 101 + " " + "y" * 100,
    "play☃ing \u200bun\u00adaffable\ttab\u3000wide\u2028line",
    "$5.00 it's a^b `c` ~d~ \ufffd\x00\x07",
    "",
    "   ",
)


def table(name: str, **given: Value) -> list[tuple[object, ...]]:
    return list(next(table for table in run(**given).tables if table.name == name).rows)


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("vocabulary") / "vocab.txt"
    file.write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    return file


def test_the_way_to_the_input() -> None:
    """Lower case, no accents; words, each Chinese character one; pieces within words; [CLS] and [SEP]; padding with its mask."""
    expected = [
        "Pláying 小鱼!",
        "playing 小鱼!",
        "playing | 小 | 鱼 | !",
        "play ##ing 小 鱼 [UNK]",
        "[CLS] play ##ing 小 鱼 [UNK] [SEP]",
        "[CLS] play ##ing 小 鱼 [UNK] [SEP] [PAD] [PAD]",
        "1 1 1 1 1 1 1 0 0",
    ]

    assert expected == [row[-1] for row in table("way_to_the_input", text="Pláying 小鱼!")]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("lower", [True, False])
def test_cutting_is_hugging_faces(vocabulary: Path, text: str, lower: bool) -> None:
    """Pieces and their numbers are those of the tokenizers package: accents, Chinese, punctuation, special tokens, long words."""
    expected = BertWordPieceTokenizer(str(vocabulary), lowercase=lower).encode(text)
    ours = WordPiece(PIECES, lower)

    assert expected.tokens == list(ours.encode(text))
    assert expected.ids == ours.numbers_of(ours.encode(text))


LATIN, CHINESE = st.characters(max_codepoint=0x24F), st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*TEXTS, *PIECES, *LETTERS, " "]) | LATIN | CHINESE, max_size=8))
def test_cutting_any_text(vocabulary: Path, parts: list[str]) -> None:
    """The same for texts that nobody thought of, in Latin and Chinese characters (which two versions of Unicode classify alike)."""
    text = "".join(parts)

    assert BertWordPieceTokenizer(str(vocabulary)).encode(text).tokens == list(WordPiece(PIECES).encode(text))


def test_longest_match_is_greedy() -> None:
    """From the left the longest piece wins, even where a shorter one would have left fewer pieces or no unknown."""
    vocabulary = WordPiece(("[UNK]", "ab", "abc", "##cde", "##d", "##e"))

    assert ("abc", "##d", "##e") == vocabulary.cut("abcde")
    assert ("[UNK]",) == WordPiece(("[UNK]", "ab", "a", "##bc")).cut("abc")
    assert ("[UNK]",) == vocabulary.cut("cde")


def test_known_words() -> None:
    """playing -> play ##ing, unaffable -> un ##aff ##able, a word with one unknown character -> [UNK], Chinese by character."""
    rows = {str(word): pieces for word, pieces in table("cut_small", text="playing unaffable play☃ing 小鱼 PLAYED")}

    assert {
        "playing": "play ##ing",
        "unaffable": "un ##aff ##able",
        "play☃ing": "[UNK]",
        "小": "小",
        "鱼": "鱼",
        "played": "play ##ed",
    } == rows
    assert (6, 1, 1.0) == tuple(
        quantities(text="playing unaffable play☃ing 小鱼 PLAYED")[name] for name in ("text_words", "unknown_words", "known_joined_back")
    )


def test_frequency_and_score_disagree() -> None:
    """BPE would merge (##u, ##g), 20 times there; WordPiece merges (##g, ##s): 5/(20·5) = .05."""
    found = quantities()
    corpus = {wordpiece_symbols(word): times for word, times in word_counts("hug:10 pug:5 pun:12 bun:4 hugs:5").items()}

    assert (("##u", "##g"), 20) == most_frequent(corpus)
    assert (("##g", "##s"), 0.05) == best_score(corpus)
    assert (20, 5, 0.0) == (found["most_frequent_count"], found["best_score_count"], found["same_first_choice"])
    assert (20 / (36 * 20), 0.05) == pytest.approx((found["most_frequent_score"], found["best_score"]))


def test_scores_by_hand() -> None:
    """f counts every occurrence, also two in one word, times how often the word occurs."""
    corpus = {wordpiece_symbols("abab"): 3, wordpiece_symbols("b"): 2}  # a ##b ##a ##b; b

    assert {("a", "##b"): 3 / (3 * 6), ("##b", "##a"): 3 / (6 * 3), ("##a", "##b"): 3 / (3 * 6)} == pytest.approx(scores(corpus))


def test_training_goes_on() -> None:
    """Each merge is chosen on the corpus that the merges before it left; the continuation mark stays at the front."""
    corpus = {wordpiece_symbols(word): times for word, times in word_counts("hug:10 pug:5 pun:12 bun:4 hugs:5").items()}
    merges, corpora = train(corpus, best_score, join_wordpiece, 3)

    assert ["##gs", "hu", "hugs"] == [merge.symbol for merge in merges]
    assert [("h", "##u", "##gs"), ("hu", "##gs"), ("hugs",)] == [list(corpus)[-1] for corpus in corpora[1:]]
    assert ["##gs", "hu", "hugs"] == [row[3] for row in table("merges", steps=3)]


def test_training_ends() -> None:
    """When every word is one piece nothing is left to merge, and a list of single letters trains nothing."""
    assert ["ab", "abc"] == [row[3] for row in table("merges", words="ab:2 abc", steps=20) if row[3]]
    assert 0.0 == quantities(words="a b c")["best_score"]
    assert 3 == quantities(words="a b c", steps=20)["trained_pieces"]


def test_pieces_fall() -> None:
    """Every merge leaves fewer pieces; the curve at the slider is the quantity."""
    curve = run().series[0].y

    assert list(curve) == sorted(curve, reverse=True)
    assert quantities(steps=3)["pieces_in_words"] == curve[3]
    assert 113 == curve[0] == 3 * 10 + 3 * 5 + 3 * 12 + 3 * 4 + 4 * 5


@pytest.mark.parametrize(
    "words", ["", "low:", "low:x", "low:0", "low:-1", ":3", "low:1.5", "low:٣", "a" * 41, "low:9999999", "low:1,000", "low:1，000 a"]
)
def test_word_lists_that_are_refused(words: str) -> None:
    """A list that cannot be read is refused with an example of one that can."""
    with pytest.raises(ParameterError, match="low:5"):
        EXPERIMENT.accept({"words": words})


def test_word_lists() -> None:
    """Commas, Chinese signs and line ends separate words; without a count a word occurs once; the same word adds up."""
    words = "low:5, low：2，小猫:2\na "

    assert words == EXPERIMENT.accept({"words": words})["words"]
    assert {"low": 7, "小猫": 2, "a": 1} == word_counts(words)


def test_says_which_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    """With BERT's own vocabulary a second table shows its pieces; without it a note says how to get it."""
    monkeypatch.setattr(wordpiece, "real_vocabulary", lambda: None)
    without = run()
    monkeypatch.setattr(wordpiece, "real_vocabulary", lambda: WordPiece((*SPECIAL, "playing")))
    having = run()

    assert ["pairs", "merges", "way_to_the_input", "cut_small"] == [table.name for table in without.tables]
    assert "qkv[bert]" in without.notes[0].en
    assert ("playing", "playing") == having.tables[4].rows[0]
    assert () == having.notes
    assert (0, 6) == tuple(result.scope()["real_vocabulary"] for result in (without, having))


def test_either_criterion_pair_by_pair() -> None:
    """ab twice, cb and cd once: a pair's count over the counts of its two symbols, the most frequent pair first."""
    found = {matrix.name: matrix for matrix in run(words="ab:2 cb:1 cd:1").matrices}

    assert ("(a, ##b)", "(c, ##d)", "(c, ##b)") == found["pair_counts"].columns == found["pair_scores"].columns
    assert ((2.0, 1.0, 1.0),) == found["pair_counts"].values
    assert pytest.approx((2 / (2 * 3), 1 / (2 * 1), 1 / (2 * 3))) == found["pair_scores"].values[0]
