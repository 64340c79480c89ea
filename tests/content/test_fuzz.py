"""A short run of the fuzzer; the long one is `python -m tests.fuzz`."""

from __future__ import annotations

import pytest

from tests import fuzz
from tests.fuzz import Broken, deck, run

DECKS = 400


def test_mutated_decks_give_problems_only() -> None:
    """No bytes make the reader, the validation, the checks or the claims raise; some of the mutants are decks still."""
    assert {"deck", "draft", "refused"} == set(run(20261129, range(DECKS)))


def test_a_seed_is_its_decks() -> None:
    """What was found once is found again, and other seeds and numbers are other decks."""
    assert deck(1, 7) == deck(1, 7)
    assert 3 == len({deck(1, 7), deck(1, 8), deck(2, 7)})


def test_an_exception_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first deck that raises is named with its seed and number."""

    def attempt(data: bytes) -> str:
        if data == deck(5, 3):
            raise KeyError("lost")
        return "deck"

    monkeypatch.setattr(fuzz, "attempt", attempt)
    with pytest.raises(Broken) as caught:
        list(run(5, range(10)))
    assert (5, 3, True) == (caught.value.seed, caught.value.number, "KeyError: 'lost'" in caught.value.reason)


def test_a_deck_that_takes_long_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that hangs on some bytes is a defect, too."""
    monkeypatch.setattr(fuzz, "PATIENCE", -1.0)
    with pytest.raises(Broken):
        list(run(5, range(2)))
