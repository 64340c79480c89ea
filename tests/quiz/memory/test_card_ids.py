"""A card that is called otherwise keeps what was learned."""

from __future__ import annotations

from pathlib import Path

from content.deck.model import parse_deck
from quiz.memory.card_ids import earlier_names
from quiz.memory.scheduler import Grade
from quiz.progress.progress import Progress
from quiz.progress.reviews import replay
from tests.quiz.learning import CARD, NEW, OTHER, graded, on, rows


def test_rename_keeps_progress(progress: Progress) -> None:
    """A card with a new id has the memory of its earlier one, its history included, and goes on from there."""
    memory = progress.record(graded(Grade.good))
    review = graded(Grade.good, 2, NEW)

    assert 1 == progress.adopt({NEW: [CARD]})
    assert {NEW: memory} == progress.memories()
    assert [memory, memory, None] == [progress.memory(key) for key in (NEW, CARD, OTHER)]
    assert 2 == progress.record(review).repetitions
    assert [NEW, NEW] == [review.key for review in progress.reviews()]


def test_rename_rewrites_nothing(progress: Progress, path: Path) -> None:
    """The log keeps the name of its time."""
    progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})

    assert [("grade", *CARD), ("rename", *CARD)] == rows(path, "SELECT kind, deck, card FROM review ORDER BY clock")


def test_rename_of_both(progress: Progress) -> None:
    """When the new name has been graded too, both histories count, in the order in which they happened."""
    reviews = [graded(Grade.good, 0), graded(Grade.again, 3, NEW), graded(Grade.good, 5)]
    for review in reviews:
        progress.record(review)

    progress.adopt({NEW: [CARD]})

    assert replay(reviews, {CARD: NEW}) == progress.memories()


def test_rename_twice(progress: Progress) -> None:
    """A second rename carries on what the first one carried, also when the deck has forgotten the oldest name."""
    memory = progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})

    progress.adopt({OTHER: [NEW]})

    assert {OTHER: memory} == progress.memories()


def test_back_to_an_old_deck(progress: Progress) -> None:
    """Whoever goes back to the old deck finds the old card with its history; and forward again, all of it."""
    memory = progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})
    progress.record(graded(Grade.good, 2, NEW))

    progress.adopt({CARD: []})
    assert memory == progress.memories()[CARD]

    progress.adopt({NEW: [CARD]})
    assert [NEW] == list(progress.memories())
    assert 2 == progress.memories()[NEW].repetitions


def test_adopt_nothing_new(progress: Progress, path: Path) -> None:
    """Telling the same names again changes nothing, and does not write."""
    progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})
    before = path.read_bytes()

    assert 0 == progress.adopt({NEW: [CARD]})
    assert before == path.read_bytes()


def test_undo_after_rename(progress: Progress) -> None:
    """A grade given under the earlier name can be taken back under the new one."""
    review = graded(Grade.good)
    progress.record(review)
    progress.adopt({NEW: [CARD]})

    assert review._replace(card=NEW[1]) == progress.undo(review.id, on(0))
    assert {} == progress.memories()


def test_earlier_names() -> None:
    """A card may have had any pair of its deck's and its own ids, present or former, but its present name."""
    card = {"id": "new", "formerly": ["old"], "question": "?", "answer": "!"}
    deck = parse_deck({"deck": "now", "formerly": ["then"], "title": "T", "cards": [card]})

    assert {("now", "new"): (("now", "old"), ("then", "new"), ("then", "old"))} == earlier_names([deck])
