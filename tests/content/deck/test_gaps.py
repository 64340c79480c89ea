"""A text that is still to be written is an error at its place, and the rest of the deck is judged as always."""

from __future__ import annotations

import pytest

from content.deck import checks
from content.deck.gaps import without_gaps
from content.deck.library import Given, Library, load

CARD = """\
deck: a
title: A
cards:
  - id: a
    question: {en: Why?, zh: 为什么？}
    answer: So.
    verify: {experiment: softmax, set: {shift: 1}, claims: [{says: It is so., check: shift_change < 1}]}
  - {id: b, question: How?, answr: Thus.}
"""


def read(old: str, new: str) -> Library:
    assert old in CARD
    return load([Given("a.yaml", CARD.replace(old, new).encode())])


@pytest.mark.parametrize(
    ("old", "line"),
    [
        ("Why?", 5),
        ("为什么？", 5),
        ("So.", 6),
        ("softmax", 7),
        ("shift: 1", 7),
        ("It is so.", 7),
        ("shift_change < 1", 7),
        ("A\n", 2),
    ],
)
def test_a_gap_is_an_error_where_it_is(old: str, line: int) -> None:
    """Whatever the value is, one error says what belongs there, and everything else in the file is told beside it."""
    column = CARD.split("\n")[line - 1].index(old.strip()) + 1 + len("shift: ") * (old == "shift: 1")
    new = 'shift: "TODO: what belongs here"' if old == "shift: 1" else '"TODO: what belongs here"' + "\n" * old.endswith("\n")
    found = [problem for problem in checks.all_problems(read(old, new), {"softmax"}) if problem.severity == "error"]

    assert [(line, "still to be written: what belongs here"), (8, "answr is not a key of a card; did you mean answer?")] == [
        (problem.line, problem.message) for problem in sorted(found)
    ]
    assert column == sorted(found)[0].column


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("TODO", "still to be written: answer"),
        ("'TODO:'", "still to be written: answer"),
        ("'TODO: '", "still to be written: answer"),
        ("TODO：怎么回答", "still to be written: 怎么回答"),
        ("|\n      TODO: one\n      two", "still to be written: one two"),
        ("{en: TODO}", "still to be written: the en of answer"),
    ],
)
def test_a_gap_in_other_forms(written: str, told: str) -> None:
    """The colon of a Chinese keyboard, a block, the bare word: what belongs there is said as well as it is known."""
    assert [told] == [problem.message for problem in read("So.", written).problems if problem.line == 6]


@pytest.mark.parametrize("written", ["A TODO is a note.", "TODOS are many.", "'todo: lower case'", "TODO lists are long.", "'# TODO: x'"])
def test_what_is_no_gap(written: str) -> None:
    """The word itself may be written: a gap begins with it and a colon, or is nothing else."""
    assert [] == [problem for problem in read("So.", written).problems if problem.line == 6]


def test_a_deck_with_a_gap_waits() -> None:
    """It is not studied as if it were finished; a card without a gap is a right one of a refused deck."""
    library = read("{id: b, question: How?, answr: Thus.}", "{id: b, question: How?, answer: TODO}")
    (draft,) = library.drafts

    assert ((), [0], [1]) == (library.decks, list(draft.cards), list(draft.fragments))


def test_what_has_been_written() -> None:
    """Keys of gaps are left out, and lists keep their length, so that places stay what they are."""
    assert {"order": ["", "b", {"zh": "c"}]} == without_gaps({"id": "TODO: id", "order": ["TODO: a", "b", {"en": "TODO", "zh": "c"}]})
