"""One rule for numbers, wherever a deck has one, and what the other spellings of people mean."""

from __future__ import annotations

import pytest

from content.yaml.numerals import meant, real, whole
from engine.label import Label, ParameterError
from engine.parameter import Parameter


@pytest.mark.parametrize(
    ("text", "number"), [("64", 64), ("-0.5", -0.5), (".5", 0.5), ("5.", 5), ("+1e-3", 1e-3), ("1E3", 1000), ("012", 12)]
)
def test_numbers_are_read(text: str, number: float) -> None:
    """Digits, a point, an exponent, a sign."""
    assert number == real(text)


@pytest.mark.parametrize(
    ("text", "number"), [("64", 64), ("64.0", 64), ("1e3", 1000), ("-2", -2), ("6.4e1", 64), ("2.5", None), ("1e400", None), ("1e17", None)]
)
def test_whole_numbers_are_read(text: str, number: int | None) -> None:
    """Also with a point or an exponent, as long as they are exact."""
    assert number == whole(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1,000", "1000"), ("1,234,567.5", "1234567.5"), ("1 000", "1000"), ("1'000", "1000"), ("1_000", "1000"), ("1_0", "10"),
        ("8,5", "8.5"),
        ("1.000,5", "1000.5"), ("5%", "0.05"), ("8,5 %", "0.085"), ("5‰", "0.005"), ("５", "5"), ("３．５", "3.5"), ("½", "0.5"),
        ("1/4", "0.25"),
        ("0x10", "16"), ("−3", "-3"), (" 7 ", "7"), ("0。5", "0.5"), ("1/0", ""), ("nan", ""), ("inf", ""), ("12:30", ""),
        ("1e400", ""), ("abc", ""), ("", ""),
    ],
)  # fmt: skip
def test_what_other_spellings_mean(text: str, written: str) -> None:
    """A hint names the number that was meant, as a deck writes it, or none."""
    assert written == meant(text)
    assert real(text) is None


@pytest.mark.parametrize("text", ["64", "64.0", "1e2", "+8", ".5", "1_6", "１６", "0x10", "inf", "nan", "1,0", "", "8.", "1e", "--8", "٨"])
def test_set_takes_what_level_takes(text: str) -> None:
    """What the engine reads as a parameter's value is what a deck has for a number, whole or not."""
    for default, read in ((8, whole), (8.0, real)):
        try:
            taken: object = Parameter("x", Label("x", "x"), default, 0, 1000).accept(text)
        except ParameterError:
            taken = None
        assert read(text) == taken
