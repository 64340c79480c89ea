"""Numbers as people type them."""

from __future__ import annotations

import pytest

from quiz.words.numbers import read_number, with_unit


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("58", 58),
        (" 58.6 ", 58.6),
        ("58%", 58),
        ("58 ％", 58),
        ("1,000", 1000),
        ("2e-3", 0.002),
        ("-1", -1),
        ("\u22121", -1),
        ("５８．６", 58.6),
        ("", None),
        ("%", None),
        ("注意力", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
        ("1_000", None),
        ("1 2", None),
    ],
)
def test_what_counts_as_a_number(typed: str, expected: float | None) -> None:
    """Percent signs, thousands, full-width digits and a real minus are read; nan, infinity and words are not numbers."""
    assert expected == read_number(typed)


def test_a_unit_follows_its_number() -> None:
    """At most four significant digits, then the unit; without a unit no trailing space."""
    assert "58.65 %" == with_unit(58.649, "%")
    assert "22.63" == with_unit(22.627, "")
    assert "2,362,368" == with_unit(2362368, "")
