"""Digits in a text that nobody would find when they go wrong: neither live, claimed or set, nor part of a formula, a year or a name."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from content.claims.parser import parse
from content.claims.tokens import ClaimError
from content.deck.cards import Card, Verification
from content.deck.checks import PROSE
from content.deck.lint import texts_of
from content.format import LANGUAGES
from content.messages.sentence import say
from content.yaml.numerals import real
from content.yaml.tree import Location

Scope = Mapping[str, object]

EARLY = ("question", "hint", "predict")  # what is shown before the reveal
TELLING = 3  # digits of a whole number from which on it is hardly equal to a result by chance
SMALL = 12  # a whole number up to this is a way of counting: two heads, three tokens
_SHIELDED = re.compile(r"\{\{.*?\}\}|\$\$.*?\$\$|\$[^$\n]*\$|```.*?```|`[^`]*`", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.,/^√·×-])\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?(?P<percent>\s?[%％])?(?![\w^²³]|\.\d|-\d)", re.ASCII)
_YEAR = re.compile(r"(?:19|20)\d\d")


def unproved_digits(card: Card, scope: Scope, parameters: Collection[str] = ()) -> Iterator[tuple[Location, int, str, str]]:
    """Location in the card, offset in the text, what is wrong, what to do; once for each number in a text.

    `parameters` are the names in the scope that nothing measures: one that the card does not set is equal by chance.
    """
    proved = _proved(card.verify) if card.verify else frozenset()
    for place, text in texts_of(card, ()):
        if place[0] not in ("question", "hint", "predict", "key_points", *PROSE):
            continue
        for language, said in text.root.items():
            for number, offset, percent in _numbers(said):
                if number in proved or (percent and number / 100 in proved):
                    continue
                given = _given(card, language or "en")
                fillable = {} if place[0] in EARLY else scope
                hint = (
                    _hundredfold(number, given)
                    or _live(number, percent, said[offset:], fillable, parameters)
                    or say("make it live, let a claim compare it, or put it into a formula")
                )
                told = say("{number} is found by nobody when it goes wrong", number=_written(said, offset))
                yield ((*place, language) if language else place), offset, told, hint


def _given(card: Card, language: str) -> Scope:
    """What a text before the reveal may have filled in."""
    given = card.verify.settings(language) if card.verify else {}
    return {name: number for name, value in given.items() if (number := real(value)) is not None}


def _numbers(said: str) -> Iterator[tuple[float, int, bool]]:
    shown = _SHIELDED.sub(lambda found: " " * len(found[0]), said)
    for found in _NUMBER.finditer(shown):
        percent = bool(found["percent"])
        digits = found[0].removesuffix(found["percent"] or "").replace(",", "")
        number = float(digits)
        if _YEAR.fullmatch(digits) or (number.is_integer() and number <= SMALL and not percent):
            continue
        yield number, found.start(), percent


def _written(said: str, offset: int) -> str:
    found = _NUMBER.match(said, offset)
    return found[0] if found else said[offset : offset + 8]


def _proved(verify: Verification) -> frozenset[float]:
    """The numbers that a claim compares with, and those that the card sets, how many seeds it draws among them."""
    numbers = {number for language in LANGUAGES for value in verify.settings(language).values() if (number := real(value)) is not None}
    numbers |= {float(run.seeds) for run in verify.every_run.values() if run.seeds > 1}
    for claim in verify.claims:
        try:
            tree = parse(claim.check).tree
        except ClaimError:
            continue
        numbers |= {float(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, int | float)}
    return frozenset(numbers)


def _hundredfold(number: float, given: Scope) -> str:
    """How a share that the card sets is quoted as a percentage without its sign."""
    for name, value in given.items():
        if isinstance(value, int | float) and 0 < value < 1 and round(100 * value, 6) == number:
            return say("write {{{{100 * {name}:.0f}}}}", name=name)
    return ""


def _live(number: float, percent: bool, written: str, scope: Scope, parameters: Collection[str]) -> str:
    """How a result is quoted that is this number, as far as it is written; a number of few digits is soon equal by chance."""
    digits = re.match(r"[\d,]+(?:\.(\d+))?", written)
    places = len(digits[1]) if digits and digits[1] else 0
    for name, value in sorted(scope.items(), key=lambda known: known[0] in parameters):
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e300:
            continue
        if percent and round(value * 100, places) == number:
            quoted = f"{{{{{name}:.{places}%}}}}"
        elif round(float(value), places) == number:
            spec = ":," if value == int(value) and value >= 1000 else "" if value == int(value) else f":.{places}f"
            quoted = f"{{{{{name}{spec}}}}}{' %' if percent else ''}"
        else:
            continue
        if name in parameters or (number.is_integer() and len(f"{number:.0f}".rstrip("0")) < TELLING):
            return say("{quoted} happens to be equal; is it what you mean?", quoted=quoted)
        return say("write {quoted}", quoted=quoted)
    return ""
