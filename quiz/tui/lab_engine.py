"""What a screen asks of the engine, as coroutines. Torch lives in the engine's own process; nothing here waits on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Description, Progress, Recipe, Result, Survey, Worker


class LabEngine:
    """Runs of a Worker, awaited. Everything raises ExperimentError. To be used from the event loop."""

    def __init__(self, worker: Worker | None = None) -> None:
        self._given = worker

    @cached_property
    def worker(self) -> Worker:
        """The one that was given, or a new one at its first use: after the first screen."""
        from engine import Worker

        return self._given or Worker()

    def start(self) -> None:
        """Returns at once; torch warms up meanwhile."""
        self.worker.start()

    def close(self) -> None:
        if "worker" in vars(self):  # one that nobody needed is not made to be closed
            self.worker.close()

    def cancel(self) -> None:
        self.worker.cancel()

    async def describe(self, experiment: str | Recipe) -> Description:
        """One experiment's description; of a deck's own, its recipe's."""
        return await asyncio.wrap_future(self.worker.describe(experiment))

    async def survey(self) -> Survey:
        """Every experiment."""
        return await asyncio.wrap_future(self.worker.survey)

    async def compute(self, experiment: str | Recipe, parameters: Mapping[str, object], progress: Callable[[Progress], None]) -> Result:
        """A run; a newer one takes its place. `progress` is called in the engine's thread."""
        return await asyncio.wrap_future(self.worker.submit(experiment, parameters, progress))
