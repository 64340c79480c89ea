"""The help: the keys of what has the focus first, by panel, and none that does nothing here."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Static

from tests.quiz.driving import Running, press, screen_text


def panels(pilot: Pilot[None]) -> list[str]:
    return [str(title.content) for title in pilot.app.screen.query(".help-panel").results(Static)]


def keys(pilot: Pilot[None]) -> set[str]:
    return {key for row in pilot.app.screen.query(".help-keys").results(Static) for key in str(row.content).split()}


async def test_the_panel_with_the_focus_comes_first(running: Running) -> None:
    """In the lab a slider's keys, at the number's input that one's; what counts everywhere stands last."""
    async with running() as pilot:
        await press(pilot, "enter", "question_mark")
        asked = panels(pilot)
        await press(pilot, "escape", "escape", "2", "space", "tab", "question_mark")
        at_the_lab = panels(pilot)

    assert ["The number", "Card"] == asked[:2]
    assert "Everywhere" == asked[-1]
    assert ("Slider", "Everywhere") == (at_the_lab[0], at_the_lab[-1])


async def test_a_key_that_does_nothing_here_is_not_shown(running: Running) -> None:
    """No fourth degree of being sure, no lab before the answer, no letter of nothing, nothing to undo."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", "question_mark")
        asked = keys(pilot)
        await press(pilot, "escape", "2", "space", "question_mark")
        answered = keys(pilot)

    assert set() == asked & {"4", "tab", "s", "r", "u", "a", "b", "t…4"}
    assert {"a", "b", "tab", "s"} <= answered
    assert set() == answered & {"c", "d", "u"}


async def test_the_help_of_the_settings_follows_the_cursor(running: Running) -> None:
    """Left and right go through values; a key has none."""
    async with running() as pilot:
        await press(pilot, "comma", "question_mark")
        first = keys(pilot)
        await press(pilot, "escape", "end", "question_mark")
        assert "Settings" in screen_text(pilot)

        assert ({"←", "→"} & first, set()) == ({"←", "→"}, {"←", "→"} & keys(pilot))
