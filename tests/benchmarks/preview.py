"""How long from saving a deck until `qkv preview` shows it: `python -m tests.benchmarks.preview`. Prints milliseconds and ratios."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import cast

from textual.pilot import Pilot

from engine import Worker
from quiz.tui.author_app import AuthorApp
from quiz.tui.screens.preview import PreviewScreen
from tests.benchmarks._size import asked_share, part
from tests.benchmarks.decks import deck
from tests.quiz.driving import FakeEngine, screen_text

SAVES = 20
GOAL = 300.0  # milliseconds
DEADLINE = 30.0  # seconds


async def shown(pilot: Pilot[None], text: str) -> None:
    async with asyncio.timeout(DEADLINE):
        while text not in screen_text(pilot):
            await asyncio.sleep(0.01)


async def measure(path: Path, cards: int, saves: int) -> list[tuple[float, float]]:
    """Milliseconds from the end of each save until the screen shows it: on the clock, and of this process's own work."""
    written = deck(cards, 3)
    path.write_text(written, encoding="utf-8")
    app = AuthorApp(path, "en", cast(Worker, FakeEngine()))
    times = []
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "quantity 0")
        cast(PreviewScreen, app.screen).preview = cast(PreviewScreen, app.screen).preview.step(cards // 2)
        for save in range(saves):
            await asyncio.sleep(0.11 + 0.013 * save)  # an author's saves keep no step with the program's looks
            path.write_text(written.replace(f"quantity {cards // 2} grow", f"save {save} grow"), encoding="utf-8")
            began, work = time.perf_counter(), time.process_time()
            await shown(pilot, f"save {save} grow")
            times.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - work)))
        await app.workers.wait_for_complete()  # the app of a test takes its widgets away before it stops who draws on them
    return times


def main(share: float) -> None:
    for cards in (part(30, share), part(500, share)):
        with tempfile.TemporaryDirectory() as folder:
            measured = asyncio.run(measure(Path(folder) / "deck.yaml", cards, part(SAVES, share)))
        times, work = (sorted(one[i] for one in measured) for i in (0, 1))
        median, most, own = statistics.median(times), times[-1], statistics.median(work)
        print(f"{cards} cards, save to redraw: median {median:.0f} ms ({median / GOAL:.2f} of the goal), ", end="")
        print(f"at most {most:.0f} ms ({most / GOAL:.2f}); this program's own work: {own:.0f} ms")


if __name__ == "__main__":
    main(asked_share())
