"""Which cards a session has."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from content.cards import Deck
from quiz.days import Moment
from quiz.scheduler import Grade, Memory, review
from quiz.selection import Filter, choose, practice, tally

NOW = Moment.of(datetime(2026, 11, 29, 12, tzinfo=UTC))


def deck(**fields: dict[str, Any]) -> Deck:
    cards = [{"id": name, "question": "Why?", "answer": "So.", **more} for name, more in fields.items()]
    return Deck.model_validate({"deck": "d", "title": "D", "cards": cards})


DECK = deck(a={"tags": ["mask"], "level": 1}, b={"level": 2}, c={"tags": ["mask"], "level": 2}, d={"level": 3})


def seen(grade: Grade, days_ago: int) -> Memory:
    return review(None, grade, Moment.of(datetime(2026, 11, 29, 12, tzinfo=UTC) - timedelta(days=days_ago)), "x")


def ids(items: tuple[Any, ...]) -> list[str]:
    return [item.card.id for item in items]


def test_due_cards_come_first_then_new_ones() -> None:
    """What has waited longest is asked first; new cards follow in the deck's order."""
    memories = {("d", "d"): seen(Grade.good, 60), ("d", "b"): seen(Grade.good, 90)}

    assert ["b", "d", "a", "c"] == ids(choose([DECK], memories, NOW))


def test_cards_that_are_not_due_stay_away() -> None:
    """A card graded easy yesterday is not asked today."""
    assert ["b", "c", "d"] == ids(choose([DECK], {("d", "a"): seen(Grade.easy, 1)}, NOW))


@pytest.mark.parametrize(("left", "expected"), [(2, ["a", "b"]), (0, []), (-5, [])])
def test_new_cards_have_a_daily_limit(left: int, expected: list[str]) -> None:
    """No more new cards than the day has left, also when the limit was lowered below what was already learned."""
    assert expected == ids(choose([DECK], {}, NOW, left))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(Filter(tag="mask"), ["a", "c"]), (Filter(level=2), ["b", "c"]), (Filter(kind="choice"), []), (Filter(limit=1), ["a"])],
)
def test_filters(wanted: Filter, expected: list[str]) -> None:
    """Tag, level and kind narrow the cards; the limit cuts the session."""
    assert expected == ids(choose([DECK], {}, NOW, 20, wanted))


def test_practice_has_every_card_the_failed_ones_first() -> None:
    """Practice is always possible: all cards, whatever is due, those that lapsed most often first."""
    lapsed = review(seen(Grade.good, 60), Grade.again, NOW, "x")

    assert ["c", "a", "b", "d"] == ids(practice([DECK], {("d", "c"): lapsed}))


def test_the_tally_counts_due_and_new() -> None:
    """A deck's row: all cards, those that are due, those never seen."""
    count = tally(DECK, {("d", "a"): seen(Grade.good, 60), ("d", "b"): seen(Grade.easy, 0)}, NOW)

    assert (4, 1, 2, 2) == (count.cards, count.due, count.new, count.seen)
