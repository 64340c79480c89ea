"""Keys of a Chinese input method in its full-width mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.tui.half_width_keys import half_width_key
from quiz.tui.screens.help import HelpScreen
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.stats import StatsScreen
from tests.quiz.driving import Running, press, type_text
from tests.quiz.tui.on_screen import grades, session


def test_every_wide_key_is_its_narrow_one() -> None:
    """By the names that Textual gives the keys; a key that is not wide is itself, and 。 is no key of ours."""
    named = {"？": "fullwidth_question_mark", "＠": "fullwidth_commercial_at", "\u3000": "ideographic_space", "３": "３", "ａ": "ａ"}

    assert ["question_mark", "at", "space", "3", "a"] == [half_width_key(key) for key in named.values()]
    assert ["enter", "ideographic_full_stop", "³"] == [half_width_key(key) for key in ("enter", "ideographic_full_stop", "³")]


async def test_a_session_in_full_width(running: Running, own_data: Path) -> None:
    """Showing the answer, ticking, grading, undoing and leaving: each key counts as the one that it is typed with."""
    async with running() as pilot:
        await press(pilot, "enter", "\u3000", "ｂ")
        turn = session(pilot).turn
        assert turn is not None
        assert ("recall", frozenset({1})) == (turn.stage, frozenset(turn.ticked))
        await press(pilot, "３")
        assert [("scaling", Grade.good, None)] == grades(own_data)
        await press(pilot, "ｕ")
        assert [] == grades(own_data)


@pytest.mark.parametrize(("screen", "way"), [(SessionScreen, ("enter",)), (LabScreen, ("ｅ",)), (StatsScreen, ("ｓ",)), (HomeScreen, ())])
async def test_help_opens_everywhere(running: Running, screen: type, way: tuple[str, ...]) -> None:
    """？ is the key that every screen offers, and it also closes what it opened."""
    async with running() as pilot:
        await press(pilot, *way)
        assert isinstance(pilot.app.screen, screen)
        await press(pilot, "？")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "？")
        assert isinstance(pilot.app.screen, screen)


async def test_full_width_text_stays_text_in_an_input(running: Running) -> None:
    """In an input a wide character is what was typed; it is no command, and a number reads it as the digit that it is."""
    async with running() as pilot:
        await press(pilot, "enter")
        await type_text(pilot, "３．５")
        await press(pilot, "enter")
        turn = session(pilot).turn

        assert turn is not None
        assert 3.5 == turn.response.number
