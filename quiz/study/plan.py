"""Ready by a day: so many new cards a day, then every card once more in the last days. It advises; nothing is forced on anybody.

New cards are shared out evenly over the days before the last ones, and the share is computed anew each day from what is left: a day
missed raises the others a little, and many missed ones put some new cards into the last days. In these every card that has been met is
asked once more, the same number each day, whether it is due or not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Memory
from quiz.progress.decisions import Plan

MORE = 1.5  # times as many new cards as the plan began with a day may have after days that were missed


@dataclass(frozen=True)
class DailyShare:
    """What is still to be done of a study day's share: new cards, and cards to be asked once more though they are not due."""

    new: int = 0
    again: int = 0


def remaining_study_days(aim: Plan, day: int) -> int:
    """The study days left: up to the eve of the interview, or today when it is today; none when it is over."""
    return max(aim.until - day, 1) if day <= aim.until else 0


def daily_share(aim: Plan, scope: Collection[Key], memories: Mapping[Key, Memory], day: int) -> DailyShare:
    """What is left of today's share. `scope` are the cards of the aim that may be asked."""
    left = remaining_study_days(aim, day)
    if not left:
        return DailyShare()
    known = [memories[key] for key in scope if key in memories]
    met = sum(memory.first_day == day for memory in known)
    unmet = len(scope) - len(known) + met
    new = first_part(unmet, learning_days(aim, unmet, day)) - met
    return DailyShare(max(new, 0), max(_owed_today(aim, known, day, left), 0) if day >= aim.final else 0)


def learning_days(aim: Plan, unmet: int, day: int) -> int:
    """The days over which new cards are shared out: those before the last ones, or what there is of these. At least 1.

    After missed days some of the last ones belong to them, so that no day has much more of them than the plan began with.
    """
    left = max(remaining_study_days(aim, day), 1)
    before = aim.final - day if day < aim.final else left
    if aim.new_a_day is None:
        return before
    return min(max(before, first_part(unmet, ceil(MORE * aim.new_a_day))), left)


def _owed_today(aim: Plan, known: list[Memory], day: int, left: int) -> int:
    """How many cards to ask once more today besides those that are due: a day's part of all that were not asked in the last days yet."""
    older = [memory for memory in known if memory.first_day < day]
    done = sum(memory.last_day == day for memory in older)
    owed = [memory for memory in older if memory.last_day < min(aim.final, day)]
    due = sum(memory.due_day <= day for memory in owed)
    return first_part(len(owed) + done, left) - done - due


def final_reviews(aim: Plan, scope: Collection[Key], memories: Mapping[Key, Memory], day: int) -> list[Key]:
    """The cards that the last days still owe and that are not due: first those that would not come by themselves, the weakest first."""
    owed = [key for key in scope if key in memories and memories[key].last_day < min(aim.final, day) and memories[key].due_day > day]
    return sorted(owed, key=lambda key: (memories[key].due_day < aim.until, memories[key].due_day))


def first_part(cards: int, days: int) -> int:
    """The first of `days` nearly equal parts; no later one is larger."""
    return -(-cards // days)
