"""Two machines' logs become one, whoever begins and however often; what comes from elsewhere is refused whole or taken whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.progress import jsonl
from quiz.progress.decisions import Decision, Plan
from quiz.progress.jsonl import ImportRefused, read_jsonl, write_jsonl
from quiz.progress.merge import Merged, export, merge_rows
from quiz.progress.progress import Progress
from tests.quiz.learning import CARD, DAY, NEW, OTHER, graded, on

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


def text(progress: Progress) -> list[str]:
    """What `qkv export --progress` writes."""
    rows = export(progress)
    return list(write_jsonl(rows, len(rows)))


def taken(progress: Progress, source: Iterable[str]) -> Merged:
    return merge_rows(progress, read_jsonl(source))


def copy(*sources: Progress) -> Progress:
    """A new machine that gets the logs of others, one after the other."""
    machine = Progress.in_memory()
    for source in sources:
        taken(machine, text(source))
    return machine


def state(progress: Progress) -> tuple[Any, ...]:
    """Everything that a person can see of it."""
    return text(progress), progress.memories(), progress.decisions(), list(progress.reviews())


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
    taken(progress, [header, json.dumps({**json.loads(line), "clock": 2**53})])
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


# --- what is refused ----------------------------------------------------------------------------------------------------


def sample() -> list[dict[str, Any]]:
    """The objects of a log with a grade and its undo."""
    with closing(Progress.in_memory()) as progress:
        review = graded(Grade.good)
        progress.record(review)
        progress.undo(review.id, on(0))
        return [json.loads(line) for line in text(progress)]


def refused(progress: Progress, source: list[str]) -> tuple[str, int]:
    """Why and where a text is refused; nothing of it is there afterwards."""
    before = state(progress)

    with pytest.raises(ImportRefused) as caught:
        taken(progress, source)

    assert before == state(progress)
    return caught.value.why, caught.value.line


WRONG: dict[str, list[object]] = {
    "id": ["", "a b", "x" * 65, 7, None, "a\n", "[/]"],
    "clock": [-(2**53) - 1, 2**53 + 1, "1", 1.0, True, None, 10**400],
    "at_ms": [10**15, -(10**15), 1.5, None],
    "day": [0, -1, 3_650_000, 739_000.0, "739000"],
    "offset_minutes": [1441, None],
    "deck": ["UPPER", "a" * 81, "注意力", "a b", "\u001b[31m", None, ["a"]],
    "card": ["../x", 1],
    "kind": ["", "Grade", "x" * 21, "mark", "undo", None],
    "grade": [0, 5, True, 3.0, "3", None],
    "confidence": [0, 4],
    "prediction": ["1", True, {}, 10**400],
    "correct": [2, True],
    "points": [[0], "[", "[-1]", "[1e99]", '["0"]', "[NaN]", "{}", "0", "[" * 9_000, "x" * 10_001, "[\ud800]", "[" + "1," * 200 + "1]"],
    "version": ["", "x" * 41, "\u202e", None],
    "surprise": [1],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_value(progress: Progress, name: str, value: object) -> None:
    """A value that no row can have is refused with its line and its name, and nothing is imported."""
    header, grade, undo = sample()
    text = [json.dumps(header), json.dumps(undo), json.dumps({**grade, name: value})]

    assert ("value", 3) == refused(progress, text)


@pytest.mark.parametrize("points", ["[]", '["a"]', '["a", "b", "c"]', '["a", "B"]', '["a", 1]', '{"a": "b"}', "null"])
def test_a_rename_to_nothing(progress: Progress, points: str) -> None:
    """A rename names a deck and a card, and nothing else: no file may bring in one that could not be followed."""
    header, grade, _ = sample()
    del grade["grade"]

    assert ("value", 2) == refused(progress, [json.dumps({**header, "rows": 1}), json.dumps({**grade, "kind": "rename", "points": points})])


def test_a_number_too_large(progress: Progress) -> None:
    """JSON can write numbers that become infinite: no row has one."""
    header, grade, _ = sample()
    line = json.dumps({**grade, "prediction": 0.5}).replace("0.5", "1e999")

    assert ("value", 2) == refused(progress, [json.dumps({**header, "rows": 1}), line])


def test_details_are_ascii(progress: Progress) -> None:
    """Details of a kind that this version need not know are JSON in ASCII, as every version writes it."""
    header, grade, _ = sample()
    del grade["grade"]
    lines = [json.dumps({**grade, "kind": "star", "points": points}) for points in ('["\\u00e9"]', '["é"]')]

    assert ("value", 3) == refused(progress, [json.dumps(header), *lines])


def test_which_value(progress: Progress) -> None:
    """Of several wrong values the first of the line is named, then what is missing; also one whose name is no text."""
    header, grade, _ = sample()
    named = []
    for wrong in ({"day": 0, "grade": 9}, {"day": None, "surprise": 1}, {"\ud800": 1}, {"clock": None, "deck": 5}):
        row = {name: value for name, value in {**grade, **wrong}.items() if value is not None}
        with pytest.raises(ImportRefused) as caught:
            taken(progress, [json.dumps({**header, "rows": 1}), json.dumps(row)])
        named.append(caught.value.about)

    assert ["day", "surprise", "\ud800", "deck"] == named


@pytest.mark.parametrize("name", ["id", "clock", "at_ms", "offset_minutes", "day", "deck", "card", "kind", "points", "version", "grade"])
def test_a_missing_value(progress: Progress, name: str) -> None:
    """A row without a part that every row has is refused."""
    header, grade, _ = sample()
    del grade[name]

    assert ("value", 2) == refused(progress, [json.dumps({**header, "rows": 1}), json.dumps(grade)])


@pytest.mark.parametrize(
    "line", ["{", "[]", "null", '"x"', "{'id': 1}", '{"id": NaN}', '{"id": "a", "id": "b"}', "[" * 50_000, "1" * 50_000]
)
def test_not_a_line(progress: Progress, line: str) -> None:
    """What is not an object of JSON is refused, however deep or long."""
    header, grade, _ = sample()

    assert ("json", 3) == refused(progress, [json.dumps(header), json.dumps(grade), line])


def test_a_long_line(progress: Progress) -> None:
    """A line longer than any row can be is refused before it is read."""
    header, *_ = sample()

    assert ("long", 2) == refused(progress, [json.dumps(header), "x" * (jsonl.LONGEST_LINE + 1)])


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("", "format"),
        ("deck: attention", "format"),
        ("{}", "format"),
        ('{"format": "other", "version": 1, "rows": 0}', "format"),
        ('{"format": "qkv-progress", "version": "1", "rows": 0}', "format"),
        ('{"format": "qkv-progress", "version": 2, "rows": 0}', "newer"),
        ('{"format": "qkv-progress", "version": 1}', "value"),
        ('{"format": "qkv-progress", "version": 1, "rows": 99999999}', "value"),
    ],
)
def test_a_wrong_header(progress: Progress, header: str, why: str) -> None:
    """A file that is not ours, or newer, is refused at its first line."""
    assert (why, 1) == refused(progress, [header])


def test_an_empty_file(progress: Progress) -> None:
    """A file without a line is not ours."""
    assert ("format", 1) == refused(progress, [])


def test_cut_short(progress: Progress) -> None:
    """A file that ends early, or has rows too many, is refused: it was not copied whole."""
    header, grade, undo = map(json.dumps, sample())

    assert ("cut", 3) == refused(progress, [header, grade])
    assert ("more", 4) == refused(progress, [header, grade, undo, undo])


def test_other_content(progress: Progress) -> None:
    """A row that is here with other content is said, and neither is changed."""
    header, grade, undo = sample()
    taken(progress, map(json.dumps, (header, grade, undo)))

    assert ("different", 3) == refused(progress, [json.dumps(part) for part in (header, undo, {**grade, "grade": 4})])
    assert ("different", 2) == refused(progress, [json.dumps(part) for part in (header, {**grade, "clock": grade["clock"] + 1}, undo)])


def test_twice(progress: Progress) -> None:
    """The same row twice in a file is refused."""
    header, grade, _ = map(json.dumps, sample())

    assert ("twice", 3) == refused(progress, [header, grade, grade])


def test_an_undo_of_nothing(progress: Progress) -> None:
    """An undo of a row that is nowhere is refused; of one that is here already, it is not."""
    header, grade, undo = sample()
    alone = [json.dumps({**header, "rows": 1}), json.dumps(undo)]

    assert ("dangling", 2) == refused(progress, alone)
    taken(progress, [json.dumps({**header, "rows": 1}), json.dumps(grade)])
    assert Merged(1, 1) == taken(progress, alone)


@given(st.lists(st.one_of(st.text(max_size=40), st.builds(json.dumps, st.recursive(st.none() | st.integers() | st.text(), st.lists)))))
@settings(deadline=None, max_examples=60)
def test_noise(source: list[str]) -> None:
    """Whatever a file says, it is taken or refused; nothing else happens."""
    with closing(Progress.in_memory()) as progress, suppress(ImportRefused):
        taken(progress, ['{"format": "qkv-progress", "version": 1, "rows": 3}', *source])
