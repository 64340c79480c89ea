"""A small model that says what a pronoun means: how it reads, how it answers, how it is taught, and what a cut edge does to it.

The answer is a distribution over the nouns, from the pronoun's last hidden state times their embeddings (tied, as in BERT's masked words).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.func import vmap
from torch.nn.functional import cross_entropy

from engine.textbook.pronoun_sentences import Examples, Language, examples, held_out_examples, stories, training_examples
from engine.textbook.tiny_transformer import Shape, encode, unpack
from engine.textbook.training_loop import Loss


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

    def lesson(self, batch: int, generators: Sequence[torch.Generator]) -> Loss:
        """The losses (S,) of models θ (S, P), each on sentences of its own, drawn anew at every call; never the held-out pair."""
        training = training_examples(self.language)

        def losses(thetas: Tensor) -> Tensor:
            drawn = torch.stack([torch.randint(len(training), (batch,), generator=generator) for generator in generators])  # (S, B)
            return vmap(self.loss)(thetas, training.tokens[drawn], training.referents[drawn])

        return losses

    def loss(self, theta: Tensor, tokens: Tensor, referents: Tensor) -> Tensor:
        return cross_entropy(self.answer(theta, tokens)[0], referents)

    def accuracy(self, theta: Tensor, asked: Examples, mask: Tensor | None = None) -> float:
        """The share of sentences whose pronoun is resolved."""
        return float((self.answer(theta, asked.tokens, mask)[0].argmax(-1) == asked.referents).double().mean())

    def mask_without(self, edge: str, meant: int) -> Tensor:
        """The mask without the pronoun's edge to the referent, the other noun or the reason; `meant` = 0 the animal, 1 the food."""
        gaps = {"referent": meant, "other": 1 - meant, "reason": 2}
        return cut(self.mask, self.pronoun, self.language.sentence.index(gaps[edge])) if edge in gaps else self.mask

    def resolved(self, theta: Tensor, edge: str = "none") -> float:
        """The share of all stories that are resolved, each with that edge cut."""
        told = examples(self.language, stories(self.language))
        means_food = told.referents >= len(self.language.animals)
        groups = [Examples(told.tokens[chosen], told.referents[chosen]) for chosen in (~means_food, means_food)]
        return sum(self.accuracy(theta, group, self.mask_without(edge, meant)) for meant, group in enumerate(groups)) / 2

    def held_out_answer(self, theta: Tensor, reason: int, edge: str) -> Answer:
        """The held-out pair with reason number `reason`."""
        asked, language = held_out_examples(self.language), self.language
        meant = int(language.reasons[reason] in language.food_reasons)
        noun = int(asked.referents[reason])
        masks = (self.mask, self.mask_without(edge, meant))
        logits, reading = map(torch.cat, zip(*(self.answer(theta, asked.tokens[[reason]], mask) for mask in masks), strict=True))
        nouns = logits.double().softmax(-1)
        whole, wounded = nouns[:, noun].tolist()
        places = language.sentence.index(meant), language.sentence.index(1 - meant)
        words = language.words(language.animals[0], language.foods[0], language.reasons[reason])
        return Answer(words, *places, nouns, reading.double(), (whole, wounded))
