"""Keys that were typed before what is on the screen was seen: they neither reveal nor grade."""

from __future__ import annotations

import time

import pytest

from quiz.tui.app import QkvApp
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.turn_screen import HOLD
from tests.quiz.driving import Running, press, screen_text
from tests.quiz.tui.on_screen import session, turn_of


@pytest.mark.parametrize("before", [(), ("2",)], ids=["key-points", "answer"])
@pytest.mark.parametrize("keys", [("3", "3", "space", "enter"), ("space", "space", "3"), ("2", "4")])
async def test_keys_pressed_too_fast_do_not_grade(
    running: Running, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], before: tuple[str, ...]
) -> None:
    """What was typed before a step had been on the screen for a moment neither grades it nor goes on, however slow the machine is."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", *before)
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, *(("space", *keys) if before else keys))

        assert (1, "reveal" if before else "recall") == (session(pilot).position, turn_of(pilot).stage)


async def test_a_guess_without_a_pick_is_warned_of_once(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not picked is asked for twice: the first key says so and a second in a moment does nothing; a later one shows the answer."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2", "3")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "space", "space", "3")
        assert ("pick", "ask", True) == (turn_of(pilot).card.id, turn_of(pilot).stage, turn_of(pilot).warned)
        assert "Nothing is picked yet." in screen_text(pilot)
        monkeypatch.setattr(SessionScreen, "steady", property(lambda screen: True))
        await press(pilot, "space")

        assert "reveal" == turn_of(pilot).stage


async def test_grades_count_after_half_a_second(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A digit that was meant as how sure one was, a moment too late, does not grade."""
    seconds = time.monotonic() + 60.0
    async with running() as pilot:
        await press(pilot, "enter", "escape", "3")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", HOLD)
        monkeypatch.setattr(QkvApp, "now", property(lambda app: seconds))
        monkeypatch.setattr(QkvApp, "typed", property(lambda app: seconds, lambda app, moment: None))
        await press(pilot, "space")
        seconds += 0.49
        await press(pilot, "3")
        assert 1 == session(pilot).position
        seconds += 0.02
        await press(pilot, "3")
        assert 2 == session(pilot).position


@pytest.mark.parametrize("ahead", [-1e6, 1e6])
async def test_the_clock_of_the_keys(running: Running, monkeypatch: pytest.MonkeyPatch, ahead: float) -> None:
    """Textual's clock is not time.monotonic's on every system: what is on the screen long enough is held against the clock of the keys."""
    monkeypatch.setattr("textual._time.get_time", lambda: time.monotonic() + ahead)
    async with running() as pilot:
        await press(pilot, "enter", "escape", "3", "3")
        assert 2 == session(pilot).position
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "3", "3")
        assert 2 == session(pilot).position


async def test_a_grade_pressed_twice_does_not_reveal_the_next_card(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second press of a grade does not answer the next question as sure."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", "2")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "3", "3", "space")

        assert 2 == session(pilot).position
        turn = session(pilot).turn
        assert turn is not None
        assert "ask" == turn.stage
