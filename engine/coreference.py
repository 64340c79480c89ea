"""A small model that says what a pronoun means: how it reads, how it answers, how it is taught, and what a cut edge does to it.

The answer is a distribution over the nouns, from the pronoun's last hidden state times their embeddings (tied, as in BERT's masked words).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.pronouns import Examples, Language, held_out_examples, training_examples
from engine.tiny import Shape, encode, unpack
from engine.training import Loss


def everyone_reads(tokens: int, pronoun: int) -> Tensor:
    """(T, T): the usual mask of an encoder, every token may attend to every token."""
    return torch.ones(tokens, tokens, dtype=torch.bool)


def only_the_pronoun_reads(tokens: int, pronoun: int) -> Tensor:
    """(T, T): the other tokens stay by themselves, so that nothing reaches the pronoun but by an edge of its own."""
    mask = torch.eye(tokens, dtype=torch.bool)
    mask[pronoun] = True
    return mask


def cut(mask: Tensor, query: int, key: int) -> Tensor:
    """The same mask (T, T) without one edge, in every layer."""
    mask = mask.clone()
    mask[query, key] = False
    return mask


@dataclass(frozen=True)
class Answer:
    """What a model says about one sentence. Row 0 is the whole model, row 1 the one with an edge cut."""

    words: tuple[str, ...]
    referent: int  # its place in the sentence
    other: int  # the other noun's place
    nouns: Tensor  # (2, nouns), probabilities
    reading: Tensor  # (2, layers, T), what the pronoun reads
    sure: tuple[float, float]  # the probability of the right noun


@dataclass(frozen=True)
class Resolver:
    """One model's design and the sentences for it; its weights θ are handed in."""

    language: Language
    shape: Shape
    mask: Tensor

    @property
    def pronoun(self) -> int:
        return self.language.sentence.index(self.language.pronoun)

    def answer(self, theta: Tensor, tokens: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits over the nouns (B, nouns), and what the pronoun reads in every layer (B, layers, T), mean over heads."""
        weights = unpack(theta, self.shape)
        hidden, seen = encode(tokens, weights, self.shape, self.mask if mask is None else mask)
        logits = hidden[:, self.pronoun] @ weights["words"][: len(self.language.nouns)].T
        return logits, torch.stack([layer.mean(1)[:, self.pronoun] for layer in seen], 1)

    def lesson(self, batch: int, generator: torch.Generator) -> Loss:
        """The loss on sentences drawn anew at every call; the held-out pair is not among them."""
        training = training_examples(self.language)

        def loss(theta: Tensor) -> Tensor:
            drawn = torch.randint(len(training), (batch,), generator=generator)
            return cross_entropy(self.answer(theta, training.tokens[drawn])[0], training.referents[drawn])

        return loss

    def accuracy(self, theta: Tensor, asked: Examples, mask: Tensor | None = None) -> float:
        """The share of sentences whose pronoun is resolved."""
        return float((self.answer(theta, asked.tokens, mask)[0].argmax(-1) == asked.referents).double().mean())

    def held_out_answer(self, theta: Tensor, reason: int, edge: str) -> Answer:
        """The held-out pair with reason number `reason`; `edge` says where the cut edge from the pronoun ended: referent, other, reason."""
        asked, language = held_out_examples(self.language), self.language
        words = language.words(language.animals[0], language.foods[0], language.reasons[reason])
        meant = int(asked.referents[reason])
        referent = words.index(language.nouns[meant])
        other = next(place for place, gap in enumerate(language.sentence) if gap in (0, 1) and place != referent)
        ends = {"referent": referent, "other": other, "reason": words.index(language.reasons[reason])}
        masks = (self.mask, cut(self.mask, self.pronoun, ends[edge]) if edge in ends else self.mask)
        logits, reading = map(torch.cat, zip(*(self.answer(theta, asked.tokens[[reason]], mask) for mask in masks), strict=True))
        nouns = logits.double().softmax(-1)
        whole, wounded = nouns[:, meant].tolist()
        return Answer(words, referent, other, nouns, reading.double(), (whole, wounded))
