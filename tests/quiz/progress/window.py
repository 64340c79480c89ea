"""A window in which somebody grades without a break: prints `saved ID` once a grade is said to be saved, until its input ends.

Arguments: the progress file, a seed.
"""

from __future__ import annotations

import random
import select
import sys

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.errors import ProgressError
from quiz.progress.resilient import ResilientProgress
from quiz.progress.reviews import Review


def main(path: str, seed: str) -> None:
    chance, start, held = random.Random(seed), Moment.now(), list[str]()
    store = _opened(path)
    while not select.select([sys.stdin], [], [], chance.random() * 0.02)[0]:
        when = Moment(start.at_ms + len(held), start.day)
        review = Review.new(when, ("attention", f"card-{chance.randrange(6)}"), chance.choice(list(Grade)))
        store.record(review)
        held.append(review.id)
        _say(store, held)
    store.confirm()
    _say(store, held)
    store.close()
    _say(store, held)
    print(f"end {len(held)}", flush=True)


def _opened(path: str) -> ResilientProgress:
    try:
        return ResilientProgress.open(path, lambda _: None)
    except ProgressError as error:
        return ResilientProgress.without_file(error, lambda _: None)[0]


def _say(store: ResilientProgress, held: list[str]) -> None:
    if store.keeps:
        for id_ in held:
            print("saved", id_, flush=True)
        held.clear()


if __name__ == "__main__":
    main(*sys.argv[1:])
