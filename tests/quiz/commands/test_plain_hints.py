"""Hints and follow-ups in the plain session, where what to do is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quiz.commands.own_deck import run, store

pytestmark = pytest.mark.usefixtures("shelf")

DECK = """\
deck: own
title: Own
cards:
  - {id: one, question: Why one?, answer: So., hint: [Think of it., Think again.], follow_ups: [two, other/three, gone]}
  - {id: two, question: Why two?, answer: So.}
"""
TWO = """\
deck: own
title: Own
cards:
  - {id: two, kind: choice, question: Why two?, hint: Of the first., options: [{text: a, right: true}, {text: b}]}
"""
NINE = """\
deck: own
title: Own
cards:
  - {id: one, kind: order, question: Why one?, hint: Think of it., order: [a1, a2, a3, a4, a5, a6, a7, a8, a9]}
"""


def typed(own_data: Path, lines: str, deck: str = DECK) -> str:
    (own_data / "decks" / "own.yaml").write_text(deck, encoding="utf-8")
    return run("quiz", "own", "--plain", "--lang", "en", typed=lines)[0]


def test_h_shows_the_next_hint(own_data: Path) -> None:
    """It says how many there are, then which it is, then that there is none left; the question is still asked, and the grade is hard."""
    told = typed(own_data, "h\n\nh\nhint\n\n\nq\n")

    assert "h shows a hint; there are 2." in told
    assert (
        1 == told.count("Hint 1 of 2  Think of it.") == told.count("Hint 2 of 2  Think again.") == told.count("There is no further hint.")
    )
    assert told.index("Think of it.") < told.index("How sure?") < told.index("Think again.") < told.index("So.")
    with store() as opened:
        assert [("one", 2, None)] == [(review.card, int(review.grade), review.confidence) for review in opened.reviews()]


def test_a_hint_is_asked_for_where_letters_are(own_data: Path) -> None:
    """h is no letter of two options; of nine items it is one, and the word asks for the hint."""
    assert "Hint  Of the first." in typed(own_data, "h\na\nq\n", TWO)
    told = typed(own_data, "hint\nabcdefghi\nq\n", NINE)
    assert 1 == told.count("Hint  Think of it.")
    assert "Use the letters shown" not in typed(own_data, "h\nq\n", NINE)


def test_without_a_hint_nothing_is_said_of_one(own_data: Path) -> None:
    """And h is an answer like another."""
    told = typed(own_data, "h\n\n3\nq\n", "deck: own\ntitle: Own\ncards:\n  - {id: one, question: Why one?, answer: So.}\n")

    assert "hint" not in told.lower()


def test_links_are_questions_with_their_names(own_data: Path) -> None:
    """What to type for each stands below it; one whose deck is not there is its id."""
    other = "deck: other\ntitle: Other\ncards:\n  - {id: three, question: Why three?, answer: So.}\n"
    (own_data / "decks" / "other.yaml").write_text(other, encoding="utf-8")
    told = typed(own_data, "\n\nq\n")

    assert ["→ Why two?", "own/two", "→ Why three?", "other/three", "→ gone"] == [
        line.strip() for line in told.partition("They may ask next\n")[2].split("\n")[:5]
    ]
