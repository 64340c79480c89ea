"""A short run of the fuzzer; the long one is `python -m tests.fuzz`."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.sharedctypes import RawArray

import pytest

from tests import fuzz
from tests.fuzz import Broken, run, watched
from tests.mutated_decks import deck

DECKS = 400


def test_mutated_decks_give_problems_only() -> None:
    """No bytes make the reader, the validation, the checks or the claims raise; some of the mutants are decks still."""
    assert {"deck", "draft", "refused"} == set(run(20261129, range(DECKS)))


def test_a_seed_is_its_decks() -> None:
    """What was found once is found again, and other seeds and numbers are other decks."""
    assert deck(1, 7) == deck(1, 7)
    assert 3 == len({deck(1, 7), deck(1, 8), deck(2, 7)})


def raises() -> None:
    raise KeyError("lost")


def hangs() -> None:
    threading.Event().wait()


def kills() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # the child computes; it needs none of the parent's threads
@pytest.mark.parametrize(("fault", "reason"), [(raises, "KeyError: 'lost'"), (hangs, "it had no end"), (kills, "ended with -9")])
def test_what_a_deck_does_stops_the_run(monkeypatch: pytest.MonkeyPatch, fault: Callable[[], None], reason: str) -> None:
    """A deck that raises, hangs or kills is named with its seed and number, and those before it are counted."""
    counts = RawArray("q", 3)

    def attempt(data: bytes) -> str:
        if data == deck(5, 3):
            fault()
        return "deck"

    monkeypatch.setattr(fuzz, "attempt", attempt)
    monkeypatch.setattr(fuzz, "SILENCE", 0.5)
    with pytest.raises(Broken) as caught:
        watched(5, range(1, 10), counts)
    assert (5, 3) == (caught.value.seed, caught.value.number)
    assert reason in caught.value.reason
    assert [2, 0, 0] == list(counts)


def test_a_deck_that_takes_long_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that hangs on some bytes is a defect, too."""
    monkeypatch.setattr(fuzz, "PATIENCE", -1.0)
    with pytest.raises(Broken):
        list(run(5, range(2)))
