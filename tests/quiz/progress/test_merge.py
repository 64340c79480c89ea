"""Two machines' logs become one, whoever begins and however often; what comes from elsewhere is refused whole or taken whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.progress import merge
from quiz.progress.decisions import Decision, Plan
from quiz.progress.merge import Merged, export, export_rows
from quiz.progress.progress import Progress
from tests.quiz.learning import CARD, DAY, NEW, OTHER, graded, on
from tests.quiz.progress.exported import state, taken, text

KEYS: list[Key] = [("a", "x"), ("a", "y"), ("b", "x")]
kinds = st.sampled_from(["suspend", "resume", "bury"])
steps = st.one_of(
    st.tuples(st.just("grade"), st.sampled_from(KEYS), st.sampled_from(Grade), st.integers(-3, 30), st.integers(-3_000, 3_000)),
    st.tuples(st.just("undo"), st.integers(0, 30)),
    st.tuples(st.just("mark"), st.sampled_from(KEYS), kinds),
    st.tuples(st.just("adopt"), st.permutations(KEYS), st.integers(0, 2)),
)
scripts = st.lists(steps, max_size=10)


def act(progress: Progress, script: list[tuple[Any, ...]]) -> None:
    """A person at one machine."""
    day, undoable = 0, list[Callable[[], object]]()
    for step in script:
        match step:
            case ("grade", key, grade, int(days), int(minute)):
                day += days
                review = graded(grade, day, key, minute)
                progress.record(review)
                undoable.append(lambda id_=review.id, day=day: progress.undo(id_, on(day)))  # type: ignore[misc]
            case ("undo", int(n)) if undoable:
                undoable.pop(-1 - n % len(undoable))()
            case ("mark", key, kind):
                mark = Decision.new(kind, key, on(day))
                progress.decide(mark)
                undoable.append(lambda id_=mark.id, day=day: progress.undo_decision(id_, on(day)))  # type: ignore[misc]
            case ("adopt", [current, *old], int(count)):
                progress.adopt({current: old[:count]}, on(day))


def copy(*sources: Progress) -> Progress:
    """A new machine that gets the logs of others, one after the other."""
    machine = Progress.in_memory()
    for source in sources:
        taken(machine, text(source))
    return machine


@given(scripts, scripts, scripts, scripts)
@settings(deadline=None, max_examples=60)
def test_a_union(common: list[Any], first: list[Any], second: list[Any], third: list[Any]) -> None:
    """Of three machines with a common past, it does not matter who merges whom first, nor how often; and the memories are the log's."""
    with closing(Progress.in_memory()) as past:
        act(past, common)
        machines = [copy(past) for _ in range(3)]
        for machine, script in zip(machines, (first, second, third), strict=True):
            act(machine, script)
        a, b, c = machines
        expected = state(copy(a, b, c))

        assert expected == state(copy(c, copy(b, a), a, b))
        assert expected == state(copy(copy(a, b), c)) == state(copy(a, copy(b, c)))
        assert () == copy(b, c, a).check()
        taken(a, text(b))
        taken(a, text(c))
        assert expected == state(a)


@given(scripts)
@settings(deadline=None, max_examples=60)
def test_a_copy_is_the_same(script: list[Any]) -> None:
    """A new machine that gets a log shows what the old one shows, and giving it back changes nothing."""
    with closing(Progress.in_memory()) as old:
        act(old, script)
        new = copy(old)

        assert state(old) == state(new)
        assert Merged(len(export(old)), 0) == taken(old, text(new))


def test_both_learned(progress: Progress) -> None:
    """What two machines learned of a card counts in the order in which it happened, on both."""
    progress.record(graded(Grade.good, 0))
    other = copy(progress)
    progress.record(graded(Grade.good, 2))
    other.record(graded(Grade.again, 3))
    other.record(graded(Grade.good, 9, OTHER))

    assert Merged(3, 2) == taken(progress, text(other))
    assert [DAY, DAY + 2, DAY + 3, DAY + 9] == [review.when.day for review in progress.reviews()]
    assert (3, 1) == (progress.memories()[CARD].repetitions, progress.memories()[CARD].lapses)
    assert progress.memories() == copy(other, progress).memories()


