"""The steps of a card in the plain session, notes that it is wrong, and how they are listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.quiz.commands.own_deck import decisions, run, store, today

pytestmark = pytest.mark.usefixtures("shelf")

DECK = """\
deck: own
title: Own
cards:
  - {id: one, level: 1, question: Why one?, answer: Because of it., key_points: [first, second, third]}
  - id: two
    kind: choice
    question: Which?
    options: [{text: this, right: true, why: It is so.}, {text: that, why: It is not.}]
    key_points: [a point]
"""


@pytest.fixture(autouse=True)
def _deck(own_data: Path, shelf: None) -> None:
    (own_data / "decks" / "own.yaml").write_text(DECK, encoding="utf-8")


def typed(lines: str, *options: str) -> str:
    return run("quiz", "own", "--plain", "--lang", "en", *options, typed=lines)[0]


def graded() -> list[tuple[str, int, tuple[int, ...]]]:
    with store() as opened:
        return [(review.card, int(review.grade), review.points) for review in opened.reviews()]


def test_key_points_come_before_the_answer() -> None:
    """What is ticked there suggests the grade; nothing ticked suggests again."""
    told = typed("\n\nabc\n\nq\n")

    assert told.index("☐ first") < told.index("Because of it.") < told.index("[3]:")
    assert [("one", 3, (0, 1, 2))] == graded()
    assert "[1]:" in typed("\n\n\nq\n", "--practice")


def test_a_grade_at_the_key_points() -> None:
    """Who knows how it went needs no answer."""
    told = typed("\n3\n4\nq\n")

    assert "Because of it." not in told
    assert [("one", 4, ())] == graded()


def test_where_the_program_judges_the_answer_comes_first() -> None:
    """Then the key points, with every option's reason before them; a digit is no grade there."""
    told = typed("\n\n4\na\n\n\na\n4\nq\n")

    assert told.index("It is so.") < told.index("☐ a point") < told.rindex("Letters of the key points")
    assert told.count("It is not.") == 1


def test_practice_promises_nothing() -> None:
    """No interval beside a grade, and it says that it is practice."""
    told = typed("\n\n\nq\n", "--practice")

    assert "(practice)" in told
    assert "1 again  2 hard  3 good  4 easy\n" in told


def test_a_note_at_any_question() -> None:
    """The question stands, the note keeps its own characters; the next note takes the place of the last, and u takes it back."""
    told = typed("! a typo，（3）\n\n\n！\nworse\n\nu\nq\n")

    assert 2 == told.count("Noted on one.")
    assert {("own", "one"): "a typo，（3）"} == {key: flag.note for key, flag in decisions().flagged.items()}
    assert [] == graded()


def test_no_note_no_flag() -> None:
    """An empty line after ! is none; in practice a note is one, too."""
    typed("!\n\nq\n")
    assert {} == decisions().flagged
    typed("! wrong\nq\n", "--practice")
    assert ["wrong"] == [flag.note for flag in decisions().flagged.values()]


def test_flagged_cards_are_listed_with_their_notes() -> None:
    """For a person and for a program; others are not listed."""
    assert [] == json.loads(run("cards", "--flagged", "--json")[0])
    typed("! the sign of [b]x[/b]\nq\n")
    (card,) = json.loads(run("cards", "--flagged", "--json")[0])
    lines = run("cards", "--flagged", "--lang", "en")[0].splitlines()

    assert ("one", "the sign of [b]x[/b]", today().isoformat()) == (card["id"], card["note"], card["noted"])
    assert [f"  {today().isoformat()}  the sign of [b]x[/b]"] == [line for line in lines if line.startswith("  ")]
    assert not any("Which?" in line for line in lines)
