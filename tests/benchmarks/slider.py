"""How long from a slider's key to the repaint with the new numbers: `python -m tests.benchmarks.slider`. Prints milliseconds and ratios."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from typing import cast

from engine import Result
from quiz.card.deck_paths import resolve_decks
from quiz.study.filter import admitted_items
from quiz.study.session import begin_session
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.turn_screen import HOLD
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.slider import Slider
from tests.benchmarks._size import asked_share, part
from tests.quiz.driving import settled

MOVES = 40
CARD = "why-divide-by-sqrt-dk"
GOAL = 50.0  # milliseconds, median
DEADLINE = 60.0  # seconds


async def moved(lab: Lab, steps: int) -> tuple[float, float]:
    """Seconds from the key's action until the lab has painted another Result: on the clock, and of the interface's own work."""
    before: Result = lab.result
    slider = lab.query(Slider).first()
    start, work = time.perf_counter(), time.thread_time()
    slider.action_step(steps)
    async with asyncio.timeout(DEADLINE):
        while lab.result is before or lab.screen._dirty_widgets or lab.screen._layout_required:
            await asyncio.sleep(0.001)
    return time.perf_counter() - start, time.thread_time() - work


async def measure(size: tuple[int, int], pairs: int) -> list[tuple[float, float]]:
    resolved = resolve_decks(("attention",))
    (item,) = [item for item in admitted_items(loaded.deck for loaded in resolved().decks) if item.card.id == CARD]
    app = QkvApp(Start(resolved, "en", session=True))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        screen = cast(SessionScreen, app.screen)
        screen.study.session = begin_session((item,))
        screen.deal()
        async with asyncio.timeout(DEADLINE):
            while screen.card_run is None or screen.card_run.result is None:
                await pilot.pause(0.05)
        await pilot.press("enter", "2")
        await pilot.pause(HOLD + 0.1)
        await pilot.press("space", "tab")
        await settled(pilot)
        lab = screen.query_one(Lab)
        steps = [-1] * 5 + [1, -1] * pairs
        return [await moved(lab, step) for step in steps][5:]


def main(share: float) -> None:
    os.environ["QKV_DATA"] = tempfile.mkdtemp()
    for size in ((80, 24), (140, 40)):
        measured = asyncio.run(measure(size, part(MOVES // 2, share)))
        times, work = (sorted(1000 * one[i] for one in measured) for i in (0, 1))
        median, tail, own = statistics.median(times), times[int(len(times) * 0.95)], statistics.median(work)
        print(f"slider to repaint at {size[0]}x{size[1]}: median {median:.0f} ms ({median / GOAL:.2f} of the goal), p95 {tail:.0f} ms;")
        print(f"  of it the interface's own work: {own:.0f} ms ({own / median:.2f})")


if __name__ == "__main__":
    main(asked_share())
