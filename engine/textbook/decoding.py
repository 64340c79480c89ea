"""From logits to the next token: temperature, the candidates that stay, and a penalty for what was said already.

Every step takes logits (..., V) and returns logits; a token that is out gets -inf, so that steps can follow each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import Tensor


def apply_temperature(logits: Tensor, temperature: float) -> Tensor:
    """Divided by T: below 1 the favourites gain, above 1 the others do, at 1 nothing changes. T -> 0 is the argmax."""
    return logits / temperature


def keep_top_k(logits: Tensor, k: int) -> Tensor:
    """The k largest stay (and their equals): always as many, whether the model is sure or not."""
    smallest = logits.topk(min(k, logits.shape[-1])).values[..., -1:]
    return logits.masked_fill(logits < smallest, -math.inf)


def keep_top_p(logits: Tensor, p: float) -> Tensor:
    """The smallest set that holds at least p of the probability stays: as many as it takes. Source: Holtzman et al. 2020."""
    if p >= 1:  # rounding would lose the least likely ones
        return logits
    falling, order = logits.sort(descending=True, stable=True)
    weights = torch.softmax(falling, -1)
    before = weights.cumsum(-1) - weights  # what better candidates hold together
    out = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, before >= p)
    return logits.masked_fill(out, -math.inf)


def keep_min_p(logits: Tensor, share: float) -> Tensor:
    """Those at least `share` times as likely as the favourite stay."""
    return logits.masked_fill(logits < logits.amax(-1, keepdim=True) + math.log(share), -math.inf) if share else logits


def candidates(logits: Tensor) -> int:
    """How many tokens are still in."""
    return int((logits > -math.inf).sum())


# The repetition penalty. Source: Keskar et al. 2019 divides every logit; the libraries' rule mends it for negative ones.


def penalise(logits: Tensor, said: Iterable[int], penalty: float) -> Tensor:
    """A positive logit is divided, a negative one multiplied: both move down."""
    penalised = logits.clone()
    for token in said:
        penalised[token] = logits[token] / penalty if logits[token] > 0 else logits[token] * penalty
    return penalised


def penalise_by_dividing(logits: Tensor, said: Iterable[int], penalty: float) -> Tensor:
    """Wrong: a negative logit divided moves up, towards 0, so the repetition is rewarded."""
    penalised = logits.clone()
    for token in said:
        penalised[token] = logits[token] / penalty
    return penalised


def penalise_probability(logits: Tensor, said: Iterable[int], penalty: float) -> Tensor:
    """Often said, and not what is done: the probability divided, the rest scaled up to 1. In logits: ln(penalty) subtracted."""
    penalised = logits.clone()
    for token in said:
        penalised[token] = logits[token] - math.log(penalty)
    return penalised
