"""Work for many cards in several threads, with a bar in a terminal that says how many of them are done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")

MOST = 4  # processes that compute at once: each has 300 MB
CARDS_EACH = 8  # below so many cards for each, the start of another process takes longer than it saves


def how_many_at_once(cards: int) -> int:
    """How many processes are worth their start for so many cards."""
    return max(min(os.cpu_count() or 1, MOST, cards // CARDS_EACH), 1)


def side_by_side(
    title: str,
    work: Sequence[Callable[[], Item]],
    *,
    ahead: int = 1,
    each: Callable[[], None] = lambda: None,
    stop: Callable[[], None] = lambda: None,
) -> Iterator[Item]:
    """What the work gives, as it comes. Before each, `each` is called, which may end it all; `stop` then tells those still at work.

    `ahead` times as many threads as processors: where they wait for processes, one always finds the next run there.
    """
    if not work:
        return
    from rich.progress import Progress as Bar  # a file with an error in every card does not wait for it

    from quiz.commands.printer import Printer

    with (
        Bar(console=Printer(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar,
        ThreadPoolExecutor(ahead * how_many_at_once(len(work))) as pool,
    ):
        try:
            begun = [pool.submit(_after, each, one) for one in work]
            for done in bar.track(as_completed(begun), total=len(work), description=title):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop()
            raise


def _after(each: Callable[[], None], one: Callable[[], Item]) -> Item:
    each()
    return one()
