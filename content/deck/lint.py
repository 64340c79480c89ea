"""What is legal in a deck and probably not meant: a language left out, an answer that nothing proves, a question that asks badly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from content.deck.cards import Card, Claim, Code, Number, Option, Part, Predict, Preset, Text, Verification
from content.deck.hints import faulty_hints
from content.deck.library import Draft, LoadedDeck
from content.deck.location_names import location_name
from content.format import LANGUAGES
from content.messages.sentence import say
from content.yaml.problems import Problem
from content.yaml.tree import Location

_VALUES: Mapping[type[Part], Callable[[Any], tuple[Any, ...]]] = {
    part: attrgetter(*part.__slots__) for part in (Card, Predict, Option, Number, Code, Verification, Preset, Claim)
}
_ASIDE = re.compile(r"`[^`]*`|\$[^$]*\$|“[^”]*”|「[^」]*」|\"[^\"]*\"|[（(][^）)]*[）)]")  # what is quoted asks nothing
_ENDS = re.compile(r"[?？]")
_ALSO = re.compile(  # two words that ask, the second after a comma or an `and`; `and why` belongs to the first
    r"""\b(?:why|how|what|when|which|where|who)\b [^?]*?
          (?: ,\ and\ (?:how|what|when|which|where|who)\b | \band\ (?:how|when)\b )
      | (?<!无论)(?<!不管) (?:是什么|什么是|有哪些|为什么|为何|如何|怎样|多少) [^？?]*? [，；]
          (?:以及|并且|而且|同时|并|又|那么|它)? [^，；？?]{0,8}? (?:是什么|有什么|有哪些|如何|怎样|怎么|是多少)""",
    re.IGNORECASE | re.VERBOSE,
)
_COMPARED = re.compile(r"\bbetween\b|\bdiffer|区别|差别|不同", re.IGNORECASE)
_YES_OR_NO = re.compile(
    r"""\W*(?:(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\b | 是否|是不是|能否|能不能|可否|有没有|会不会)
      | .* 吗 \W* \Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def style_warnings(loaded: LoadedDeck | Draft) -> Iterator[Problem]:
    """Warnings only, also for the sound cards of a deck that was refused."""
    languages = _languages(loaded)
    if isinstance(loaded, LoadedDeck):
        yield from _unsaid(loaded, ("title",), loaded.deck.title, languages)
        for name, computation in loaded.deck.experiments.items():
            yield from _unsaid(loaded, ("experiments", name, "title"), computation.title, languages)
    for index, card in loaded.cards.items():
        here: Location = ("cards", index)
        if not _is_complete(card, len(languages)):
            for where, text in texts_of(card, here):
                yield from _unsaid(loaded, where, text, languages)
        yield from _unproved(loaded, here, card)
        yield from _question(loaded, here, card)
        for place, offset, message, hint in faulty_hints(card):
            yield loaded.problem_in((*here, *place), offset, message, hint, "warning")


def _is_complete(value: object, languages: int) -> bool:
    """Whether every text is in so many languages or for all of them: most cards are, and then no place of a text is wanted."""
    if isinstance(value, Text):
        return len(value.root) == languages or "" in value.root
    if isinstance(value, Part):
        value = _VALUES[type(value)](value)
    if isinstance(value, tuple):
        for part in value:
            if part and not isinstance(part, str) and not _is_complete(part, languages):
                return False
    return True


def texts_of(value: object, here: Location) -> list[tuple[Location, Text]]:
    """Every text of a card, or of a part of one, with its location."""
    found: list[tuple[Location, Text]] = []
    _gather(value, here, found)
    return found


def _gather(value: object, here: Location, found: list[tuple[Location, Text]]) -> None:
    if isinstance(value, Text):
        found.append((here, value))
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            if not isinstance(part, str):
                _gather(part, (*here, index), found)
    elif isinstance(value, Part):
        for name in value.__slots__:
            if (part := getattr(value, name)) and not isinstance(part, str):
                _gather(part, (*here, name), found)


def _languages(loaded: LoadedDeck | Draft) -> tuple[str, ...]:
    """The languages that the deck is written in: those of its title and questions that are given by language."""
    titles = [loaded.deck.title] if isinstance(loaded, LoadedDeck) else []
    used = {language for text in (*titles, *(card.question for card in loaded.cards.values())) for language in text.root}
    return tuple(language for language in LANGUAGES if language in used)


def _unsaid(loaded: LoadedDeck | Draft, where: Location, text: Text, languages: tuple[str, ...]) -> Iterator[Problem]:
    """A text without one of the deck's languages. A plain string is for all of them."""
    for language in languages:
        if language not in text.languages:
            hint = say(
                "who reads {language} sees the {other}; write it, or give one text for all", language=language, other=next(iter(text.root))
            )
            yield loaded.problem(where, say("{subject} is missing", subject=location_name((*where, language))), hint, "warning")


def _unproved(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    if not (card.verify and card.verify.claims):
        where = (*here, "verify") if card.verify else (*here, "id")
        hint = say(
            "give it verify: with an experiment and claims; `qkv lab` lists the experiments, `qkv lab NAME --names` what they measure"
        )
        yield loaded.problem(where, say("nothing proves the answer of {card}: it has no claim", card=card.id), hint, "warning")


def _question(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    for language, said in card.question.root.items():
        where = (*here, "question", language) if language else (*here, "question")
        asked = _ASIDE.sub("_", said)
        if len(_ENDS.findall(asked)) > 1 or (card.kind == "explain" and _ALSO.search(asked) and not _COMPARED.search(asked)):
            yield loaded.problem(
                where, say("this asks more than one question"), say("ask one; make the other a card of follow_ups:"), "warning"
            )
        elif card.kind == "explain" and _YES_OR_NO.match(asked):
            yield loaded.problem(where, say("yes or no would answer this question"), say("ask why, how, what or when"), "warning")
