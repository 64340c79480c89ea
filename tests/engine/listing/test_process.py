"""A listing in its own process: what it gets, what it is kept from, and how its end is told whatever it does."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import Protocol

import pytest

from content.claims.computation import parse_computation
from engine.listing.begin import Begin, begun
from engine.listing.copies import copies
from engine.listing.process import run_listing
from engine.listing.request import Failure, Garbled, Ran, Request, read_answer
from tests.engine.worker.waiting import is_alive, until


class Running(Protocol):
    """Runs a listing and its correction, and `y` is what is compared."""

    def __call__(
        self, right: str, wrong: str, compare: str = "y", *, deadline: float = 10, given: dict[str, float] | None = None, **inputs: str
    ) -> Ran: ...


def running(begin: Begin) -> Running:
    def ran(
        right: str, wrong: str, compare: str = "y", *, deadline: float = 10, given: dict[str, float] | None = None, **inputs: str
    ) -> Ran:
        lines = tuple((name, parse_computation(line)) for name, line in inputs.items())
        return run_listing(Request(right, wrong, compare, lines, given), deadline, begin)

    return ran


@pytest.fixture(scope="module", params=["new", "copy"])
def ran(request: pytest.FixtureRequest) -> Iterator[Running]:
    """In a process from nothing, and in a copy: a listing cannot tell."""
    if request.param == "new":
        yield running(begun)
        return
    with copies() as begin:
        yield running(begin)


def test_inputs_arrive(ran: Running) -> None:
    """Lines from top to bottom, with the numbers that are given; neither way sees what the other has done to them."""
    found = ran("x += 1\ny = x[mask]", "y = x[~mask]", given={"n": 3}, x="arange(n)", mask="x > 1")

    assert Ran((3,), (0, 1)) == found


def test_the_surroundings(ran: Running) -> None:
    """An empty folder, no variable of the person's, nothing of theirs on the path, and layers that take what the inputs are."""
    os.environ["QKV_SECRET"] = "1"
    look = "y = [len(torch.os.listdir()), 'QKV_SECRET' in torch.os.environ, torch.get_num_threads(), torch.sys.flags.isolated]"
    try:
        found = ran(look, "y = (torch.nn.Linear(3, 1)(torch.zeros(3, dtype=torch.float64)) * 0)")
    finally:
        del os.environ["QKV_SECRET"]

    assert Ran((0, 0, 1, 1), (0,)) == found


@pytest.mark.parametrize(
    ("wrong", "message", "line"),
    [
        ("y = 1\ntorch.os._exit(3)", "ends the process that runs it (exit code 3)", 0),
        ("y = 1\ntorch.os.kill(torch.os.getpid(), 11)", "ends the process that runs it (signal SIGSEGV)", 0),
        ("y = 1\ntorch.os.write(3, b'x' * 100)\ntorch.os.write(3, bytes([10]))", "writes into the pipe that its value comes through", 0),
        ("y = 1\ntorch.os.write(3, b'x' * 2**20)", "writes into the pipe that its value comes through", 0),
        ("import time\ntime.sleep(60)", "runs for more than 1 s", 2),
        ("import time\ntry: time.sleep(60)\nexcept BaseException: time.sleep(60)", "runs for more than 1 s", 0),
        ("y = 0\ny = torch.zeros(10**9)", "needs more than 1,024 MiB of memory", 2),
        ("y = 0\ny = [0] * 10**9", "needs more than 1,024 MiB of memory", 2),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's, and the pipe is descriptor 3 there")
def test_ends(ran: Running, wrong: str, message: str, line: int) -> None:
    """Whatever the listing does, there is a sentence, and the corrected one's value is there."""
    found = ran("y = 1", wrong, deadline=1)

    assert 1 == found.right
    assert isinstance(found.wrong, Failure)
    assert (message, line) == (found.wrong.message.en, found.wrong.line)
    assert all(re.search("[\u4e00-\u9fff]", label.zh) for label in (found.wrong.message, found.wrong.hint))


def test_nothing_is_left_behind(ran: Running) -> None:
    """What a listing has started ends with it."""
    found = ran("y = 1", "y = torch.os.posix_spawn('/bin/sleep', ['sleep', '600'], {})")

    assert isinstance(found.wrong, int)
    until(lambda: not is_alive(found.wrong))


def test_the_corrected_one_alone(ran: Running) -> None:
    """Where the corrected listing gives nothing, that is what both are told of."""
    found = ran("y = z", "y = 1")

    assert isinstance(found.right, Failure)
    assert found.right == found.wrong


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"7", b"{}", b'{"value": "text"}', b'{"value": null}', b'{"value": true}', b'{"value": {"a": 1}}', b"\xff",
        b'{"value": ' + b"[" * 9 + b"1" + b"]" * 9 + b"}", b'{"value": ' + b"[" * 100_000, b'{"message": "x"}',
        b'{"message": 1, "part": "", "line": 0, "name": "", "column": 0, "hint": "", "raises": false}',
        b'{"message": {"en": "x"}, "part": "", "line": 0, "name": "", "column": 0, "hint": {"en": "", "zh": ""}, "raises": false}',
        b'{"message": {"en": "x", "zh": 1}, "part": "", "line": 0, "name": "", "column": 0, "hint": {"en": "", "zh": ""}, "raises": false}',
    ],
)  # fmt: skip
def test_what_is_no_answer(line: bytes) -> None:
    """Nothing but numbers, lists of them and a whole failure is taken for one."""
    with pytest.raises(Garbled):
        read_answer(line)
