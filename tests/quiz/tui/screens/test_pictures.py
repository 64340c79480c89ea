"""A card with its picture, asked and answered, as it is drawn: a card of ours for each kind of figure.

The pictures are in golden/. Where a change is meant: QKV_GOLDEN=write and this file, then look at the difference.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import cast

import pytest
from textual.events import Key
from textual.pilot import Pilot

from engine import Worker
from quiz.card.deck_paths import resolve_decks
from quiz.memory.study_day import Moment
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.session import SessionScreen
from quiz.tui.widgets.hero import HeroBeside
from quiz.tui.widgets.lab import Lab
from tests.quiz.driving import NOON, press, screen_text, settled

GOLDEN = Path(__file__).parent / "golden"
OURS = Path("content/decks/attention.yaml")
CARDS = {
    "curve": "why-divide-by-sqrt-dk",
    "heatmap": "causal-mask",
    "bars": "what-weights-tell",
    "steps": "what-softmax-does",
}


@pytest.fixture
def one_card(tmp_path: Path, kind: str) -> Path:
    """A deck with one card of ours, which leads to no other."""
    text = OURS.read_text(encoding="utf-8")
    head, *cards = re.split(r"(?m)^(?=  - id: )", text)
    card = next(card for card in cards if card.startswith(f"  - id: {CARDS[kind]}\n"))
    path = tmp_path / "attention.yaml"
    path.write_text(head + re.sub(r"(?m)^    follow_ups: .*\n", "", card), encoding="utf-8")
    return path


def app_of(deck: Path, worker: Worker, language: str) -> QkvApp:
    app = QkvApp(Start(resolve_decks((str(deck),)), language, session=True), worker, lambda: Moment.of(NOON))
    app.animation_level = "none"
    return app


async def computed(pilot: Pilot[None]) -> SessionScreen:
    """The session, once all that its card computes is there."""
    await settled(pilot)
    screen = cast(SessionScreen, pilot.app.screen)
    async with asyncio.timeout(60):
        while screen.card_run is None or not screen.card_run.complete:
            await pilot.pause(0.01)
    await settled(pilot)
    return screen


async def revealed(pilot: Pilot[None], screen: SessionScreen) -> None:
    """On to the answer; a screen that does not come to it ends the test."""
    async with asyncio.timeout(60):
        while screen.turn and screen.turn.stage != "reveal":
            await press(pilot, "space")


@pytest.fixture(autouse=True)
def no_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of a test come as fast as they are pressed."""
    monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 0.0)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("kind", CARDS)
