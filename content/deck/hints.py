"""Hints that are none: those that say what is asked for, and those that are longer than the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.deck.cards import Card
from content.messages.sentence import say
from content.yaml.numerals import real
from content.yaml.tree import Location

Fault = tuple[Location, int, str, str]  # the place in the card, the offset in the text, what is wrong, what to do

_NUMBER = re.compile(r"(?<![\w.,{])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w^²³]|[.,]\d)", re.ASCII)
_LIVE = re.compile(r"\{\{.*?\}\}")
FREE = 24  # characters that a hint may have whatever the answer has
TELLING = 6  # characters from which on an option is no word that stands in any sentence; a Chinese one counts as three


def faulty_hints(card: Card) -> Iterator[Fault]:
    """What can be said of a card's hints without its run."""
    answers = [option.text for option in card.options if option.right]
    for place, language, said in _rungs(card):
        answer = card.answer.said(language) if card.answer else ""
        if len(said) > max(len(answer), FREE) and answer:
            yield place, 0, say("the hint is longer than the answer"), say("say what to think of, and no more")
        for right in answers:
            option = right.said(language).lower().strip(" .。")
            if len(option.encode("utf-8")) >= TELLING and (at := said.lower().find(option)) >= 0:
                yield place, at, say("the hint says the right option"), say("say what tells it from the others")
        if card.code and card.code.right.strip() and (at := said.find(card.code.right.strip())) >= 0:
            yield place, at, say("the hint says the corrected line"), say("say what the line does wrong")
    if card.number and card.number.value is not None:
        yield from hints_with(card, card.number.value)


def hints_with(card: Card, wanted: float) -> Iterator[Fault]:
    """The hints that say the number that is asked for, as near as a guess would have to be."""
    asked = card.number or card.predict
    if asked is None:
        return
    for place, _, said in _rungs(card):
        for found in _NUMBER.finditer(_LIVE.sub(lambda live: " " * len(live[0]), said)):
            number = real(found[0].replace(",", "").replace("−", "-"))
            if number is not None and asked.within.covers(number, wanted):
                told = say("the hint says the number that is asked for: {number}", number=found[0])
                yield place, found.start(), told, say("say how to come to it")


def _rungs(card: Card) -> Iterator[tuple[Location, str, str]]:
    for i, rung in enumerate(card.hint):
        for language, said in rung.root.items():
            yield ("hint", i, language) if language else ("hint", i), language, said
