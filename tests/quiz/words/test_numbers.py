"""Numbers as people type them."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from quiz.words.numbers import read_number, spell_number, typed_as_ascii, with_unit


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


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("21。5", 21.5),
        ("２１。５", 21.5),
        ("21｡5", 21.5),
        ("。5", 0.5),
        ("21。", 21),
        ("－３", -3),
        ("–3", -3),
        ("＋3", 3),
        ("５８　％", 58),
        ("２ｅ－３", 0.002),
        ("1，000", 1000),
        ("0，5", 0.5),
    ],
)
def test_chinese_and_full_width_punctuation_is_read_as_meant(typed: str, expected: float) -> None:
    """21。5 is 21.5 and never 215: the key of the point gives 。 in a Chinese input method, and nobody sees the difference."""
    assert expected == read_number(typed)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("0,5", 0.5),
        ("1,5", 1.5),
        ("0,001", 0.001),
        (",5", 0.5),
        ("-12,25", -12.25),
        ("3,14159", 3.14159),
        ("1.000,5", 1000.5),
        ("1.234.567,8", 1234567.8),
        ("1.000.000", 1_000_000),
        ("1,000.5", 1000.5),
        ("109,482,240", 109_482_240),
        ("1 000", 1000),
        ("1 000,5", 1000.5),
        ("1 000.5", 1000.5),
        ("1\u202f000\u202f000", 1_000_000),
        ("1.000", 1),
    ],
)
def test_decimal_commas_and_groups_of_three(typed: str, expected: float) -> None:
    """A comma is the decimal one unless it can stand between groups of three, as it does in the numbers that are shown here."""
    assert expected == read_number(typed)


@pytest.mark.parametrize(
    "typed",
    [
        *("1/2", "½", "0x10", "0b11", "0o17", "1_0", "１＿０", "10³", "10^3", "2×10^3", "2*3", "1e", "e3", "1e2.5", "1e400", "1e-400"),
        *("10k", "10K", "3M", "58‰", "5-10", "5–10", "5~10", "~5", "≈5", ">5", "1:2", "1'000", "五", "五十八", "一", "１２万", "①②"),
        *("1,,000", "1,00,000", "12,34,567", "1,000,00", "1.000.00", "1,0,5", "1..5", "1.5.2", "1,5,2", "0,000,5", "000,001,5"),
        *(
            "1 00",
            "1  000",
            "12 3456",
            "1 000 00",
            "5 5",
            "- 5 5",
            "--5",
            "+-5",
            "5-",
            "5%%",
            "%5",
            "$5",
            "5,",
            ",",
            ".",
            "-",
            "。",
            "9" * 61,
        ),
        *("1,000 000", "1 000,000", "1.000 000", "٥", "५", "𝟓", "5\u200b", "5\n5", "5\t5"),
    ],
)
def test_what_is_not_certain_is_no_number(typed: str) -> None:
    """Anything that could be read as another number than the one that was meant, or only by dropping something, is refused."""
    assert read_number(typed) is None


@pytest.mark.parametrize(
    ("typed", "unit", "expected"),
    [("64 bits", "bits", 64), ("64", "bits", 64), ("64%", "bits", None), ("58%", "", None), ("58％", "%", 58), ("5 GB", "GiB", None)],
)
def test_a_unit_is_dropped_where_the_question_has_said_it(typed: str, unit: str, expected: float | None) -> None:
    """58% is 58 where percents are asked for; elsewhere it could be 0.58."""
    assert expected == read_number(typed, unit)


def test_no_digit_is_dropped() -> None:
    """Of 20,000 texts of digits and signs, those that are read have the digits that were typed, all of them and in their order."""
    draw = random.Random(2)
    texts = ["".join(draw.choices("0123456789.,-+ 。，％_/xk'５", k=draw.randint(1, 9))) for _ in range(20_000)]
    read = {text: number for text in texts if (number := read_number(text)) is not None}
    typed = {text: "".join(character for character in typed_as_ascii(text) if character.isdigit()).strip("0") for text in read}
    digits = {text: "".join(map(str, Decimal(spell_number(number)).as_tuple().digits)).strip("0") for text, number in read.items()}

    assert typed == digits
    assert len(read) > 1000


def test_a_number_spelled_is_the_same_number() -> None:
    """What is put back into the input for a correction is what had been typed, to the last digit: 109482240, not 1.09482e+08."""
    draw = random.Random(1)
    numbers = [109482240.0, 0.1, 1e300, -5.0, *(draw.uniform(-1, 1) * 10 ** draw.randint(-20, 20) for _ in range(500))]

    assert numbers == [read_number(spell_number(number)) for number in numbers]
    assert "109482240" == spell_number(109482240.0)


def test_a_unit_follows_its_number() -> None:
    """At most four significant digits, then the unit; without a unit no trailing space."""
    assert "58.65 %" == with_unit(58.649, "%")
    assert "22.63" == with_unit(22.627, "")
    assert "2,362,368" == with_unit(2362368, "")
