"""Small decks, and what a person knows of them, for choosing cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from content.deck.cards import Deck
from content.deck.model import parse_deck
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import NONE, Decisions
from quiz.study.learner import LearnerState
from quiz.study.leeches import LEECH_LAPSES
from quiz.study.turn import Item

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
NOW = Moment.of(NOON)


def deck(name: str = "d", /, **fields: dict[str, Any]) -> Deck:
    given = [{"id": id, "question": "Why?", "answer": "So.", **more} for id, more in fields.items()]
    cards = [{name: value for name, value in card.items() if value is not None} for card in given]
    return parse_deck({"deck": name, "title": "D", "cards": cards})


DECK = deck(a={"tags": ["mask"], "level": 1}, b={"level": 2}, c={"tags": ["mask"], "level": 2}, d={"level": 3})


def days_ago(days: int) -> Moment:
    return Moment.of(NOON - timedelta(days=days))


def seen(*grades: tuple[Grade, int]) -> Memory:
    """A memory of grades, each so many days ago."""
    memory = None
    for grade, days in grades:
        memory = next_memory(memory, grade, days_ago(days), "x")
    assert memory is not None
    return memory


DUE, OVERDUE = seen((Grade.good, 60)), seen((Grade.good, 90))
EASY = seen((Grade.easy, 1))
LEECH = seen(*[(grade, 60 - 4 * n) for n in range(LEECH_LAPSES) for grade in (Grade.good, Grade.again)], (Grade.good, 2))


def learner(
    memories: Mapping[str, Memory] | None = None, confident_errors: Sequence[str] = (), marks: Decisions = NONE, **more: Memory
) -> LearnerState:
    return LearnerState(
        {("d", card): memory for card, memory in {**(memories or {}), **more}.items()},
        marks,
        {("d", card): NOW.day - 9 for card in confident_errors},
    )


def ids(items: Sequence[Item]) -> list[str]:
    return [item.card.id for item in items]


RUN = {"verify": {"experiment": "e"}, "predict": {"ask": "How many?", "quantity": "n"}}
FAMILY = deck(a={"follow_ups": ["b"]}, b={}, c={"follow_ups": ["a"]}, d=RUN, e=RUN, f={"verify": {"experiment": "e"}}, g={})


def items(names: str, tags: str) -> list[Item]:
    made = deck(**{f"{name}{n}": {"tags": [tag]} for n, (name, tag) in enumerate(zip(names, tags, strict=True))})
    return [Item("d", card) for card in made.cards]
