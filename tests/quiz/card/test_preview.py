"""A deck beside its editor: the card that is being written, drawn on every save, or what is wrong with the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from content.deck.cards import Card
from content.deck.library import load
from content.deck.model import parse_card
from content.regular_file import file_stamps
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
    assert CardLocation(deck, 21) == read_preview(Preview(deck)).step(1).spot
    deck.write_text("deck: sample\ntitle: T\ncards: [{id: a, question: Why?}]\n", encoding="utf-8")
    assert CardLocation(deck, 3) == read_preview(Preview(deck)).spot
    deck.unlink()
    assert CardLocation(deck, 1) == read_preview(Preview(deck)).spot


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """A deck in two files; the card is in the second."""
    (tmp_path / "main.yaml").write_text("deck: a\ntitle: A\ninclude: part.yaml\n", encoding="utf-8")
    (tmp_path / "part.yaml").write_text("cards:\n  - {id: one, question: Why?, answer: So.}\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("file", ["main.yaml", "part.yaml"])
@pytest.mark.parametrize("changed", ["main.yaml", "part.yaml"])
@pytest.mark.parametrize("broken", [False, True])
def test_every_file_of_a_deck_is_watched(several: Path, file: str, changed: str, broken: bool) -> None:
    """Whichever is previewed, a save of any of them is seen, also while one of them cannot be read."""
    read = read_preview(Preview(several / file))
    if broken:
        (several / changed).write_text("a: [", encoding="utf-8")
        read = read_preview(read)
    before = file_stamps(read.watched)
    (several / changed).write_text("changed", encoding="utf-8")

    assert before != file_stamps(read.watched)


def test_the_card_of_another_file_is_shown_and_opened_there(several: Path) -> None:
    """The editor gets the file and the line in which the card is, or its first error."""
    read = read_preview(Preview(several / "main.yaml"))
    assert (read.card and read.card.id, read.spot) == ("one", CardLocation(several / "part.yaml", 2))

    (several / "part.yaml").write_text("cards:\n  - {id: one,\n     question: Why?}\n", encoding="utf-8")
    assert CardLocation(several / "part.yaml", 2) == read_preview(read).spot


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


def test_problems_are_told_in_the_language_of_the_interface(deck: Path) -> None:
    """As `qkv check` says them: the sentence and the hint in Chinese, the file's line and its caret as they are."""
    deck.write_text("deck: a\ntitle: A\ncards: []\n", encoding="utf-8")
    _, told = problem_lines(load((deck,)).problems, Words("zh"))
    first, line, caret, hint, _ = (text_of(row) for row in told.lines(200))

    assert f"{deck}:3:8: 错误：cards 是空的" == first
    assert ("    cards: []", "           ^", "  提示：请加一项，以 `- ` 开头") == (line, caret, hint)
