"""The author's app on a file, as it stands beside an editor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from textual.pilot import Pilot

from engine import Worker
from quiz.tui.author_app import AuthorApp
from quiz.tui.screens.preview import PreviewScreen
from tests.quiz.driving import FakeEngine, screen_text

Beside = tuple[Pilot[None], PreviewScreen]


@asynccontextmanager
async def beside(path: Path, size: tuple[int, int] = (80, 24), language: str = "en") -> AsyncIterator[Beside]:
    """The author's app on a file, once it has been read."""
    app = AuthorApp(path, language, cast(Worker, FakeEngine()))
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        yield pilot, cast(PreviewScreen, pilot.app.screen)
        await quiet(pilot)


async def quiet(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await quiet(pilot)


async def shown(pilot: Pilot[None], text: str) -> float:
    """Waits until the screen shows a text; the seconds that it took."""
    began = time.monotonic()
    async with asyncio.timeout(20):
        while text not in screen_text(pilot):
            await pilot.pause(0.01)
    return time.monotonic() - began
