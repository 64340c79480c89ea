"""What an application does with the settings: motion, colours and what the environment says of them."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from quiz.settings.chosen import settings
from quiz.settings.file import store
from quiz.tui.app import QkvApp
from tests.quiz.driving import Running, press


@pytest.mark.parametrize(("variable", "value", "moves"), [("", "", True), ("QKV_MOTION", "off", False), ("QKV_MOTION", "on", True)])
async def test_motion_is_a_setting(running: Running, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, moves: bool) -> None:
    """Without it nothing of Textual's moves either; the variable wins over the file."""
    store("motion", False if variable else None)
    if variable:
        monkeypatch.setenv(variable, value)
    async with running() as pilot:
        app = cast(QkvApp, pilot.app)

        assert (moves, moves) == (app.motion, app.animation_level != "none")


async def test_motion_stays_off_where_the_terminal_wishes_it(running: Running) -> None:
    """TEXTUAL_ANIMATIONS=none, which Textual reads when it is imported: switching motion on does not undo it."""
    async with running() as pilot:
        app = cast(QkvApp, pilot.app)
        app._moves = "none"
        app.choose("motion", False)
        app.choose("motion", True)

        assert not app.motion


async def test_no_color_leaves_no_colour(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR: greys only, in the dark and in the light theme, on a card with its answer."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with running() as pilot:
        for keys in ((), ("enter", "escape", "1"), ("ctrl+t",)):
            await press(pilot, *keys)
            styles = [segment.style for line in pilot.app.screen._compositor.render_strips() for segment in line if segment.style]
            colours = {colour.triplet for style in styles for colour in (style.color, style.bgcolor) if colour and colour.triplet}

            assert set() == {colour for colour in colours if max(colour) - min(colour) > 2}


async def test_what_was_changed_at_the_last_moment_is_remembered(running: Running, own_data: Path) -> None:
    """The language key and the one that quits, answered in one moment."""
    async with running() as pilot:
        cast(QkvApp, pilot.app).action_speak()
        pilot.app.exit()
    assert 'language = "zh"\n' in (own_data / "settings.toml").read_text()


async def test_two_keys_in_a_moment(running: Running, own_data: Path) -> None:
    """Of two changes the later is written last."""
    async with running() as pilot:
        await pilot.press("l", "l", "l", "ctrl+t", "ctrl+t")
        pilot.app.exit()
    assert ["zh", "dark"] == [settings().language, settings().theme]


async def test_sentences_replace_each_other_and_leave_a_warning(running: Running) -> None:
    """A pile of them would hide the card; what is wrong stands as long as it should."""
    async with running() as pilot:
        app = cast(QkvApp, pilot.app)
        app.tell("one")
        await pilot.pause()
        app.tell("two")
        await pilot.pause()
        alone = [note.message for note in app._notifications]
        app.warn("wrong")
        await pilot.pause()
        app.tell("three")
        await pilot.pause()

        assert (["two"], ["two", "wrong", "three"]) == (alone, [note.message for note in app._notifications])
