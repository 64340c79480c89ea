"""Part of prediction_heads: what is asked at masked positions and at all, before and while the small BERT is trained."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.assemble import Numbers
from engine.label import Label
from engine.textbook.model_sizes import MODELS
from engine.textbook.pretraining_heads import IGNORED, masked_loss
from engine.textbook.tiny_bert import PAIR, VOCABULARY
from engine.textbook.trained_tiny_bert import EVERY, STEPS, trained_tiny_bert

TAKEN = tuple(range(0, STEPS + 1, EVERY))  # the x axis
BERT = MODELS["bert-base"]


def losses(logits: Tensor, labels: Tensor, original: Tensor) -> Numbers:
    """The loss over the masked positions, over all, and what each makes of another label at a position that was not masked."""
    everywhere, at_masked = masked_loss(logits, original), masked_loss(logits, labels)
    unmasked = next(index for index in range(1, len(PAIR)) if labels[0, index] == IGNORED)
    other = original.clone()
    other[0, unmasked] = (original[0, unmasked] + 1) % len(VOCABULARY)
    relabelled = torch.where(labels == IGNORED, labels, other)  # the loss does not see what it is not asked for
    return {
        "all_positions_loss": everywhere,
        "masked_positions_loss": at_masked,
        "torch_difference": (cross_entropy(logits[0], labels[0], ignore_index=IGNORED) - at_masked).abs(),
        "all_label_change": (masked_loss(logits, other) - everywhere).abs(),
        "masked_label_change": (masked_loss(logits, relabelled) - at_masked).abs(),
        "predicted_positions": (labels != IGNORED).sum(),
        "uniform_loss": math.log(len(VOCABULARY)),
        "uniform_loss_bert": math.log(BERT.vocabulary),
    }


def over_steps(ids: Tensor, segments: Tensor, labels: Tensor, original: Tensor, seed: int) -> Numbers:
    """What the same sentences cost after every ten steps of pre-training."""
    found = [trained_tiny_bert(step, seed).predict(ids, segments) for step in TAKEN]
    return {
        "masked_positions_loss_over_steps": (TAKEN, [masked_loss(each.tokens, labels) for each in found]),
        "all_positions_loss_over_steps": (TAKEN, [masked_loss(each.tokens, original) for each in found]),
    }


def costs_by_position(logits: Tensor, labels: Tensor, words: tuple[str, ...]) -> list[tuple[str, str | Label, float]]:
    """What stands there, what is asked for, and what it costs."""
    costs = cross_entropy(logits[0], labels[0], ignore_index=IGNORED, reduction="none").tolist()
    pieces = [NOT_ASKED if label == IGNORED else VOCABULARY[label] for label in labels[0].tolist()]
    return list(zip(words, pieces, costs, strict=True))


NOT_ASKED = Label("not asked", "不计")
