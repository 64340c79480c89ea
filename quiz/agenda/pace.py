"""How long cards take this person: from the log, or a stated default while the log is short."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from quiz.store.names import Key
from quiz.store.reviews import Review

ENOUGH = 20  # timed answers from which on the person's own pace counts
LONGEST = 300.0  # seconds; beyond that somebody has left the table


@dataclass(frozen=True)
class Pace:
    """Seconds for a card met for the first time and for one met before; `timed` answers stand behind them (0 is the default)."""

    new: float = 90.0
    review: float = 45.0
    timed: int = 0


DEFAULT = Pace()


def pace(reviews: Iterable[Review]) -> Pace:
    """The median seconds of first and of later answers, each where ENOUGH were timed."""
    met: set[Key] = set()
    first: list[float] = []
    later: list[float] = []
    for review in reviews:
        if review.seconds is not None:
            (later if review.key in met else first).append(min(review.seconds, LONGEST))
        met.add(review.key)
    return Pace(
        new=median(first) if len(first) >= ENOUGH else DEFAULT.new,
        review=median(later) if len(later) >= ENOUGH else DEFAULT.review,
        timed=sum(len(kept) for kept in (first, later) if len(kept) >= ENOUGH),
    )
