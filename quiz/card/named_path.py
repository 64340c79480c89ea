"""A path that was asked for by its name, and what it narrows a session to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from content.yaml.clean import clean
from quiz.study.filter import Filter

if TYPE_CHECKING:
    from content.deck.learning_paths import LearningPath


class MissingPath(Exception):
    """A sentence: no such path, and which there are."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def along(path: LearningPath, wanted: Filter) -> Filter:
    """What is wanted, of the cards of a path alone; as many new ones a day as the path says, unless a number was asked for."""
    return replace(wanted, path=path.cards, new=path.new if wanted.new is None else wanted.new)


def find_path(name: str) -> LearningPath:
    """A path by its name. Raises MissingPath."""
    from content.deck.learning_paths import path_names, read_path
    from quiz.words.problems import say

    names = path_names()
    if name in names and (path := read_path(name)):
        return path
    raise MissingPath(say("There is no path {name}; there are {names}.", name=clean(name), names=[*map(clean, names)] or say("none")))
