"""The settings on the screen: what is changed counts at once, is remembered, and is told where it cannot be."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from quiz.tui.app import QkvApp
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.settings import SettingsScreen
from quiz.tui.widgets.action_row import ActionLabel
from tests.quiz.driving import NOON, Running, press, screen_text, settled, type_text


def app(pilot: Pilot[None]) -> QkvApp:
    return cast(QkvApp, pilot.app)


def written(own_data: Path) -> dict[str, Any]:
    return tomllib.loads((own_data / "settings.toml").read_text(encoding="utf-8"))


def options(pilot: Pilot[None]) -> OptionList:
    return pilot.app.screen.query_one("#settings", OptionList)


async def go_to(pilot: Pilot[None], words: str) -> None:
    """Puts the cursor on the row that says these words."""
    listed = options(pilot)
    listed.highlighted = next(at for at, option in enumerate(listed.options) if words in str(option.prompt))
    await settled(pilot)


async def test_language_and_theme_are_remembered(running: Running, own_data: Path) -> None:
    """Their keys on any screen, and the next start is as this one was left."""
    async with running(language="") as pilot:
        await press(pilot, "l", "ctrl+t")
        assert ("zh", "qkv-light") == (app(pilot).language, pilot.app.theme)
    async with running(language="") as pilot:
        assert ("zh", "qkv-light") == (app(pilot).language, pilot.app.theme)
        assert "全部题库" in screen_text(pilot) or "设置" in screen_text(pilot)
    assert {"language": "zh", "theme": "light"} == written(own_data)


async def test_a_language_that_was_asked_for_wins(running: Running) -> None:
    """--lang is for one run."""
    async with running(language="") as pilot:
        await press(pilot, "l")
    async with running(language="en") as pilot:
        assert "en" == app(pilot).language


async def test_values_in_a_row_are_gone_through(running: Running, own_data: Path) -> None:
    """Left and right; delete gives the setting back; each counts at once."""
    async with running() as pilot:
        await press(pilot, "comma")
        assert isinstance(pilot.app.screen, SettingsScreen)
        await go_to(pilot, "Motion")
        await press(pilot, "right")
        assert not app(pilot).motion
        await go_to(pilot, "New cards a day")
        await press(pilot, "left", "left")
        assert {"motion": False, "new": 18} == written(own_data)
        assert "18 cards" in screen_text(pilot)
        await press(pilot, "delete")
        assert {"motion": False} == written(own_data)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_number_is_typed(running: Running, own_data: Path) -> None:
    """Enter asks for it; what cannot be is told where it is typed and can be mended, and the setting stays."""
    async with running() as pilot:
        await press(pilot, "comma")
        await go_to(pilot, "New cards a day")
        await press(pilot, "enter", "ctrl+u")
        await type_text(pilot, "2")
        await press(pilot, "enter")
        assert {"new": 2} == written(own_data)
        await press(pilot, "enter", "ctrl+u")
        await type_text(pilot, "many")
        await press(pilot, "enter")
        assert {"new": 2} == written(own_data)
        assert "New cards a day cannot be many: 0 to 999, or default." in screen_text(pilot)
        assert "many" == pilot.app.screen.query_one(Input).value
        assert [] == list(app(pilot)._notifications)
        await press(pilot, "escape")
        assert "How many cards you meet for the first time" in screen_text(pilot)
        await press(pilot, "escape")
        assert "2 new" in screen_text(pilot)


async def test_the_day_of_the_interview_is_the_plan(running: Running, own_data: Path) -> None:
    """One date: the screen makes the plan that `qkv plan` shows, and no line of the file."""
    day = (NOON + timedelta(days=30)).date()
    async with running() as pilot:
        await press(pilot, "comma")
        await go_to(pilot, "Day of the interview")
        await press(pilot, "enter")
        await type_text(pilot, day.isoformat())
        await press(pilot, "enter")
        store = app(pilot).files.store
        assert store is not None
        aim = store.decisions().aim
        assert aim is not None
        assert (day.toordinal(), False) == (aim.until, (own_data / "settings.toml").exists())
        assert day.isoformat() in screen_text(pilot)
        await press(pilot, "delete")
        assert store.decisions().aim is None


async def test_a_binding_gets_another_key(running: Running, own_data: Path) -> None:
    """Enter, then the key; it works at once, after the next start too, and the old one does nothing; rows and help show it."""
    async with running() as pilot:
        await press(pilot, "comma")
        await go_to(pilot, "Play with the experiments")
        await press(pilot, "enter", "x", "escape", "e")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "x lab" in screen_text(pilot)
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, LabScreen)
    async with running() as pilot:
        assert ["x"] == [str(row.content).split()[0] for row in pilot.app.screen.query(ActionLabel) if row.action.binding == "home.lab"]
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, LabScreen)
    assert {"keys": {"home.lab": "x"}} == written(own_data)


async def test_a_key_that_is_taken_is_told(running: Running, own_data: Path) -> None:
    """The binding keeps its own, and nothing is written."""
    async with running() as pilot:
        await press(pilot, "comma")
        await go_to(pilot, "Play with the experiments")
        await press(pilot, "enter", "s")
        assert "the key s is that of home.stats already" in screen_text(pilot)
        await press(pilot, "escape", "e")
        assert isinstance(pilot.app.screen, LabScreen)
    assert not (own_data / "settings.toml").exists()


@pytest.mark.parametrize("keys", ["full", "broken"])
async def test_a_broken_file_is_told_at_the_start(running: Running, own_data: Path, keys: str) -> None:
    """With line and what was used instead; a change counts for this run and is not written."""
    own_data.mkdir()
    text = 'theme = "light"\nnew = "many"\n' if keys == "full" else 'theme = "light"\nnew = [\n'
    (own_data / "settings.toml").write_text(text)
    async with running() as pilot:
        (told,) = [note.message for note in app(pilot)._notifications]
        assert "line 2" in told if keys == "full" else "this is no TOML" in told
        assert ("20 cards" in told, "qkv-light" == pilot.app.theme) == ((True, True) if keys == "full" else (False, False))
        await press(pilot, "ctrl+t")
        assert ("qkv-dark" if keys == "full" else "qkv-light") == pilot.app.theme
    assert (text.replace("light", "dark") if keys == "full" else text) == (own_data / "settings.toml").read_text()


async def test_ascii_only(running: Running) -> None:
    """No sign beyond ASCII on any line but Chinese, at once and after the next start."""

    def beyond(pilot: Pilot[None]) -> set[str]:
        return {each for each in screen_text(pilot) if not each.isascii() and not "\u3000" <= each <= "\uffef"}

    async with running() as pilot:
        assert set() != beyond(pilot)
        await press(pilot, "comma")
        await go_to(pilot, "ASCII")
        await press(pilot, "right")
        assert set() == beyond(pilot)
        await press(pilot, "escape")
        assert set() == beyond(pilot)
    async with running(language="zh") as pilot:
        await press(pilot, "enter")
        assert set() == beyond(pilot)


async def test_a_switch_says_what_it_is_now(running: Running) -> None:
    """Not only what it would be; and the key that puts a setting back does not read as if it took the default away."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "comma")
        await go_to(pilot, "Motion")
        on = screen_text(pilot)
        await press(pilot, "enter")
        off = screen_text(pilot)

        assert (True, False) == ("On: figures play" in on, "Off: nothing moves" in on)
        assert (False, True) == ("On: figures play" in off, "Off: nothing moves" in off)
        assert "back to default" in off
