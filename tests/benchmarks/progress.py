"""How long progress takes with a log of years: `python -m tests.benchmarks.progress`. Prints times and ratios to the goals.

A grade is timed by the clock, as it waits for the disk (that of TMPDIR, if it is set); everything else by this process's own work (CPU),
so that a busy machine does not count. Each is the best of a few.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path

from content.deck.cards import Card, Deck, Text
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress import backups, cache, jsonl, merge, row_mapping
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.study.learner import LearnerState
from quiz.study.queue import choose_cards
from tests.benchmarks._size import asked_share, part

REVIEWS, CARDS, DECKS, DAYS = 100_000, 10_000, 10, 365
GRADES = 300
GOALS = {"a grade, median": 0.020, "a grade, p99": 0.020, "the due queue": 0.100}  # seconds
FIRST, START = datetime(2026, 1, 1).toordinal(), 1_767_225_600_000  # the same day, as an ordinal and in milliseconds
USUAL = (Grade.again, Grade.hard, *[Grade.good] * 6, Grade.easy)


def log(chance: random.Random, reviews: int, cards: int) -> list[tuple[object, ...]]:
    """Rows as a person writes them in a year."""
    made = []
    for n in range(reviews):
        day, clock = n * DAYS // reviews, START + n * DAYS * 86_400_000 // reviews
        key = (f"deck-{n % DECKS}", f"card-{chance.randrange(cards)}")
        when = Moment(clock, FIRST + day, 60)
        identity, grade, sure = uuid.UUID(int=chance.getrandbits(128)).hex, chance.choice(USUAL), chance.choice((1, 2, 2, 3))
        right = grade is not Grade.again and chance.random() < 0.95
        review = Review(identity, *key, grade, when, sure, 30.0, 58.6, right, (0, 2), 41.5, "0.1.0")
        made.append((*row_mapping.from_review(review), "grade", clock))
    return made


def decks(cards: int) -> list[Deck]:
    """Decks with so many cards each, all of which the log knows."""
    question, answer = Text({"": "Why?"}), Text({"": "So."})
    made = tuple(Card(f"card-{number}", question, answer=answer) for number in range(cards))
    return [Deck(f"deck-{number}", Text({"": "Deck"}), made) for number in range(DECKS)]


def best(work: Callable[[], object], times: int = 5) -> float:
    """CPU seconds of the quickest of a few runs."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


def tell(what: str, seconds: float) -> None:
    goal = f" ({seconds / GOALS[what]:.2f} of the goal)" if what in GOALS else ""
    print(f"{what}: {1000 * seconds:.1f} ms{goal}")


def read(progress: Progress) -> None:
    """The memories from the file: what was read before is not given again."""
    with progress.reading() as connection:
        cache.memories(connection)


def grades(progress: Progress, times: int, cards: int) -> None:
    """Single grades at the end of the long log, as a person gives them."""
    chance, spent = random.Random(1), []
    for n in range(times):
        when = Moment(START + DAYS * 86_400_000 + n * 60_000, FIRST + DAYS, 60)
        review = Review.new(when, (f"deck-{n % DECKS}", f"card-{chance.randrange(cards)}"), Grade.good)
        began = time.perf_counter()
        progress.record(review)
        spent.append(time.perf_counter() - began)
    tell("a grade, median", statistics.median(spent))
    tell("a grade, p99", sorted(spent)[-times // 100])


def measure(folder: Path, share: float) -> None:
    reviews, cards, times = part(REVIEWS, share), part(CARDS // DECKS, share), part(GRADES, share)
    path, now = folder / "progress.sqlite3", Moment(START + DAYS * 86_400_000, FIRST + DAYS, 60)
    with closing(open_progress(path)) as progress:
        with progress.writing() as connection:
            adding = f"INSERT INTO review ({row_mapping.REVIEW}, kind, clock) VALUES ({', '.join('?' * 16)})"
            connection.executemany(adding, log(random.Random(0), reviews, cards))
        tell("replaying the log", best(progress.replay, 2))
        shelf = decks(cards)
        began = time.process_time()
        due = choose_cards(shelf, LearnerState.of(progress), now)
        cold = time.process_time() - began
        print(f"{reviews:,} reviews of {len(progress.memories()):,} cards, {path.stat().st_size / 2**20:.1f} MiB, {len(due):,} to ask")
        tell("the due queue", best(lambda: choose_cards(shelf, LearnerState.of(progress), now)))
        tell("the due queue, read for the first time", cold)
        tell("reading the memories", best(partial(read, progress)))
        tell("the marks", best(progress.decisions))
        tell("what was wrong with confidence", best(progress.confident_errors))
        grades(progress, times, cards)
        tell("opening", best(lambda: open_progress(path).close()))
        tell("a backup with its check", best(lambda: backups.make_backup(path, folder / "copy.sqlite3"), 2))
        text = list(jsonl.write_jsonl(merge.export(progress), reviews + times))
        tell("reading an export", best(lambda: list(jsonl.read_jsonl(text)), 1))
    with closing(open_progress(folder / "second.sqlite3")) as second:
        tell("importing it", best(lambda: merge.merge_rows(second, jsonl.read_jsonl(text)), 1))
        tell("importing it again", best(lambda: merge.merge_rows(second, jsonl.read_jsonl(text)), 1))


def main(share: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), share)


if __name__ == "__main__":
    main(asked_share())
