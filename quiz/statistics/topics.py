"""How well each topic stands today: a deck or a tag, by what is known of its cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Memory, retrievability
from quiz.study.leeches import MATURE


@dataclass(frozen=True)
class Topic:
    """A topic's cards: never seen, stability below MATURE, or above. `recalled` adds up the chances to recall those seen, today."""

    kind: Literal["deck", "tag"]
    name: str
    new: int
    learning: int
    known: int
    recalled: float

    @property
    def cards(self) -> int:
        return self.new + self.learning + self.known

    @property
    def recall(self) -> float | None:
        """The mean chance to recall a card that has been seen; None if none has."""
        seen = self.learning + self.known
        return self.recalled / seen if seen else None

    @property
    def expected(self) -> float:
        """The share of the topic that would be answered today; a card never seen would not."""
        return self.recalled / self.cards


def topics(
    tags: Mapping[Key, Iterable[str]], memories: Mapping[Key, Memory], today: int, parameters: Parameters = DEFAULT
) -> tuple[Topic, ...]:
    """Every deck and every tag of the cards, the weakest first. A memory whose card is not among them belongs to no topic."""
    members: defaultdict[tuple[Literal["deck", "tag"], str], list[Key]] = defaultdict(list)
    for key, names in tags.items():
        members["deck", key[0]].append(key)
        for name in dict.fromkeys(names):
            members["tag", name].append(key)
    chances = {key: retrievability(memory, today, parameters) for key, memory in memories.items() if key in tags}
    found = [
        _topic(kind, name, [(memories[key], chances[key]) for key in keys if key in chances], len(keys))
        for (kind, name), keys in members.items()
    ]
    return tuple(sorted(found, key=lambda topic: (topic.expected, topic.kind, topic.name)))


def _topic(kind: Literal["deck", "tag"], name: str, seen: list[tuple[Memory, float]], cards: int) -> Topic:
    known = sum(memory.stability >= MATURE for memory, _ in seen)
    return Topic(kind, name, cards - len(seen), len(seen) - known, known, sum(chance for _, chance in seen))
