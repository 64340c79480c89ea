"""Every screen at 40x12, and at sizes between that and the usual: nothing overlaps, and nothing is cut without a sign."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from quiz.tui.widgets.action_row import ActionLabel, ActionRow
from tests.quiz.driving import Running, press, screen_text

WAYS = {
    "home": (),
    "number": ("enter",),
    "ask": ("enter", "escape"),
    "answer": ("enter", "escape", "1"),
    "lab of a card": ("enter", "escape", "1", "tab"),
    "choice": ("enter", "escape", "1", "4"),
    "summary": ("enter", "escape", "1", "4", "q"),
    "lab": ("e",),
    "experiment": ("e", "tab"),
    "statistics": ("s",),
    "settings": ("comma",),
    "a key of the settings": ("comma", "end", "enter"),
    "a number of the settings": ("comma", "down", "down", "enter"),
    "help": ("question_mark",),
}


def seen(pilot: Pilot[None]) -> dict[Widget, Region]:
    """The widgets that draw something, with the part of them that is in sight."""
    placed = pilot.app.screen._compositor.visible_widgets
    return {each: here for each, (region, clip) in placed.items() if not each.children and (here := region.intersection(clip)).area}


def overlapping(pilot: Pilot[None]) -> list[tuple[Widget, Widget]]:
    drawn = [(each, here) for each, here in seen(pilot).items() if each.styles.layer == "default"]
    return [(one, other) for at, (one, here) in enumerate(drawn) for other, there in drawn[at + 1 :] if here.overlaps(there)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("size", "language"), [((40, 12), "en"), ((40, 12), "zh"), ((60, 16), "en")])
async def test_nothing_overlaps_or_is_cut(running: Running, way: str, size: tuple[int, int], language: str) -> None:
    """Rows of actions show whole actions, the help and the way back among them; lines that do not fit end in a sign."""
    async with running(size=size, language=language) as pilot:
        await press(pilot, *WAYS[way])

        assert [] == overlapping(pilot)
        for row in pilot.app.screen.query(ActionRow):
            cut = [each for each in row.query(Static) if each.display and each.region.right > row.region.right]
            assert [] == cut
        helps = [each.action.binding for each in pilot.app.screen.query(ActionLabel)]
        assert not helps or "app.help" in helps
        for line in pilot.app.screen.query("#place, #title").results(Static):
            whole = line.content_size.width >= len(str(line.content))
            assert whole or "…" in screen_text(pilot).splitlines()[line.region.y] or line not in seen(pilot)


async def test_a_row_has_all_again_where_there_is_room(running: Running) -> None:
    """A terminal that grows shows what was left out."""
    async with running(size=(40, 12)) as pilot:
        few = len(pilot.app.screen.query(ActionLabel))
        await pilot.resize_terminal(120, 30)
        await press(pilot, "j")

        assert few < len([each for each in pilot.app.screen.query(ActionLabel) if each.display])
        assert "…" not in screen_text(pilot).splitlines()[-1]


async def test_classes_of_sizes(running: Running) -> None:
    """What styles go by: room for a third column from 180 on, hardly any below 60 columns or 18 lines."""
    async with running(size=(180, 45)) as pilot:
        wide = {name for name in ("-huge", "-tiny", "-short") if pilot.app.has_class(name)}
        await pilot.resize_terminal(40, 12)
        await press(pilot, "j")

        assert [{"-huge"}, {"-tiny", "-short"}] == [wide, {name for name in ("-huge", "-tiny", "-short") if pilot.app.has_class(name)}]


async def test_what_is_typed_is_seen(running: Running) -> None:
    """Where the question leaves no room for the input, the page goes down to it with the first digit, and not before: it is read first."""
    async with running(size=(60, 12)) as pilot:
        await press(pilot, "enter")
        before = screen_text(pilot)
        await press(pilot, "4", "2")

        assert (True, False, True) == ("Why divide" in before, "a number" in before.splitlines()[-4], "42" in screen_text(pilot))
