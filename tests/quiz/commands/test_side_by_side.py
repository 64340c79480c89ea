"""Work for many cards in several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from quiz.commands import side_by_side as module
from quiz.commands.side_by_side import how_many_at_once, side_by_side


@pytest.mark.parametrize(
    ("cards", "processors", "expected"), [(0, 2, 1), (15, 2, 1), (16, 2, 2), (160, 2, 2), (160, 64, 4), (160, None, 1), (24, 8, 3)]
)
def test_a_process_is_worth_its_start(monkeypatch: pytest.MonkeyPatch, cards: int, processors: int | None, expected: int) -> None:
    """One for a small deck; as many as there are processors for large ones, four at most."""
    monkeypatch.setattr(module, "MOST", 4)
    monkeypatch.setattr("os.cpu_count", lambda: processors)

    assert expected == how_many_at_once(cards)


def test_all_is_done() -> None:
    """Everything that the work gives, in any order."""
    assert [0, 1, 4, 9] == sorted(side_by_side("x", [partial(pow, number, 2) for number in range(4)]))


def test_no_work_needs_no_bar() -> None:
    assert [] == list(side_by_side("x", []))


def test_it_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever is asked before each; what is still at work is told to stop, and what has not begun does not begin."""
    monkeypatch.setattr(module, "MOST", 2)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    stopped, begun = threading.Event(), list[int]()

    def work(number: int) -> None:
        begun.append(number)
        assert stopped.wait(20)

    def ended() -> None:
        if begun:
            raise KeyboardInterrupt

    jobs: list[Callable[[], None]] = [partial(work, number) for number in range(50)]
    with pytest.raises(KeyboardInterrupt):
        list(side_by_side("x", jobs, each=ended, stop=stopped.set))

    assert len(begun) <= 2
