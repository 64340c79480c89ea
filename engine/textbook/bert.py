"""BERT, written to be read: three embeddings summed, a stack of post-norm encoder layers, and a pooler over the first token.

Letters as in attention.py: B sequences, T tokens, D = d_model, h heads, V pieces in the vocabulary. Source: Devlin et al. 2018.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.textbook.activations import Activation, gelu
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.feed_forward import FeedForward
from engine.textbook.normalization import LayerNorm


@dataclass(frozen=True)
class BertShape:
    """The numbers that fix every shape; the defaults are BERT-base's, uncased English."""

    vocabulary: int = 30_522
    d_model: int = 768
    layers: int = 12
    heads: int = 12
    width: int = 3072  # of the feed-forward part
    positions: int = 512
    segments: int = 2
    eps: float = 1e-12
    activation: Activation = gelu


BASE = BertShape()
LARGE = BertShape(d_model=1024, layers=24, heads=16, width=4096)


class Encoded(NamedTuple):
    """Tokens after the embeddings and after every layer, (B, T, D) each; every layer's weights, (B, h, T, T) each; (B, D)."""

    hidden: tuple[Tensor, ...]
    weights: tuple[Tensor, ...]
    pooled: Tensor


class LookUp(nn.Module):
    """One learned row of D numbers for each of so many things: numbers (B, T) -> (B, T, D). IndexError for a number without a row.

    All 0 until weights are loaded or drawn (nn.Embedding draws them at once, which on the meta device costs a second of imports).
    """

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(rows, width))

    def forward(self, numbers: Tensor) -> Tensor:
        return functional.embedding(numbers, self.weight)


class Embeddings(nn.Module):
    """Word + position + segment, each a learned table, then LayerNorm. Positions end where their table ends: at 512."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.word = LookUp(shape.vocabulary, shape.d_model)
        self.position = LookUp(shape.positions, shape.d_model)
        self.segment = LookUp(shape.segments, shape.d_model)
        self.norm = LayerNorm(shape.d_model, shape.eps)

    def parts(self, ids: Tensor, segments: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The three rows that are summed for every token, (B, T, D) each. Raises IndexError beyond the position table."""
        places = torch.arange(ids.shape[-1]).expand_as(ids)
        return self.word(ids), self.position(places), self.segment(segments)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        word, position, segment = self.parts(ids, segments)
        return torch.as_tensor(self.norm(word + position + segment))


class EncoderLayer(nn.Module):
    """x <- LN(x + attention(x)); x <- LN(x + feed_forward(x)): the norm comes after each sum (post-norm)."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(shape.d_model, shape.heads)
        self.attention_norm = LayerNorm(shape.d_model, shape.eps)
        self.feed_forward = FeedForward(shape.d_model, shape.width, shape.activation)
        self.output_norm = LayerNorm(shape.d_model, shape.eps)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Tokens (B, T, D) -> (B, T, D), and the weights (B, h, T, T)."""
        read, weights = self.attention(x, mask=mask)
        x = self.attention_norm(x + read)
        return self.output_norm(x + self.feed_forward(x)), weights


class Pooler(nn.Module):
    """tanh(W·h_[CLS] + b): one vector for the whole sequence, (B, T, D) -> (B, D)."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.dense = nn.Linear(shape.d_model, shape.d_model)

    def forward(self, hidden: Tensor) -> Tensor:
        return torch.tanh(self.dense(hidden[:, 0]))


class Bert(nn.Module):
    """Piece numbers in, a vector for every token and one for the sequence out."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.embeddings = Embeddings(shape)
        self.layers = nn.ModuleList(EncoderLayer(shape) for _ in range(shape.layers))
        self.pooler = Pooler(shape)

    def forward(self, ids: Tensor, segments: Tensor | None = None, present: Tensor | None = None) -> Encoded:
        """ids (B, T); segments (B, T), 0 or 1; present (B, T), True = a token, False = padding that nobody reads."""
        mask = None if present is None else present[:, None, None, :]  # (B, 1, 1, T): the same keys for all heads and queries
        hidden: list[Tensor] = [self.embeddings(ids, torch.zeros_like(ids) if segments is None else segments)]
        weights: list[Tensor] = []
        for layer in self.layers:
            x, seen = layer(hidden[-1], mask)
            hidden.append(x)
            weights.append(seen)
        return Encoded(tuple(hidden), tuple(weights), self.pooler(hidden[-1]))


# Checkpoints name the same matrices otherwise; the first bert-* ones call a norm's weight gamma and its bias beta.
NAMES = (
    ("embeddings.word_embeddings.", "embeddings.word."),
    ("embeddings.position_embeddings.", "embeddings.position."),
    ("embeddings.token_type_embeddings.", "embeddings.segment."),
    ("embeddings.LayerNorm.", "embeddings.norm."),
    ("encoder.layer.", "layers."),
    ("attention.self.query.", "attention.W_Q."),
    ("attention.self.key.", "attention.W_K."),
    ("attention.self.value.", "attention.W_V."),
    ("attention.output.dense.", "attention.W_O."),
    ("attention.output.LayerNorm.", "attention_norm."),
    ("intermediate.dense.", "feed_forward.up."),
    ("output.dense.", "feed_forward.down."),
    ("output.LayerNorm.", "output_norm."),
    ("cls.predictions.transform.dense.", "masked.dense."),
    ("cls.predictions.transform.LayerNorm.", "masked.norm."),
    ("cls.predictions.bias", "masked.bias"),
    ("cls.seq_relationship.", "next_sentence."),
    (".gamma", ".weight"),
    (".beta", ".bias"),
)


def our_name(name: str) -> str:
    """The name in this file of a tensor in a Hugging Face checkpoint, with or without the prefix bert."""
    name = name.removeprefix("bert.")
    for theirs, ours in NAMES:
        name = name.replace(theirs, ours)
    return name


def load_weights(model: nn.Module, tensors: Mapping[str, Tensor], dtype: torch.dtype = torch.float32) -> None:
    """Gives `model` a checkpoint's tensors; those without a place are left out. Raises ValueError when one is missing or does not fit."""
    found = {our_name(name): tensor for name, tensor in tensors.items()}
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    for name, shape in wanted.items():
        if name not in found:
            raise ValueError(f"the weights {name} are missing")
        if tuple(found[name].shape) != shape:
            raise ValueError(f"the weights {name} are {tuple(found[name].shape)}, not {shape}")
    model.load_state_dict({name: found[name].to(dtype) for name in wanted}, assign=True)


def one_product(embeddings: Embeddings, ids: Tensor, segments: Tensor) -> Tensor:
    """The sum of three looked-up rows as one product of joined one-hot rows with the stacked tables: (1, T, D)."""
    tables: list[Tensor] = [embeddings.word.weight, embeddings.position.weight, embeddings.segment.weight]
    rows = [ids, torch.arange(ids.shape[1])[None], segments]
    hot = torch.cat([functional.one_hot(row, len(table)) for row, table in zip(rows, tables, strict=True)], -1).double()
    return hot @ torch.cat(tables)  # (V + P + 2, D)


def fails_beyond(embeddings: Embeddings) -> bool:
    """Whether a sequence one token longer than the position table is refused."""
    ids = torch.zeros(1, len(embeddings.position.weight) + 1, dtype=torch.int64)
    try:
        embeddings(ids, ids)
    except IndexError:
        return True
    return False
