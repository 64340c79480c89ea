"""What a person decided about cards: which decision counts, and that none is lost, whatever the cards are called."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress import jsonl, merge
from quiz.progress.decisions import LONGEST_NOTE, Decision, Flag, Kind, Plan, plan_of, standing_decisions
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.study.leeches import confident_errors

DAY = datetime(2026, 11, 29).toordinal()
CARD: Key = ("d", "a")
OTHER: Key = ("d", "b")
AIM = Plan(DAY + 90, DAY + 80, "masks", 25)


def on(day: int) -> Moment:
    return Moment.of(datetime.fromordinal(DAY + day).replace(hour=12, tzinfo=UTC))


def made(kind: Kind, key: Key = CARD, day: int = 0) -> Decision:
    return Decision.new(kind, key, on(day))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Progress]:
    with closing(open_progress(tmp_path / "progress.sqlite3")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("marks", "away"),
    [
        ([made("suspend")], {CARD}),
        ([made("suspend"), made("resume")], set()),
        ([made("suspend"), made("resume"), made("suspend")], {CARD}),
        ([made("suspend"), made("resume", OTHER)], {CARD}),
        ([made("bury")], {CARD}),
        ([made("bury", day=-1)], set()),
        ([made("bury", day=-1), made("bury", OTHER)], {OTHER}),
        ([made("bury"), made("resume")], set()),
        ([made("suspend"), made("bury", day=-1)], {CARD}),
    ],
)
def test_the_latest_mark_counts(marks: list[Decision], away: set[Key]) -> None:
    """Suspended is away until it is resumed; buried is away on its study day only."""
    assert away == standing_decisions(marks).away(DAY)


def test_the_latest_plan_counts() -> None:
    """A new plan takes the place of the old one, and no plan ends it."""
    first, second, none = Decision.plan(AIM, on(0)), Decision.plan(Plan(DAY + 5, DAY + 3), on(1)), Decision.plan(None, on(2))

    assert [AIM, Plan(DAY + 5, DAY + 3), None] == [
        standing_decisions(marks).aim for marks in ([first], [first, second], [first, second, none])
    ]


@pytest.mark.parametrize(
    "details", ["", "[]", "null", "{", "{}", '{"until": 5}', '{"until": "x", "final": 1}', '{"until": -1, "final": 1}',
                '{"until": true, "final": true}', '{"until": 1e300, "final": 1}', "[" * 100_000]
)  # fmt: skip
def test_a_plan_that_cannot_be_read_is_none(details: str) -> None:
    """What another version or a broken file says of a plan never stops the program."""
    assert plan_of(details) is None


def test_what_cannot_be_read_of_a_plan_is_left_out() -> None:
    """A plan with days keeps them when its tag or its minutes make no sense."""
    assert Plan(DAY, DAY) == plan_of(f'{{"until": {DAY}, "final": {DAY}, "tag": 5, "minutes": "many"}}')


def test_marks_are_durable(store: Progress) -> None:
    """What was marked is there in a store that is opened later, with the aim as it was."""
    for mark in (made("suspend"), made("bury", OTHER), Decision.plan(AIM, on(0))):
        store.decide(mark)

    with closing(open_progress(Path(store.path))) as other:
        assert (frozenset({CARD}), {OTHER: DAY}, AIM) == (other.decisions().suspended, other.decisions().buried, other.decisions().aim)


def test_marks_leave_grades_alone(store: Progress) -> None:
    """A mark is no review: the memories stay, and the log adds up to them."""
    store.record(Review.new(on(0), CARD, Grade.good))
    before = store.memories()
    store.decide(made("suspend"))

    assert before == store.memories()
    assert 1 == len(list(store.reviews()))
    assert () == store.check()


def test_a_mark_taken_back_was_never_made(store: Progress) -> None:
    """Undo brings back what was before it, not merely the opposite; a second undo finds nothing."""
    first, second = made("bury"), made("bury", day=1)
    for mark in (first, second):
        store.decide(mark)

    taken = [store.undo_decision(second.id, on(1)), store.undo_decision(second.id, on(1)), store.undo_decision("no such id", on(1))]

    assert [True, False, False] == taken
    assert {CARD: DAY} == store.decisions().buried


def test_a_grade_is_no_mark(store: Progress) -> None:
    """unmark() takes no grade back, and undo() no mark."""
    review, mark = Review.new(on(0), CARD, Grade.good), made("suspend")
    store.record(review)
    store.decide(mark)

    assert (False, None) == (store.undo_decision(review.id, on(0)), store.undo(mark.id, on(0)))


def test_a_renamed_card_keeps_its_marks(store: Progress) -> None:
    """What was suspended stays suspended under its new name, and the latest of both names counts."""
    store.decide(made("suspend"))
    store.adopt({OTHER: [CARD]})
    renamed = store.decisions().suspended
    store.decide(made("resume", OTHER, 1))

    assert (frozenset({OTHER}), frozenset()) == (renamed, store.decisions().suspended)


def test_the_log_stays(store: Progress) -> None:
    """Nothing is deleted by taking a mark back: its row and the undo's are both there."""
    mark = made("suspend")
    store.decide(mark)
    store.undo_decision(mark.id, on(0))

    with closing(sqlite3.connect(store.path)) as connection:
        rows = connection.execute("SELECT kind, undoes FROM review ORDER BY clock").fetchall()
    assert [("suspend", None), ("undo", mark.id)] == rows


