"""How many dates FSRS's library gives otherwise than py-fsrs, card by card after every review of three logs of 100,000.

`python -m tests.benchmarks.due_days`: a minute and a half, most of it py-fsrs's.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from unittest.mock import patch

from quiz.memory import fsrs
from quiz.memory.scheduler import Memory
from tests.benchmarks._size import asked_share, part
from tests.quiz.memory import oracle
from tests.quiz.memory.habits import Event, Given, events, memories_after

REVIEWS, SEEDS = 100_000, (0, 1, 2)
SHOWN = 10


def compare(ours: list[tuple[Event, Memory | None]], theirs: list[tuple[Event, Memory | None]]) -> None:
    both = [(got, expected) for (_, got), (_, expected) in zip(ours, theirs, strict=True) if got and expected]
    moved = [(got, expected) for got, expected in both if got.due_day != expected.due_day]
    days_away = Counter(got.due_day - expected.due_day for got, expected in moved)
    print(f"{len(both):,} memories, {len(moved)} with another date, by so many days: {dict(days_away)}")
    for got, expected in islice(moved, SHOWN):
        days, expected_days = got.due_day - got.last_day, expected.due_day - expected.last_day
        print(f"  {days} days for {expected_days}: stability {got.stability:.7g} for {expected.stability:.10g}")
    print(f"stability: at most {max(abs(got.stability / expected.stability - 1) for got, expected in both):.1e} of it away")
    print(f"difficulty: at most {max(abs(got.difficulty - expected.difficulty) for got, expected in both):.1e} away")


def main(share: float) -> None:
    reviews = part(REVIEWS, share)
    for seed in SEEDS:
        ours = list(memories_after(events(reviews, seed)))
        with patch.object(fsrs, "next_states", oracle.next_states):
            theirs = list(memories_after(events(reviews, seed)))
        print(f"seed {seed}: {reviews:,} reviews,", dict(Counter(e.grade.name for e, _ in ours if isinstance(e, Given))))
        compare(ours, theirs)


if __name__ == "__main__":
    main(asked_share())
