"""How long a key takes in the browser of all cards: `python -m tests.benchmarks.browse [SHARE]`. Prints times and ratios to the goal.

Times are of this process's own work (CPU): Textual's pilot sleeps between its keys. A key is all that it causes, until the screen is drawn.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from content.deck.cards import Deck
from content.deck.library import load
from engine import ExperimentError, Worker
from quiz.card.card_index import CardIndex, Wanted, choices, found_cards, index_cards
from quiz.memory.study_day import Moment
from quiz.study.learner import LearnerState
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from tests.benchmarks._size import asked_share, part
from tests.benchmarks.decks import CARD, CARDS

GOAL = 0.05  # seconds a key
QUERIES = ("softmax saturates", "quantity 77 width", "方差 饱和", "第 99 个量", "nowhere")


def deck_file(cards: int) -> Path:
    path = Path(tempfile.mkdtemp()) / "many.yaml"
    rows = (CARD.format(i=i, level=i % 5 + 1, topic=i % 40, d=i + 1, formula="") for i in range(cards))
    path.write_text("deck: many\ntitle: Many\ncards:\n" + "".join(rows), encoding="utf-8")
    return path


def report(name: str, seconds: list[float]) -> None:
    seconds = sorted(seconds)
    print(f"{name:32} median {seconds[len(seconds) // 2] * 1000:7.1f} ms   most {seconds[-1] * 1000:7.1f} ms   x{seconds[-1] / GOAL:.2f}")


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def search(index: CardIndex) -> None:
    """Every prefix of some queries, as they are typed; then every filter's list."""
    typed = [query[:end] for query in QUERIES for end in range(1, len(query) + 1)]
    report("search, a key", [timed(lambda query=query: found_cards(index, Wanted(query))) for query in typed])  # type: ignore[misc]
    report("a filter's values", [timed(lambda: choices(index, Wanted("softmax"), "tag")) for _ in range(5)])


class NoEngine:
    def describe(self, name: str) -> None:
        """Nothing plays on the home screen."""
        raise ExperimentError("There is no engine.", "没有引擎。")

    def start(self) -> None: ...

    def close(self) -> None: ...


async def keys(decks: list[Path]) -> None:
    """On the screen."""
    app = QkvApp(Start(lambda: load(decks), "en"), cast(Worker, NoEngine()))
    async with app.run_test(size=(160, 45)) as pilot:
        while app.files.store is None:
            await pilot.pause(0.05)
        await pilot.press("b")
        await app.workers.wait_for_complete()
        await pilot.press("slash")
        for name, pressed in (
            ("a letter typed", "softmax 77"),
            ("Chinese typed", "方差饱和"),
            ("down", ["down"] * 20),
            ("page down", ["pagedown"] * 20),
        ):
            seconds = []
            for key in pressed:
                start = time.process_time()
                await pilot.press("space" if key == " " else key)
                seconds.append(time.process_time() - start)
            report(name, seconds)


def main() -> None:
    os.environ["QKV_DATA"] = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    cards = part(CARDS, asked_share())
    path = deck_file(cards)
    decks: list[Deck] = [loaded.deck for loaded in load([path]).decks]
    start = time.process_time()
    index = index_cards(decks, LearnerState(), Moment.now())
    print(f"{cards} cards; the index takes {time.process_time() - start:.2f} s, off the loop")
    search(index)
    asyncio.run(keys([path]))


if __name__ == "__main__":
    main()