async def test_a_card_asked_and_answered(one_card: Path, open_worker: Worker, kind: str, size: tuple[int, int], language: str) -> None:
    """Covered with the number that was typed in it; then uncovered, its sentence and the claims right below it."""
    shown, app = [], app_of(one_card, open_worker, language)
    async with app.run_test(size=size) as pilot:
        screen = await computed(pilot)
        if screen.turn and screen.turn.card.predict:
            await press(pilot, "0", "full_stop", "3")
        shown.append(screen_text(pilot))
        await press(pilot, *(["enter"] if screen.turn and screen.turn.card.predict else []), "2")
        await revealed(pilot, screen)
        shown.append(screen_text(pilot))

    golden, drawn = GOLDEN / f"card-{kind}-{size[0]}x{size[1]}-{language}.txt", "\n\n".join(shown) + "\n"
    if os.environ.get("QKV_GOLDEN") == "write":
        golden.write_text(drawn, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == drawn


@pytest.mark.parametrize("kind", ["curve"])
async def test_a_setting_is_tried_pinned_and_swept(one_card: Path, open_worker: Worker, kind: str) -> None:
    """A letter sets the sliders and says what is to be seen; a pinned run stays behind; without motion nothing sweeps; r goes back."""
    app = app_of(one_card, open_worker, "en")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await computed(pilot)
        await press(pilot, "escape", "2")
        await revealed(pilot, screen)
        lab = screen.query_one(Lab)
        await press(pilot, "m", "w")
        tried, ghost = lab.values["d_k"], lab.pinned
        said, pinned = screen_text(pilot), lab.result is not ghost and ghost is not None
        await press(pilot, "full_stop")
        swept = lab.sweep
        await press(pilot, "r", "m")

        assert (1, True, None, 512, None) == (tried, pinned, swept, lab.values["d_k"], lab.pinned)
        assert "there is nothing to scale" in said


@pytest.mark.parametrize("kind", ["curve"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (190, 50)])
async def test_guessed_before_a_setting_is_tried(
    one_card: Path, open_worker: Worker, kind: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With shift the key asks first, on whatever page one is; digits are the number's meanwhile, and an Enter too much grades nothing."""
    app = app_of(one_card, open_worker, "en")
    async with app.run_test(size=size) as pilot:
        screen = await computed(pilot)
        await press(pilot, "escape", "2")
        await revealed(pilot, screen)
        await press(pilot, "W")
        row = screen_text(pilot).splitlines()[-2]
        await press(pilot, "4", "0")
        asked = screen_text(pilot)
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "enter", "escape")
        lab, shown = screen.query_one(Lab), screen_text(pilot)

        assert "Type a number, then  enter see  esc leave it" == row.strip()
        assert all(part in asked for part in ("d_k = 1: rows with a weight", "now 59.5", "◆40"))
        assert all(part in shown for part in ("you 40 %", "measured 0 %"))
        assert (1, "reveal") == (lab.values["d_k"], screen.turn and screen.turn.stage)


@pytest.mark.parametrize("kind", ["curve", "heatmap"])
async def test_after_a_guess_the_sentence_is_on_the_page(one_card: Path, open_worker: Worker, kind: str) -> None:
    """Below however many sliders, at 80x24: the picture ends on the page, and with it its sentence."""
    app = app_of(one_card, open_worker, "en")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await computed(pilot)
        await press(pilot, "escape", "2")
        await revealed(pilot, screen)
        await press(pilot, "W", "4", "enter")
        lab, hero = screen.query_one(Lab), screen.query_one(Lab).figure

        assert hero is not None
        assert lab.region.bottom >= hero.region.bottom > lab.region.y


@pytest.mark.parametrize("kind", ["curve"])
async def test_a_sweep_goes_from_end_to_end(one_card: Path, open_worker: Worker, kind: str) -> None:
    """It ends where the slider ends, and any key stops it."""
    app = app_of(one_card, open_worker, "en")
    app.animation_level = "full"
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await computed(pilot)
        await press(pilot, "escape", "2")
        await revealed(pilot, screen)
        lab = screen.query_one(Lab)
        lab.action_sweep()
        assert lab.sweep
        first = lab.sweep.slider.parameter
        while lab.sweep:
            lab.sweep.step()
        ended = lab.values[first.name]
        lab.action_sweep()
        again = lab.sweep
        await pilot.press("comma")
        again.step()

        assert first.high == ended
        assert lab.sweep is None


@pytest.mark.parametrize("kind", ["curve"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_picture_changes_its_language(one_card: Path, open_worker: Worker, size: tuple[int, int], kind: str) -> None:
    """Its numbers are the same, and its words stayed Chinese on an English card."""
    async with app_of(one_card, open_worker, "zh").run_test(size=size) as pilot:
        await computed(pilot)
        before = screen_text(pilot)
        await press(pilot, "l")

        assert ("有权重 > .99", False) == ("有权重 > .99" if "有权重 > .99" in before else "", "有权重" in screen_text(pilot))


@pytest.mark.parametrize("kind", ["curve"])
async def test_from_180_columns_card_picture_and_sliders_stand_beside_each_other(one_card: Path, open_worker: Worker, kind: str) -> None:
    """The picture stands where it was asked; below 180 the sliders are above it again, and nothing of what one did is lost."""
    app = app_of(one_card, open_worker, "en")
    async with app.run_test(size=(180, 50)) as pilot:
        screen = await computed(pilot)
        asked = screen.query_one(HeroBeside).region
        await press(pilot, "escape", "2")
        await revealed(pilot, screen)
        await press(pilot, "tab", "m", "right")
        lab = screen.query_one(Lab)
        hero = lab.figure
        assert hero is not None
        card, sliders, figure = screen.query_one("#card").region, lab.sliders.region, hero.region
        done = dict(lab.values), lab.pinned, lab.result, app.focused, hero
        for width in (179, 100, 200):
            await pilot.resize_terminal(width, 50)
            await settled(pilot)
            places = [lab.sliders.region.x > hero.region.right, lab.sliders.region.bottom <= hero.region.y]
            assert [width >= 180, width < 180] == places

        assert card.right <= figure.x <= figure.right <= sliders.x < 180
        assert (asked.x, asked.width) == (figure.x, figure.width)
        assert done == (dict(lab.values), lab.pinned, lab.result, app.focused, lab.figure)


@pytest.mark.parametrize("kind", ["curve"])
async def test_digits_that_follow_at_once_grade_nothing(
    one_card: Path, open_worker: Worker, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys that come before the input is there are the number's, or lost; in no case a grade."""
    app = app_of(one_card, open_worker, "en")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await computed(pilot)
        await press(pilot, "escape", "2")
        await revealed(pilot, screen)
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        for key in ("W", "4", "2"):
            app.post_message(Key(key, key))
        await settled(pilot)

        assert "reveal" == (screen.turn and screen.turn.stage)
        assert screen.query_one(Lab).asks
