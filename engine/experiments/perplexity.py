"""Perplexity is e to the mean loss; it is per token, so the same text under the same model looks easier when it is cut into more pieces."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.textbook.perplexity import bits_per, mean_of_perplexities, perplexity, perplexity_per

WORDS, CHARACTERS = 200, 1000  # of the text
SPREAD = 0.5  # of ln(-ln p) from word to word
PIECES = tuple(1 + 0.1 * tick for tick in range(21))  # 1 ... 3, the x axis
LOSSES = tuple(0.25 * tick for tick in range(33))  # 0 ... 8


def run(*, loss: float, pieces: float, vocabulary: int, seed: int) -> Numbers:
    words = log_probabilities(loss, seed)  # (200,)
    tokens = cut(words, pieces)  # (T,)
    return {
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
    note(
        "uncut", "token_count == word_count", "Every word is one piece: both tokenizers are the same.", "每个词恰好一个词片：两种分词相同。"
    ),
)

EXPERIMENT = Experiment(
    title=Label("perplexity", "困惑度"),
    summary=Label(
        "The mean loss of a text as a number of choices, per token and per word, and a mean that one word ruins.",
        "把文本的平均损失换算成“几选一”：按词元、按词，以及被一个词毁掉的平均。",
    ),
    parameters=(
        Parameter("loss", LOSS, 3.0, 0.25, LOSSES[-1], 0.25),
        Parameter("pieces", PIECES_LABEL, 1.5, PIECES[0], PIECES[-1], 0.1),
        Parameter("vocabulary", Label("vocabulary V", "词表大小 V"), 50257, 2, 50257, 5, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure("curve", ("token_perplexity_over_pieces", "word_perplexity_over_pieces"), over="pieces", mark="token_perplexity"),
        Figure("curve", ("perplexity_over_loss",), over="loss", mark="word_perplexity"),
        Figure("bars", ("mean_of_perplexities", "word_perplexity")),
        Figure("bars", ("bits_per_character_words", "bits_per_character_pieces")),
    ),
    arms=("mean_of_perplexities", "word_perplexity"),
    run=run,
)
