"""Who an earlier name is today. A card's progress hangs on deck id and card id, and follows it through `formerly`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from content.deck.cards import Deck

Key = tuple[str, str]  # deck id, card id


def earlier_names(decks: Iterable[Deck]) -> dict[Key, tuple[Key, ...]]:
    """Every card of the decks with the names that it may have had, by the deck's and the card's own `formerly`."""
    return {
        (deck.deck, card.id): tuple(
            (deck_id, card_id)
            for deck_id in (deck.deck, *deck.formerly)
            for card_id in (card.id, *card.formerly)
            if (deck_id, card_id) != (deck.deck, card.id)
        )
        for deck in decks
        for card in deck.cards
    }


def renamings(before: Mapping[Key, Key], names: Mapping[Key, Iterable[Key]]) -> dict[Key, Key]:
    """Earlier name -> current name, always one step, after the current cards and their earlier names have become known.

    A current card is nobody's earlier name: whoever goes back to an old deck finds the old card with its own history.
    What other decks' cards were called before stays as it was.
    """
    wanted = {old: new for new, olds in names.items() for old in olds}
    return {old: wanted.get(new, new) if new not in names else new for old, new in {**before, **wanted}.items() if old not in names}


def renamed_by(renames: Iterable[tuple[Key, Key]]) -> dict[Key, Key]:
    """Earlier name -> current name that renames add up to in their order. A name renamed to itself is a card of its own again.

    Two machines may have renamed on different days from different decks: a rename frees the name that it leads to, so that no circle
    can arise, and chains are followed to their end.
    """
    step: dict[Key, Key] = {}
    for old, new in renames:
        step.pop(new, None)
        if old != new:
            step[old] = new
    ends: dict[Key, Key] = {}
    for name in step:
        path = []
        while name in step and name not in ends:
            path.append(name)
            name = step[name]
        ends.update(dict.fromkeys(path, ends.get(name, name)))
    return ends
