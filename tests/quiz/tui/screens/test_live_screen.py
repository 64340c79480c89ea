"""The figure that plays on the home screen before the first session, and gives way to whatever is asked for."""

from __future__ import annotations

from typing import cast

import pytest

from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.live_screen import STILL, SWEEPS, WIDTHS
from tests.quiz.driving import screen_text, settled
from tests.quiz.tui.screens.home_states import home, learned, names_in
from tests.quiz.tui.screens.playing_figure import Playing, rested


@pytest.mark.usefixtures("playing", "here")
async def test_the_figure_plays() -> None:
    """Each step is computed once; after so many sweeps it rests."""
    engine = Playing()
    app = home(engine, names_in("newcomer"))
    async with app.run_test(size=(80, 24)) as pilot:
        await rested(pilot)
        frame = cast(HomeScreen, app.screen).frame

        assert list(WIDTHS) == engine.played
        assert SWEEPS > 1
        assert frame
        assert STILL == frame.values["d_k"]
        assert f"d_k = {STILL}" in screen_text(pilot)


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize("wish", ["motion", "colour"])
async def test_the_figure_is_still_where_it_should_be(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without animations or without colours there is one picture, and it does not change."""
    if wish == "colour":
        monkeypatch.setenv("NO_COLOR", "1")
    engine = Playing()
    app = home(engine, names_in("newcomer"))
    if wish == "motion":
        app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        await rested(pilot)

        assert [STILL] == engine.played
        assert f"d_k = {STILL}" in screen_text(pilot)


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize("key", ["enter", "p", "e"])
async def test_whoever_begins_something_has_the_engine(key: str) -> None:
    """A run that is awaited is called back, and there is no other."""
    engine = Playing(late=True)
    app = home(engine, names_in("newcomer"))
    async with app.run_test(size=(80, 24)) as pilot:
        while not engine.played:
            await pilot.pause(0.01)
        await pilot.press(key)
        await settled(pilot)

        assert not isinstance(app.screen, HomeScreen)
        assert [1] == engine.played
        assert engine.cancelled == 1


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize(("state", "session"), [("halfway", False), ("newcomer", True)])
async def test_the_figure_plays_before_the_first_session_only(state: str, session: bool) -> None:
    """Not for who has begun, nor behind a session that the command line has begun."""
    engine, names = Playing(), names_in(state)
    learned(state)
    async with home(engine, names, session=session).run_test(size=(80, 24)) as pilot:
        await settled(pilot)

        assert [] == engine.played


@pytest.mark.usefixtures("playing", "here")
async def test_home_without_an_engine() -> None:
    """An engine that cannot compute leaves a home without a figure, and says nothing here."""
    from engine import WorkerDied

    engine = Playing()
    engine.failure = WorkerDied("gone", "没了")
    async with home(engine, names_in("newcomer")).run_test(size=(80, 24)) as pilot:
        await settled(pilot)

        assert "Begin: 20 cards" in screen_text(pilot)
        assert not pilot.app._notifications
