"""A card that is said to be wrong: the note, where it is kept, and how it is taken back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets import Input

from quiz.progress.decisions import LONGEST_NOTE
from quiz.progress.progress import open_progress
from quiz.tui.screens.flag import FlagScreen
from quiz.tui.screens.follow_up import FollowUpScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from tests.quiz.driving import Running, press, screen_text, settled, type_text
from tests.quiz.tui.on_screen import session


def notes(data: Path) -> dict[str, str]:
    """What the store says is wrong with which card."""
    with closing(open_progress(data / "progress.sqlite3")) as store:
        return {key[1]: flag.note for key, flag in store.decisions().flagged.items()}


def told(pilot: Pilot[None]) -> list[str]:
    """The sentences at the corner."""
    return [notification.message for notification in pilot.app._notifications]


async def test_a_note_is_kept_and_the_card_goes_on(running: Running, own_data: Path) -> None:
    """At any step; the letters of the note are text, the card stays as it was, and no time passes over it."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "3", "a")
        before = session(pilot)
        await press(pilot, "exclamation_mark")
        assert "What is wrong with scaling?" in screen_text(pilot)
        await press(pilot, *"q2a", "enter")

        assert isinstance(pilot.app.screen, SessionScreen)
        assert ["Noted on scaling. `qkv cards --flagged` lists all notes."] == told(pilot)
        assert (before.turn, 1) == (session(pilot).turn, len(session(pilot).steps))
    assert {"scaling": "q2a"} == notes(own_data)


async def test_a_note_is_changed_or_dropped(running: Running, own_data: Path) -> None:
    """What was said stands there; without a text nothing is wrong any more, and undo brings the note back."""
    async with running(session=True) as pilot:
        await press(pilot, "enter", "!", "x", "enter", "!", "y", "enter", "!")
        assert "xy" == pilot.app.screen.query_one(Input).value
        await press(pilot, "backspace", "backspace", "enter")
        assert {} == notes(own_data)
        await press(pilot, "u")

        assert "The note on scaling is as it was before." == told(pilot)[-1]
    assert {"scaling": "xy"} == notes(own_data)


async def test_esc_writes_nothing(running: Running, own_data: Path) -> None:
    """Nor does Enter on a note that was not changed."""
    async with running(session=True) as pilot:
        await press(pilot, "enter", "!", "x", "escape", "!", "enter")
        assert 0 == len(session(pilot).steps)
    assert {} == notes(own_data)


async def test_an_enter_too_much(running: Running, own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was for the note: it neither goes on nor grades."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "3", "!", "z")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        for _ in range(4):
            pilot.app.post_message(Key("enter", None))
        await settled(pilot)
        await settled(pilot)
        turn = session(pilot).turn

        assert turn is not None
        assert ("scaling", "recall", 1) == (turn.card.id, turn.stage, len(session(pilot).steps))
    assert {"scaling": "z"} == notes(own_data)


async def test_undo_leaves_the_card_where_it_is(running: Running, own_data: Path) -> None:
    """What was answered since stays answered."""
    async with running(session=True) as pilot:
        await press(pilot, "enter", "!", "x", "enter", "escape", "3", "b", "u")
        turn = session(pilot).turn

        assert turn is not None
        assert ("recall", 3, frozenset({1})) == (turn.stage, turn.confidence, turn.ticked)
    assert {} == notes(own_data)


async def test_in_practice_and_above_the_session_too(running: Running, deck: Path, own_data: Path) -> None:
    """Practice writes no grade, a follow-up is not graded: that a card is wrong is said of both."""
    deck.write_text(deck.read_text(encoding="utf-8").replace("trap: {en: It", "follow_ups: [sort]\n    trap: {en: It"), encoding="utf-8")
    async with running() as pilot:
        await press(pilot, "p", "enter", "!", "x", "enter", "escape", "2", "space", "f")
        assert isinstance(pilot.app.screen, FollowUpScreen)
        await press(pilot, "!", "y", "enter", "escape", "u")
        assert isinstance(pilot.app.screen, SessionScreen)
    assert {"sort": "y"} == notes(own_data)


async def test_the_summary_takes_a_note_back(running: Running, own_data: Path) -> None:
    """Also where no card is left on the table."""
    async with running(session=True) as pilot:
        await press(pilot, "at", "at", "at", "at", "!", "x", "enter", "space", "4")
        assert isinstance(pilot.app.screen, SummaryScreen)
        await press(pilot, "u", "u")
        assert isinstance(pilot.app.screen, SessionScreen)
        await press(pilot, "q")
    assert {} == notes(own_data)


@pytest.mark.parametrize("text", ["\x1b]52;;x\x07 two\nlines", "x" * 5000, "[b]bold[/] [@click=app.quit]"])
async def test_any_text_is_a_note(running: Running, own_data: Path, text: str) -> None:
    """Pasted lines are one, what a terminal would obey is not kept, and what looks like markup is text."""
    async with running(session=True) as pilot:
        await press(pilot, "enter", "!")
        pilot.app.screen.query_one(Input).post_message(Paste(text))
        await settled(pilot)
        await press(pilot, "enter", "!")
        assert isinstance(pilot.app.screen, FlagScreen)
    (note,) = notes(own_data).values()
    assert note.isprintable()
    assert 0 < len(note) <= LONGEST_NOTE


async def test_chinese(running: Running, own_data: Path) -> None:
    """In full width the key is the same, and the note keeps its own characters."""
    async with running(session=True, language="zh") as pilot:
        await press(pilot, "enter")
        await type_text(pilot, "！公式（3）错了。")
        await press(pilot, "enter")
        assert "有错？" in screen_text(pilot)
    assert {"scaling": "公式（3）错了。"} == notes(own_data)
