"""A short share of the monkey at every run of the tests; and that it sees what it is there for."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.terminal import monkey
from tests.terminal.monkey import Monkey, Trial, trial

FAILS = "import sys; sys.stdout.write('x' * 99); sys.stdout.flush(); import time; time.sleep(1); {}"


def test_a_monkey_finds_no_way_to_end_it(tmp_path: Path) -> None:
    """Ten seconds with a fixed seed; minutes at several sizes: python -m tests.terminal.monkey."""
    one, ended = trial(7, 80, 24, 10.0, tmp_path)

    assert "" == ended.reason, "\n".join((*ended.inputs, ended.shows))
    assert one.given > 50


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ("1 / 0", "a traceback, exit code 1"),
        ("sys.exit(3)", "exit code 3"),
        ("pass", "the terminal was not restored"),
        ("import os; os.kill(os.getpid(), 9)", "exit code -9"),
        ("import signal; [signal.signal(one, signal.SIG_IGN) for one in (2, 28)]; time.sleep(600)", "frozen"),
    ],
    ids=["traceback", "code", "terminal", "killed", "frozen"],
)
def test_it_sees_an_end_that_no_key_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str, reason: str) -> None:
    """Each with the inputs before it."""
    monkeypatch.setattr(monkey, "SCRIPT", FAILS.format(last))
    monkeypatch.setattr(monkey, "FROZEN", 3.0)
    monkeypatch.setattr(monkey, "EPISODE", 2.0)
    generator = random.Random(1)
    ended = Trial(Monkey(generator, 80, 24, iter(range(10**6)), quits=False), tmp_path, time.monotonic() + 30).run()

    assert ended.reason.startswith(reason)
    assert ended.inputs


def test_the_same_seed_gives_the_same_inputs() -> None:
    """A report names the seed for that."""
    first, second = (Monkey(random.Random(5), 80, 24, iter(range(99))) for _ in range(2))

    assert [list(first.inputs()) for _ in range(50)] == [list(second.inputs()) for _ in range(50)]
