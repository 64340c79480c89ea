"""A BERT so small that it is pre-trained while one waits: what cats, dogs and birds do, and whether two sentences are about one animal.

Every pair of sentences, every word of them masked once: 36 examples in one batch, 150 steps of Adam, a second or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn.functional import cross_entropy

from engine.textbook.bert import BertShape
from engine.textbook.optimizers import adam
from engine.textbook.pretraining_heads import IGNORED, Predictions, PretrainingBert
from engine.textbook.random_weights import with_normal_weights
from engine.textbook.tiny_bert import HEADS, PAIR, PAIR_SEGMENTS, VOCABULARY, numbers_of
from engine.textbook.training_loop import SEEDS, seeds_beside, train

WIDTH, INNER, LAYERS = 24, 48, 2  # with 4 numbers a token it does not learn
SPREAD = 0.25  # of the weights at the start
RATE, STEPS, EVERY = 0.004, 150, 10  # at 0.006 the loss of what cannot be known jumps about
DOES = {"cats": ("nap",), "dogs": ("bark",), "birds": ("sing", "fly")}
WORDS = (1, 2, 4)  # where a pair has words, counted from 0


def trained_tiny_bert(steps: int, seed: int) -> PretrainingBert:
    """After so many steps, a multiple of 10, at most 150; 0 is the random start. In float64, without gradients."""
    bert = untrained(seed).double()
    bert.load_state_dict(unpack(snapshots(seeds_beside(seed))[steps // EVERY, seed % SEEDS].double(), bert))
    return bert


@lru_cache(4)  # 11,582 numbers each, eighty times
def snapshots(seeds: Sequence[int]) -> Tensor:
    """All weights (16, S, P) at the start and after every ten steps."""
    berts, (ids, labels, follows, times) = [untrained(seed) for seed in seeds], examples()
    bert, segments = berts[0], torch.tensor([PAIR_SEGMENTS]).expand(len(ids), -1)

    def loss(theta: Tensor) -> Tensor:
        """BERT's own: that of the masked pieces plus that of the next sentence. Source: Devlin et al. 2018, section A.2."""
        found = Predictions(*functional_call(Predicting(bert), unpack(theta, bert, "bert."), (ids, segments)))
        masked = cross_entropy(found.tokens.transpose(1, 2), labels, ignore_index=IGNORED, reduction="none").sum(-1)  # one piece each
        return (times * (masked + cross_entropy(found.next_sentence, follows, reduction="none"))).sum() / times.sum()

    start = torch.stack([torch.cat([each.flatten() for each in bert.parameters()]) for bert in berts]).detach()
    learned = [theta for theta, _ in train(start, vmap(loss), adam(start, RATE), STEPS)]
    return torch.stack([start, *learned[EVERY - 1 :: EVERY]])


class Predicting(torch.nn.Module):
    """`predict` as a module's call, which is what torch calls with other weights."""

    def __init__(self, bert: PretrainingBert) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, ids: Tensor, segments: Tensor) -> Predictions:
        return self.bert.predict(ids, segments)


def untrained(seed: int) -> PretrainingBert:
    """In float32, as models are trained."""
    shape = BertShape(len(VOCABULARY), WIDTH, LAYERS, HEADS, INNER, positions=len(PAIR))
    return with_normal_weights(partial(PretrainingBert, shape), SPREAD, seed, torch.float32)


def unpack(theta: Tensor, bert: PretrainingBert, prefix: str = "") -> dict[str, Tensor]:
    """The parameters that lie one after the other in θ (P,)."""
    names, parameters = zip(*bert.named_parameters(), strict=True)
    pieces = torch.split(theta, [each.numel() for each in parameters])
    return {prefix + name: piece.view(each.shape) for name, piece, each in zip(names, pieces, parameters, strict=True)}


def examples() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Inputs and labels (36, 6), whether the second sentence follows (36,), 0 it does, 1 it does not, and how often each is seen (36,).

    Half of what is seen follows, and each animal is seen alike.
    """
    ids, labels, follows, times = [], [], [], []
    for animal, verbs in DOES.items():
        for verb in verbs:
            for other in DOES:
                row = numbers_of(("[CLS]", animal, verb, "[SEP]", other, "[SEP]"))[0]
                for position in WORDS:
                    at = torch.arange(len(row)) == position
                    ids.append(row.masked_fill(at, VOCABULARY.index("[MASK]")))
                    labels.append(row.masked_fill(~at, IGNORED))
                    follows.append(int(animal != other))
                    times.append((2 if animal == other else 1) * (3 - len(verbs)))
    return torch.stack(ids), torch.stack(labels), torch.tensor(follows), torch.tensor(times)
