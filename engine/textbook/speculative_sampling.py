"""Speculative decoding: a small model guesses, the large one checks several guesses in one pass, and its distribution is kept exactly.

p is the target's distribution over V tokens, q the draft's. Source: Leviathan et al. 2023; Chen et al. 2023.
"""

from __future__ import annotations

import torch
from torch import Tensor


def acceptance(p: Tensor, q: Tensor) -> Tensor:
    """(V,): a guess is kept with probability min(1, p/q): always where the draft is too shy, in part where it is too bold."""
    return (p / q).clamp(max=1.0)


def acceptance_rate(p: Tensor, q: Tensor) -> float:
    """Σ q·min(1, p/q) = Σ min(p, q): what the two have in common."""
    return float(torch.minimum(p, q).sum())


def residual(p: Tensor, q: Tensor) -> Tensor:
    """What a refused guess is replaced from: the part of p that q does not cover, scaled up to 1. Where nothing is left, p itself."""
    missing = (p - q).clamp(min=0.0)
    return missing / missing.sum() if missing.sum() > 0 else p


def speculate(p: Tensor, q: Tensor, replacement: Tensor, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """`count` tokens (N,): guess from q, keep or replace. And which guesses were kept (N,)."""
    guesses = torch.multinomial(q, count, replacement=True, generator=generator)
    kept = torch.rand(count, generator=generator, dtype=p.dtype) < acceptance(p, q)[guesses]
    instead = torch.multinomial(replacement, count, replacement=True, generator=generator)
    return torch.where(kept, guesses, instead), kept


def exact_output(p: Tensor, q: Tensor, replacement: Tensor) -> Tensor:
    """The distribution that comes out: min(p, q) where guesses are kept, the replacement for the rest. It is p if that is the residual."""
    common = torch.minimum(p, q)
    return common + (1 - common.sum()) * replacement


def tokens_per_pass(rate: float, guesses: int) -> float:
    """Expected tokens of one pass of the target over `guesses` guesses: 1 + a + a² + ...; the first refusal ends it, and is replaced."""
    return sum(rate**kept for kept in range(guesses + 1))


def speed_up(rate: float, guesses: int, draft_cost: float) -> float:
    """Tokens a pass over what it costs: one pass of the target and the draft's guesses, each `draft_cost` of such a pass."""
    return tokens_per_pass(rate, guesses) / (1 + guesses * draft_cost)
