"""The lab's list: searched, pinned, remembered."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from engine import Label, Survey
from quiz.card.lab_history import LabHistory, read_history
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from tests.quiz.driving import FAKE, FakeEngine, Running, press, screen_text, type_text


@pytest.fixture
def engine() -> FakeEngine:
    """Three experiments, of two groups."""
    engine = FakeEngine()
    titles = {"softmax": Label("softmax", "归一"), "lora": Label("thin", "瘦"), "bpe": Label("pieces", "子词")}
    engine.survey = Future()
    engine.survey.set_result(Survey({name: replace(FAKE, name=name, title=title) for name, title in titles.items()}, {}))
    return engine


def lab(pilot: Pilot[None]) -> LabScreen:
    assert isinstance(pilot.app.screen, LabScreen)
    return pilot.app.screen


async def test_the_list_has_groups_and_the_first_is_shown(running: Running) -> None:
    """The cursor begins on an experiment, never on a heading."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        assert ["Attention", "softmax", "Training", "lora", "Tokens", "bpe"] == [row.name or row.title for row in lab(pilot).listed.rows]
        assert "softmax" == lab(pilot).listed.chosen
        await press(pilot, "down")
        assert (lab(pilot).chosen or FAKE).name == "lora"


async def test_searched_as_one_types(running: Running) -> None:
    """Also in the other language; what is found first is shown; esc shows all again, on the same experiment."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e", "slash")
        await type_text(pilot, "子词")
        assert ("bpe", "bpe") == (lab(pilot).listed.chosen, (lab(pilot).chosen or FAKE).name)
        assert "1 of 3 experiments" in screen_text(pilot)
        await press(pilot, "escape")
        assert ("", "bpe") == (lab(pilot).query_one(Input).value, lab(pilot).listed.chosen)


async def test_enter_in_the_search_leads_to_the_sliders(running: Running) -> None:
    """And to use is to be remembered, in the learner's folder."""
    async with running() as pilot:
        await press(pilot, "e", "slash")
        await type_text(pilot, "thin")
        assert "tab lab" in screen_text(pilot)
        await press(pilot, "enter")
        assert lab(pilot).has_class("-lab")
        assert LabHistory((), ("lora",)) == read_history()
        await press(pilot, "tab", "q", "e")
        assert "lora" not in lab(pilot).query_one(Input).value
        assert ["Used last", "lora", "Attention"] == [row.name or row.title for row in lab(pilot).listed.rows[:3]]


async def test_pinned_to_the_top_and_back(running: Running) -> None:
    """The cursor stays on its experiment while the list changes above it."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e", "end", "asterisk")
        assert ["Pinned", "bpe"] == [row.name or row.title for row in lab(pilot).listed.rows[:2]]
        assert "* unpin" in screen_text(pilot)
        assert ("bpe", LabHistory(("bpe",))) == (lab(pilot).listed.chosen, read_history())
        await press(pilot, "asterisk")
        assert LabHistory() == read_history()


async def test_the_keys_of_the_list_do_nothing_in_the_lab(running: Running) -> None:
    """j in the lab would change the experiment below one's hands."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e", "j")
        assert "lora" == lab(pilot).listed.chosen
        await press(pilot, "tab", "j")
        assert "lora" == lab(pilot).listed.chosen


async def test_left_for_home(running: Running) -> None:
    """q in the search is a letter; esc and q leave."""
    async with running() as pilot:
        await press(pilot, "e", "slash", "q")
        assert "q" == lab(pilot).query_one(Input).value
        await press(pilot, "escape", "q")
        assert isinstance(pilot.app.screen, HomeScreen)
