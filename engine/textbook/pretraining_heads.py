"""What is put on top of BERT: a class for the sequence, a piece for every masked token, a yes or no for a pair of sentences."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from engine.textbook.bert import Bert, BertShape
from engine.textbook.normalization import LayerNorm

IGNORED = -100  # the label of a token that is not predicted, as in torch's cross_entropy


class Classifier(nn.Module):
    """One linear map over the pooled [CLS]: (B, D) -> (B, classes). D·classes + classes parameters, the only new ones in fine-tuning."""

    def __init__(self, d_model: int, classes: int) -> None:
        super().__init__()
        self.dense = nn.Linear(d_model, classes)

    def forward(self, pooled: Tensor) -> Tensor:
        return torch.as_tensor(self.dense(pooled))


class MaskedTokenHead(nn.Module):
    """LN(GELU(W·h + b)), then compared with every row of the word embeddings: (B, T, D) -> (B, T, V).

    The decoder is the embedding table itself (tied): only D² + 3·D + V parameters are new, and its gradient comes from both ends.
    """

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.activation = shape.activation
        self.dense = nn.Linear(shape.d_model, shape.d_model)
        self.norm = LayerNorm(shape.d_model, shape.eps)
        self.bias = nn.Parameter(torch.zeros(shape.vocabulary))

    def forward(self, hidden: Tensor, table: Tensor) -> Tensor:
        return torch.as_tensor(self.norm(self.activation(self.dense(hidden))) @ table.T + self.bias)


class Predictions(NamedTuple):
    """Logits: for every token over the vocabulary (B, T, V), and for the pair (B, 2): [does follow, does not]."""

    tokens: Tensor
    next_sentence: Tensor


class PretrainingBert(Bert):
    """BERT with the two heads it was trained with."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__(shape)
        self.masked = MaskedTokenHead(shape)
        self.next_sentence = nn.Linear(shape.d_model, 2)

    def predict(self, ids: Tensor, segments: Tensor | None = None, present: Tensor | None = None) -> Predictions:
        """Arguments as in Bert.forward."""
        encoded = self.forward(ids, segments, present)
        return Predictions(self.masked(encoded.hidden[-1], self.embeddings.word.weight), self.next_sentence(encoded.pooled))


def masked_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean of -ln p(label) over the tokens that are predicted: logits (B, T, V), labels (B, T) with IGNORED elsewhere. NaN without any."""
    predicted = labels != IGNORED
    log_probabilities = torch.log_softmax(logits[predicted], -1)  # (M, V)
    return -log_probabilities.gather(-1, labels[predicted][:, None]).mean()
