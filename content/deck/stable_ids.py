"""The ids that people's progress hangs on: an id of an earlier release must live on in its deck, at least as `formerly`.

`python -m content.deck.stable_ids` adds the ids of today's decks to the list; run it at a release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from content.deck.deck_files import bundled
from content.deck.library import LoadedDeck, load
from content.deck.validation import ids_of
from content.messages.sentence import say
from content.yaml.problems import Problem

Key = tuple[str, str]  # deck id, card id

PATH = Path(__file__).parents[1] / "decks" / "ids.txt"


def released_ids(text: str) -> frozenset[Key]:
    """The ids of a list: a line each, `deck/card`."""
    pairs = (line.split("/", 1) for line in text.split())
    return frozenset((deck, card) for deck, card in pairs)


def vanished_ids(decks: Iterable[LoadedDeck], before: Iterable[Key]) -> Iterator[Problem]:
    """A warning for every released id that its deck no longer has. Decks that were never released have none to lose."""
    decks = tuple(decks)
    gone = sorted(set(before) - {(name, card) for loaded in decks for name in _names(loaded) for card in ids_of(loaded.tree)})
    for loaded in decks:
        for deck, card in gone:
            if deck in _names(loaded):
                hint = say("bring it back, or give the card that took its place `formerly: [{card}]`", card=card)
                message = say("the card {card} of an earlier release is gone, and what was learned of it", card=card)
                yield loaded.problem(("cards",), message, hint, "warning")


def _names(loaded: LoadedDeck) -> tuple[str, ...]:
    return (loaded.deck.deck, *loaded.deck.formerly)


def of_the_program(decks: Iterable[LoadedDeck]) -> tuple[LoadedDeck, ...]:
    """The bundled ones among some decks. A copy in another folder is its owner's."""
    return tuple(loaded for loaded in decks if loaded.path.resolve().parent == PATH.parent.resolve())


def lost_ids(decks: Iterable[LoadedDeck]) -> Iterator[Problem]:
    """The ids that the bundled ones among some decks have lost since the last release."""
    ours = of_the_program(decks)
    return vanished_ids(ours, released_ids(PATH.read_text(encoding="utf-8"))) if ours else iter(())


def _write() -> None:
    """The list with today's ids; one that was released stays in it for ever."""
    today = {(loaded.deck.deck, card.id) for loaded in load(bundled()).decks for card in loaded.deck.cards}
    before = released_ids(PATH.read_text(encoding="utf-8")) if PATH.exists() else frozenset()
    PATH.write_text("".join(f"{deck}/{card}\n" for deck, card in sorted(today | before)), encoding="utf-8")


if __name__ == "__main__":
    _write()
