"""Perplexity: e to the mean loss, the number of equally likely choices that would be as hard. Per token, so the tokenizer counts, too.

log_probabilities (T,) are ln p of the tokens of one text.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def perplexity(log_probabilities: Tensor) -> float:
    """exp(-mean ln p), the inverse of the geometric mean of the probabilities; V for a model that guesses among V."""
    return math.exp(-float(log_probabilities.mean()))


def perplexity_per(units: int, log_probabilities: Tensor) -> float:
    """The same text's ln p shared out over its words or characters instead: what two tokenizers can be compared by."""
    return math.exp(-float(log_probabilities.sum()) / units)


def bits_per(units: int, log_probabilities: Tensor) -> float:
    """-log2 p(text) / units."""
    return -float(log_probabilities.sum()) / units / math.log(2)


def mean_of_perplexities(log_probabilities: Tensor) -> float:
    """Wrong: the mean of 1/p is ruled by the single worst token."""
    return float(torch.exp(-log_probabilities).mean())
