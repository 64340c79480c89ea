"""Perplexity is e to the mean loss, per token: cut into more pieces a text looks easier, so two tokenizers are compared per character."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.bigram import log_probabilities as token_log_probabilities
from engine.textbook.bigram import train_bigram
from engine.textbook.perplexity import bits_per, mean_of_perplexities, perplexity, perplexity_per
from engine.textbook.subword_training import bpe_symbols, encode_by_rank, join_bpe, most_frequent, train

WORDS, CHARACTERS = 200, 1000  # of the text
SPREAD = 0.5  # of ln(-ln p) from word to word
PIECES = tuple(1 + 0.1 * tick for tick in range(21))  # 1 ... 3, the x axis
LOSSES = tuple(0.25 * tick for tick in range(33))  # 0 ... 8
MERGES = tuple(range(0, 61, 5))  # the x axis of the bigram models
LEARNED = (  # what they are trained on
    "the kitten ate the fish because it was hungry",
    "the dog did not eat the bone because it was not hungry",
    "the bird slept in the warm nest and the kitten slept on the chair",
    "the dog ran after the kitten and the kitten ran up the tree",
    "the fish was fresh and the milk was warm",
    "the bird sang in the tree because it was happy",
    "the kitten drank the milk and slept in the warm basket",
    "the dog was happy because the bone was large",
)
ASKED = "the kitten slept because the milk was warm"


def run(*, text: str, merges: int, loss: float, pieces: float, vocabulary: int, seed: int) -> Numbers:
    words = log_probabilities(loss, seed)  # (200,)
    tokens = cut(words, pieces)  # (T,)
    return {
        **two_tokenizers(text, merges),
        "mean_of_perplexities": mean_of_perplexities(words),
        "word_perplexity": perplexity(words),
        "worst_share": worst_share(words),
        "uniform_perplexity": perplexity(torch.full((WORDS,), -math.log(vocabulary), dtype=torch.float64)),
        "token_count": len(tokens),
        "word_count": WORDS,
        "token_perplexity": perplexity(tokens),
        "token_perplexity_per_word": perplexity_per(WORDS, tokens),
        "bits_per_character_words": bits_per(CHARACTERS, words),
        "bits_per_character_pieces": bits_per(CHARACTERS, tokens),
        "token_perplexity_over_pieces": (PIECES, [perplexity(cut(words, each)) for each in PIECES]),
        "word_perplexity_over_pieces": (PIECES, [perplexity_per(WORDS, cut(words, each)) for each in PIECES]),
        "perplexity_over_loss": (LOSSES, [math.exp(each) for each in LOSSES]),
    }


def two_tokenizers(text: str, merges: int) -> Numbers:
    """Bigram models of the same sentences, one of characters and one of BPE's pieces, asked for the same text."""
    measured_at = {each: asked(text, each) for each in {*MERGES, 0, merges}}
    characters, pieces = measured_at[0], measured_at[merges]
    return {
        "character_perplexity": perplexity(characters),
        "piece_perplexity": perplexity(pieces),
        "piece_perplexity_per_character": perplexity_per(len(characters), pieces),
        "character_count": len(characters),
        "piece_count": len(pieces),
        "piece_over_merges": (MERGES, [perplexity(measured_at[each]) for each in MERGES]),
        "piece_per_character_over_merges": (MERGES, [perplexity_per(len(characters), measured_at[each]) for each in MERGES]),
        "read": [
            (
                " ".join(cut_text(text, each)),
                len(measured_at[each]),
                perplexity(measured_at[each]),
                bits_per(len(characters), measured_at[each]),
            )
            for each in (0, merges)
        ],
    }


@lru_cache(4)
def learned_merges() -> tuple[tuple[tuple[str, str], str], ...]:
    """BPE trained on the sentences, as far as the slider goes."""
    corpus = Counter(bpe_symbols(word) for sentence in LEARNED for word in sentence.split())
    return tuple((each.pair, each.symbol) for each in train(corpus, most_frequent, join_bpe, MERGES[-1])[0])


