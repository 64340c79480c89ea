"""A screen on which a figure plays: an experiment swept slowly by the engine, until it was seen or something else is wanted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import work

from quiz.tui.base import BaseScreen
from quiz.tui.lab_engine import LabEngine

if TYPE_CHECKING:  # loaded when it begins: the screen is drawn before
    from engine.experiment import Description
    from engine.result import Result
    from quiz.charts.figures.subject import Subject
    from quiz.tui.requests import Request

EXPERIMENT, SWEPT, SHOWN = "softmax_saturation", "d_k", "raw_weights"
WIDTHS = tuple(2**power for power in range(13))
STILL = 256  # where it rests
SWEEPS = 2  # then it rests: who has not looked by then is disturbed
PACE = 0.6  # seconds a step


class LiveScreen(BaseScreen):
    """`frame` is what is to be seen now; `draw` shows it."""

    frame: Subject | None = None

    def __init__(self, engine: LabEngine) -> None:
        super().__init__()
        self.engine = engine
        self._plays = self._awaits = False
        self._seen: dict[int, Subject] = {}

    def draw(self) -> None:
        raise NotImplementedError

    def ask(self, request: Request) -> None:
        """Something else is wanted: the engine is free for it."""
        self.rest()
        super().ask(request)

    def play(self) -> None:
        """Begins, unless it plays already or another screen lies above."""
        if not self._plays and self.app.screen is self:
            self._plays = True
            self._play()

    def rest(self) -> None:
        """Ends a run that is awaited, and begins no other."""
        if self._plays:
            self.workers.cancel_group(self, "live")
            self._plays = False
        if self._awaits:
            self._awaits = False
            self.engine.cancel()

    @property
    def moves(self) -> bool:
        """Whether a picture may move by itself: not where animations or colours are switched off."""
        return self.app.animation_level != "none" and not self.app.no_color

    @work(exclusive=True, group="live")
    async def _play(self) -> None:
        from engine.label import ExperimentError

        steps = (*WIDTHS * SWEEPS, STILL) if self.moves else (STILL,)
        try:
            described = await self.engine.describe(EXPERIMENT)
            for step in steps:
                if step not in self._seen and not await self._compute(described, step):
                    return
                self.frame = self._seen[step]
                self.draw()
                await asyncio.sleep(PACE)
        except ExperimentError:
            return  # whoever needs the engine is told by the screen that does

    async def _compute(self, described: Description, step: int) -> bool:
        """Whether there is a picture of a step now."""
        values = {parameter.name: parameter.default for parameter in described.parameters} | {SWEPT: step}
        self._awaits = True
        result: Result = await self.engine.compute(EXPERIMENT, values, lambda _: None)
        self._awaits = False
        from quiz.charts.result_figures import subjects

        first = next(iter(self._seen.values()), None)
        drawn = subjects(described, result, values, first.result if first else None)
        found = next((subject for subject in drawn if SHOWN in subject.figure.shows), None)
        if found:
            self._seen[step] = found
        return found is not None
