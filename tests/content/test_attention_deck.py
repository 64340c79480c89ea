"""The attention deck makes a first session: enough cards, of every kind. What each card must have says `content.deck.house_rules`."""

from __future__ import annotations

from typing import get_args

import pytest

from content.deck.cards import Card
from content.deck.deck_files import bundled
from content.deck.library import load
from content.format import Kind


@pytest.fixture(scope="module")
def cards() -> tuple[Card, ...]:
    return next(each for each in load(bundled()).decks if each.deck.deck == "attention").deck.cards


def test_there_are_enough_cards(cards: tuple[Card, ...]) -> None:
    """A first session has at least 14 cards, of which at least 6 ask for a prediction and 6 name a wrong answer."""
    assert 14 <= len(cards)
    assert 6 <= sum(card.predict is not None for card in cards)
    assert 6 <= sum(card.trap is not None for card in cards)


def test_every_kind_occurs(cards: tuple[Card, ...]) -> None:
    """The deck shows every kind of card that the project has."""
    assert set(get_args(Kind)) == {card.kind for card in cards}
