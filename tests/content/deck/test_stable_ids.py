"""No id of a release is lost: people's progress hangs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck.deck_files import bundled
from content.deck.library import LoadedDeck, load
from content.deck.stable_ids import PATH, lost_ids, released_ids, vanished_ids

DECK = """\
deck: {deck}
title: T
{more}
cards:
  - {{id: kept, formerly: [renamed], question: Why?, answer: So.}}
"""


def deck(tmp_path: Path, name: str = "ours", more: str = "") -> LoadedDeck:
    path = tmp_path / "deck.yaml"
    path.write_text(DECK.format(deck=name, more=more), encoding="utf-8")
    (loaded,) = load((path,)).decks
    return loaded


def test_no_released_id_is_gone() -> None:
    """Every id that was ever released is in its bundled deck, at least as `formerly`."""
    assert PATH.read_text(encoding="utf-8")
    assert [] == [problem.message for problem in lost_ids(load(bundled()).decks)]


def test_an_id_that_vanished_is_a_warning(tmp_path: Path) -> None:
    """The warning stands at the deck's cards, names the id and says how to keep what was learned."""
    (problem,) = vanished_ids([deck(tmp_path)], released_ids("ours/kept\nours/renamed\nours/gone\nother/card\n"))

    assert ("warning", 5) == (problem.severity, problem.line)
    assert "the card gone of an earlier release is gone, and what was learned of it" == problem.message
    assert "`formerly: [gone]`" in problem.hint


@pytest.mark.parametrize(("more", "expected"), [("", 0), ("formerly: [old]", 1)])
def test_a_renamed_deck_keeps_its_ids(tmp_path: Path, more: str, expected: int) -> None:
    """A deck answers for the ids of its earlier names, and for no other deck's."""
    assert expected == len(list(vanished_ids([deck(tmp_path, more=more)], released_ids("old/kept\nold/gone"))))


def test_a_copy_of_a_deck_is_its_owners(tmp_path: Path) -> None:
    """Who copies a bundled deck may throw cards away."""
    assert [] == list(lost_ids([deck(tmp_path, "attention")]))
