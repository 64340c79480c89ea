"""The command palette: what it finds, and where that leads."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.command import CommandList
from textual.pilot import Pilot

from quiz.tui.palette import Palette
from quiz.tui.screens.browse import BrowseScreen
from quiz.tui.screens.follow_up import FollowUpScreen
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.session import SessionScreen
from quiz.words.i18n import strings
from tests.quiz.driving import Running, press, settled, type_text


async def hits(pilot: Pilot[None], text: str) -> list[str]:
    """The palette's rows after a text was typed into it."""
    await press(pilot, "ctrl+p")
    assert isinstance(pilot.app.screen, Palette)
    await type_text(pilot, text)
    await settled(pilot)
    return [str(option.prompt) for option in pilot.app.screen.query_one(CommandList).options]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("方差", "Why divide by √d_k?\ncard sample/scaling"),
        ("ＳＣＡＬＩＮＧ", "Why divide by √d_k?\ncard sample/scaling"),
        ("sample", "Study: Sample\ndeck"),
        ("样例", "Study: Sample\ndeck"),
        (":statistics", "Statistics\nscreen"),
        ("/fake run", "fake run\nexperiment"),
        ("fake run", "fake run\nexperiment"),
        ("假实验", "fake run\nexperiment"),
        ("statistics", "Statistics\nscreen"),
        ("dark and", "Switch between the dark and the light theme\n^t"),
    ],
)
async def test_everything_is_found_in_both_languages(running: Running, text: str, first: str) -> None:
    """What the interface says is in its own language, whatever was typed."""
    async with running() as pilot:
        assert first == (await hits(pilot, text))[0]


async def test_in_chinese(running: Running) -> None:
    """And what is not found is said so."""
    async with running(language="zh") as pilot:
        assert "学习：样例\n卡组" == (await hits(pilot, "样例"))[0]
        await type_text(pilot, "无此物")
        await asyncio.sleep(0.7)
        assert "两种语言里都没有找到" in str(pilot.app.screen.query_one(CommandList).options[0].prompt.renderable)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "screen"),
    [
        ("root of", HomeScreen),
        ("which line", FollowUpScreen),
        ("fake run", LabScreen),
        ("sample", SessionScreen),
        ("cards: search", BrowseScreen),
    ],
)
async def test_where_it_leads_and_back(running: Running, text: str, screen: type) -> None:
    """Esc or q lead back to where one was."""
    async with running() as pilot:
        await hits(pilot, text)
        await press(pilot, "enter" if screen is not HomeScreen else "escape", *(["escape"] if screen is HomeScreen else []))
        assert isinstance(pilot.app.screen, screen)
        if screen is not HomeScreen:
            await press(pilot, "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_within_a_session(running: Running) -> None:
    """A card or an experiment is looked at above it; the card on the table is as it was, and no second session is offered."""
    async with running(session=True) as pilot:
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)
        turn = session.turn
        assert [] == [row for row in await hits(pilot, "sample") if row.startswith("Study")]
        await press(pilot, "escape")
        for text, above in (("fake run", LabScreen), ("which line", FollowUpScreen)):
            await hits(pilot, text)
            await press(pilot, "enter")
            assert above is type(pilot.app.screen)
            assert None is not session.study.left
            await press(pilot, "q")
            assert [session] == pilot.app.screen_stack[-1:]
            assert turn == session.turn
            assert None is session.study.left


async def test_an_experiment_from_within_the_lab(running: Running) -> None:
    """It is opened there, not above it."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        await hits(pilot, "fake run")
        await press(pilot, "enter", "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_no_command_of_textual_is_left(running: Running) -> None:
    """Maximize, screenshot and a list of foreign themes make no sense here."""
    async with running() as pilot:
        titles = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        words = strings("en").values()

        assert [] == [title for title in titles if title not in words]


async def test_a_path(running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found by its title and its sentence in both languages, and begins a session with its first card; one whose decks are not there
    is not offered, and none within a session."""
    text = "title: {en: Homeward, zh: 归途}\nsays: {en: The way back., zh: 回去的路。}\ncards: [sample/sort, sample/pick]\n"
    (tmp_path / "home.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "away.yaml").write_text(text.replace("Homeward", "Awayward").replace("sample/", "other/"), encoding="utf-8")
    monkeypatch.setattr("content.deck.learning_paths.FOLDER", tmp_path)
    async with running() as pilot:
        assert [] == [row for row in await hits(pilot, "awayward") if row.startswith("Study")]
        await press(pilot, "escape")
        assert "Study: Homeward\npath" == (await hits(pilot, "归途"))[0]
        await press(pilot, "enter")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)
        assert session.turn
        assert ("sample", "sort") == session.turn.item.key
        assert [] == [row for row in await hits(pilot, "homeward") if row.startswith("Study")]
