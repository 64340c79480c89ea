"""Numbers and ranges as they are written for people."""

from __future__ import annotations

import math

import pytest

from content.text.numbers import number_range


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, "0..1"),
        (-0.5, 1048576, "-0.5..1048576"),
        (0, 6.238324625, "0..6.238"),
        (0, math.inf, "≥ 0"),
        (-math.inf, 0, "≤ 0"),
        (3, 3.0, "3"),
        (-math.inf, math.inf, ""),
    ],
)
def test_a_range(low: float, high: float, expected: str) -> None:
    """Both ends, the one that there is, a single number; nothing where any number is possible."""
    assert expected == number_range(low, high)
