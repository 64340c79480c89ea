"""How an interval reads on its button."""

from __future__ import annotations

from quiz.memory.scheduler import Interval
from quiz.words.i18n import Words


def interval_text(interval: Interval, words: Words) -> str:
    """An interval as the button shows it: 10m, 4d, 2mo."""
    if interval.days == 0:
        return words("interval.minutes", count=interval.minutes)
    return words("interval.days", count=interval.days)
