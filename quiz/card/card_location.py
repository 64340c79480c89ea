"""Where a card stands in its file, so that an editor can open it there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from content.deck.library import Library
from quiz.memory.card_ids import Key


@dataclass(frozen=True)
class CardLocation:
    """A line of a file, counted from 1."""

    path: Path
    line: int


def deck_folder(library: Library | None, deck: str) -> Path | None:
    """The folder of a deck's file; None where it is in no library, or in no file."""
    return next((loaded.folder for loaded in library.decks if loaded.deck.deck == deck), None) if library else None


def locate_card(library: Library, key: Key) -> CardLocation | None:
    """Where a card stands; None where its deck is not in the library any more."""
    for loaded in library.decks:
        for index, card in enumerate(loaded.deck.cards):
            if (loaded.deck.deck, card.id) == key:
                place = loaded.place(("cards", index))
                return CardLocation(Path(place.path), place.line)
    return None
