"""Copying from the screens, through the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

import engine.snippet
from quiz.tui.app import QkvApp
from quiz.tui.screens.copy_menu import CopyMenu
from tests.quiz.driving import Running, press, screen_text


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What went to the terminal."""
    texts: list[str] = []
    monkeypatch.setattr(QkvApp, "copy_to_clipboard", lambda _, text: texts.append(text))
    monkeypatch.setattr(engine.snippet, "snippet", lambda one, values, shown: f"# {one.name} {dict(values)} {shown}\n")
    return texts


def told(pilot: Pilot[None]) -> str:
    return " ".join(note.message for note in pilot.app._notifications)


async def test_the_question_alone_before_the_answer(running: Running, copied: list[str]) -> None:
    """Nothing of the answer is in it, and no menu where there is one thing."""
    async with running(session=True) as pilot:
        await press(pilot, "y")
        assert 1 == len(copied)
        assert "Why divide by √d_k?" in copied[0]
        assert "variance grows" not in copied[0]
        assert "Copied: the card" in told(pilot)
        assert "OSC 52" in told(pilot)


async def test_card_figure_and_program_after_the_answer(running: Running, copied: list[str]) -> None:
    """A menu; y once more is the first, a digit another, esc none."""
    async with running(size=(120, 40), session=True) as pilot:
        await press(pilot, "space", "space", "y")
        assert isinstance(pilot.app.screen, CopyMenu)
        assert "a torch program that computes the figure" in screen_text(pilot)
        await press(pilot, "y", "y", "2", "y", "3", "y", "escape")
        card, figure, program = copied
        assert "It is 8 at d_k = 64." in card
        assert ["fake run", "d_k=64"] == figure.splitlines()[:2]
        assert "q1" in figure
        assert program.startswith("# fake {'d_k': 64}")


async def test_in_the_lab_the_figure_with_its_settings(running: Running, copied: list[str]) -> None:
    """What the sliders say by now."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e", "tab", "right", "y", "1")
        assert ["fake run", "d_k=32"] == copied[0].splitlines()[:2]


async def test_what_a_terminal_would_obey_is_not_copied(running: Running, copied: list[str], tmp_path: Path) -> None:
    """A deck's text reaches the clipboard as what it looks like."""
    deck = tmp_path / "evil.yaml"
    deck.write_text(
        'deck: evil\ntitle: Evil\ncards:\n  - id: one\n    question: "What is \\e]52;c;eA==\\a this?"\n    answer: x\n', encoding="utf-8"
    )
    async with running(decks=(str(deck),)) as pilot:
        await press(pilot, "b", "y")
        assert all(character.isprintable() or character == "\n" for text in copied for character in text)


async def test_nothing_to_copy(running: Running, copied: list[str]) -> None:
    """It is said."""
    async with running() as pilot:
        await press(pilot, "b", "slash", "z", "q", "escape", "y")
        assert ([], "There is nothing here to copy yet.") == (copied, told(pilot))
