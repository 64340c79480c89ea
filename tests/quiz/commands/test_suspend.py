"""`qkv suspend`, `qkv resume`, `qkv cards`: what is set aside, taken up again and listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.reviews import Review
from tests.quiz.commands.own_deck import DECK, decisions, run, store

pytestmark = pytest.mark.usefixtures("shelf")


def test_suspend_and_resume() -> None:
    """A card is suspended by its id or with its deck, listed, and taken up again."""
    run("suspend", "own/one")
    run("suspend", "two")
    listed, _ = run("cards", "--suspended")
    run("resume", "one")

    assert ["one", "two"] == [line.split()[0] for line in listed.splitlines()]
    assert {("own", "two")} == decisions().suspended


def test_resume_of_a_buried_card() -> None:
    """What was left for tomorrow can be taken up today."""
    run("quiz", "--plain", typed="bury\nq\n")
    assert decisions().buried
    run("resume", "one")

    assert {} == dict(decisions().buried)


def test_resume_of_a_card_that_is_there() -> None:
    """It says so and writes nothing."""
    assert "one is not suspended." in run("resume", "one")[1]


@pytest.mark.parametrize("command", ["suspend", "resume"])
def test_an_unknown_card_is_usage(command: str) -> None:
    """A card that does not exist: exit 2."""
    assert "There is no card nobody" in run(command, "nobody", code=2)[1]


def test_a_name_of_two_cards_is_usage(own_data: Path) -> None:
    """Where two decks have the name, it asks which; with the deck it works."""
    (own_data / "decks" / "other.yaml").write_text(DECK.replace("own", "other"), encoding="utf-8")

    assert "own/one" in run("suspend", "one", code=2)[1]
    run("suspend", "own/one")


def test_the_weak_cards_are_listed() -> None:
    """`qkv cards --weak`: what keeps failing and what one was sure of; with --json in the shape of all cards."""
    with store() as opened:
        opened.record(Review.new(Moment.now(), ("own", "two"), Grade.again, confidence=3))
    listed: list[dict[str, Any]] = json.loads(run("cards", "--weak", "--json")[0])

    assert ["two"] == [card["id"] for card in listed]
