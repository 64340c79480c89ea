"""Cards of the bundled decks, for tests that look at one after the other: a few of every kind, and all of them by `make test-all`.

What a test does with each card (a run, a screen) would otherwise grow with the decks, and `make test` has a quarter of an hour.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from content.deck.cards import Card
from content.deck.deck_files import bundled
from content.deck.library import Library, LoadedDeck, load
from engine import Worker
from quiz.card.hero import hero
from quiz.card.planned_run import asked_experiment
from tests.extent import WHOLE

Ours = dict[str, tuple[LoadedDeck, Card]]  # by deck/card


@cache
def our_library() -> Library:
    """The bundled decks, read once in a process."""
    return load(bundled())


def every_card() -> Ours:
    """All of them, in the order in which one learns them."""
    return {f"{loaded.deck.deck}/{card.id}": (loaded, card) for loaded in our_library().decks for card in loaded.deck.cards}


def visited_cards(worker: Worker) -> Ours:
    """The first deck, and of the others the first card of each kind with each kind of picture; all where everything is asked for."""
    found, seen = every_card(), set[object]()
    if WHOLE:
        return found
    first = our_library().decks[0]
    picked: Ours = {}
    for name, (loaded, card) in found.items():
        new = set(_kinds(card, worker)) - seen
        if loaded is first or new:
            picked[name] = loaded, card
            seen |= new
    return picked


def _kinds(card: Card, worker: Worker) -> Iterator[object]:
    """What may be drawn in another way: its kind, and what is in its picture."""
    yield card.kind
    if card.verify is None:
        return
    description = worker.describe(asked_experiment(card.verify.own)).result()
    figure = hero(card, description)
    yield "figure", figure.kind if figure else None
    yield "several runs", len(card.verify.every_run) > 1
    yield "presets", bool(card.verify.presets)
    yield "own computation", card.verify.own.computation is not None