def cut_text(text: str, merges: int) -> list[str]:
    """A text's pieces after so many merges; with none its characters and the words' ends."""
    return [piece for word in text.lower().split() for piece in encode_by_rank(bpe_symbols(word), learned_merges()[:merges])[-1]]


@lru_cache(256)
def asked(text: str, merges: int) -> Tensor:
    """ln p of the text's pieces under the bigram model of these pieces."""
    sentences = [cut_text(sentence, merges) for sentence in LEARNED]
    known = {symbol for sentence in sentences for symbol in sentence}
    model = train_bigram(sentences, known)
    return torch.tensor(token_log_probabilities(model, [cut_text(text, merges)]), dtype=torch.float64)


def log_probabilities(loss: float, seed: int) -> Tensor:
    """ln p of 200 words; their mean is exactly -loss, none is above 0."""
    drawn = torch.randn(WORDS, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    spread = torch.exp(SPREAD * drawn)
    return -loss * spread / spread.mean()


def cut(words: Tensor, pieces: float) -> Tensor:
    """The same text in more pieces: every word's ln p is shared out over its pieces, p(word) = Π p(piece)."""
    counts = torch.full((WORDS,), math.floor(pieces))
    counts[: round(WORDS * (pieces - math.floor(pieces)))] += 1
    return (words / counts).repeat_interleave(counts)


def worst_share(words: Tensor) -> float:
    """How much of the sum of 1/p the least probable word makes up, in percent."""
    inverse = torch.exp(-words)
    return 100 * float(inverse.max() / inverse.sum())


MERGES_LABEL = Label("merges of BPE", "BPE 合并次数")
LOSS, PIECES_LABEL = Label("mean loss of a word, nats", "每词平均损失（nats）"), Label("pieces per word", "每词的词片数")
AT_LEAST_1 = (1, math.inf)  # probabilities are at most 1

MEASURES = (
    wrong("mean_of_perplexities", "mean of 1/p over 200 words", "1/p 的平均，200 个词", within=AT_LEAST_1),
    right("word_perplexity", "perplexity exp(mean loss) over 200 words", "困惑度 exp(平均损失)，200 个词", within=AT_LEAST_1),
    measured("worst_share", "share of the worst word in the mean of 1/p", "最难的一个词在 1/p 平均中的占比", "%", PERCENT),
    measured("uniform_perplexity", "perplexity of a guess among V", "在 V 个词元中均匀猜测的困惑度", within=AT_LEAST_1),
    measured("token_count", "tokens of the text (200 words)", "文本的词元数（200 个词）", within=(WORDS, PIECES[-1] * WORDS)),
    wrong("token_perplexity", "perplexity per token, cut into pieces", "按词元的困惑度，切成词片后", within=AT_LEAST_1),
    right("token_perplexity_per_word", "perplexity per word, cut into pieces", "按词的困惑度，切成词片后", within=AT_LEAST_1),
    measured("bits_per_character_words", "bits per character, cut into whole words", "每字符比特数，按整词"),
    measured("bits_per_character_pieces", "bits per character, cut into pieces", "每字符比特数，按词片"),
    Curve("token_perplexity_over_pieces", Label("perplexity, per token", "困惑度，按词元"), PIECES_LABEL, "pieces", arm="wrong"),
    Curve("word_perplexity_over_pieces", Label("perplexity, per word", "困惑度，按词"), PIECES_LABEL, "pieces", arm="right"),
    Curve("perplexity_over_loss", Label("perplexity = exp(loss)", "困惑度 = exp(损失)"), LOSS, "loss"),
    measured("character_perplexity", "bigram of characters: perplexity per character", "字符的二元模型：每字符困惑度", within=AT_LEAST_1),
    wrong("piece_perplexity", "bigram of BPE pieces: perplexity per piece", "BPE 词片的二元模型：每词片困惑度", within=AT_LEAST_1),
    right(
        "piece_perplexity_per_character",
        "bigram of BPE pieces: perplexity per character",
        "BPE 词片的二元模型：每字符困惑度",
        within=AT_LEAST_1,
    ),
    measured("character_count", "characters and word ends of the text", "文本的字符与词尾数", within=AT_LEAST_1),
    measured("piece_count", "BPE pieces of the text", "文本的 BPE 词片数", within=AT_LEAST_1),
    Curve(
        "piece_over_merges",
        Label("perplexity of a trained bigram model, per piece", "训练出的二元模型的困惑度，按词片"),
        MERGES_LABEL,
        "bigram",
        arm="wrong",
    ),
    Curve(
        "piece_per_character_over_merges",
        Label("perplexity of a trained bigram model, per character", "训练出的二元模型的困惑度，按字符"),
        MERGES_LABEL,
        "bigram",
        arm="right",
    ),
    Rows(
        "read",
        Label("one text under two bigram models", "两个二元模型下的同一文本"),
        (
            Label("cut into", "切成"),
            Label("tokens", "词元数"),
            Label("perplexity", "困惑度"),
            Label("bits a character", "每字符比特"),
        ),
    ),
    note(
        "uncut", "token_count == word_count", "Every word is one piece: both tokenizers are the same.", "每个词恰好一个词片：两种分词相同。"
    ),
)

EXPERIMENT = Experiment(
    title=Label("perplexity", "困惑度"),
    summary=Label(
        "A text as a number of choices: bigram models with two tokenizers, per token and per character, and a mean that one word ruins.",
        "把文本换算成“几选一”：两种分词下的二元模型，按词元与按字符，以及被一个词毁掉的平均。",
    ),
    keywords=("PPL", "language model evaluation", "bits per byte", "tokenizer", "评估", "语言模型", "每字节比特"),
    parameters=(
        Parameter("text", Label("text", "文本"), ASKED, scale="text", pattern=r"[\s\S]*\S[\s\S]*", form=Label("a text", "一段文本")),
        Parameter("merges", MERGES_LABEL, 30, 0, MERGES[-1], 5),
        Parameter("loss", LOSS, 3.0, 0.25, LOSSES[-1], 0.25),
        Parameter("pieces", PIECES_LABEL, 1.5, PIECES[0], PIECES[-1], 0.1),
        Parameter("vocabulary", Label("vocabulary V", "词表大小 V"), 50257, 2, 50257, 5, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("piece_over_merges", "piece_per_character_over_merges"),
            over="merges",
            mark="piece_perplexity",
            caption=Label(
                "Larger pieces are harder to guess, each of them: only per character can two tokenizers be compared.",
                "词片越大，每一个就越难猜：两种分词只能按字符比较。",
            ),
        ),
        Figure("table", ("read",)),
        Figure("curve", ("token_perplexity_over_pieces", "word_perplexity_over_pieces"), over="pieces", mark="token_perplexity"),
        Figure("curve", ("perplexity_over_loss",), over="loss", mark="word_perplexity"),
        Figure("bars", ("mean_of_perplexities", "word_perplexity")),
        Figure("bars", ("bits_per_character_words", "bits_per_character_pieces")),
    ),
    arms=("mean_of_perplexities", "word_perplexity"),
    presets=(
        Preset(
            Label("characters", "按字符"),
            {"merges": 0},
            Label("Without merges a piece is a character, and both numbers are one.", "没有合并时词片就是字符，两个数相同。"),
            "piece_perplexity == piece_perplexity_per_character",
        ),
        Preset(
            Label("60 merges", "60 次合并"),
            {"merges": 60},
            Label(
                "Nearly whole words: perplexity per piece is the highest, per character it is not.",
                "几乎是整词：每词片的困惑度最高，每字符则不然。",
            ),
            "piece_perplexity > character_perplexity and piece_perplexity_per_character < character_perplexity and merges == 60",
        ),
        Preset(
            Label("a hard text", "难的文本"),
            {"loss": 8.0},
            Label(
                "A loss of 8 nats is a choice among about 2981; the mean of 1/p is ruled by one word in 200.",
                "损失 8 nats 相当于约 2981 选一；1/p 的平均则被 200 个词中的一个左右。",
            ),
            "word_perplexity > 2980 and worst_share > 80",
            show="perplexity_over_loss",
        ),
    ),
    run=run,
)
