"""Every slider of every kind of experiment, held as a key is held, with the real engine: at rest the lab shows the last values."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from engine import Description, Worker
from quiz.card.deck_paths import resolve_decks
from quiz.charts.result_figures import blocks, subjects
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.lab import LabScreen
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.slider import Slider
from tests.extent import WHOLE
from tests.quiz.driving import settled

HELD = 0.01  # seconds between two steps: three times as fast as a key that is held
STEPS = 5
PARTS = 4
PATIENCE = 60.0


def figures(lab: Lab) -> int:
    return len(subjects(lab.description, lab.result, lab.values)) + len(blocks(lab.result, lambda width, pen: []))


def shown(pilot: Pilot[None]) -> int:
    """How many figures have a place on the screen; the hero's sentence is none."""
    widgets = pilot.app.screen.query_one(Lab).figures.widgets
    return len([figure for key, figure in widgets.items() if figure.is_attached and figure.display and key != "caption"])


async def at_rest(pilot: Pilot[None]) -> None:
    quiet = 0
    async with asyncio.timeout(PATIENCE):
        while quiet < 3:
            await pilot.pause(0.02)
            quiet = 0 if any(not worker.is_finished for worker in pilot.app.workers) else quiet + 1


async def hold(pilot: Pilot[None], key: str) -> None:
    for _ in range(STEPS):
        pilot.app.post_message(events.Key(key, None))
        await asyncio.sleep(HELD)


async def hold_every_slider(pilot: Pilot[None], lab: Lab) -> int:
    """Each one way and back, at once after the one before."""
    sliders = [slider for slider in pilot.app.screen.query(Slider) if slider.display]
    for slider in sliders:
        pilot.app.screen.set_focus(slider)
        for key in ("right", "left", "end"):
            await hold(pilot, key)
    return len(sliders)


def visited(found: Mapping[str, Description]) -> list[str]:
    """Experiments that together have every kind of figure and every scale of slider, twice if they can; all where all are asked for.

    What was wrong here (a figure of the experiment before, a value that was overtaken) came with what has to be taken away or drawn anew.
    """
    seen, chosen = Counter[str](), list[str]()
    for name, description in found.items():
        has = {figure.kind for figure in description.figures} | {parameter.scale for parameter in description.parameters}
        if WHOLE or min(seen[each] for each in has) < 2:
            seen.update(has)
            chosen.append(name)
    return sorted(chosen)


@pytest.mark.parametrize("part", range(PARTS))
async def test_every_slider_of_every_experiment(tmp_path: Path, open_worker: Worker, part: int) -> None:
    """In parts that processes share: of every kind of experiment two, of each all sliders.

    The figures at the end are as many as those of the last result, whose values are those of the sliders.
    """
    held, wrong, visits = 0, [], visited(open_worker.survey.result().found)[part::PARTS]
    app = QkvApp(Start(resolve_decks(("attention",)), "en"), open_worker)
    async with app.run_test(size=(140, 45)) as pilot:
        await settled(pilot)
        await pilot.press("e")
        async with asyncio.timeout(PATIENCE):
            while not (isinstance(app.screen, LabScreen) and app.screen.survey):
                await pilot.pause(0.05)
        lab, listed = app.screen.query_one(Lab), app.screen.listed
        for name in visits:
            listed.go_to(name)
            await at_rest(pilot)
            held += await hold_every_slider(pilot, lab)
            await at_rest(pilot)
            at_last = app.screen.chosen
            assert at_last
            values = {slider.parameter.name: slider.value for slider in app.screen.query(Slider) if slider.display}
            if figures(lab) != shown(pilot) or not values.items() <= lab.values.items():
                wrong.append(at_last.name)

    assert [] == wrong
    assert held > 2 * len(visits)
