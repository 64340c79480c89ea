"""Sentences in which one word decides what a pronoun means: the kitten did not eat the fish because it was not hungry, or not fresh.

Every animal with every food and every reason; one pair of animal and food is kept for the examination and never trained on.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Language:
    """The words, and a sentence with gaps: 0 the animal, 1 the food, 2 the reason. The pair held out is the first of each."""

    animals: tuple[str, ...]
    foods: tuple[str, ...]
    animal_reasons: tuple[str, ...]
    food_reasons: tuple[str, ...]
    sentence: tuple[str | int, ...]
    pronoun: str
    space: str

    @property
    def nouns(self) -> tuple[str, ...]:
        """What the pronoun may mean; they are the first words of the vocabulary."""
        return self.animals + self.foods

    @property
    def reasons(self) -> tuple[str, ...]:
        return self.animal_reasons + self.food_reasons

    @property
    def vocabulary(self) -> tuple[str, ...]:
        rest = (word for word in self.sentence if isinstance(word, str))
        return tuple(dict.fromkeys((*self.nouns, *self.reasons, *rest)))

    def words(self, animal: str, food: str, reason: str) -> tuple[str, ...]:
        """One sentence, word by word."""
        gaps = (animal, food, reason)
        return tuple(word if isinstance(word, str) else gaps[word] for word in self.sentence)

    def referent(self, animal: str, food: str, reason: str) -> str:
        """Who or what is not hungry, not fresh: the reason decides."""
        return animal if reason in self.animal_reasons else food


LANGUAGES = {
    "en": Language(
        ("kitten", "puppy", "bird", "rabbit", "monkey", "tiger"),
        ("fish", "meat", "rice", "cabbage", "bone", "banana"),
        ("hungry", "well", "awake"),
        ("fresh", "clean", "tasty"),
        ("the", 0, "did", "not", "eat", "the", 1, "because", "it", "was", "not", 2),
        "it",
        " ",
    ),
    "zh": Language(
        ("小猫", "小狗", "小鸟", "小兔", "猴子", "老虎"),
        ("鱼", "肉", "米饭", "白菜", "骨头", "香蕉"),
        ("饿", "舒服", "清醒"),
        ("新鲜", "干净", "好吃"),
        (0, "没有", "吃", 1, "，", "因为", "它", "不", 2),
        "它",
        "",
    ),
}


@dataclass(frozen=True)
class Examples:
    """Sentences (N, T) and what their pronouns mean (N,), as numbers of words in the vocabulary."""

    tokens: Tensor
    referents: Tensor

    def __len__(self) -> int:
        return len(self.tokens)


Story = tuple[str, str, str]  # animal, food, reason


def stories(language: Language) -> list[Story]:
    """All of them, the held-out pair first, its reasons in the language's order."""
    return [(animal, food, reason) for animal in language.animals for food in language.foods for reason in language.reasons]


def is_held_out(language: Language, story: Story) -> bool:
    return story[:2] == (language.animals[0], language.foods[0])


def examples(language: Language, told: list[Story]) -> Examples:
    """The stories as numbers."""
    number = {word: index for index, word in enumerate(language.vocabulary)}
    tokens = [[number[word] for word in language.words(*story)] for story in told]
    return Examples(torch.tensor(tokens), torch.tensor([number[language.referent(*story)] for story in told]))


def training_examples(language: Language) -> Examples:
    return examples(language, [story for story in stories(language) if not is_held_out(language, story)])


def held_out_examples(language: Language) -> Examples:
    return examples(language, [story for story in stories(language) if is_held_out(language, story)])
