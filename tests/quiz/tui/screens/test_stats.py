"""The statistics on the screen: every figure in a window, by keys, in both languages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from quiz.memory.scheduler import Grade
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.study.leeches import LEECH_LAPSES
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.stats import Figure, StatsScreen
from tests.quiz.driving import NOON, Running, press, screen_text, settled
from tests.quiz.learner import at
from tests.quiz.learning import FORGETFUL, fitted
from tests.quiz.recorded import record

TODAY = NOON.date().toordinal()


def failing(card: str) -> list[Review]:
    """The reviews of a card of the sample deck that was passed and failed too often."""
    days = range(TODAY - 2 * LEECH_LAPSES - 2, TODAY - 1, 2)
    return [
        Review.new(at(day, minutes), ("sample", card), grade) for day in days for minutes, grade in ((600, Grade.again), (620, Grade.good))
    ]


async def at_the_statistics(pilot: Pilot[None]) -> StatsScreen:
    await press(pilot, "s")
    return cast(StatsScreen, pilot.app.screen)


async def test_every_figure_is_there(running: Running, own_data: Path) -> None:
    """`s` at home opens the statistics of the decks; `q` goes back."""
    record(own_data, failing("pick"))
    async with running() as pilot:
        screen = await at_the_statistics(pilot)
        assert 8 == len(screen.query(Figure))
        assert "Reviews" in screen_text(pilot)

        await press(pilot, "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_the_palette_opens_them(running: Running) -> None:
    """Whatever the keys of a screen do is in the command palette, in the interface's language."""
    async with running(language="zh") as pilot:
        commands = {title: (key, run) for title, key, run, _ in pilot.app.get_system_commands(pilot.app.screen)}
        key, run = commands["学习情况的统计"]
        await cast(Callable[[], Awaitable[bool]], run)()
        await settled(pilot)

        assert "s" == key
        assert isinstance(pilot.app.screen, StatsScreen)


async def test_nothing_graded_is_a_sentence(running: Running) -> None:
    """Before the first session there are no figures, and a sentence says when there will be."""
    async with running() as pilot:
        screen = await at_the_statistics(pilot)

        assert 0 == len(screen.query(Figure))
        assert "Nothing has been graded yet." in screen_text(pilot)


async def test_a_file_that_fails_is_a_sentence(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the log cannot be read, the screen says why, and the way back is open."""

    def damaged(store: Progress) -> None:
        raise ProgressError("damaged", store.path)

    monkeypatch.setattr("quiz.tui.screens.stats.read_log", damaged)
    async with running() as pilot:
        await at_the_statistics(pilot)
        assert "is damaged" in screen_text(pilot)

        await press(pilot, "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_the_language_switches(running: Running, own_data: Path) -> None:
    """Every word of the figures follows the language key."""
    record(own_data, failing("pick"))
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "l")

        assert "复习" in screen_text(pilot)
        assert "Reviews" not in screen_text(pilot)


async def test_a_practised_card_shows_the_week_of_the_sure_but_wrong(running: Running, own_data: Path) -> None:
    """The button of a card that one was sure of and had wrong promises seven days at most, from here as from home."""
    known = [Review.new(at(TODAY - day, 600), ("sample", "pick"), Grade.easy, confidence=2) for day in (60, 30)]
    record(own_data, [*known, Review.new(at(TODAY - 1, 600), ("sample", "pick"), Grade.easy, confidence=3, correct=False)])
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "a")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)

        assert 7 >= session.study.intervals()[Grade.good].days


async def test_practice_from_here_goes_by_a_fit(running: Running, own_data: Path) -> None:
    """The buttons of a card that is practised from here show the intervals of the parameters in use."""
    record(own_data, failing("pick"))
    with closing(open_progress(own_data / "progress.sqlite3")) as store:
        store.decide(fitted())
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "a")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)

        assert FORGETFUL == session.study.parameters


@pytest.mark.parametrize("how", ["letter", "all", "click"])
async def test_a_weak_card_is_practised(running: Running, own_data: Path, how: str) -> None:
    """Its letter, `p`, or a click opens a session of it that leaves the schedule alone, and comes back here."""
    record(own_data, failing("pick"))
    before = len(failing("pick"))
    async with running(size=(140, 60)) as pilot:
        screen = await at_the_statistics(pilot)
        if how == "click":
            figure = next(figure for figure in screen.query(Figure) if figure.figure == "again")
            await pilot.click(figure, offset=(3, 1))
            await settled(pilot)
        else:
            await press(pilot, {"letter": "a", "all": "p"}[how])
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)
        assert session.study.session.turn is not None
        assert ("pick", LEECH_LAPSES) == (session.study.session.turn.card.id, session.study.failed)

        await press(pilot, "2", "2", "space", "q")
        assert isinstance(pilot.app.screen, StatsScreen)
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, HomeScreen)
    store = open_progress(own_data / "progress.sqlite3")
    assert before == len(list(store.reviews()))
    store.close()


async def test_other_letters_do_nothing(running: Running, own_data: Path) -> None:
    """A letter that stands before no card is no mistake."""
    record(own_data, failing("pick"))
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "b", "i")

        assert isinstance(pilot.app.screen, StatsScreen)


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (40, 12), (20, 5), (3, 2), (1, 1)])
async def test_no_size_crashes(running: Running, own_data: Path, size: tuple[int, int]) -> None:
    """Any terminal shows what fits, at the beginning and at the end."""
    record(own_data, failing("pick") + failing("count"))
    async with running(size=size) as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "pagedown", "end", "home", "down", "up", "l")

        assert isinstance(pilot.app.screen, StatsScreen)
