"""A plan and its cards, counted from one day."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from random import Random

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, next_memory, retrievability
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan
from quiz.study.plan import daily_share, final_reviews, remaining_study_days
from quiz.study.review_paths import RELEARNED

DAY = datetime(2026, 11, 29).toordinal()


def on(day: int) -> Moment:
    return Moment(day * 86_400_000, DAY + day)


def cards(count: int) -> list[Key]:
    return [("d", f"c{n}") for n in range(count)]


def aim(until: int, final: int | None = None, minutes: int | None = None) -> Plan:
    return Plan(DAY + until, DAY + (until if final is None else final), minutes=minutes)


def learned(keys: Sequence[Key], day: int, grade: Grade = Grade.good) -> dict[Key, Memory]:
    return {key: next_memory(None, grade, on(day), "/".join(key)) for key in keys}


def followed(
    goal: Plan,
    scope: Sequence[Key],
    first_sight: float,
    seed: int,
    missed: Collection[int] = (),
    known: Mapping[Key, Memory] | None = None,
) -> list[tuple[int, int]]:
    """Somebody does every day's share and what is due, until the aim: the new cards and the other looks at cards of each day.

    A card is passed at first sight with a probability, later as FSRS expects; failed, it comes again ten minutes later until it is passed.
    Days (from DAY on) in `missed` have none of it.
    """
    rng, memories, days = Random(seed), dict(known or {}), list[tuple[int, int]]()
    for day in range(remaining_study_days(goal, DAY)):
        if day in missed:
            days.append((0, 0))
            continue
        looks, share = 0, daily_share(goal, scope, memories, DAY + day)
        due = [key for key, memory in memories.items() if memory.due_day <= DAY + day]
        once_more = [key for key in final_reviews(goal, scope, memories, DAY + day) if key not in due][: share.again]
        new = [key for key in scope if key not in memories][: share.new]
        for key in [*due, *once_more, *new]:
            chance = retrievability(memories[key], DAY + day) if key in memories else first_sight
            while rng.random() > chance:
                memories[key] = next_memory(memories.get(key), Grade.again, on(day), "/".join(key))
                chance, looks = RELEARNED, looks + 1
            memories[key] = next_memory(memories.get(key), Grade.good, on(day), "/".join(key))
        days.append((len(new), looks + len(due) + len(once_more)))
    return days
