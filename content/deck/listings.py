"""What is wrong with how a code card's listing is to be run, as far as its text says it. The listing itself is not looked into."""

from __future__ import annotations

from collections.abc import Iterator

from content.claims.computation import CONSTANTS, USAGE
from content.claims.parser import parse
from content.claims.tokens import ClaimError
from content.deck.cards import Card
from content.deck.computations import unreadable
from content.deck.library import Draft, LoadedDeck
from content.messages.sentence import say
from content.yaml.problems import Problem
from content.yaml.tree import Location

OWN = ("wrong", "right")  # what `agrees` calls the two values


def listing_problems(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """Inputs that cannot be read, and an agreement with nothing."""
    if card.code is None:
        return
    known: list[str] = []
    for name, line in card.code.inputs.items():
        place = (*here, "code", "inputs", name)
        yield from unreadable(loaded, place, line, known if card.verify is None else None)  # a run's parameters have names, too
        if name in USAGE or name in CONSTANTS:
            yield loaded.problem(place, say("{name} is a word of the language", name=name), say("choose another name"))
        known.append(name)
    if card.code.agrees:
        yield from _agreement(loaded, (*here, "code", "agrees"), card, card.code.agrees)


def _agreement(loaded: LoadedDeck | Draft, place: Location, card: Card, agrees: str) -> Iterator[Problem]:
    if card.verify is None:
        yield loaded.problem(
            place, say("agrees compares with a run, and this card has none"), say("give the card a verify with an experiment")
        )
    try:
        names = parse(agrees).names
    except ClaimError as error:
        yield loaded.problem_in(place, error.column - 1, error.message, error.hint)
        return
    if not {*OWN} & {*names}:
        yield loaded.problem(
            place,
            say("agrees says nothing of the listing"),
            say("name wrong, or right, or both: the values of compare without and with the correction"),
        )
