"""A person at another terminal: grades, and now and then takes back, without stop; prints each id once it is said to be durable.

Arguments: the progress file, a seed, how many grades (0: until it is killed).
"""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review


def main(path: str, seed: str, count: str) -> None:
    chance, progress = random.Random(seed), open_progress(Path(path))
    start = Moment.now()
    for n in itertools.count() if count == "0" else range(int(count)):
        when = Moment(start.at_ms + n * 60_000, start.day + n // 5)
        review = Review.new(when, ("attention", f"card-{chance.randrange(6)}"), chance.choice(list(Grade)))
        progress.record(review)
        print("grade", review.id, flush=True)
        if chance.random() < 0.2:
            progress.undo(review.id, when)
            print("undo", review.id, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
