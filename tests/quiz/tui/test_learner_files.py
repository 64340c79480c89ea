"""The decks of a run of the program, without a screen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from content.deck.library import Library
from quiz.card import deck_paths
from quiz.card.deck_paths import all_deck_paths, note_studied, resolve_decks
from quiz.memory.study_day import Moment
from quiz.tui.learner_files import LearnerFiles


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Which files were read as decks."""
    found: list[Path] = []
    original = deck_paths.read_decks

    def noted(paths: Iterable[Path]) -> Library:
        paths = list(paths)
        found.extend(paths)
        return original(paths)

    monkeypatch.setattr(deck_paths, "read_decks", noted)
    return found


def test_each_deck_is_read_once(deck: Path, own_data: Path, read: list[Path]) -> None:
    """What progress can be about beside the decks of this run is read for the first statistics, and again only where a file was saved."""
    own_data.mkdir()
    elsewhere = deck.with_name("elsewhere.yaml")
    elsewhere.write_text(deck.read_text(encoding="utf-8").replace("deck: sample", "deck: other"), encoding="utf-8")
    files = LearnerFiles(resolve_decks((str(deck),)), Moment.now)
    files.reread()
    note_studied([deck, elsewhere])
    read.clear()

    first, second = files.studied(), files.studied()
    assert first == second
    assert ["sample", "other"] == [first[0].deck, first[-1].deck]
    assert [*all_deck_paths(), elsewhere] == read

    elsewhere.write_text(elsewhere.read_text(encoding="utf-8").replace("deck: other", "deck: another"), encoding="utf-8")
    assert "another" == files.studied()[-1].deck


def test_the_shelf_is_read_with_the_run(own_data: Path, read: list[Path]) -> None:
    """A run over all decks has read all there is."""
    files = LearnerFiles(resolve_decks(()), Moment.now)
    files.reread()
    read.clear()

    assert files.decks == files.studied()
    assert [] == read
