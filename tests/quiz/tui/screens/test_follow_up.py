"""Follow-ups on the screen: shown as questions, opened above the card, left with Esc."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from quiz.memory.study_day import Moment
from quiz.tui.app import QkvApp
from quiz.tui.screens.follow_up import FollowUpScreen
from quiz.tui.screens.follow_up_list import FollowUpList
from quiz.tui.screens.session import SessionScreen
from tests.quiz.driving import NOON, Running, press, screen_text
from tests.quiz.tui.on_screen import grades, session

DECK = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: So.
    key_points: [a, b]
    follow_ups: [{links}]
    verify: {{experiment: fake, set: {{d_k: 64}}, claims: [{{says: It is., check: raw_std > 1}}]}}
  - {{id: two, formerly: [second], question: And then?, answer: Then., follow_ups: [one]}}
  - {{id: three, question: What else?, answer: Nothing.}}
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "sample.yaml"
    write(path, "two")
    return path


def write(path: Path, links: str) -> None:
    path.write_text(DECK.format(links=links), encoding="utf-8")


async def test_links_are_questions(running: Running, deck: Path) -> None:
    """Of this deck by an earlier id too, of a deck that the session is not about, and the id of one that is not there."""
    write(deck, "second, attention/causal-mask, elsewhere/gone")
    async with running(size=(80, 40)) as pilot:
        await press(pilot, "enter", "space", "space")
        text = screen_text(pilot)

        assert ["→ And then?", "→ Why does a decoder need a causal mask in training?", "→ elsewhere/gone"] == [
            line.strip() for line in text.split("\n") if "→" in line
        ]


async def test_f_opens_the_only_one_and_esc_comes_back(running: Running, own_data: Path) -> None:
    """The card is as it was left: its ticks, its answer, its place in the session; nothing is written."""
    async with running() as pilot:
        await press(pilot, "enter", "space", "a", "space")
        before, text = session(pilot), screen_text(pilot)
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, FollowUpScreen)
        assert "And then?" in screen_text(pilot)
        assert "Then." not in screen_text(pilot)
        await press(pilot, "space")
        assert "Then." in screen_text(pilot)
        assert "again" not in screen_text(pilot)
        await press(pilot, "3")
        await press(pilot, "escape")

        assert isinstance(pilot.app.screen, SessionScreen)
        assert (before, text) == (session(pilot), screen_text(pilot))
        assert [] == grades(own_data)


async def test_space_goes_back_after_the_answer(running: Running) -> None:
    """And a follow-up's own follow-up lies above it: each Esc goes one back."""
    async with running() as pilot:
        await press(pilot, "enter", "space", "space", "f", "space", "f")
        assert ["SessionScreen", "FollowUpScreen", "FollowUpScreen"] == [type(each).__name__ for each in pilot.app.screen_stack[-3:]]
        await press(pilot, "escape", "space")

        assert isinstance(pilot.app.screen, SessionScreen)


async def test_of_several_one_is_chosen(running: Running, deck: Path) -> None:
    """By its digit or with the arrows; Esc chooses none."""
    write(deck, "two, elsewhere/gone, three")
    async with running() as pilot:
        await press(pilot, "enter", "space", "space", "f")
        assert isinstance(pilot.app.screen, FollowUpList)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SessionScreen)
        await press(pilot, "f", "2")
        assert "What else?" in screen_text(pilot)
        await press(pilot, "escape", "f", "down", "enter")
        assert "What else?" in screen_text(pilot)


async def test_before_the_answer_there_is_none(running: Running) -> None:
    """What is asked next would give the answer away."""
    async with running() as pilot:
        await press(pilot, "enter", "f")

        assert isinstance(pilot.app.screen, SessionScreen)
        assert "follow-up" not in screen_text(pilot)


async def test_the_time_over_another_card_does_not_count(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card on the table has the seconds that were spent over it."""
    async with running() as pilot:
        await press(pilot, "enter", "space", "space", "f")
        app = pilot.app
        assert isinstance(app, QkvApp)
        screen = next(each for each in app.screen_stack if isinstance(each, SessionScreen))
        screen.study.clock = lambda: Moment.of(NOON + timedelta(hours=1))
        began = screen.study.began
        await press(pilot, "escape")

        assert began is not None
        assert began + timedelta(hours=1) == screen.study.began


async def test_a_run_that_was_superseded_is_done_after_all(running: Running) -> None:
    """Whoever comes back finds the numbers of the card, whatever the other one has computed meanwhile."""
    async with running() as pilot:
        await press(pilot, "enter", "space", "space")
        screen = pilot.app.screen
        assert isinstance(screen, SessionScreen)
        assert screen.card_run is not None
        screen.put(type(screen.card_run)(screen.card_run.card))  # as if nothing had come yet
        await press(pilot, "f", "escape")

        assert screen.card_run.complete
