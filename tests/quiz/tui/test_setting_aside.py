"""Setting cards aside, cards in trouble and the plan on the screens, by their keys; and the same in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Plan
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.study.turn import Turn
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from tests.quiz.driving import NOON, Running, press, screen_text

SCALING, PICK = ("sample", "scaling"), ("sample", "pick")


@contextmanager
def store(data: Path) -> Iterator[Progress]:
    with closing(open_progress(data / "progress.sqlite3")) as opened:
        yield opened


def ago(days: int) -> Moment:
    return Moment.of(NOON - timedelta(days=days))


def turn(pilot: Pilot[None]) -> Turn:
    found = cast(SessionScreen, pilot.app.screen).study.session.turn
    assert found is not None
    return found


def told(pilot: Pilot[None]) -> list[str]:
    """What the app has said in passing."""
    return [notification.message for notification in pilot.app._notifications]


@pytest.fixture
def leech(own_data: Path) -> None:
    """The card `scaling` was failed five times after it had been passed."""
    with store(own_data) as opened:
        for n in range(5):
            opened.record(Review.new(ago(60 - 6 * n), SCALING, Grade.good))
            opened.record(Review.new(ago(57 - 6 * n), SCALING, Grade.again))


@pytest.fixture
def confident_errors(own_data: Path) -> None:
    """The card `pick` was wrong three days ago with full confidence, and is not due yet."""
    with store(own_data) as opened:
        opened.record(Review.new(ago(3), PICK, Grade.easy, confidence=3, correct=False))


@pytest.mark.parametrize("key", ["t", "at"])
async def test_a_card_is_set_aside_by_a_key(running: Running, own_data: Path, key: str) -> None:
    """The next card comes up, the mark is durable, and the row of keys offers to take it back; also while a number is asked for."""
    async with running(session=True) as pilot:
        await press(pilot, key)

        assert "pick" == turn(pilot).card.id
        assert "u undo" in screen_text(pilot)
    with store(own_data) as opened:
        assert {SCALING} == opened.decisions().away(ago(0).day)


async def test_minus_buries_and_is_a_sign(running: Running, own_data: Path) -> None:
    """Anki's key works, except where a number is typed: there it begins a negative one."""
    async with running(session=True) as pilot:
        await press(pilot, "minus")
        typed = turn(pilot).card.id
        await press(pilot, "escape", "escape", "minus")

        assert ("scaling", "pick") == (typed, turn(pilot).card.id)


async def test_undo_puts_the_card_back(running: Running, own_data: Path) -> None:
    """Undo brings the card back to where it was, and says so; the mark is no more."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2", "at", "u")

        assert ("scaling", "recall") == (turn(pilot).card.id, turn(pilot).stage)
        assert "scaling is back." == told(pilot)[-1]
    with store(own_data) as opened:
        assert frozenset() == opened.decisions().suspended


async def test_setting_all_aside_can_be_taken_back(running: Running) -> None:
    """A session in which everything was set aside ends at its summary, where undo works."""
    async with running(session=True) as pilot:
        await press(pilot, "at", "at", "at", "at", "at")
        ended = pilot.app.screen
        await press(pilot, "u")

        assert isinstance(ended, SummaryScreen)
        assert "count" == turn(pilot).card.id


async def test_practice_offers_nothing_to_set_aside(running: Running, own_data: Path) -> None:
    """In practice the keys write nothing and say why."""
    async with running() as pilot:
        await press(pilot, "p")
        card = turn(pilot).card.id
        offered = screen_text(pilot)
        await press(pilot, "at")

        assert "suspend" not in offered
        assert card == turn(pilot).card.id
        assert told(pilot)[-1].startswith("Practice sets nothing aside")
    with store(own_data) as opened:
        assert frozenset() == opened.decisions().suspended


async def test_the_palette_suspends(running: Running, own_data: Path) -> None:
    """What the keys do is in the palette, in the language of the interface."""
    async with running(language="zh", session=True) as pilot:
        await press(pilot, "ctrl+p", *"暂停", "down", "enter")
    with store(own_data) as opened:
        assert {SCALING} == opened.decisions().suspended


async def test_a_leech_comes_with_detail_and_lab(running: Running, leech: None) -> None:
    """How often it was failed stands above the question's answer, and the lab is open before the reveal."""
    async with running(size=(140, 40), session=True) as pilot:
        text = screen_text(pilot)

        assert "Failed 5 times. Move the lab, then answer." in text
        assert "fake run" in text
        assert "variance grows" not in text


