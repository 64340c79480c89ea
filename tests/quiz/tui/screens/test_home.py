"""The home screen in its states, drawn, and what its one big key does.

The pictures are in golden/. Where a change is meant: QKV_GOLDEN=write and this file, then look at the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.widgets.action_row import ActionLabel
from tests.quiz.driving import FakeEngine, Running, press, screen_text, settled
from tests.quiz.tui.screens.home_states import STATES, TOPICS, decks, home, learned, names_in, nothing
from tests.quiz.tui.screens.playing_figure import Playing, rested

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((60, 20), (80, 24), (100, 30), (160, 45))


def big_key(pilot: Pilot[None]) -> str:
    """What the suggested key says."""
    return next(label.action.label for label in pilot.app.screen.query("#now ActionLabel").results(ActionLabel) if label.action.suggested)


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", STATES)
async def test_home(state: str, size: tuple[int, int], language: str) -> None:
    """Somebody new, halfway, done for today, and without decks: at four sizes, in both languages."""
    names, golden = names_in(state), GOLDEN / f"home-{state}-{size[0]}x{size[1]}-{language}.txt"
    learned(state)
    app = home(Playing(), names, language)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await (rested if STATES[state] is nothing else settled)(pilot)
        shown = screen_text(pilot) + "\n"

    if os.environ.get("QKV_GOLDEN") == "write":
        golden.write_text(shown, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == shown


@pytest.mark.usefixtures("playing", "here")
async def test_a_long_list_of_decks_leaves_the_figure_its_room() -> None:
    """Somebody new with thirteen decks sees all bars at 80x24; with a whole list there was but their title."""
    names = [*decks(Path()), *(f"more{n}.yaml" for n in range(10))]
    for name in names[len(TOPICS) :]:
        Path(name).write_text(f"deck: {Path(name).stem}\ntitle: More\ncards: [{{id: c, question: Why?, answer: So.}}]\n", encoding="utf-8")
    app = home(Playing(), [Path(name).name for name in names])
    async with app.run_test(size=(80, 24)) as pilot:
        await rested(pilot)
        shown = screen_text(pilot)

    assert [True] * 4 == [f"k{n}" in shown for n in range(1, 5)]


# --- what to do now --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("state", ["newcomer", "halfway"])
@pytest.mark.parametrize("row", range(4))
async def test_the_big_key_says_what_it_gives(state: str, row: int) -> None:
    """As many cards as the session has that it begins, over all decks and over the one that is chosen."""
    names = names_in(state)
    learned(state)
    async with home(FakeEngine(), names).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, *["down"] * row)
        said = big_key(pilot)
        await press(pilot, "enter")

        if isinstance(pilot.app.screen, SessionScreen):
            assert int(re.findall("[0-9]+", said)[0]) == pilot.app.screen.study.session.total
        else:
            assert said.startswith("Practise")


@pytest.mark.usefixtures("here")
async def test_the_sentence_and_the_key_agree() -> None:
    """Due and new of the sentence are together what the key says; today's bar is what is due."""
    learned("halfway")
    async with home(FakeEngine(), names_in("halfway")).run_test(size=(160, 45)) as pilot:
        await settled(pilot)
        shown, view = screen_text(pilot), cast(HomeScreen, pilot.app.screen)._today
        found = re.search("Today: ([0-9]+) due, ([0-9]+) new", shown)

        assert found
        assert view
        assert f"Study {int(found[1]) + int(found[2])} cards" == big_key(pilot)
        assert int(found[1]) == view.coming.days[0]
        assert [sum(each.new for each in view.standings[1:]) >= int(found[2])] == [True]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("state", "key", "screen"), [("done", "p", SessionScreen), ("no-decks", "e", LabScreen)])
async def test_where_nothing_is_to_study(state: str, key: str, screen: type[object]) -> None:
    """The key practises when today is done, and opens the experiments where there is no deck; no other key is offered for studying."""
    names = names_in(state)
    learned(state)
    async with home(FakeEngine(), names).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        shown = [label.action.binding for label in pilot.app.screen.query("#now ActionLabel").results(ActionLabel)]
        await press(pilot, key)

        assert [{"p": "home.practice", "e": "home.lab"}[key]] == shown
        assert isinstance(pilot.app.screen, screen)


async def test_home_tells_how_to_find_anything(running: Running) -> None:
    """Where there is room; the key opens the palette, as does a click."""
    async with running(size=(120, 40)) as pilot:
        assert "^p find" in screen_text(pilot)
