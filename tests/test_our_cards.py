"""The cards that tests look at one after the other."""

from __future__ import annotations

import pytest

from engine import Worker
from tests import our_cards
from tests.our_cards import _kinds, every_card, our_library, visited_cards


def test_what_is_visited_has_every_kind(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of cards and of pictures, that any card of any deck has; the whole first deck is there, and all where all is asked for."""
    visited, found = visited_cards(worker), every_card()
    kinds = [{kind for _, card in cards.values() for kind in _kinds(card, worker)} for cards in (visited, found)]
    monkeypatch.setattr(our_cards, "WHOLE", True)

    assert kinds[1] == kinds[0]
    assert {f"{our_library().decks[0].deck.deck}/{card.id}" for card in our_library().decks[0].deck.cards} <= visited.keys()
    assert found == visited_cards(worker)
