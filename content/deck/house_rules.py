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
from content.deck.model_at import add_key
from content.format import LANGUAGES
from content.messages.sentence import say
from content.yaml.problems import Problem
from content.yaml.tree import Location

NEEDED = ("asked", "tags", "answer", "key_points", "verify", "sources", "checked")  # a level every card has: 2 unless it says otherwise
KEY_POINTS = range(3, 7)
CLAIMS = range(1, 6)
OPTIONS = range(3, 5)
HINTS = range(1, 5)
SPOKEN = {"en": 120, "zh": 220}  # words and characters that one says in half a minute
TOLERANCE = 1.1  # nobody counts while writing: what is a tenth longer may be

_WORDS = 3  # English texts of fewer are names and formulas, which may look the same in Chinese
_CHINESE = re.compile("[\u4e00-\u9fff]")
_UNSPOKEN = re.compile(r"`[^`]*`|\s|\{\{[^}]*\}\}")  # of a Chinese answer: code, spaces, live numbers


def broken_rules(loaded: LoadedDeck | Draft) -> Iterator[Problem]:
    """Every rule that a deck breaks, as an error where it does."""
    if isinstance(loaded, LoadedDeck):
        yield from _languages(loaded, ("title",), loaded.deck.title)
    for index, card in loaded.cards.items():
        here: Location = ("cards", index)
        yield from _parts(loaded, here, card)
        yield from _choice(loaded, here, card)
        yield from _code(loaded, here, card)
        yield from _spoken(loaded, here, card)
        for where, text in texts_of(card, here):
            yield from _languages(loaded, where, text)
        for place, name in enumerate(card.follow_ups):
            if _is_itself(loaded, card, name):
                yield loaded.problem((*here, "follow_ups", place), say("{name} follows itself", name=name), say("name another card"))


def _is_itself(loaded: LoadedDeck | Draft, card: Card, link: str) -> bool:
    """Whether a link leads back to its card, also by an earlier id or with the deck's name before it."""
    names = ("", loaded.deck.deck, *loaded.deck.formerly) if isinstance(loaded, LoadedDeck) else ("",)
    deck, id = linked(link, "")
    return deck in names and id in (card.id, *card.formerly)


def _parts(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """What every card has, and how much of it."""
    for part in NEEDED:
        if not getattr(card, part):
            yield loaded.problem(
                (*here, "id"),
                say("{card} has no {part}", card=card.id, part=part),
                add_key(part, model.Card.model_fields[part]),
            )
    yield from _count(
        loaded,
        (*here, "hint") if card.hint else (*here, "id"),
        say("hints"),
        len(card.hint),
        HINTS,
        say("lead on in small steps: the first hint names the idea, none says the answer"),
    )
    if card.key_points:
        yield from _count(
            loaded,
            (*here, "key_points"),
            say("key points"),
            len(card.key_points),
            KEY_POINTS,
            say("one for each thing that an interviewer waits for"),
        )
    if card.verify:
        yield from _count(
            loaded,
            (*here, "verify"),
            say("claims"),
            len(card.verify.claims),
            CLAIMS,
            say("one for each sentence that torch can prove, and none twice"),
        )


def _choice(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """A few answers, one of them right, and of each why."""
    if card.kind != "choice":
        return
    yield from _count(
        loaded, (*here, "options"), say("options"), len(card.options), OPTIONS, say("the right one, and what people wrongly say")
    )
    right = sum(option.right for option in card.options)
    if right != 1:
        yield loaded.problem((*here, "options"), say("{right} of the options are right", right=right), say("let one be"))
    for place, option in enumerate(card.options):
        if option.why is None:
            yield loaded.problem(
                (*here, "options", place),
                say("option {number} does not say why", number=place + 1),
                say("add `why:`, also to the wrong ones"),
            )


def _code(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """A listing is run, and held against the card's run."""
    for key in ("compare", "agrees") if card.code else ():
        if not getattr(card.code, key):
            message = say("the listing of {card} has no {key}", card=card.id, key=key)
            yield loaded.problem((*here, "code"), message, add_key(key, model.Code.model_fields[key]))


def spoken_length(said: str, language: str) -> int:
    """The words of an English answer, the characters of a Chinese one, as they are spoken."""
    return len(said.split()) if language == "en" else len(_UNSPOKEN.sub("", said))


def _spoken(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """An answer can be said in half a minute."""
    for language, said in card.answer.root.items() if card.answer else ():
        if language and (length := spoken_length(said, language)) > SPOKEN[language] * TOLERANCE:
            yield loaded.problem(
                (*here, "answer", language),
                say("the answer takes longer than half a minute: {length}, and {most} can be said", length=length, most=SPOKEN[language]),
                say("leave out what the key points and detail say"),
            )


def _count(loaded: LoadedDeck | Draft, where: Location, what: str, count: int, allowed: range, hint: str) -> Iterator[Problem]:
    if count not in allowed:
        yield loaded.problem(
            where,
            say("{what}: {count}; our cards have {fewest} to {most}", what=what, count=count, fewest=allowed[0], most=allowed[-1]),
            hint,
        )


def _languages(loaded: LoadedDeck | Draft, where: Location, text: Text) -> Iterator[Problem]:
    """Whatever is said is said in both languages, and the Chinese is not the English again."""
    said = text.root
    if "" in said:
        hint = say("write {en: ..., zh: ...}: without --strict one language is enough")
        yield loaded.problem(where, say("strict asks for both languages; {subject} is one text", subject=location_name(where)), hint)
        return
    for language in LANGUAGES:
        if language not in said:
            yield loaded.problem(
                where,
                say("{subject} is missing", subject=location_name((*where, language))),
                say("write it in both languages: {en: ..., zh: ...}"),
            )
    english, chinese = said.get("en", ""), said.get("zh", "")
    if chinese and len(english.split()) >= _WORDS and not _CHINESE.search(chinese):
        yield loaded.problem(
            (*where, "zh"), say("{subject} has no Chinese in it", subject=location_name((*where, "zh"))), say("write it in Chinese")
        )
