"""Numbers and keys typed on the command line and in the plain session."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.progress.reviews import Review
from quiz.words.half_width import half_width
from quiz.words.numbers import spell_number
from tests.quiz.commands.own_deck import run, store

DECK = """\
deck: own
title: Own
cards:
  - {id: count, kind: number, question: How many?, number: {value: 42}, key_points: [one, two]}
  - id: line
    kind: code
    question: Which line is wrong?
    code: {listing: "a = 1\\nb = 2\\nc = 3", wrong_line: 2, right: b = 4}
"""


@pytest.fixture(autouse=True)
def _shelf(shelf: None, own_data: Path) -> None:
    (own_data / "decks" / "own.yaml").write_text(DECK, encoding="utf-8")


def reviews() -> list[Review]:
    with store() as opened:
        return list(opened.reviews())


@pytest.mark.parametrize(
    ("typed", "number"), [("42", 42), ("４２", 42), ("21。5", 21.5), ("0,5", 0.5), ("1.000,5", 1000.5), ("1 000", 1000), ("－3", -3)]
)
def test_a_number_is_that_number(typed: str, number: float) -> None:
    """What was typed is what the log holds; where it was written in another way, it is said how it was read."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed=f"{typed}\n3\n\n3\nq\n")

    assert [number] == [review.prediction for review in reviews()]
    assert ("Read as" in told) == (half_width(typed) != spell_number(number))


@pytest.mark.parametrize("typed", ["1/2", "0x10", "1_0", "10k", "58%", "五", "1 2", "½", "10³", "1,00,000", "5-10", "nan"])
def test_what_is_no_number_is_refused(typed: str) -> None:
    """It is said, and asked again: nothing else is taken for it."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed=f"{typed}\n7\n3\n\n3\nq\n")

    assert "That is not a number. Try again" in told
    assert [7.0] == [review.prediction for review in reviews()]


def test_full_width_keys() -> None:
    """How sure one is, key points, grades, undo and the way out are the same keys in full width."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed="４２\n３\nａ，ｂ\n４\nｑ\n")

    assert [(3, 4, (0, 1))] == [(review.confidence, int(review.grade), tuple(review.points)) for review in reviews()]
    assert "[2/2] line" in told
    assert "Type 1" not in told


def test_an_answer_that_means_nothing_is_said() -> None:
    """A confidence of 5, a key point that is not there, line 9 of 3: each is asked again instead of being dropped."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed="42\n5\n3\naz\na\n3\n9\n０\n２\n\n3\n")

    assert 1 == told.count("Type 1, 2 or 3, or press Enter to skip.")
    assert 1 == told.count("Use the letters shown: ab.")
    assert 2 == told.count("The lines are numbered 1 to 3.")
    assert [True, True] == [review.correct for review in reviews()]


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            ("quiz", "--plain", f"--{name}", value)
            for name in ("limit", "new", "level")
            for value in ("1_0", "0x1", "1/2", "0,5", "1.5", "２．５", "一", "")
        ),
        *(("stats", "--days", value) for value in ("1_0", "30d", "1,5", "1e999", "½")),
        *(("plan", "2999-01-01", "--minutes", value) for value in ("1_0", "0:30", "30min")),
        ("check", "--seeds", "1_0"),
    ],
)
def test_options_refuse_what_is_no_whole_number(arguments: tuple[str, ...]) -> None:
    """Python alone would take 1_0 for ten: a usage error that names the option and the text."""
    _, said = run(*arguments, code=2)

    assert f"{arguments[-1]!r} is not a whole number." in said
    assert arguments[-2] in said


@pytest.mark.parametrize("days", ["30", "３０", "1,000", "1 000", "+30", "3e2"])
def test_options_take_numbers_as_people_type_them(days: str) -> None:
    """Full-width digits and groups of three are the number that they are."""
    run("stats", "--days", days)
