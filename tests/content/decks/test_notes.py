"""The table of docs/notes.md: what the seed notes say, the cards that ask it, the experiment that proves it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from content.deck.deck_files import ORDER
from engine import known_names
from tests.our_cards import every_card, our_library

PAGE = Path(__file__).parents[3] / "docs/notes.md"
UNASKED: frozenset[str] = frozenset()  # topics without a card, once all decks are there; to stay empty


@dataclass(frozen=True)
class Topic:
    """A row of the table."""

    said: str
    cards: tuple[str, ...]
    experiment: str


def topics() -> list[Topic]:
    rows = re.findall(r"(?m)^\| (.+?) \| (.*?) ?\| (\w+) \|$", PAGE.read_text(encoding="utf-8"))
    return [Topic(said, tuple(filter(None, cards.split(", "))), experiment) for said, cards, experiment in rows if said != "topic"]


def test_the_table_is_read() -> None:
    """Every line of it, and no topic twice."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]

    assert len(lines) - 1 == len(topics()) == len({topic.said for topic in topics()})
    assert 50 <= len(topics())


def test_each_card_is_there() -> None:
    """As deck/card."""
    assert [] == [card for topic in topics() for card in topic.cards if card not in every_card()]


def test_each_experiment_is_there() -> None:
    """By a name that a deck may have for it."""
    assert [] == [topic.experiment for topic in topics() if topic.experiment not in known_names()]


def test_each_topic_is_asked() -> None:
    """By a card at least, once all decks are in."""
    if missing := set(ORDER) - {loaded.deck.deck for loaded in our_library().decks}:
        pytest.skip(f"decks to come: {', '.join(sorted(missing))}")

    assert UNASKED == {topic.said for topic in topics() if not topic.cards}
