"""Part of sampling: how many of 1000 words top-k, top-p and min-p leave of a model that has no idea, and of one that is sure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import SHARE, Curve, Measure, Range, measured, right, wrong
from engine.textbook.decoding import candidates, keep_min_p, keep_top_k, keep_top_p

VOCABULARY = 1000
SHARES = tuple(tick / 20 for tick in range(1, 21))


@dataclass(frozen=True)
class Models:
    """Two next-token distributions over 1000 words: one that has no idea, one that is sure."""

    flat: Tensor
    peaked: Tensor


def draw(seed: int) -> Models:
    """Flat: logits that spread by 0.3. Peaked: the same, and one word 11 above, which gets over 98 %."""
    flat = 0.3 * torch.randn(VOCABULARY, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    peaked = flat.clone()
    peaked[0] = 11.0
    return Models(flat, peaked)


def kept_of_each(models: Models, top_k: int, top_p: float, min_p: float) -> Numbers:
    flat, peaked = models.flat, models.peaked
    return {
        "nucleus_flat": candidates(keep_top_p(flat, top_p)),
        "nucleus_peaked": candidates(keep_top_p(peaked, top_p)),
        "top_k_flat": candidates(keep_top_k(flat, top_k)),
        "top_k_peaked": candidates(keep_top_k(peaked, top_k)),
        "top_k_mass_flat": mass(flat, keep_top_k(flat, top_k)),
        "top_k_mass_peaked": mass(peaked, keep_top_k(peaked, top_k)),
        "min_p_flat": candidates(keep_min_p(flat, min_p)),
        "min_p_peaked": candidates(keep_min_p(peaked, min_p)),
    }


def mass(logits: Tensor, kept: Tensor) -> Tensor:
    """The probability of those that stay."""
    return torch.softmax(logits, -1)[kept > -math.inf].sum()


COUNT: Range = (1, VOCABULARY)
TOP_P = Label("top-p", "top-p")

KEPT_MEASURES: tuple[Measure, ...] = (
    right("nucleus_flat", "top-p: words left of 1000, unsure model", "top-p：1000 词里留下的词数，没把握", within=COUNT),
    right("nucleus_peaked", "top-p: words left of 1000, sure model", "top-p：1000 词里留下的词数，有把握", within=COUNT),
    wrong("top_k_flat", "top-k: words left of 1000, unsure model", "top-k：1000 词里留下的词数，没把握", within=COUNT),
    wrong("top_k_peaked", "top-k: words left of 1000, sure model", "top-k：1000 词里留下的词数，有把握", within=COUNT),
    measured("top_k_mass_flat", "probability that top-k keeps, unsure model", "top-k 保留的概率，没把握时", within=SHARE),
    measured("top_k_mass_peaked", "probability that top-k keeps, sure model", "top-k 保留的概率，有把握时", within=SHARE),
    measured("min_p_flat", "min-p: words left of 1000, unsure model", "min-p：1000 词里留下的词数，没把握", within=COUNT),
    measured("min_p_peaked", "min-p: words left of 1000, sure model", "min-p：1000 词里留下的词数，有把握", within=COUNT),
    Curve(
        "nucleus_flat_over_p",
        Label("words that top-p leaves of 1000, unsure model", "top-p 在 1000 词里留下的词数，没把握"),
        TOP_P,
        "candidates",
    ),
    Curve(
        "nucleus_peaked_over_p",
        Label("words that top-p leaves of 1000, sure model", "top-p 在 1000 词里留下的词数，有把握"),
        TOP_P,
        "candidates",
    ),
)
