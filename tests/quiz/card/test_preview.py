"""A deck beside its editor: the card that is being written, drawn on every save, or what is wrong with the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from content.deck.cards import Card
from content.deck.library import load
from content.deck.model import parse_card
from quiz.card.card_location import CardLocation
from quiz.card.preview import Preview, edited_card, problem_lines, read_preview
from quiz.card.typeset import text_of
from quiz.words.i18n import Words


def cards(*written: str) -> list[Card]:
    """Cards from `id text`."""
    return [parse_card({"id": one.split()[0], "question": "Why?", "answer": one}) for one in written]


@pytest.mark.parametrize(
    ("before", "here", "after", "expected"),
    [
        ([], 0, ["a x", "b x"], 0),
        (["a x", "b x", "c x"], 1, ["a x", "b x", "c x"], 1),
        (["a x", "b x", "c x"], 0, ["a x", "b x", "c changed"], 2),
        (["a x", "b x", "c x"], 1, ["a changed", "b changed", "c x"], 1),
        (["a x", "b x"], 1, ["a x", "new x", "b x"], 1),
        (["a x", "b x"], 1, ["b x", "a x"], 0),
        (["a x", "b x", "c x"], 2, ["a x", "b x"], 1),
    ],
)
def test_the_preview_follows_the_author(before: list[str], here: int, after: list[str], expected: int) -> None:
    """The card on the table if it changed; else the first card that did; else the same card, wherever it stands now."""
    assert expected == edited_card(cards(*before), cards(*after), here)


def test_a_reading_that_failed_forgets_nothing(deck: Path) -> None:
    """While the file is broken its problems are there; when it is whole again, the preview is where it was."""
    good = read_preview(Preview(deck)).step(2)
    whole = deck.read_text(encoding="utf-8")
    deck.write_text(whole.replace("question: {en: Which sums", "question {en: Which sums"), encoding="utf-8")
    broken = read_preview(good)
    deck.write_text(whole, encoding="utf-8")

    assert (None, "error") == (broken.card, broken.problems[0].severity)
    assert broken is broken.step(1)
    assert good == replace(read_preview(broken), deck=good.deck)


def test_the_line_to_open(deck: Path) -> None:
    """The card's own, or that of the first error where there is no deck."""
    assert CardLocation(deck, 20) == read_preview(Preview(deck)).step(1).spot
    deck.write_text("deck: sample\ntitle: T\ncards: [{id: a, question: Why?}]\n", encoding="utf-8")
    assert CardLocation(deck, 3) == read_preview(Preview(deck)).spot
    deck.unlink()
    assert CardLocation(deck, 1) == read_preview(Preview(deck)).spot


@pytest.mark.parametrize("width", [4, 20, 80, 200])
def test_problems_are_shown_as_check_prints_them(tmp_path: Path, width: int) -> None:
    """No line is wider than the screen, the caret stays below its line, and nothing is markup."""
    path = tmp_path / "[b].yaml"
    path.write_text("deck: sample\ntitle: '[/] [@click=app.quit]'\ncards: [{id: [x], question: Why?, answer: So.}]\n", encoding="utf-8")
    (_, part) = problem_lines(load((path,)).problems, Words("en"))
    lines = [text_of(line) for line in part.lines(width)]

    assert all(len(line) <= width for line in lines)
    if width >= 80:
        row = next(i for i, line in enumerate(lines) if line.strip() == "^")
        assert "[x]" == lines[row - 1][lines[row].index("^") :][:3]
