"""Perplexity is e to the mean loss; it is per token, so the same text under the same model looks easier when it is cut into more pieces."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.perplexity import bits_per, mean_of_perplexities, perplexity, perplexity_per

WORDS, CHARACTERS = 200, 1000  # of the text
SPREAD = 0.5  # of ln(-ln p) from word to word
PIECES = tuple(1 + 0.1 * tick for tick in range(21))
LOSSES = tuple(0.25 * tick for tick in range(33))  # 0 ... 8
LOSS, PIECES_LABEL = Label("mean loss of a word, nats", "每词平均损失（nats）"), Label("pieces per word", "每词的词片数")


def run(*, loss: float, pieces: float, vocabulary: int, seed: int) -> Result:
    words = log_probabilities(loss, seed)  # (200,)
    tokens = cut(words, pieces)
    return Result(
        quantities=(
            wrong("mean_of_perplexities", mean_of_perplexities(words), "mean of the words' own 1/p", "各词 1/p 的平均"),
            right("word_perplexity", perplexity(words), "perplexity, exp(mean loss)", "困惑度，exp(平均损失)"),
            measured(
                "worst_share", _worst_share(words), "share of the worst word in that mean of 1/p", "最难的一个词在 1/p 平均中的占比", "%"
            ),
            measured(
                "uniform_perplexity",
                perplexity(torch.full((WORDS,), -math.log(vocabulary), dtype=torch.float64)),
                "perplexity of a guess among V",
                "在 V 个词元中均匀猜测的困惑度",
            ),
            *_two_tokenizers(words, tokens),
        ),
        series=_curves(words),
        notes=(Label("Every word is one piece: both tokenizers are the same.", "每个词恰好一个词片：两种分词相同。"),)
        if len(tokens) == WORDS
        else (),
    )


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


def _worst_share(words: Tensor) -> float:
    inverse = torch.exp(-words)
    return 100 * float(inverse.max() / inverse.sum())


def _two_tokenizers(words: Tensor, tokens: Tensor) -> tuple[Quantity, ...]:
    return (
        measured("token_count", len(tokens), f"tokens of the text ({WORDS} words)", f"文本的词元数（{WORDS} 个词）"),
        wrong("token_perplexity", perplexity(tokens), "perplexity per token, cut into pieces", "按词元的困惑度，切成词片后"),
        right("token_perplexity_per_word", perplexity_per(WORDS, tokens), "... shared out per word", "……折算到每个词"),
        measured("bits_per_character_words", bits_per(CHARACTERS, words), "bits per character, whole words", "每字符比特数，整词"),
        measured("bits_per_character_pieces", bits_per(CHARACTERS, tokens), "... pieces", "……词片"),
    )


def _curves(words: Tensor) -> tuple[Series, ...]:
    by_pieces = tuple(perplexity(cut(words, pieces)) for pieces in PIECES)
    per_word = tuple(perplexity_per(WORDS, cut(words, pieces)) for pieces in PIECES)
    return (
        Series(
            "token_perplexity_over_pieces",
            PIECES,
            by_pieces,
            Label("perplexity per token", "按词元的困惑度"),
            PIECES_LABEL,
            "pieces",
            arm="wrong",
        ),
        Series(
            "word_perplexity_over_pieces",
            PIECES,
            per_word,
            Label("perplexity per word", "按词的困惑度"),
            PIECES_LABEL,
            "pieces",
            arm="right",
        ),
        Series(
            "perplexity_over_loss",
            LOSSES,
            tuple(map(math.exp, LOSSES)),
            Label("perplexity = exp(loss)", "困惑度 = exp(损失)"),
            LOSS,
            "loss",
        ),
    )


def cost(*, loss: float, pieces: float, vocabulary: int, seed: int) -> Cost:
    tokens = WORDS * max(pieces, PIECES[-1])
    return Cost(bytes=8 * 8 * tokens, flops=20 * tokens * len(PIECES))


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
    run=run,
    cost=cost,
    shows=(perplexity, perplexity_per, bits_per, mean_of_perplexities),
    arms=("mean_of_perplexities", "word_perplexity"),
)
