"""Reviews in a person's progress file."""

from __future__ import annotations

from pathlib import Path

from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review


def record(data: Path, reviews: list[Review]) -> None:
    store = open_progress(data / "progress.sqlite3")
    for review in reviews:
        store.record(review)
    store.close()
