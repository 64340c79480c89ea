"""Part of attention_steps: sentences whose words are four numbers each, and whole numbers by which a pronoun asks for an animal."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.label import Label

FEATURES = ("animal", "food", "back", "event")  # what the four numbers of a token stand for
WIDTH = len(FEATURES)
ANIMAL, FISH, VERB, LINK, PRONOUN, STATE = [2, 0, 0, 0], [1, 2, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 2, 0], [0, 0, 0, 2]


@dataclass(frozen=True)
class Sentence:
    """Tokens, a row of X for each, and which token the pronoun stands for."""

    tokens: tuple[Label, ...]
    rows: tuple[list[int], ...]
    pronoun: int
    referent: int = 0
    other: int = 1  # a token beside both


def words(en: str, zh: str) -> tuple[Label, ...]:
    """The tokens of a sentence in both languages, one for one."""
    return tuple(map(Label, en.split(), zh.split()))


SENTENCES = {
    "en": Sentence(
        words("kitten refused fish it was full", "小猫 没吃 鱼 它 很 饱"), (ANIMAL, VERB, FISH, PRONOUN, LINK, STATE), pronoun=3
    ),
    "zh": Sentence(
        words("kitten refused fish because it full", "小猫 没吃 鱼 因为 它 不饿"), (ANIMAL, VERB, FISH, LINK, PRONOUN, STATE), pronoun=4
    ),
    "short": Sentence(words("cat naps it purrs", "猫 睡着 它 打呼噜"), (ANIMAL, VERB, PRONOUN, STATE), pronoun=2),
}

# Row i says what feature i asks for (Q), answers to (K) and hands over (V): a pronoun asks for an animal.
HAND = tuple(
    torch.tensor(rows, dtype=torch.float64)
    for rows in (
        [[0, 0, 0, 1], [1, 0, 0, 0], [2, 0, 0, 0], [1, 1, 0, 0]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 1]],
        [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]],
    )
)


def projection_matrices(projections: str, seed: int) -> tuple[Tensor, ...]:
    """W_Q, W_K, W_V, each (4, 4): small whole numbers, or N(0, 1/4)."""
    if projections == "hand":
        return HAND
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(WIDTH))
