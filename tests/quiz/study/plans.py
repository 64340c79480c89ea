"""A plan and its cards, counted from one day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan

DAY = datetime(2026, 11, 29).toordinal()


def on(day: int) -> Moment:
    return Moment(day * 86_400_000, DAY + day)


def cards(count: int) -> list[Key]:
    return [("d", f"c{n}") for n in range(count)]


def aim(until: int, final: int | None = None, minutes: int | None = None) -> Plan:
    return Plan(DAY + until, DAY + (until if final is None else final), minutes=minutes)


def learned(keys: Sequence[Key], day: int, grade: Grade = Grade.good) -> dict[Key, Memory]:
    return {key: next_memory(None, grade, on(day), "/".join(key)) for key in keys}