def test_undone_elsewhere(progress: Progress) -> None:
    """A grade taken back on one machine is taken back on the other, also when both took it back."""
    review = graded(Grade.good)
    progress.record(review)
    other = copy(progress)
    for machine in (progress, other):
        machine.undo(review.id, on(0, 1))

    taken(progress, text(other))

    assert {} == progress.memories()
    assert 3 == len(export(progress))


def test_renamed_elsewhere(progress: Progress) -> None:
    """A rename travels with the log, for a machine whose decks say nothing of it."""
    progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]}, on(1))
    other = copy(progress)

    assert progress.memories() == other.memories()
    assert [NEW] == list(other.memories())


def test_renamed_in_two_steps(progress: Progress) -> None:
    """When each machine knows one step of a rename, the merged log knows the way."""
    progress.record(graded(Grade.good))
    other = copy(progress)
    progress.adopt({NEW: [CARD]}, on(1))
    other.record(graded(Grade.good, 2, NEW))
    other.adopt({OTHER: [NEW]}, on(3))

    taken(progress, text(other))

    assert {OTHER: 2} == {key: memory.repetitions for key, memory in progress.memories().items()}


def test_marks_travel(progress: Progress) -> None:
    """The later of two decisions about a card counts on both machines, and so does the later plan."""
    progress.record(graded(Grade.good))
    other = copy(progress)
    progress.decide(Decision.new("suspend", CARD, on(1)))
    progress.decide(Decision.plan(Plan(DAY + 90, DAY + 83), on(1)))
    other.decide(Decision.new("resume", CARD, on(2)))
    other.decide(Decision.plan(Plan(DAY + 60, DAY + 53, minutes=20), on(2)))

    taken(progress, text(other))

    assert frozenset() == progress.decisions().suspended
    assert Plan(DAY + 60, DAY + 53, minutes=20) == progress.decisions().aim


def test_grades_after_a_merge_are_later(progress: Progress) -> None:
    """A grade after merging comes after everything that came, also from a machine whose clock is ahead."""
    ahead = Progress.in_memory()
    ahead.record(graded(Grade.good, 400))
    taken(progress, text(ahead))
    review = graded(Grade.again, 1)

    progress.record(review)

    assert review == list(progress.reviews())[-1]
    assert () == progress.check()


def test_a_clock_at_the_end_of_time(progress: Progress) -> None:
    """A log that claims the last moment there is still leaves room for grades, undo and another export."""
    hostile = Progress.in_memory()
    hostile.record(graded(Grade.good))
    header, line = text(hostile)
    taken(progress, [header, json.dumps({**json.loads(line), "clock": 25 * 10**13})])
    review = graded(Grade.good, 1)
    progress.record(review)
    progress.undo(review.id, on(1))

    assert 1 == len(list(progress.reviews()))
    assert progress.memories() == copy(progress).memories()


def test_kinds_of_tomorrow(progress: Progress) -> None:
    """Rows of a kind that this version does not know travel on unread."""
    progress.record(graded(Grade.good))
    header, line = text(progress)
    future = {**json.loads(line), "kind": "star", "points": '{"colour": [1, {}]}', "id": "f" * 32}
    del future["grade"]

    other = Progress.in_memory()
    taken(other, [header, json.dumps(future)])

    assert [json.dumps(future)] == text(other)[1:]
    assert {} == other.memories()


def test_an_export_is_one_state_of_the_log(progress: Progress, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read page by page, whatever is graded or merged meanwhile: all rows of its beginning, in their order, and no other."""
    monkeypatch.setattr(merge, "AT_ONCE", 7)
    for n in range(30):
        progress.record(graded(Grade.good, n))
    before = export(progress)
    earlier = Progress.in_memory()
    earlier.record(graded(Grade.good, -9, OTHER))
    count, rows = export_rows(progress)
    read = list(islice(rows, 9))
    progress.record(graded(Grade.good, 40))
    taken(progress, text(earlier))
    read += rows

    assert (30, before) == (count, read)
    assert 32 == len(export(progress))
