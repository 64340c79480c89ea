"""Each answer that is widely repeated and wrong is refuted by a claim: a file for each deck says by which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from content.deck.deck_files import ORDER
from tests.our_cards import every_card, our_library

FACTS = range(1, 50)
UNREFUTED: frozenset[int] = frozenset()  # of the facts, once all decks are there; to stay empty
FOLDER = Path(__file__).with_name("wrong_answers")
KEYS = {"fact", "wrong", "card", "claim"}


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong sentence and what refutes it; `claim` counts from 1."""

    deck: str
    fact: int
    wrong: str
    card: str
    claim: int

    @property
    def place(self) -> str:
        return f"{self.deck}/{self.card}, claim {self.claim} (fact {self.fact})"


def wrong_answers() -> Iterator[WrongAnswer]:
    for file in sorted(FOLDER.glob("*.yaml")):
        for row in yaml.safe_load(file.read_text(encoding="utf-8")) or ():
            assert row.keys() == KEYS, (file.name, row)
            yield WrongAnswer(file.stem, **row)


def test_every_file_belongs_to_a_deck() -> None:
    """A file is called as its deck is."""
    assert {file.stem for file in FOLDER.glob("*.yaml")} <= {loaded.deck.deck for loaded in our_library().decks}


def test_each_is_refuted_by_a_claim_of_a_card_with_a_trap() -> None:
    """The card is there, it has the claim, and its trap says the wrong answer; the sentence is one, and no fact is out of the list."""
    cards, wrong = every_card(), []
    for one in wrong_answers():
        _, card = cards.get(f"{one.deck}/{one.card}", (None, None))
        claims = len(card.verify.claims) if card and card.verify else 0
        if card is None or card.trap is None or not 1 <= one.claim <= claims or one.fact not in FACTS or not one.wrong.strip():
            wrong.append(one.place)

    assert [] == wrong


def test_none_is_listed_twice() -> None:
    """The same claim may refute several facts, and several claims one; the same pair stands once."""
    places = [one.place for one in wrong_answers()]

    assert sorted(set(places)) == sorted(places)


def test_all_are_refuted() -> None:
    """All of the list, once all decks are in."""
    if missing := set(ORDER) - {loaded.deck.deck for loaded in our_library().decks}:
        pytest.skip(f"decks to come: {', '.join(sorted(missing))}")

    assert UNREFUTED == set(FACTS) - {one.fact for one in wrong_answers()}
