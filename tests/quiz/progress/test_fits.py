"""FSRS's parameters in the log: which count, that memories are computed by them, and that nothing else in a log disturbs them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Grade
from quiz.progress import backups, restore
from quiz.progress.decisions import EVERYTHING, Decision, Fit, standing_decisions
from quiz.progress.jsonl import read_jsonl, write_jsonl
from quiz.progress.merge import export, merge_rows
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import replay
from tests.quiz.learning import CARD, DAY, FORGETFUL, NEW, OTHER, fitted, graded, on

LASTING = Parameters((1.0, 3.0, 9.0, 20.0, *DEFAULT.w[4:]))
REVIEWS = [graded(Grade.good), graded(Grade.again, 0, OTHER), graded(Grade.good, 3), graded(Grade.hard, 5, OTHER)]


@pytest.fixture
def learned(progress: Progress) -> Progress:
    for review in REVIEWS:
        progress.record(review)
    return progress


def standing(progress: Progress, parameters: Parameters) -> None:
    """The memories are those that the parameters give, in this program and in one that opens the file."""
    expected = replay(progress.reviews(), {}, parameters)
    assert (expected, ()) == (progress.memories(), progress.check())
    with closing(open_progress(Path(progress.path))) as other:
        assert (expected, parameters) == (other.memories(), other.parameters())


def test_memories_go_by_the_fit(learned: Progress) -> None:
    """From a fit on, every memory is what it would be had FSRS always had these parameters; also that of the next grade."""
    before = learned.memories()
    learned.decide(fitted())
    after = learned.memories()
    learned.record(graded(Grade.good, 9))

    assert after[CARD].stability < before[CARD].stability
    assert after[CARD].due_day < before[CARD].due_day
    standing(learned, FORGETFUL)


def test_taken_back(learned: Progress) -> None:
    """A fit that is taken back was never made: the one before it counts again, then FSRS's own parameters."""
    first, second, before = fitted(), fitted(2, LASTING), learned.memories()
    learned.decide(first)
    learned.decide(second)

    standing(learned, LASTING)
    assert second == learned.latest_fit()
    assert learned.undo_decision(second.id, on(3))
    standing(learned, FORGETFUL)
    assert learned.undo_decision(first.id, on(3))
    standing(learned, DEFAULT)
    assert (before, None) == (learned.memories(), learned.latest_fit())


def test_undo_and_rename_go_by_the_fit(learned: Progress) -> None:
    """A grade taken back and a card renamed leave memories that the fit gives."""
    learned.decide(fitted())
    learned.undo(REVIEWS[2].id, on(4))
    learned.adopt({NEW: [CARD]}, on(4))

    assert replay([REVIEWS[0], REVIEWS[1], REVIEWS[3]], {CARD: NEW}, FORGETFUL) == learned.memories()
    assert () == learned.check()


def test_other_decisions_leave_memories_alone(learned: Progress) -> None:
    """A mark on a card is no reason to compute every memory anew."""
    with closing(sqlite3.connect(learned.path)) as connection, connection:
        connection.execute("UPDATE memory SET repetitions = 77")
    learned.decide(Decision.new("suspend", CARD, on(1)))

    assert {77} == {memory.repetitions for memory in learned.memories().values()}


def test_another_window_fits(learned: Progress) -> None:
    """A program that had the file open before the fit grades by it from then on."""
    with closing(open_progress(Path(learned.path))) as other:
        other.decide(fitted())
    learned.record(graded(Grade.good, 9))

    standing(learned, FORGETFUL)


def test_a_fit_comes_back_as_it_was() -> None:
    """What is in use: the numbers to their last digit, the day and the reviews."""
    assert Fit(FORGETFUL, DAY + 1, 500) == standing_decisions([fitted()]).fit
    assert (FORGETFUL, DEFAULT) == (standing_decisions([fitted()]).parameters, standing_decisions([]).parameters)


