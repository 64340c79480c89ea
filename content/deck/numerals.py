"""Numbers and dates as a deck writes them. Pydantic alone also takes 1_0 for ten and a bare number for seconds since 1970."""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from content.claims.evaluator import number
from content.claims.parser import parse_number
from content.claims.tokens import ClaimError
from content.messages.sentence import say
from content.yaml.numerals import meant, real, whole


def _read(read: Callable[[str], object], error: str) -> Callable[[object], object]:
    """What a text is read as; refuses one that is not written as it must be, as pydantic refuses one that it cannot read."""

    def check(value: object) -> object:
        if not isinstance(value, str):
            return value
        if (found := read(value)) is None:
            raise PydanticCustomError(error, "written in another form")
        return found

    return check


def _day(text: str) -> str | None:
    return text if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None


def _computed(text: str) -> float | None:
    """A number, or what an expression of numbers alone is worth: 12 * 768**2."""
    if (written := real(text)) is not None:
        return written
    try:
        expression = parse_number(text)
    except ClaimError:
        return None
    return number(expression, {})[0] if not expression.names else None


def _expression(text: str) -> str:
    try:
        parse_number(text)
    except ClaimError as error:
        raise ValueError(say("{sentence}; {hint}", sentence=error.message, hint=error.hint) if error.hint else error.message) from None
    return text


EXPRESSION = AfterValidator(_expression)
WHOLE = BeforeValidator(_read(whole, "int_parsing"))
REAL = BeforeValidator(_read(real, "float_parsing"))
COMPUTED = BeforeValidator(_read(_computed, "float_parsing"))
DAY = BeforeValidator(_read(_day, "date_parsing"))


def better_number(value: object) -> str:
    """What to write for a number that was given with its unit, or in the spelling of another place."""
    if not isinstance(value, str):
        return say("digits, such as 0.25 or 1e-3")
    if (with_unit := re.fullmatch(r"(\S*[0-9])\s*([%A-Za-zµ°][^\s0-9]{0,19})", value.strip())) and meant(with_unit[1]):
        return say('{number}, and `unit: "{unit}"`', number=meant(with_unit[1]), unit=with_unit[2])
    return meant(value) or say("digits, such as 0.25 or 1e-3; the unit has its own key")


def better_tolerance(text: str) -> str:
    """What to write for a tolerance that was given in the spelling of another place: 0,5 is 0.5, ±5 % is 5%."""
    plain = text.strip().lstrip("±+-~≈ ")
    better = meant(plain.removesuffix("%"))
    return better + "%" * plain.endswith("%") if better and not better.startswith("-") else say("5 or 10%")
