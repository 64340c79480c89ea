"""How an interval reads on its button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quiz.words.i18n import Words

if TYPE_CHECKING:
    from quiz.memory.scheduler import Interval


def interval_text(interval: Interval, words: Words) -> str:
    """An interval as the button shows it: 10m, 4d, 2mo."""
    if interval.days == 0:
        return words("interval.minutes", count=interval.minutes)
    return words("interval.days", count=interval.days)
