"""BPE learns merges by frequency and must apply them in the order learned: cutting out the longest symbol first gives other pieces."""

from __future__ import annotations

from collections.abc import Sequence

from engine.experiment import Cost, Experiment
from engine.label import Label, ParameterError
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import measured, right, wrong
from engine.textbook.subword_training import (
    END,
    Corpus,
    Merge,
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
from engine.textbook.word_counts import LONGEST, word_counts

MERGES = 30
MERGES_LABEL = Label("merges", "合并次数")
# A vocabulary in which the order of learning and the length of symbols disagree.
LEARNED: tuple[tuple[Pair, str], ...] = ((("a", "b"), "ab"), (("b", "c"), "bc"), (("bc", "d"), "bcd"))
WORD = "abcd"
# A word in which one symbol's end and the next one's start look like the pair (b, c), which is not there.
TOUCHING: tuple[Symbols, Pair] = (("ab", "c", "b", "cd"), ("b", "c"))


def run(*, words: str, merges: int, word: str) -> Result:
    if not word or len(word) > LONGEST or len(word.split()) != 1 or word != word.strip():
        raise ParameterError(f"Write one word of at most {LONGEST} characters to encode.", f"请写一个待编码的词，最多 {LONGEST} 个字符。")
    corpus = {bpe_symbols(each): times for each, times in word_counts(words).items()}
    learned, corpora = train(corpus, most_frequent, join_bpe, MERGES)
    used = learned[:merges]
    stages = encode_by_rank(bpe_symbols(word), [(each.pair, each.symbol) for each in used])
    return Result(
        quantities=(*_orders(), *_replaced(), *_word(word, stages, corpus), *_training(corpora, used)),
        tables=(_demonstration(), _merges(used), _stages(stages), _bytes(word)),
        series=_curves(corpora, learned),
        notes=() if len(learned) >= merges else (nothing_left(len(learned)),),
    )


def nothing_left(merges: int) -> Label:
    return Label(
        f"After {merges} merges every word is one symbol: nothing is left to merge.", f"合并 {merges} 次后每个词都是一个符号，再无可合并。"
    )


def _orders() -> tuple[Quantity, ...]:
    """abcd, when ab was learned before bc and bcd: by rank ab|c|d, longest first a|bcd."""
    by_rank, longest = encode_by_rank(tuple(WORD), LEARNED)[-1], encode_longest_first(WORD, {symbol for _, symbol in LEARNED})
    return (
        wrong(
            "longest_first_pieces",
            len(longest),
            f"{WORD}, longest symbol first: {'|'.join(longest)}",
            f"{WORD}，最长符号优先：{'|'.join(longest)}",
        ),
        right(
            "by_rank_pieces",
            len(by_rank),
            f"{WORD}, in the order learned: {'|'.join(by_rank)}",
            f"{WORD}，按学到的顺序：{'|'.join(by_rank)}",
        ),
    )


def _replaced() -> tuple[Quantity, ...]:
    symbols, pair = TOUCHING
    text = " ".join(symbols)
    replaced, whole = (method(symbols, pair, "".join(pair)) for method in (merge_by_replace, merge))
    return (
        wrong("replace_symbols", len(replaced), f"{text}: after merging b c by str.replace", f"{text}：用 str.replace 合并 b c 之后"),
        right("whole_symbols", len(whole), "the same, comparing whole symbols", "同上，比较完整的符号"),
    )


def _word(word: str, stages: Sequence[Symbols], corpus: Corpus) -> tuple[Quantity, ...]:
    pieces, alphabet = stages[-1], symbol_counts(corpus)
    octets = word.encode("utf-8", "surrogatepass")
    return (
        measured("word_pieces", len(pieces), f"the word's pieces: {' '.join(pieces)}", f"该词的词片：{' '.join(pieces)}"),
        measured("word_merges", len(stages) - 1, "merges applied to it", "用到的合并次数"),
        measured("joins_back", float("".join(pieces) == word + END), "its pieces join to the word (1 = yes)", "词片能拼回原词（1 = 是）"),
        measured(
            "unknown_characters", sum(each not in alphabet for each in word), "characters never seen in training", "训练中没见过的字符数"
        ),
        measured("word_bytes", len(octets), "its bytes: byte-level BPE knows all 256", "字节数：字节级 BPE 认识全部 256 个"),
    )


def _training(corpora: Sequence[Corpus], used: Sequence[Merge]) -> tuple[Quantity, ...]:
    alphabet = len(symbol_counts(corpora[0]))
    return (
        measured("first_merge_count", used[0].count if used else 0, "occurrences of the first merged pair", "第一次合并的对出现的次数"),
        measured("alphabet_symbols", alphabet, "symbols before training", "训练前的符号数"),
        measured("vocabulary_symbols", alphabet + len(used), "symbols in the vocabulary now", "当前词表的符号数"),
        measured(
            "symbols_in_words", sum(symbol_counts(corpora[len(used)]).values()), "symbols needed for all words", "表示全部词所需的符号数"
        ),
    )


def _demonstration() -> Table:
    symbols, pair = TOUCHING
    vocabulary = {symbol for _, symbol in LEARNED}
    rows = (
        (
            Label(f"{WORD}: in the order learned (ab, bc, bcd)", f"{WORD}：按学到的顺序（ab、bc、bcd）"),
            " ".join(encode_by_rank(tuple(WORD), LEARNED)[-1]),
        ),
        (Label(f"{WORD}: longest symbol first", f"{WORD}：最长符号优先"), " ".join(encode_longest_first(WORD, vocabulary))),
        (
            Label(f"{' '.join(symbols)}: merge b c, whole symbols", f"{' '.join(symbols)}：合并 b c，比较完整符号"),
            " ".join(merge(symbols, pair, "bc")),
        ),
        (
            Label(f"{' '.join(symbols)}: merge b c by str.replace", f"{' '.join(symbols)}：用 str.replace 合并 b c"),
            " ".join(merge_by_replace(symbols, pair, "bc")),
        ),
    )
    return Table(
        "demonstration", Label("right and wrong on small words", "小例子上的对与错"), (Label("how", "做法"), Label("symbols", "符号")), rows
    )


def _merges(used: Sequence[Merge]) -> Table:
    columns = (Label("rank", "次序"), Label("pair", "对"), Label("new symbol", "新符号"), Label("count", "次数"))
    rows = tuple((rank, " ".join(each.pair), each.symbol, each.count) for rank, each in enumerate(used, start=1))
    return Table("learned_merges", Label("merges in the order learned", "按学到的顺序排列的合并"), columns, rows)


def _stages(stages: Sequence[Symbols]) -> Table:
    rows = tuple((step, " ".join(symbols)) for step, symbols in enumerate(stages))
    return Table(
        "encoding", Label("encoding the word, merge by merge", "逐步编码该词"), (Label("merges", "合并数"), Label("symbols", "符号")), rows
    )


def _bytes(word: str) -> Table:
    rows = tuple((each, " ".join(f"{octet:02X}" for octet in each.encode("utf-8", "surrogatepass"))) for each in word)
    return Table("utf8", Label("the word's bytes", "该词的字节"), (Label("character", "字符"), Label("UTF-8", "UTF-8")), rows)


def _curves(corpora: Sequence[Corpus], learned: Sequence[Merge]) -> tuple[Series, ...]:
    symbols = tuple(float(sum(symbol_counts(corpus).values())) for corpus in corpora)
    best = tuple(float(max(pair_counts(corpus).values(), default=0)) for corpus in corpora)
    x = tuple(map(float, range(len(learned) + 1)))
    return (
        Series("symbols_over_merges", x, symbols, Label("symbols needed for all words", "表示全部词所需的符号数"), MERGES_LABEL, "symbols"),
        Series("best_count_over_merges", x, best, Label("count of the next pair", "下一个被合并的对的次数"), MERGES_LABEL, "counts"),
    )


def cost(*, words: str, merges: int, word: str) -> Cost:
    return Cost(bytes=2000 * (len(words) + len(word)), flops=100 * MERGES * (len(words) + len(word)) + len(word) ** 3)


EXPERIMENT = Experiment(
    title=Label("byte-pair encoding", "BPE 分词"),
    summary=Label(
        "Which pairs are merged, how a new word is encoded by rank, and two ways to get it wrong.",
        "合并哪些对、新词如何按次序编码，以及两种常见的错误写法。",
    ),
    parameters=(
        Parameter("words", Label("words to train on", "训练用的词"), "low:5 lower:2 newest:6 widest:3", scale="text"),
        Parameter("merges", MERGES_LABEL, 10, 0, MERGES),
        Parameter("word", Label("word to encode", "待编码的词"), "lowest", scale="text"),
    ),
    run=run,
    cost=cost,
    shows=(train, most_frequent, merge, encode_by_rank, encode_longest_first, merge_by_replace),
    arms=("longest_first_pieces", "by_rank_pieces"),
)
