"""Numbers as people type them, and as they are shown: 58, 58 %, 1,000, 0,5, 2e-3, ５８。６."""

from __future__ import annotations

import math
import re

from content.text.numbers import significant
from quiz.words.half_width import half_width

LONGEST = 60  # characters of a typed number and its unit
MINUS = str.maketrans(dict.fromkeys("\u2212\u2010\u2011\u2013\ufe63", "-"))  # as fonts, keyboards and copied text write it
POINT = str.maketrans({"。": ".", "｡": "."})  # what the key of the point gives in a Chinese input method
SPACES = str.maketrans(dict.fromkeys("\u00a0\u2009\u202f", " "))  # between groups of three

_PARTS = re.compile(r"(?P<sign>[-+]?) ?(?P<digits>[0-9][0-9., ]*|[.,][0-9]+)(?P<exponent>[eE][-+]?[0-9]+)?(?P<unit>.*)")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:(,)(?:[0-9]{3},)*[0-9]{3}|( )(?:[0-9]{3} )*[0-9]{3})(?:\.[0-9]*)?")
_GROUPED_BEFORE_A_COMMA = re.compile(
    r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]+|(?: [0-9]{3})+,(?![0-9]{3}$)[0-9]+|(?:\.[0-9]{3}){2,})"  # 1 000,000 could be a million
)
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_DECIMAL_COMMA = re.compile(r"[0-9]*,[0-9]+")


def read_number(text: str, unit: str = "%") -> float | None:
    """The number in a typed text, or None where it is not certain which one is meant. `unit` may follow it: the question has said it.

    A comma stands for thousands where it can, as numbers are shown here, and is the decimal one elsewhere: 1,000 is a thousand, 0,5 a half.
    """
    if len(text) > LONGEST:
        return None
    parts = _PARTS.fullmatch(typed_as_ascii(text).strip())
    if parts is None or parts["unit"].strip() not in ("", half_width(unit).strip()):
        return None
    mantissa = _with_a_point(parts["digits"].rstrip(" "))
    if mantissa is None:
        return None
    number = float(f"{parts['sign']}{mantissa}{parts['exponent'] or ''}")
    vanished = number == 0 and mantissa.strip("0.") != ""  # 1e-400
    return None if vanished or not math.isfinite(number) else number


def typed_as_ascii(text: str) -> str:
    """What was typed with the characters that a number has: full-width ones, Chinese points and other minus signs as plain ones."""
    return half_width(text).translate(POINT).translate(MINUS).translate(SPACES)


def _with_a_point(digits: str) -> str | None:
    """Digits without anything between groups of three, and with a point for a comma; None where they cannot be told apart."""
    if _PLAIN.fullmatch(digits):
        return digits
    if _GROUPED.fullmatch(digits):
        return digits.replace(",", "").replace(" ", "")
    if _GROUPED_BEFORE_A_COMMA.fullmatch(digits):
        return digits.replace(".", "").replace(" ", "").replace(",", ".")
    return digits.replace(",", ".") if _DECIMAL_COMMA.fullmatch(digits) else None


def spell_number(number: float) -> str:
    """A number as one would type it, with all its digits: what read_number() reads is the same number."""
    return repr(number).removesuffix(".0")


def group_thousands(value: float) -> str:
    """A number with at most four significant digits; long whole numbers in groups of three: 109,482,240."""
    return f"{value:,.0f}" if 10_000 <= abs(value) < 10**15 and value == int(value) else significant(value)


def with_unit(value: float, unit: str) -> str:
    """A number and its unit."""
    return f"{group_thousands(value)} {unit}".rstrip()
