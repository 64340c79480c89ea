"""An engine that knows the experiment whose figure plays on the home screen, and the moment when that rests."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from dataclasses import replace
from typing import cast

from textual.pilot import Pilot

from engine import Description, Figure, Label, Matrix, Recipe, Result
from engine.measures import Grid
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.live_screen import EXPERIMENT, STILL
from tests.quiz.driving import FAKE, FakeEngine, settled, settled_future

ARMS = (("raw_weights", "wrong", "unscaled", "未缩放"), ("scaled_weights", "right", "scaled", "缩放后"))
SWEPT = replace(
    FAKE,
    name=EXPERIMENT,
    measures=tuple(Grid(name, Label(en, zh), ("q1",), "k{1}", kind="weights", arm=arm) for name, arm, en, zh in ARMS),
    figures=(Figure("bars", tuple(name for name, *_ in ARMS)),),
)


def weights(d_k: int) -> Result:
    """A row that has all on one key as d_k grows, and one that stays."""
    sharp = tuple(round(1 - 0.9 / d_k if n == 0 else 0.9 / d_k / 3, 4) for n in range(4))
    flat = (0.4, 0.3, 0.2, 0.1)
    found = zip(ARMS, (sharp, flat), strict=True)
    made = [Matrix(name, (row,), Label(en, zh), ("q1",), ("k1", "k2", "k3", "k4"), "weights", arm) for (name, arm, en, zh), row in found]  # type: ignore[arg-type]
    return Result(matrices=tuple(made))


class Playing(FakeEngine):
    """Knows the experiment that is swept. `late` keeps its answers; `cancelled` counts the runs that were called back."""

    def __init__(self, late: bool = False) -> None:
        super().__init__()
        self.late, self.cancelled, self.played = late, 0, list[int]()

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        return settled_future(SWEPT) if experiment == EXPERIMENT else super().describe(experiment)

    def submit(self, name: str, parameters: object, progress: object = None) -> Future[Result]:
        if name != EXPERIMENT:
            return super().submit(name, cast(dict[str, object], parameters))
        self.played.append(int(str(cast(dict[str, object], parameters)["d_k"])))
        return Future() if self.late else settled_future(self.failure or weights(self.played[-1]))

    def cancel(self) -> None:
        self.cancelled += 1


async def rested(pilot: Pilot[None]) -> None:
    """Waits until the figure stands where it rests."""
    await settled(pilot)
    async with asyncio.timeout(20):
        while not (frame := cast(HomeScreen, pilot.app.screen).frame) or frame.values["d_k"] != STILL or not rests(pilot):
            await pilot.pause(0.01)
    await pilot.pause()


def rests(pilot: Pilot[None]) -> bool:
    return all(worker.is_finished for worker in pilot.app.workers if worker.group == "live")