UNREADABLE = [
    *("", "[]", "{}", "{", "[" * 100_000, '{"w": null}', '{"w": [1, 2, 3]}'),
    json.dumps({"w": DEFAULT.w[:20]}),
    json.dumps({"w": [*DEFAULT.w[:20], 5.0]}),
    json.dumps({"w": [*DEFAULT.w[:20], float("nan")]}),
    json.dumps({"w": [*DEFAULT.w[:20], True]}),
    json.dumps({"w": [str(value) for value in DEFAULT.w]}),
    json.dumps({"w": [*DEFAULT.w[:20], 10**400]}),
]


@pytest.mark.parametrize("details", UNREADABLE)
def test_numbers_that_fsrs_would_not_use(learned: Progress, details: str) -> None:
    """A row with other numbers, as a later FSRS or a broken file may have it, means FSRS's own parameters; it can be taken back, too."""
    learned.decide(fitted())
    strange = replace(fitted(2), details=details)
    learned.decide(strange)

    standing(learned, DEFAULT)
    assert learned.decisions().fit is None
    assert strange == learned.latest_fit()
    learned.undo_decision(strange.id, on(3))
    standing(learned, FORGETFUL)


@pytest.mark.parametrize("reviews", [None, -5, True, "many"])
def test_reviews_that_make_no_sense(reviews: Any) -> None:
    """Good numbers are used whatever is said of where they come from."""
    mark = replace(fitted(), details=json.dumps({"w": FORGETFUL.w, "reviews": reviews}))

    assert Fit(FORGETFUL, DAY + 1, 0) == standing_decisions([mark]).fit


def text(progress: Progress) -> list[str]:
    rows = export(progress)
    return list(write_jsonl(rows, len(rows)))


@pytest.mark.parametrize("first", [0, 1])
def test_the_later_fit_of_two_machines(progress: Progress, first: int) -> None:
    """Two machines that were fitted apart agree after merging: the later fit counts on both, and its undo gives both the other."""
    for review in REVIEWS:
        progress.record(review)
    with closing(Progress.in_memory()) as other:
        merge_rows(other, read_jsonl(text(progress)))
        machines, fits = (progress, other), (fitted(6), fitted(7, LASTING))
        machines[first].decide(fits[0])
        machines[1 - first].decide(fits[1])
        merge_rows(progress, read_jsonl(text(other)))
        merge_rows(other, read_jsonl(text(progress)))

        assert text(progress) == text(other)
        assert progress.memories() == other.memories()
        standing(progress, LASTING)
        other.undo_decision(fits[1].id, on(8))
        merge_rows(progress, read_jsonl(text(other)))
        standing(progress, FORGETFUL)


def test_backups_carry_the_fit(learned: Progress, path: Path, tmp_path: Path) -> None:
    """A backup from before a fit goes back to FSRS's own parameters, one from after it to the fit."""
    before = backups.make_backup(path, tmp_path / "before.sqlite3")
    learned.decide(fitted())
    after = backups.make_backup(path, tmp_path / "after.sqlite3")
    now = on(2).at_utc

    restore.restore_backup(before, path, now)
    standing(learned, DEFAULT)
    restore.restore_backup(after, path, now)
    standing(learned, FORGETFUL)


def test_a_version_that_knows_no_fits(learned: Progress, path: Path) -> None:
    """A program from before fits computes memories by its own rules and leaves the row alone; the next opening computes them anew."""
    learned.decide(fitted())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memory SET due_day = due_day + 1")
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'rules'")

    with closing(open_progress(path)) as opened:
        standing(opened, FORGETFUL)


def test_a_fit_is_a_row(learned: Progress, path: Path) -> None:
    """The log gains a row of JSON that names no card, and loses none."""
    learned.decide(fitted())

    with closing(sqlite3.connect(path)) as connection:
        kind, deck, card, points = connection.execute("SELECT kind, deck, card, points FROM review ORDER BY clock DESC").fetchone()
    assert ("parameters", *EVERYTHING, {"w": list(FORGETFUL.w), "reviews": 500}) == (kind, deck, card, json.loads(points))
