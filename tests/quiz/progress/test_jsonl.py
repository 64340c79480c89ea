"""What comes from elsewhere is refused whole, with the line and the reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.memory.scheduler import Grade
from quiz.progress import jsonl
from quiz.progress.jsonl import ImportRefused
from quiz.progress.merge import Merged
from quiz.progress.progress import Progress
from quiz.progress.row_mapping import LATEST_MS
from tests.quiz.learning import graded, on
from tests.quiz.progress.exported import state, taken, text


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
    "clock": [-(2**53) - 1, 2**53 + 1, 2**53, 26 * 10**13, -61 * 10**12, "1", 1.0, True, None, 10**400],
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
        ('{"format": "qkv-progress", "version": 1, "rows": 9007199254740993}', "value"),
        ('{"format": "qkv-progress", "version": 1, "rows": -1}', "value"),
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


@pytest.mark.parametrize("clock", [0, LATEST_MS, LATEST_MS + 1])
def test_there_is_room_after_any_clock(progress: Progress, clock: int) -> None:
    """However late a row from elsewhere is, what is graded after it comes after it, in the order in which it was given."""
    header, grade, _ = sample()
    taken(progress, [json.dumps({**header, "rows": 1}), json.dumps({**grade, "clock": clock})])
    given = [graded(Grade.hard if n % 3 else Grade.again, n) for n in range(12)]
    for review in given:
        progress.record(review)

    assert [review.id for review in given] == [review.id for review in progress.reviews()][1:]
    assert () == progress.check()
    with closing(Progress.in_memory()) as third:
        taken(third, text(progress))
        assert state(progress) == state(third)


def test_what_goes_wrong_in_the_source_is_its_own(progress: Progress) -> None:
    """A text that cannot be decoded says nothing about the progress file, and nothing of it is there."""

    def source() -> Iterator[str]:
        yield from map(json.dumps, sample()[:2])
        yield b"\xff".decode()

    before = state(progress)
    with pytest.raises(UnicodeDecodeError):
        taken(progress, source())

    assert before == state(progress)
