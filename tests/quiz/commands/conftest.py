"""What the commands of these tests find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quiz.commands.own_deck import DECK


@pytest.fixture
def shelf(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One deck of one's own is all there is."""
    (own_data / "decks").mkdir(parents=True)
    (own_data / "decks" / "own.yaml").write_text(DECK, encoding="utf-8")
    monkeypatch.setattr("content.deck.deck_files.bundled", lambda: ())
