"""Logs of people with different habits, drawn from a seed: all grades, several on a day, long gaps, grades taken back, cards renamed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import NamedTuple

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.reviews import fuzz_key

FIRST = datetime(2024, 1, 1).toordinal()
START_MS = 1_704_067_200_000  # the same day
CARDS = 120  # of each person


@dataclass(frozen=True)
class Habit:
    """How often each of the four grades is given, and after how many days a card is taken up again."""

    grades: tuple[int, int, int, int]
    waits: tuple[tuple[int, int], ...]  # ranges, each as likely as the other


HABITS = {
    "steady": Habit((1, 2, 8, 1), ((1, 3), (3, 12), (12, 60))),
    "crammer": Habit((3, 3, 3, 1), ((0, 0), (0, 0), (0, 1), (1, 2))),
    "forgetful": Habit((6, 2, 2, 0), ((0, 0), (1, 2), (2, 9))),
    "optimist": Habit((1, 0, 2, 7), ((1, 9), (9, 90), (90, 400))),
    "occasional": Habit((3, 2, 5, 1), ((0, 2), (30, 200), (200, 900))),
    "traveller": Habit((2, 2, 5, 2), ((-2, 0), (0, 1), (1, 20))),  # whose clock goes back now and then
}


class Given(NamedTuple):
    """A grade, under the card's name of that time."""

    key: Key
    grade: Grade
    when: Moment


class Undone(NamedTuple):
    """The last grade of a card is taken back."""

    key: Key


class Renamed(NamedTuple):
    """The card has another name from now on."""

    key: Key
    to: Key


Event = Given | Undone | Renamed


def events(count: int, seed: int = 0) -> Iterator[Event]:
    """So many grades with what happens between them."""
    rng = Random(seed)
    days: dict[Key, int] = {}
    people = {person: [(person, f"card-{n}") for n in range(CARDS)] for person in HABITS}
    for n in range(count):
        person, habit = rng.choice(list(HABITS.items()))
        place = rng.randrange(CARDS)
        key = people[person][place]
        days[key] = days.get(key, FIRST) + (rng.randint(*rng.choice(habit.waits)) if key in days else 0)
        yield Given(key, rng.choices(list(Grade), habit.grades)[0], Moment(START_MS + (days[key] - FIRST) * 86_400_000 + n, days[key]))
        if rng.random() < 0.02:
            yield Undone(key)
        if rng.random() < 0.003:
            people[person][place] = (person, f"{key[1].split('-r')[0]}-r{n}")
            days[people[person][place]] = days[key]
            yield Renamed(key, people[person][place])


def memories_after(story: Iterator[Event]) -> Iterator[tuple[Event, Memory | None]]:
    """Each event with the memory of its card after it, as the scheduler computes it when it is asked."""
    held: dict[Key, list[Memory]] = {}
    for event in story:
        past = held.setdefault(event.key, [])
        match event:
            case Given(key, grade, when):
                past.append(next_memory(past[-1] if past else None, grade, when, fuzz_key(key)))
            case Undone():
                past.pop()
            case Renamed(key, to):
                held[to] = past = held.pop(key)
        yield event, past[-1] if past else None
