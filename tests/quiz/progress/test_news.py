"""What a session hears of its file, and when."""

from __future__ import annotations

from collections import deque

from quiz.progress.errors import ProgressError
from quiz.progress.news import News


def test_after_the_outermost() -> None:
    """Blocks lie in each other: what is found in an inner one is told at the end of all, also when that fails."""
    heard: list[ProgressError | None] = []
    news, error = News(heard.append), ProgressError("full", "p")
    try:
        with news.told_after():
            with news.told_after():
                news.add(error)
            assert [] == heard
            raise ValueError
    except ValueError:
        assert [error] == heard


class Taken(deque[ProgressError | None]):
    """Another thread is faster, however often one looks before."""

    def __len__(self) -> int:
        return 1


def test_two_threads_tell_at_once() -> None:
    """What another thread tells between a look and the taking is told once, and nobody trips over it."""
    heard: list[ProgressError | None] = []
    news = News(heard.append)
    news._waiting = Taken()
    with news.told_after():
        news.add(None)

    assert [None] == heard
