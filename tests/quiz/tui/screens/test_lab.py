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
from quiz.tui.widgets.action_row import ActionLabel
from tests.quiz.driving import FAKE, FakeEngine, Running, press, screen_text, settled, type_text


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
        assert ["Favourites", "bpe"] == [row.name or row.title for row in lab(pilot).listed.rows[:2]]
        assert "* no favourite" in screen_text(pilot)
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


async def test_the_footer_says_how_one_moves(running: Running) -> None:
    """Through the list and into it, then from slider to slider and along one: also at 80 columns, before rarer keys."""
    async with running() as pilot:
        await press(pilot, "e")
        listed = screen_text(pilot).splitlines()[-1]
        await press(pilot, "enter")
        inside = screen_text(pilot).splitlines()[-1]

        assert "↑↓ choose  enter open" in listed
        assert "↑↓ choose  ←→ change" in inside


async def test_a_kept_run_is_said_where_one_looks(running: Running) -> None:
    """At 80x24 the lab's head may be out of view: a sentence says so, and the footer what the key does now; no word stands for two keys."""
    async with running() as pilot:
        await press(pilot, "e", "enter")
        before = screen_text(pilot).splitlines()[-1]
        await press(pilot, "m")
        kept, said = screen_text(pilot).splitlines()[-1], [one.message for one in pilot.app._notifications]
        await press(pilot, "m")

        assert (True, True) == ("m compare" in before, "m stop comparing" in kept)
        assert ["Kept: the next runs are drawn over this one. The same key lets it go."] == said
        assert "m compare" in screen_text(pilot).splitlines()[-1]
        assert "pin" not in before


async def test_keys_that_come_while_the_engine_describes_are_not_lost(running: Running, engine: FakeEngine) -> None:
    """e, two rows down and Enter in one go, while the experiments are not known yet: it is the row's lab."""
    survey, engine.survey = engine.survey, Future()
    async with running() as pilot:
        for key in ("e", "down", "down", "enter"):
            await pilot.press(key)
            await pilot.pause(0.02)
        engine.survey.set_result(survey.result())
        await settled(pilot)
        assert ("bpe", True) == ((lab(pilot).chosen or FAKE).name, lab(pilot).has_class("-lab"))


async def test_left_for_home(running: Running) -> None:
    """q in the search is a letter; esc and q leave."""
    async with running() as pilot:
        await press(pilot, "e", "slash", "q")
        assert "q" == lab(pilot).query_one(Input).value
        await press(pilot, "escape", "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_out_of_the_lab_leads_to_the_list(running: Running) -> None:
    """On a narrow screen they are two pages: the first q goes back to the one before, the second home."""
    async with running() as pilot:
        await press(pilot, "e", "enter", "q")
        list_page = type(pilot.app.screen).__name__, pilot.app.screen.has_class("-lab")
        await press(pilot, "q")

        assert (("LabScreen", False), "HomeScreen") == (list_page, type(pilot.app.screen).__name__)


async def test_on_the_list_nothing_moves_unseen(running: Running) -> None:
    """What the sliders, the code and the settings to try are for is not in sight: their keys do nothing and are not offered."""
    async with running() as pilot:
        await press(pilot, "e")
        offered = [label.action.binding for label in pilot.app.screen.query(ActionLabel) if label.display]

        assert [] == [name for name in offered if name.startswith(("lab.try", "lab.expect", "session.reset", "session.source"))]
