"""Processes for listings that are copies of one: each begins anew, several do not meet, and none needs the others to end well."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.listing.begin import Begin, begun
from engine.listing.copies import copies
from engine.listing.process import run_listing
from engine.listing.request import Failure, Request
from tests.engine.worker.waiting import is_alive, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each begins from nothing")


@pytest.fixture
def begin() -> Iterator[Begin]:
    with copies() as found:
        yield found


def value(begin: Begin, listing: str) -> object:
    """What `y` is worth after a listing."""
    return run_listing(Request("y = 0", listing, "y"), 10, begin).wrong


def test_each_begins_anew(begin: Begin) -> None:
    """What a listing has done to torch, to its folder and to its process, the next one does not find."""
    spoil = "torch.relu = None\ntorch.os.chdir('/')\ntorch.os.environ['LEFT'] = '1'\ny = 1"
    look = "y = [torch.relu is None, torch.os.getcwd() == '/', 'LEFT' in torch.os.environ, len(torch.os.listdir())]"

    assert (1, (0, 0, 0, 0)) == (value(begin, spoil), value(begin, look))


def test_a_folder_and_a_group_of_its_own(begin: Begin) -> None:
    """As a process from nothing has them."""
    look = "y = [torch.os.getsid(0) == torch.os.getpid(), torch.os.environ['HOME'] == torch.os.getcwd() == torch.os.environ['TMPDIR']]"

    assert (1, 1) == value(begin, look)


def test_they_come_one_after_the_other(begin: Begin) -> None:
    """Whoever asks meanwhile waits, and each gets its own answer."""
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: value(begin, f"y = {n}"), range(12)))

    assert list(range(12)) == found


def test_how_one_ended_is_told_of_that_one(begin: Begin) -> None:
    """The next one's end is its own."""
    ends = [value(begin, f"y = 1\ntorch.os._exit({code})") for code in (3, 4)]

    assert [f"ends the process that runs it (exit code {code})" for code in (3, 4)] == [
        end.message.en for end in ends if isinstance(end, Failure)
    ]


def test_without_the_one_they_are_copies_of(begin: Begin) -> None:
    """A listing that ends its parent, too, is told so, and the next ones run in processes from nothing."""
    end = value(begin, "y = 1\ntorch.os.kill(torch.os.getppid(), 9)\ntorch.os._exit(3)")

    assert isinstance(end, Failure)
    assert (7, 8) == (value(begin, "y = 7"), value(begin, "y = 8"))


def test_it_ends_with_its_use() -> None:
    """And nothing waits for a listing that runs on."""
    with copies() as begin:
        parent = value(begin, "y = torch.os.getppid()")
        assert isinstance(parent, int)
        assert is_alive(parent)
    until(lambda: not is_alive(parent))


def test_elsewhere_each_begins_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No copy is made of a process where the system does not vouch for its native threads."""
    monkeypatch.setattr(sys, "platform", "darwin")
    with copies() as begin:
        assert begin is begun
