"""How long the statistics of 100,000 reviews take: `python -m tests.benchmarks.stats`. Prints CPU seconds, and the ratio to the goal."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from quiz.charts.stats_figures import StatsReport
from quiz.charts.stats_view import StatsView
from quiz.charts.style import Pen, chart_style
from quiz.memory.scheduler import Grade
from quiz.progress import log
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.statistics.statistics import read_log, statistics
from quiz.words.i18n import Words
from tests.benchmarks._size import asked_share, part
from tests.quiz.learner import at

CARDS, REVIEWS, DAYS = 5_000, 100_000, 365
GOAL = 2.0  # seconds, all together
TODAY = 739_950
Value = TypeVar("Value")


def fill(store: Progress, reviews: int) -> None:
    """Writes the reviews in one transaction; a grade at a time would take a quarter of an hour."""
    rng = Random(0)
    with store.writing() as connection:
        for number in range(reviews):
            day, key = TODAY - DAYS + 1 + number * DAYS // reviews, ("deck", f"card-{rng.randrange(CARDS)}")
            grade = Grade(rng.choices((1, 2, 3, 4), (2, 2, 10, 1))[0])
            guess = rng.uniform(0, 100) if rng.random() < 0.3 else None
            log.add_grade(
                connection,
                Review.new(at(day, number % 1200), key, grade, confidence=rng.randint(1, 3), prediction=guess, measured=50.0, seconds=30.0),
            )
    store.replay()


def timed(name: str, work: Callable[[], Value], times: int = 3) -> tuple[float, Value]:
    """The least CPU seconds of a few runs, printed; and what the work gives."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        given = work()
        spent.append(time.process_time() - start)
    print(f"{name:<12}{min(spent):6.2f} s")
    return min(spent), given


def main(share: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_progress(Path(folder) / "progress.sqlite3")
        fill(store, part(REVIEWS, share))
        reading, kept = timed("read", lambda: read_log(store))
        tags = {key: ("even",) if int(key[1][5:]) % 2 else ("odd",) for key in kept.memories}
        counting, found = timed("statistics", lambda: statistics(kept, tags, TODAY, DAYS))
        report = StatsReport(StatsView(found, {}, {}), Pen(chart_style(dark=True, colour=True, ascii_only=False), Words("en")))
        drawing, _ = timed("draw", lambda: report.rows(80))
        store.close()
    together = reading + counting + drawing
    print(f"{'together':<12}{together:6.2f} s, {together / GOAL:.2f} of the goal; load {os.getloadavg()[0]:.1f}", file=sys.stdout)


if __name__ == "__main__":
    main(asked_share())
