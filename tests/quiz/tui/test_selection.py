"""Text that is selected with the mouse, and ctrl+c."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from quiz.tui.app import QkvApp
from quiz.tui.widgets.slider import Slider
from quiz.tui.widgets.text_part import Pick, TextPart
from tests.quiz.driving import Running, press, settled


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []
    monkeypatch.setattr(QkvApp, "copy_to_clipboard", lambda _, text: texts.append(text))
    return texts


async def drag(pilot: Pilot[None], start: tuple[int, int], *through: tuple[int, int], release: bool = True) -> None:
    """From a cell of the screen over others."""
    await pilot.mouse_down(offset=start)
    for place in through:
        await pilot.hover(offset=place)
    if release:
        await pilot.mouse_up(offset=through[-1])
    await settled(pilot)


def told(pilot: Pilot[None]) -> str:
    return " ".join(note.message for note in pilot.app._notifications)


@pytest.mark.parametrize(("language", "last", "text"), [("en", 9, "Why divide"), ("zh", 8, "为什么要除")])
async def test_selected_and_copied(running: Running, copied: list[str], language: str, last: int, text: str) -> None:
    """ctrl+c copies what is selected, and the program goes on; wide characters are whole."""
    async with running(session=True, language=language) as pilot:
        part = pilot.app.screen.query(TextPart).first().content_region
        await drag(pilot, (part.x, part.y), (part.x + last, part.y))
        await press(pilot, "ctrl+c")
        assert [text] == copied
        assert pilot.app.is_running
        assert {} == pilot.app.screen.selections


async def test_selected_over_several_parts(running: Running, copied: list[str]) -> None:
    """From the question into what stands below it."""
    async with running(session=True) as pilot:
        parts = [part.content_region for part in pilot.app.screen.query(TextPart)]
        await drag(
            pilot, (parts[0].x, parts[0].y), (parts[0].x + 3, parts[0].y), (parts[1].x + 6, parts[1].y), (parts[1].x + 7, parts[1].y)
        )
        await press(pilot, "ctrl+c")
        assert "Why divide by √d_k?\nSay you" == copied[0]


async def test_a_drag_over_an_option_picks_nothing(running: Running) -> None:
    """A click does."""
    async with running(session=True) as pilot:
        await press(pilot, "space", "3")
        option = pilot.app.screen.query(Pick).first().content_region
        await drag(pilot, (option.x + 5, option.y), (option.x + 8, option.y))
        assert not any(pick.part.index in pilot.app.screen.turn.response.chosen for pick in pilot.app.screen.query(Pick))  # type: ignore[attr-defined]
        await pilot.click(offset=(option.x + 5, option.y))
        await pilot.click(offset=(option.x + 5, option.y))
        await settled(pilot)


async def test_a_slider_is_dragged_and_nothing_selected(running: Running) -> None:
    """What the mouse moves is no text."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        slider = pilot.app.screen.query(Slider).first().region
        await drag(pilot, (slider.x + 20, slider.y), (slider.x + 30, slider.y), (slider.x + 40, slider.y + 5))
        assert {} == pilot.app.screen.selections


@pytest.mark.parametrize("keys", [("space",), ("l",), ("space", "3"), ("q",)])
async def test_widgets_that_are_drawn_anew_while_one_selects(running: Running, keys: tuple[str, ...]) -> None:
    """Another card, another language, the screen left: the mouse goes on, and the program too."""
    async with running(session=True) as pilot:
        part = pilot.app.screen.query(TextPart).first().content_region
        await drag(pilot, (part.x, part.y), (part.x + 4, part.y), release=False)
        for key in keys:
            pilot.app.post_message(events.Key(key, None))
        for step in range(6):
            pilot.app.post_message(_moved(part.x + step, part.y + step // 2))
            await asyncio.sleep(0)
        await pilot.mouse_up(offset=(part.x + 5, part.y + 2))
        await pilot.mouse_down(offset=(part.x + 5, part.y + 2))
        await settled(pilot)
        assert pilot.app.is_running


def _moved(x: int, y: int) -> events.MouseMove:
    return events.MouseMove(None, x, y, 1, 1, 1, shift=False, meta=False, ctrl=False)


async def test_ctrl_c_asks_first(running: Running) -> None:
    """Once is a habit, twice is a wish; what is typed meanwhile is kept."""
    async with running() as pilot:
        await press(pilot, "ctrl+c")
        assert pilot.app.is_running
        assert "ctrl+c once more leaves" in told(pilot)
        await pilot.press("ctrl+c")
        assert 0 == (pilot.app.return_code or 0)
        assert pilot.app._exit


async def test_ctrl_c_in_an_input_copies_its_selection(running: Running, copied: list[str]) -> None:
    """And asks where nothing is selected."""
    async with running() as pilot:
        await press(pilot, "b", "slash", "m", "a", "s", "k")
        pilot.app.screen.query_one(Input).select_all()
        await press(pilot, "ctrl+c")
        assert ["mask"] == copied
        assert not pilot.app._exit
