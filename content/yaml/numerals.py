"""Numbers as a deck writes them, in one rule for all of it: 64, -0.5, .5, 1e-3; and what the other spellings of people would be here."""

from __future__ import annotations

import math
import re
import unicodedata

DECIMAL = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"  # as the engine reads a parameter
_DECIMAL = re.compile(DECIMAL)
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
_EXACT = 2**53  # up to here a number with a point or an exponent is the whole number that it looks like
_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:[,_'\u2019 \u00a0\u2009\u202f][0-9]{3})+(?:\.[0-9]+)?")
_FRACTION = re.compile(r"([-+]?[0-9]{1,15})\s*[/\u2044]\s*([0-9]{1,15})")


def real(text: str) -> float | None:
    """The number that a text is, or None where it is none or is written in another way."""
    number = float(text) if _DECIMAL.fullmatch(text) else math.nan
    return number if math.isfinite(number) else None


def whole(text: str) -> int | None:
    """The whole number that a text is, also as 64.0 or 1e3; None where it is none or is written in another way."""
    if _WHOLE.fullmatch(text):
        return int(text)
    number = real(text)
    return int(number) if number is not None and number == int(number) and abs(number) <= _EXACT else None


def meant(text: str) -> str:
    """How a deck writes a number that was spelt in another way: 1,000 is 1000, 8,5 is 8.5, 5% is 0.05; nothing where that is not clear."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-").replace("\u3002", ".")
    if plain.endswith(("%", "\u2030")):
        part = meant(plain[:-1])
        return _written(float(part) / (100 if plain.endswith("%") else 1000)) if part else ""
    if re.fullmatch(r"[-+]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+", plain):
        plain = plain.replace(".", "").replace(",", ".")
    elif _GROUPED.fullmatch(plain):
        plain = re.sub(r"[^-+.0-9]", "", plain)
    elif re.fullmatch(r"[-+]?[0-9]+(?:_[0-9]+)+", plain):
        plain = plain.replace("_", "")
    elif re.fullmatch(r"[-+]?[0-9]+[,\u00b7][0-9]+", plain):
        plain = re.sub("[,\u00b7]", ".", plain)
    elif fraction := _FRACTION.fullmatch(plain):
        return _written(int(fraction[1]) / int(fraction[2])) if int(fraction[2]) else ""
    elif re.fullmatch(r"0[xX][0-9a-fA-F]{1,12}", plain):
        return str(int(plain, 16))
    number = real(plain)
    return "" if number is None else _written(number)


def _written(number: float) -> str:
    return str(int(number)) if number == int(number) and abs(number) <= _EXACT else f"{number:.12g}"