async def test_the_lab_of_a_leech_moves_before_the_answer(running: Running, leech: None) -> None:
    """Tab turns to the lab, the slider moves, and what was typed as a guess is still there."""
    async with running(session=True) as pilot:
        await press(pilot, "7", "tab", "right", "tab")

        assert "7" == pilot.app.screen.query_one("Guess").value  # type: ignore[attr-defined]
        assert "ask" == turn(pilot).stage


async def test_home_counts_the_cards_in_trouble(running: Running, leech: None, confident_errors: None) -> None:
    """They have a line of their own, and w asks them, those that one was sure of first, due or not."""
    async with running() as pilot:
        home = screen_text(pilot)
        await press(pilot, "w")

        assert "1 card keeps failing · 1 sure but wrong" in home
        assert "w go over them" in home
        assert "pick" == turn(pilot).card.id


async def test_home_is_quiet_without_trouble_and_plan(running: Running) -> None:
    """Lines that would say nothing are not there, and w says that there is nothing."""
    async with running() as pilot:
        home = screen_text(pilot)
        await press(pilot, "w")

        assert [] == [word for word in ("failing", "sure but wrong", "Interview") if word in home]
        assert isinstance(pilot.app.screen, HomeScreen)
        assert told(pilot)[-1].startswith("No card is in trouble")


async def test_nothing_due_offers_practice(running: Running, own_data: Path) -> None:
    """Where nothing is due and nothing is new, home says what one can do, and practice works."""
    with store(own_data) as opened:
        for card in ("scaling", "pick", "sort", "line", "count"):
            opened.record(Review.new(ago(0), ("sample", card), Grade.good))
    async with running() as pilot:
        home = screen_text(pilot)
        await press(pilot, "p")

        assert "Nothing is due today." in home
        assert "enter study" not in home
        assert isinstance(pilot.app.screen, SessionScreen)


@pytest.mark.parametrize(
    ("until", "final", "language", "line"),
    [
        (10, 5, "en", "Interview 2026-12-09: 10 days left · 1 new card today"),
        (10, 5, "zh", "面试 2026-12-09：还有 10 天 · 今天 1 张新卡"),
        (1, 1, "en", "Interview 2026-11-30: tomorrow · 5 new cards today"),
        (0, 0, "en", "Interview today. Breathe: you know this."),
    ],
)
async def test_home_shows_the_plan(running: Running, own_data: Path, until: int, final: int, language: str, line: str) -> None:
    """One line: the day, how far it is, and today's share."""
    with store(own_data) as opened:
        opened.decide(Decision.plan(Plan(ago(-until).day, ago(-final).day), ago(0)))
    async with running(language=language) as pilot:
        assert line in screen_text(pilot)


async def test_a_plan_that_is_over_is_not_shown(running: Running, own_data: Path) -> None:
    """The day after the interview home looks as without a plan."""
    with store(own_data) as opened:
        opened.decide(Decision.plan(Plan(ago(1).day, ago(4).day), ago(9)))
    async with running() as pilot:
        assert "Interview" not in screen_text(pilot)


async def test_the_summary_says_when_it_is_asked_again(running: Running) -> None:
    """A card that one was sure of and had wrong is listed with what becomes of it."""
    async with running(session=True) as pilot:
        await press(pilot, "1", "enter", "3", "space", "1", "q")

        assert "(sure, but wrong: asked again within a week)" in screen_text(pilot)
