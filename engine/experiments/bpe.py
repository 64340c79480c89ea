"""BPE learns merges by frequency and must apply them in the order learned: cutting out the longest symbol first gives other pieces."""

from __future__ import annotations

from collections.abc import Sequence

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import YES_OR_NO, Curve, Rows, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.subword_training import (
    END,
    Corpus,
    Pair,
    Symbols,
    bpe_symbols,
    encode_by_rank,
    encode_longest_first,
    join_bpe,
    merge,
    merge_by_replace,
    most_frequent,
    pair_counts,
    symbol_counts,
    train,
)
from engine.textbook.word_counts import FORM, LONGEST, WORD_COUNTS, word_counts

MERGES = 30
# A vocabulary in which the order of learning and the length of symbols disagree.
LEARNED: tuple[tuple[Pair, str], ...] = ((("a", "b"), "ab"), (("b", "c"), "bc"), (("bc", "d"), "bcd"))
WORD = "abcd"
# A word in which one symbol's end and the next one's start look like the pair (b, c), which is not there.
TOUCHING: tuple[Symbols, Pair] = (("ab", "c", "b", "cd"), ("b", "c"))


def run(*, words: str, merges: int, word: str) -> Numbers:
    corpus = {bpe_symbols(each): times for each, times in word_counts(words).items()}
    learned, corpora = train(corpus, most_frequent, join_bpe, MERGES)
    used = learned[:merges]
    stages = encode_by_rank(bpe_symbols(word), [(each.pair, each.symbol) for each in used])
    return {
        **orders(),
        **encoding(word, stages, corpus),
        "first_merge_count": used[0].count if used else 0,
        "alphabet_symbols": len(symbol_counts(corpus)),
        "vocabulary_symbols": len(symbol_counts(corpus)) + len(used),
        "symbols_in_words": symbol_counts(corpora[len(used)]).total(),
        "learned_merges": [(rank, " ".join(each.pair), each.symbol, each.count) for rank, each in enumerate(used, start=1)],
        "symbols_over_merges": (range(len(corpora)), [symbol_counts(each).total() for each in corpora]),
        "best_count_over_merges": (range(len(corpora)), [max(pair_counts(each).values(), default=0) for each in corpora]),
        "all_merges": len(learned),
    }


def orders() -> Numbers:
    """abcd, when ab was learned before bc and bcd: by rank ab|c|d, longest first a|bcd. And merging b c where it is not."""
    by_rank, longest = encode_by_rank(tuple(WORD), LEARNED)[-1], encode_longest_first(WORD, {symbol for _, symbol in LEARNED})
    symbols, pair = TOUCHING
    whole, replaced = (method(symbols, pair, "".join(pair)) for method in (merge, merge_by_replace))
    return {
        "longest_first_pieces": len(longest),
        "by_rank_pieces": len(by_rank),
        "replace_symbols": len(replaced),
        "whole_symbols": len(whole),
        "demonstration": [(" ".join(pieces),) for pieces in (by_rank, longest, whole, replaced)],
        "example": WORD,
        "longest_first": "|".join(longest),
        "by_rank": "|".join(by_rank),
        "touching": " ".join(symbols),
        "pair": " ".join(pair),
    }


def encoding(word: str, stages: Sequence[Symbols], corpus: Corpus) -> Numbers:
    pieces, alphabet = stages[-1], symbol_counts(corpus)
    utf8 = [each.encode("utf-8", "surrogatepass") for each in word]
    return {
        "word_pieces": len(pieces),
        "word_merges": len(stages) - 1,
        "joins_back": "".join(pieces) == word + END,
        "unknown_characters": sum(each not in alphabet for each in word),
        "word_bytes": sum(map(len, utf8)),
        "encoding": [(step, " ".join(symbols)) for step, symbols in enumerate(stages)],
        "utf8": [(each, octets.hex(" ").upper()) for each, octets in zip(word, utf8, strict=True)],
        "pieces": " ".join(pieces),
    }


MERGES_LABEL = Label("merges", "合并次数")
SYMBOLS = Label("symbols", "符号")

