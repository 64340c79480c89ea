"""The browser's index: what a filter admits, and what stands beside each of its values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from content.deck.cards import Card, Deck, Text
from quiz.card.card_index import Facet, Wanted, choices, found_cards, index_cards
from quiz.memory.scheduler import Memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decisions, Flag
from quiz.study.learner import LearnerState

NOW = Moment.of(datetime(2026, 11, 29, 12, tzinfo=UTC))


def said(en: str, zh: str) -> Text:
    return Text({"en": en, "zh": zh})


def memory(due: int, stability: float = 3.0, lapses: int = 0) -> Memory:
    return Memory(stability, 5.0, NOW.day - 30, NOW.day - 3, NOW.day + due, None, 3, lapses)


DECKS = [
    Deck(
        "one",
        said("One", "一"),
        (
            Card("mask", said("Why a mask?", "为什么要掩码？"), tags=("masks",), level=1, asked=5),
            Card("heads", said("How many heads?", "多少个头？"), tags=("heads", "masks"), level=2, asked=3, kind="number"),
        ),
    ),
    Deck("two", said("Two", "二"), (Card("bert", said("What is BERT?", "BERT 是什么？"), level=2),)),
]
LEARNER = LearnerState(
    {("one", "mask"): memory(due=-1, lapses=5), ("two", "bert"): memory(due=40, stability=60.0)},
    Decisions(suspended=frozenset({("one", "heads")}), flagged={("two", "bert"): Flag("It reads both ways.", NOW.day)}),
)
INDEX = index_cards(DECKS, LEARNER, NOW)


def ids(wanted: Wanted) -> list[str]:
    return [card.item.card.id for card in found_cards(INDEX, wanted)]


@pytest.mark.parametrize(
    ("facet", "value", "found"),
    [
        ("deck", "one", ["mask", "heads"]),
        ("tag", "masks", ["mask", "heads"]),
        ("level", "2", ["heads", "bert"]),
        ("kind", "number", ["heads"]),
        ("asked", "5", ["mask"]),
        ("state", "due", ["mask"]),
        ("state", "leech", ["mask"]),
        ("state", "learning", ["mask"]),
        ("state", "new", ["heads"]),
        ("state", "suspended", ["heads"]),
        ("state", "known", ["bert"]),
        ("state", "flagged", ["bert"]),
    ],
)
def test_a_filter_admits_what_is_so(facet: Facet, value: str, found: list[str]) -> None:
    """A card may be in several states at once."""
    assert found == ids(Wanted(chosen=((facet, value),)))


def test_filters_and_words_add_up() -> None:
    """All that is wanted has to be true of a card."""
    wanted = Wanted("掩码").choose("tag", "masks")
    assert ["mask"] == ids(wanted)
    assert ["mask", "heads"] == ids(replace(wanted, query=""))
    assert [] == ids(wanted.choose("level", "2"))
    assert ["mask"] == ids(wanted.choose("level", "2").choose("level", None))


def test_a_facet_counts_beside_the_other_filters() -> None:
    """What is chosen for a facet does not narrow its own list; the rest does."""
    wanted = Wanted().choose("level", "2").choose("deck", "one")
    assert {"1": 1, "2": 1} == choices(INDEX, wanted, "level")
    assert {"one": 1, "two": 1} == choices(INDEX, wanted, "deck")
    assert {"masks": 2, "heads": 1} == choices(INDEX, Wanted(), "tag")
    assert ["leech", "due", "learning"] == list(choices(INDEX, Wanted("mask").choose("deck", "one").choose("level", "1"), "state"))
    assert ["5", "3"] == list(choices(INDEX, Wanted(), "asked"))


def test_searched_in_both_languages_and_by_name() -> None:
    """Question, tags, ids and the deck's name are all searched, whatever language one reads."""
    assert [["bert"], ["mask", "heads"], ["heads"]] == [ids(Wanted(query)) for query in ("是什么", "一", "多少")]


def test_a_card_stands_otherwise_after_a_grade() -> None:
    """The index keeps its texts and takes the new states."""
    later = INDEX.with_learner(LearnerState(), NOW)
    assert [("new",)] * 3 == [card.states for card in later.cards]
    assert INDEX.texts is later.texts
