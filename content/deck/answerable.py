"""Cards that nobody can answer wrongly, or rightly: equal answers, a tolerance for every guess, a correction that corrects nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from content.deck.cards import UNREAD, Card, Code, Text
from content.deck.library import Draft, LoadedDeck
from content.format import LANGUAGES
from content.messages.sentence import say
from content.yaml.problems import Problem
from content.yaml.tree import Location

_ALIKE = say("make them differ, or delete one")


def unanswerable(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """Errors where an answer cannot be judged, warnings where something is only said twice."""
    for i, j in _equal([option.text for option in card.options]):
        yield loaded.problem(
            (*here, "options", j, "text"), say("options {first} and {second} read the same", first=i + 1, second=j + 1), _ALIKE
        )
    if len(card.options) > 1 and all(option.right for option in card.options):
        yield loaded.problem(
            (*here, "options"), say("every option is right: there is nothing to choose"), say("add a wrong one"), "warning"
        )
    for i, j in _equal(card.order):
        yield loaded.problem(
            (*here, "order", j),
            say("items {first} and {second} read the same: their order cannot be told", first=i + 1, second=j + 1),
            _ALIKE,
        )
    for i, j in _equal(card.key_points):
        yield loaded.problem(
            (*here, "key_points", j), say("key points {first} and {second} read the same", first=i + 1, second=j + 1), _ALIKE, "warning"
        )
    for i, j in _equal(card.hint):
        yield loaded.problem(
            (*here, "hint", j), say("hints {first} and {second} read the same", first=i + 1, second=j + 1), _ALIKE, "warning"
        )
    for key, names in (("tags", card.tags), ("follow_ups", card.follow_ups), ("sources", card.sources)):
        for i, j in _twice(names):
            yield loaded.problem(
                (*here, key, j),
                say("items {first} and {second} of {key} are the same", first=i + 1, second=j + 1, key=key),
                say("delete one"),
                "warning",
            )
    checks = ["".join(claim.check.split()) for claim in card.verify.claims] if card.verify else []
    for i, j in _twice([check if check != UNREAD else f"{UNREAD}{place}" for place, check in enumerate(checks)]):
        where = (*here, "verify", "claims", j, "check")
        yield loaded.problem(
            where,
            say("claims {first} and {second} check the same", first=i + 1, second=j + 1),
            say("delete one, or check what it says"),
            "warning",
        )
    yield from _tolerance(loaded, here, card)
    if card.code:
        yield from _correction(loaded, (*here, "code"), card.code)


def _tolerance(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    asked = card.number or card.predict
    if asked is None:
        return
    where = (*here, "number" if card.number else "predict", "within")
    value = card.number.value if card.number else None
    if asked.within.is_relative and asked.within.amount >= 1:
        yield loaded.problem(
            where,
            say("within: {within} takes 0 for right, whatever the number is", within=asked.within.root),
            say("write less than 100%, such as 20%"),
        )
    elif value and not asked.within.is_relative and asked.within.amount >= abs(value):
        hint = say("write less than {most:g}, or a percentage", most=abs(value))
        yield loaded.problem(
            where,
            say("within: {within} takes 0 for right, and the answer is {value:g}", within=asked.within.root, value=value),
            hint,
            "warning",
        )


def _correction(loaded: LoadedDeck | Draft, here: Location, code: Code) -> Iterator[Problem]:
    line = code.listing.splitlines()[code.wrong_line - 1]
    if not line.strip():
        hint = say("count the lines of the listing from 1, empty ones too")
        yield loaded.problem((*here, "wrong_line"), say("line {line} of the listing is empty", line=code.wrong_line), hint)
    elif line.rstrip() == code.right.rstrip() or line.strip() == code.right:
        message = say("right is line {line} of the listing as it stands: nothing is corrected", line=code.wrong_line)
        yield loaded.problem((*here, "right"), message, say("write the line as it should be; wrong_line counts from 1"))


def _equal(texts: Sequence[Text]) -> Iterator[tuple[int, int]]:
    """Each text that an earlier one equals in some language, with that one."""
    if len(texts) < 2:
        return
    pairs = {pair[1]: pair for language in LANGUAGES for pair in _twice([" ".join(text.said(language).split()) for text in texts])}
    yield from (pairs[later] for later in sorted(pairs))


def _twice(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    if len(texts) < 2 or len(set(texts)) == len(texts):  # most lists have no two alike
        return
    first: dict[str, int] = {}
    for index, text in enumerate(texts):
        if text and (earlier := first.setdefault(text, index)) != index:  # what is blank was wrong, and is told as that
            yield earlier, index