MEASURES = (
    wrong("longest_first_pieces", "{example}, longest symbol first: {longest_first}", "{example}，最长符号优先：{longest_first}"),
    right("by_rank_pieces", "{example}, in the order learned: {by_rank}", "{example}，按学到的顺序：{by_rank}"),
    wrong("replace_symbols", "{touching}: after merging {pair} by str.replace", "{touching}：用 str.replace 合并 {pair} 之后"),
    right("whole_symbols", "{touching}: after merging {pair}, whole symbols", "{touching}：按完整符号合并 {pair} 之后"),
    measured("word_pieces", "the word's pieces: {pieces}", "该词的词片：{pieces}", within=(1, LONGEST + 1)),
    measured("word_merges", "merges applied to the word", "用到该词上的合并次数", within=(0, LONGEST)),
    measured("joins_back", "the word's pieces join to the word (1 = yes)", "该词的词片能拼回原词（1 = 是）", within=YES_OR_NO),
    measured("unknown_characters", "the word's characters never seen in training", "该词中训练时没见过的字符数", within=(0, LONGEST)),
    measured(
        "word_bytes",
        "the word's bytes (byte-level BPE knows all 256)",
        "该词的字节数（字节级 BPE 认识全部 256 个）",
        within=(1, 4 * LONGEST),
    ),
    measured("first_merge_count", "occurrences of the first merged pair", "第一次合并的对出现的次数"),
    measured("alphabet_symbols", "symbols before training", "训练前的符号数"),
    measured("vocabulary_symbols", "symbols in the vocabulary now", "当前词表的符号数"),
    measured("symbols_in_words", "symbols needed for all words", "表示全部词所需的符号数"),
    Rows(
        "demonstration",
        Label("right and wrong on small words", "小例子上的对与错"),
        (Label("how", "做法"), SYMBOLS),
        rows=(
            Label("{example}: in the order learned (ab, bc, bcd)", "{example}：按学到的顺序（ab、bc、bcd）"),
            Label("{example}: longest symbol first", "{example}：最长符号优先"),
            Label("{touching}: merge {pair}, whole symbols", "{touching}：合并 {pair}，比较完整符号"),
            Label("{touching}: merge {pair} by str.replace", "{touching}：用 str.replace 合并 {pair}"),
        ),
    ),
    Rows(
        "learned_merges",
        Label("merges in the order learned", "按学到的顺序排列的合并"),
        (Label("rank", "次序"), Label("pair", "对"), Label("new symbol", "新符号"), Label("count", "次数")),
    ),
    Rows("encoding", Label("encoding the word, merge by merge", "逐步编码该词"), (Label("merges", "合并数"), SYMBOLS)),
    Rows("utf8", Label("the word's bytes", "该词的字节"), (Label("character", "字符"), Label("UTF-8", "UTF-8"))),
    Curve("symbols_over_merges", Label("symbols needed for all words", "表示全部词所需的符号数"), MERGES_LABEL, "symbols"),
    Curve("best_count_over_merges", Label("count of the next pair", "下一个被合并的对的次数"), MERGES_LABEL, "counts"),
    note(
        "nothing_left",
        "all_merges < merges",
        "After {all_merges} merges every word is one symbol: nothing is left to merge.",
        "合并 {all_merges} 次后每个词都是一个符号，再无可合并。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("byte-pair encoding", "BPE 分词"),
    summary=Label(
        "Which pairs are merged, how a new word is encoded by rank, and two ways to get it wrong.",
        "合并哪些对、新词如何按次序编码，以及两种常见的错误写法。",
    ),
    keywords=("byte pair encoding", "tokenizer", "tokeniser", "subword", "merges", "GPT-2", "tiktoken", "分词器", "子词", "合并", "字节对"),
    parameters=(
        Parameter(
            "words",
            Label("words to train on", "训练用的词"),
            "low:5 lower:2 newest:6 widest:3",
            scale="text",
            pattern=WORD_COUNTS,
            form=FORM,
        ),
        Parameter("merges", MERGES_LABEL, 10, 0, MERGES),
        Parameter(
            "word",
            Label("word to encode", "待编码的词"),
            "lowest",
            scale="text",
            pattern=rf"\S{{1,{LONGEST}}}",
            form=Label(f"one word of at most {LONGEST} characters", f"一个最多 {LONGEST} 个字符的词"),
        ),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "merges",
            ("encoding",),
            caption=Label(
                "Letters grow into pieces: the learned merges are applied in the order in which they were learned.",
                "字母逐步并成词片：学到的合并规则，按学到的先后依次使用。",
            ),
        ),
        Figure("table", ("demonstration",)),
        Figure("bars", ("longest_first_pieces", "by_rank_pieces")),
        Figure("table", ("learned_merges",)),
        Figure("curve", ("symbols_over_merges",), over="merges", mark="symbols_in_words"),
        Figure("curve", ("best_count_over_merges",), over="merges"),
        Figure("table", ("utf8",)),
    ),
    arms=("longest_first_pieces", "by_rank_pieces"),
    presets=(
        Preset(
            Label("no merges", "不合并"),
            {"merges": 0},
            Label("Nothing learned, nothing merged: a token for every letter.", "什么都没学，什么都不并：一个字母一个词元。"),
            "word_merges == 0",
        ),
        Preset(
            Label("every merge", "全部合并"),
            {"merges": 30},
            Label(
                "When nothing is left to merge, each word of the training text is one symbol.",
                "并到无可再并，训练文本里的每个词都成了一个符号。",
            ),
            "symbols_in_words < 20",
            show="symbols_over_merges",
        ),
        Preset(
            Label("“slowing”", "“slowing”"),
            {"word": "slowing"},
            Label(
                "g was in no training word: letters do not know it, bytes would.", "训练用的词里没有 g：按字母就不认识它，按字节就认识。"
            ),
            "unknown_characters == 1",
        ),
    ),
    run=run,
)
