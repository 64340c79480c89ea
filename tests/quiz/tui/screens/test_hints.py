"""Hints on the screen: one by one, before the answer, remembered for the turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.study.turn import suggested_grade
from quiz.tui.screens.turn_screen import TurnScreen
from tests.quiz.driving import Running, press, screen_text
from tests.quiz.tui.on_screen import grades, session

DECK = """\
deck: sample
title: Sample
cards:
  - {id: one, question: Why?, answer: So., hint: [Think of it., Think again.], key_points: [a, b]}
  - {id: two, question: When?, answer: Then.}
"""
ITEMS = "  - {id: one, kind: order, question: In which order?, hint: Think., order: [%s]}\n" % ", ".join(f"item {n}" for n in range(9))  # noqa: UP031


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "sample.yaml"
    path.write_text(DECK, encoding="utf-8")
    return path


async def test_h_shows_the_next_hint(running: Running) -> None:
    """Each says which it is; when there is none left the key is not offered any more."""
    async with running(decks=()) as pilot:
        await press(pilot, "enter")
        before = screen_text(pilot)
        await press(pilot, "h")
        one = screen_text(pilot)
        await press(pilot, "h")
        both = screen_text(pilot)
        await press(pilot, "h")

        assert "Hint" not in before
        assert "h hint" in before
        assert "Hint 1 of 2  Think of it." in one
        assert "Think again." not in one
        assert "h hint" in one
        assert "Hint 2 of 2  Think again." in both
        assert "h hint" not in both
        assert both == screen_text(pilot)


async def test_a_hint_is_no_grade_above_hard(running: Running, own_data: Path) -> None:
    """Space gives hard, and what one was sure of is not written: it was said with help. Undo brings the turn back with its hints."""
    async with running() as pilot:
        await press(pilot, "enter", "h", "3", "a", "b", "space")
        turn = session(pilot).turn
        assert turn is not None
        assert Grade.hard == suggested_grade(turn)
        await press(pilot, "space")
        assert [("one", 2, None)] == grades(own_data)
        await press(pilot, "u")
        turn = session(pilot).turn
        assert turn is not None
        assert ("one", 1) == (turn.card.id, turn.hints)


async def test_without_a_hint_there_is_no_key(running: Running) -> None:
    """Neither below the card nor in the help."""
    async with running() as pilot:
        await press(pilot, "enter", "space", "3")
        assert "When?" in screen_text(pilot)
        assert "hint" not in screen_text(pilot)
        await press(pilot, "question_mark")
        assert "next hint" not in screen_text(pilot)


async def test_after_the_answer_there_is_no_hint(running: Running) -> None:
    """h is a letter then, of a key point if there is one."""
    async with running() as pilot:
        await press(pilot, "enter", "space", "h")

        turn = session(pilot).turn
        assert turn is not None
        assert 0 == turn.hints
        assert "hint" not in screen_text(pilot)


async def test_where_an_item_has_the_letter_shift_shows_the_hint(running: Running, deck: Path) -> None:
    """Of nine items the eighth is h: it is picked by it, and the hint's key is H."""
    deck.write_text("deck: sample\ntitle: Sample\ncards:\n" + ITEMS, encoding="utf-8")
    async with running() as pilot:
        await press(pilot, "enter", "h")
        turn = session(pilot).turn
        assert turn is not None
        assert (0, (turn.shown[7],)) == (turn.hints, turn.response.arranged)
        assert "H hint" in screen_text(pilot)
        await press(pilot, "H")
        assert "Hint  Think." in screen_text(pilot)


async def test_a_hint_typed_for_the_card_before_is_none(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would lower the grade of a card that nobody has seen yet."""
    async with running() as pilot:
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "enter", "h")

        assert isinstance(pilot.app.screen, TurnScreen)
        assert pilot.app.screen.turn is not None
        assert 0 == pilot.app.screen.turn.hints
