"""The cards to look at again: those that keep failing, and those that one was sure of and had wrong."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from quiz.agenda.trouble import is_leech
from quiz.scheduler import Memory
from quiz.store.names import Key


@dataclass(frozen=True)
class Weak:
    """One such card. `lapses` is 0 where it does not keep failing, `erred` the study day of the sure and wrong answer, or None."""

    key: Key
    lapses: int
    erred: int | None


def weak(memories: Mapping[Key, Memory], erred: Mapping[Key, int], cards: Container[Key]) -> tuple[Weak, ...]:
    """Each of `cards` once: what failed most often first, then the latest sure and wrong answers."""
    lapses = {key: memory.lapses for key, memory in memories.items() if is_leech(memory)}
    found = [Weak(key, lapses.get(key, 0), erred.get(key)) for key in lapses.keys() | erred.keys() if key in cards]
    return tuple(sorted(found, key=lambda card: (-card.lapses, -(card.erred or 0), card.key)))
