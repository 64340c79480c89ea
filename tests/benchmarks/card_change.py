"""How long from the grade of a card to the next card on the screen: `python -m tests.benchmarks.card_change`. Prints milliseconds.

The grade is in the file by then. The next card's picture may come later: it is computed while one reads.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from typing import cast

from quiz.card.deck_paths import resolve_decks
from quiz.memory.scheduler import Grade
from quiz.study.card_steps import reveal
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.session import SessionScreen
from tests.benchmarks._size import asked_share, part
from tests.quiz.driving import settled

CARDS = 15  # of a first day
REST = 1.0  # seconds at a question and at an answer: the card's run is mostly there by then, as for a person
GOAL = 50.0  # milliseconds, median
DEADLINE = 60.0  # seconds


async def changed(screen: SessionScreen) -> float:
    """Seconds from the grade of a card whose answer is shown until another card is painted."""
    screen.become(reveal(screen.study.session, None))
    await asyncio.sleep(REST)
    painted, start = asyncio.Event(), time.perf_counter()
    await screen.grade(Grade.good)
    screen.call_after_refresh(painted.set)
    await asyncio.wait_for(painted.wait(), DEADLINE)
    return time.perf_counter() - start


async def measure(size: tuple[int, int], count: int) -> list[float]:
    app = QkvApp(Start(resolve_decks(("attention",)), "en", session=True))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        screen, times = cast(SessionScreen, app.screen), []
        for _ in range(count + 1):
            times.append(await changed(screen))
            await asyncio.sleep(REST)
        return times[1:]


def main(share: float) -> None:
    for size in ((80, 24), (140, 40)):
        os.environ["QKV_DATA"] = tempfile.mkdtemp()
        times = sorted(1000 * one for one in asyncio.run(measure(size, part(CARDS, share))))
        median, most = statistics.median(times), times[-1]
        said = f"median {median:.0f} ms ({median / GOAL:.2f} of the goal), at most {most:.0f} ms"
        print(f"grade to the next card at {size[0]}x{size[1]}: {said}")


if __name__ == "__main__":
    main(asked_share())
