"""A sentence as a pretrained model reads it: its words, their pieces, and the weights of every head of every layer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import torch
from torch import Tensor

from engine.label import ParameterError
from engine.textbook.bert import Bert
from engine.textbook.bert_tokenizer import WordPiece


@dataclass(frozen=True)
class Reading:
    """A sentence's words and pieces, and the weights of every head: (layers, heads, T, T), row = the token that reads."""

    words: tuple[tuple[str, tuple[str, ...]], ...]
    pieces: tuple[str, ...]
    weights: Tensor

    def between(self, reader: tuple[int, ...], read: tuple[int, ...]) -> Tensor:
        """(layers, heads): how much a word gives to another; a word of several pieces is read as their sum and reads as their mean."""
        return self.weights[:, :, list(reader)].mean(2)[:, :, list(read)].sum(-1)


def read_sentence(bert: Bert, vocabulary: WordPiece, sentence: str) -> Reading:
    """Raises ParameterError for a sentence that the position table cannot hold, or pieces that the embedding table cannot."""
    pieces = vocabulary.encode(sentence)
    rows, positions = (len(table.weight) for table in (bert.embeddings.word, bert.embeddings.position))
    if len(pieces) > positions:
        raise ParameterError(
            f"The sentence has {len(pieces)} pieces; the model has {positions} positions. Write a shorter one.",
            f"句子有 {len(pieces)} 个词片，模型只有 {positions} 个位置。请写短一些。",
        )
    ids = vocabulary.numbers_of(pieces)
    if max(ids) >= rows:
        raise ParameterError(
            f"vocab.txt has more pieces than the model's {rows} embeddings: the files do not belong together.",
            f"vocab.txt 的词片多于模型的 {rows} 个嵌入：这些文件不是一套。",
        )
    return Reading(tuple(vocabulary.words(sentence)), pieces, torch.cat(bert(torch.tensor([ids])).weights))


def token_positions(reading: Reading, vocabulary: WordPiece, text: str) -> tuple[int, ...]:
    """Where a word's pieces stand, at its first occurrence; several words, or characters, in a row are found too. Raises ParameterError.

    Words are compared, not pieces: two unknown words are the same piece.
    """
    wanted, words = [word for word, _ in vocabulary.words(text)], [word for word, _ in reading.words]
    ends = list(accumulate((len(pieces) for _, pieces in reading.words), initial=1))  # [CLS] comes first
    for start in range(len(words) - len(wanted) + 1):
        if wanted and words[start : start + len(wanted)] == wanted:
            return tuple(range(ends[start], ends[start + len(wanted)]))
    sentence = " ".join(words)
    raise ParameterError(f"The sentence ({sentence}) has no word {text!r}.", f"句子（{sentence}）里没有 {text!r} 这个词。")