def test_confident_is_enough_for_trouble(store: Progress) -> None:
    """What the store picks from the log gives the same cards in trouble as the whole log, also across a rename and an undo."""
    undone = Review.new(on(3), OTHER, Grade.again, confidence=3)
    for review in (
        Review.new(on(0), CARD, Grade.again, confidence=3),
        Review.new(on(0), ("d", "c"), Grade.again, confidence=3),
        Review.new(on(2), ("d", "new"), Grade.good, confidence=3),
        Review.new(on(2), ("d", "c"), Grade.good, confidence=2),
        undone,
    ):
        store.record(review)
    store.undo(undone.id, on(3))
    before = store.confident_errors()
    store.adopt({("d", "new"): [CARD]})

    assert {CARD: DAY, ("d", "c"): DAY} == before
    assert {("d", "c"): DAY} == store.confident_errors() == confident_errors(store.reviews())


def test_the_latest_flag_counts() -> None:
    """A note takes the place of the one before, and an empty one says that nothing is wrong any more."""
    first, second, none = (Decision.flag(note, CARD, on(day)) for day, note in enumerate(("a typo", "the sign", "")))

    assert [{CARD: Flag("a typo", DAY)}, {CARD: Flag("the sign", DAY + 1)}, {}] == [
        standing_decisions(marks).flagged for marks in ([first], [first, second], [first, second, none])
    ]


@pytest.mark.parametrize("details", ["[]", "{", "{}", '{"note": 5}', "[" * 100_000])
def test_a_flag_that_cannot_be_read_is_none(details: str) -> None:
    """What another version says of a flag never stops the program."""
    assert {} == standing_decisions([Decision("m", "flag", CARD, on(0), details)]).flagged


@pytest.mark.parametrize("character", ["x", "错", "\N{BUG}", '"'])
def test_the_longest_note_travels(store: Progress, character: str) -> None:
    """What a note can hold, an export holds, and another machine reads; merging it twice is merging it once."""
    mark = Decision.flag(character * 2000, CARD, on(0))
    store.decide(mark)
    count, rows = merge.export_rows(store)
    text = list(jsonl.write_jsonl(rows, count))
    other = Progress.in_memory()
    merged = [merge.merge_rows(other, jsonl.read_jsonl(iter(text))).fresh for _ in range(2)]

    assert [1, 0] == merged
    assert {CARD: Flag(character * LONGEST_NOTE, DAY)} == other.decisions().flagged
