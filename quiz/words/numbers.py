"""Numbers as people type them, and as they are shown: 58, 58 %, 1,000, 2e-3, ５８."""

from __future__ import annotations

import math
import unicodedata

from content.text.numbers import significant


def read_number(text: str) -> float | None:
    """The number in a typed text, or None. A percent sign is dropped: the question says its unit."""
    plain = unicodedata.normalize("NFKC", text).strip().removesuffix("%").strip().replace(",", "").replace("\u2212", "-")
    try:
        number = float(plain)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in plain else None


def group_thousands(value: float) -> str:
    """A number with at most four significant digits; long whole numbers in groups of three: 109,482,240."""
    return f"{value:,.0f}" if 10_000 <= abs(value) < 10**15 and value == int(value) else significant(value)


def with_unit(value: float, unit: str) -> str:
    """A number and its unit."""
    return f"{group_thousands(value)} {unit}".rstrip()
