"""A BERT that fits on a screen: twelve pieces, four numbers a token, two heads. Its weights are random: it shows shapes, not knowledge."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from engine.textbook.bert import BertShape
from engine.textbook.pretraining_heads import PretrainingBert
from engine.textbook.random_weights import with_normal_weights

VOCABULARY = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cats", "dogs", "birds", "nap", "bark", "sing", "fly")
PAIR = ("[CLS]", "cats", "nap", "[SEP]", "birds", "[SEP]")
PAIR_SEGMENTS = (0, 0, 0, 0, 1, 1)
WIDTH, INNER, HEADS = 4, 16, 2
SPREAD = 0.6  # of the weights: far more than BERT's 0.02, so that differences can be seen


def tiny_shape(layers: int) -> BertShape:
    return BertShape(len(VOCABULARY), WIDTH, layers, HEADS, INNER, positions=len(PAIR))


def tiny_bert(layers: int, seed: int) -> PretrainingBert:
    return with_normal_weights(partial(PretrainingBert, tiny_shape(layers)), SPREAD, seed)


def numbers_of(pieces: tuple[str, ...]) -> Tensor:
    """(1, T): each piece's place in the vocabulary. Raises ValueError for a piece that is not in it."""
    return torch.tensor([[VOCABULARY.index(piece) for piece in pieces]])
