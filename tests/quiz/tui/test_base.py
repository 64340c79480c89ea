"""What every screen may rely on: its lines are clean, and a fault is no success."""

from __future__ import annotations

from typing import cast

from textual.content import Content
from textual.widgets import Input, Static

from content.yaml.clean import unclean
from quiz.exit_codes import PROBLEM
from quiz.tui.app import QkvApp
from tests.quiz.driving import Running, screen_text

EVIL = "\x1b]0;owned\x07\u202eevil\x9b31m\u200b注\udcff a" + "\u0301" * 100


async def test_no_widget_brings_an_escape_to_the_terminal(running: Running) -> None:
    """Whatever a widget is given, the lines that are drawn hold nothing that a terminal would obey, in as many cells as before."""
    async with running() as pilot:
        shown = Static(Content(EVIL))
        await pilot.app.screen.mount(shown, Input(EVIL), Static(EVIL, markup=False))
        shown.border_title = "x"
        pilot.app.notify(EVIL, markup=False)
        await pilot.pause(0.2)
        drawn = screen_text(pilot)

        assert r"\x1b]0;owned" in drawn
        assert [] == unclean(drawn)


async def test_a_panic_is_no_success(running: Running) -> None:
    """Textual leaves the exit code 0 when it is told to panic."""
    async with running() as pilot:
        app = cast(QkvApp, pilot.app)
        assert 0 == app.exit_code
        app.panic("a fault")

    assert PROBLEM == app.exit_code
