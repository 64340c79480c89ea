"""What BERT is asked during pre-training: some tokens are chosen, and of those some become [MASK], some another piece, some stay.

Piece numbers are (..., T). Source: Devlin et al. 2018 (the 15 % and the 80/10/10), Liu et al. 2019 (anew in every epoch).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.textbook.pretraining_heads import IGNORED


@dataclass(frozen=True)
class Rule:
    """The share of tokens that is chosen, and what becomes of a chosen one: the shares of [MASK] and of a random piece; the rest stays."""

    chosen: float = 0.15
    masked: float = 0.8
    random: float = 0.1


def choose_positions(ids: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Which tokens the model will be asked for: each with the same probability, on its own."""
    return torch.rand(ids.shape, generator=generator, dtype=torch.float64) < share


def corrupt(ids: Tensor, chosen: Tensor, rule: Rule, mask: int, vocabulary: int, generator: torch.Generator) -> Tensor:
    """The input that the model sees; where nothing was chosen it is `ids`."""
    fate = torch.rand(ids.shape, generator=generator, dtype=torch.float64)
    anything = torch.randint(vocabulary, ids.shape, generator=generator)
    changed = torch.where(fate < rule.masked, mask, torch.where(fate < rule.masked + rule.random, anything, ids))
    return torch.where(chosen, changed, ids)


def labels_of(ids: Tensor, chosen: Tensor) -> Tensor:
    """What the loss asks for: the original piece where it was chosen, also if it was left as it is; IGNORED elsewhere."""
    return torch.where(chosen, ids, IGNORED)


def whole_words(chosen: Tensor, words: Tensor) -> Tensor:
    """Pieces (..., T) chosen by their word's first piece; `words` (T,) says which word a piece belongs to, counted from 0."""
    first = torch.cat((torch.tensor([True]), words[1:] != words[:-1]))
    return chosen[..., first][..., words]


def choose_at_least(count: int, groups: Tensor, generator: torch.Generator) -> Tensor:
    """Which pieces of one text are asked for, (T,): whole groups in a random order until `count` pieces are, as BERT's own data are made.

    `groups` (T,) says which group a piece belongs to, counted from 0: its word, or itself.
    """
    sizes = groups.bincount()
    order = torch.randperm(len(sizes), generator=generator)
    before = sizes[order].cumsum(0) - sizes[order]
    return torch.isin(groups, order[before < count])


def expected_coverage(share: float, epochs: int) -> float:
    """The share of tokens that was asked for at least once, when every epoch chooses anew: 1 - (1 - p)^E. Chosen once for all: p."""
    return 1 - (1 - share) ** epochs
