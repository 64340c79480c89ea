"""What the decks that come with the program promise beyond what every deck must: `qkv check --strict` and a test hold them to it.

Each rule is a sentence about one card at its place; what needs a run (a claim that holds whatever a result is) `quiz.card.judge` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.deck import model
from content.deck.cards import Card, Text
from content.deck.library import Draft, LoadedDeck
from content.deck.links import linked
from content.deck.lint import texts_of
from content.deck.location_names import location_name
from content.format import LANGUAGES
from content.yaml.problems import Problem
from content.yaml.tree import Location

NEEDED = ("asked", "tags", "answer", "key_points", "verify", "sources", "checked")  # a level every card has: 2 unless it says otherwise
KEY_POINTS = range(2, 6)
CLAIMS = range(2, 5)
OPTIONS = range(3, 5)

_WORDS = 3  # English texts of fewer are names and formulas, which may look the same in Chinese
_CHINESE = re.compile("[\u4e00-\u9fff]")


def broken_rules(loaded: LoadedDeck | Draft) -> Iterator[Problem]:
    """Every rule that a deck breaks, as an error where it does."""
    if isinstance(loaded, LoadedDeck):
        yield from _languages(loaded, ("title",), loaded.deck.title)
    for index, card in loaded.cards.items():
        here: Location = ("cards", index)
        yield from _parts(loaded, here, card)
        yield from _choice(loaded, here, card)
        yield from _code(loaded, here, card)
        for where, text in texts_of(card, here):
            yield from _languages(loaded, where, text)
        for place, name in enumerate(card.follow_ups):
            if _is_itself(loaded, card, name):
                yield loaded.problem((*here, "follow_ups", place), f"{name} follows itself", "name another card")


def _is_itself(loaded: LoadedDeck | Draft, card: Card, link: str) -> bool:
    """Whether a link leads back to its card, also by an earlier id or with the deck's name before it."""
    names = ("", loaded.deck.deck, *loaded.deck.formerly) if isinstance(loaded, LoadedDeck) else ("",)
    deck, id = linked(link, "")
    return deck in names and id in (card.id, *card.formerly)


def _parts(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """What every card has, and how much of it."""
    for part in NEEDED:
        if not getattr(card, part):
            description = model.Card.model_fields[part].description
            yield loaded.problem((*here, "id"), f"{card.id} has no {part}", f"add `{part}:` ({description})")
    if card.key_points:
        yield from _count(loaded, (*here, "key_points"), "key points", len(card.key_points), KEY_POINTS)
    if card.verify:
        yield from _count(loaded, (*here, "verify"), "claims", len(card.verify.claims), CLAIMS)


def _choice(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """A few answers, one of them right, and of each why."""
    if card.kind != "choice":
        return
    yield from _count(loaded, (*here, "options"), "options", len(card.options), OPTIONS)
    right = sum(option.right for option in card.options)
    if right != 1:
        yield loaded.problem((*here, "options"), f"{right} of the options are right", "let one be")
    for place, option in enumerate(card.options):
        if option.why is None:
            yield loaded.problem((*here, "options", place), f"option {place + 1} does not say why", "add `why:`, also to the wrong ones")


def _code(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """A listing is run, and held against the card's run."""
    for key in ("compare", "agrees") if card.code else ():
        if not getattr(card.code, key):
            description = model.Code.model_fields[key].description
            yield loaded.problem((*here, "code"), f"the listing of {card.id} has no {key}", f"add `{key}:` ({description})")


def _count(loaded: LoadedDeck | Draft, where: Location, what: str, count: int, allowed: range) -> Iterator[Problem]:
    if count not in allowed:
        yield loaded.problem(where, f"{what}: {count}; our cards have {allowed[0]} to {allowed[-1]}", "say what matters")


def _languages(loaded: LoadedDeck | Draft, where: Location, text: Text) -> Iterator[Problem]:
    """Whatever is said is said in both languages, and the Chinese is not the English again."""
    said = text.root
    for language in LANGUAGES:
        if language not in said:
            yield loaded.problem(where, f"{location_name((*where, language))} is missing", "write it in both languages: {en: ..., zh: ...}")
    english, chinese = said.get("en", ""), said.get("zh", "")
    if chinese and len(english.split()) >= _WORDS and not _CHINESE.search(chinese):
        yield loaded.problem((*where, "zh"), f"{location_name((*where, 'zh'))} has no Chinese in it", "write it in Chinese")
