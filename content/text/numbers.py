"""How a number is written for a person: few digits, no zeros that say nothing, an exponent only where it must be."""

from __future__ import annotations

import math
from decimal import Decimal

DIGITS = 4
_EXACT = 10**15  # from here on a number is written with an exponent


def significant(number: float, digits: int = DIGITS) -> str:
    """At most `digits` significant digits; whole numbers and the digits before the point stay: 22.63, 0.998, 109482240, 1.2e-16."""
    if number != number:
        return "NaN"
    size = abs(number)
    if size == math.inf:
        return "∞" if number > 0 else "-∞"
    if size >= _EXACT:
        return _exponent(number, digits)
    if number == int(number):
        return str(int(number))
    if size < 1e-4:
        return _exponent(number, max(2, digits - 2))
    return _trimmed(f"{number:.{max(0, digits - 1 - math.floor(math.log10(size)))}f}")


def number_range(low: float, high: float) -> str:
    """A range in a few characters: `0..100`, `≥ 0`, `≤ 1`, `3` for a single number; nothing where every number is in it."""
    if high == math.inf:
        return "" if low == -math.inf else f"≥ {significant(low)}"
    if low == -math.inf:
        return f"≤ {significant(high)}"
    return significant(low) if low == high else f"{significant(low)}..{significant(high)}"


def _exponent(number: float, digits: int) -> str:
    mantissa, _, exponent = f"{Decimal(number):.{digits - 1}e}".partition("e")
    return f"{_trimmed(mantissa)}e{int(exponent)}"


def _trimmed(decimal: str) -> str:
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal
