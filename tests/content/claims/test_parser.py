"""What is a claim, and what is refused with a hint."""

from __future__ import annotations

import contextlib
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.claims.parser import parse
from content.claims.tokens import ClaimError


@pytest.mark.parametrize(
    "text",
    [
        "rate.__class__ > 1",
        "().__class__.__bases__[0] > 1",
        "__import__('os').system('id') > 1",
        "eval('1') > 0",
        "'a' * 10**9 > 1",
        "f'{rate}' > 1",
        "'{0.__class__}'.format(1) > 1",
        "[x for x in row] > 1",
        "all(x > 1 for x in row)",
        "(x := 1) > 0",
        "lambda: 1",
        "max(row)(1) > 0",
        "max(row)[0] > 0",
        "(1, 2) > 0",
        "[1] > 0",
        "{1: 2} > 0",
        "max(*row) > 0",
        "max(row, key=1) > 0",
        "row[] > 0",
        "row[0,] > 0",
        "row[0:1",
        "rate.a.b > 0",
        "rate.__class__ > 0",
        "rate._x > 0",
        "count(row) > 0",
        "dot(row) > 0",
        "weights[0][0][0] > 0",
        "row[rate > 1] > 0",
        "rate if rate else 1",
        "rate is rate",
        "rate in row",
        "True",
        "rate > None",
        "1j > 0",
        "... > 0",
        "1e999 > rate",
        "rate > 1 # really",
        "rate > 1; rate > 2",
        "rate > 1,",
        "rate @ rate > 1",
        "~rate > 1",
        "rate & 1 > 0",
        "rate << 9 > 0",
        "rate // 2 > 0",
        "ｒate > 1",
        "rate > 1\x00",
        "0x10 > rate",
        "1_0 > rate",
        "rate > 1and rate > 2",
        "sum(row > 1) > 1",
        "(rate > 1) + 1 > 1",
        "-(rate > 1)",
        "rate and rate",
        "abs(row)",
        "rate",
        "max > 1",
        "close(rate, rate)",
        "sqrt(rate, rate) > 1",
        "",
        "   ",
        "rate >",
        "(" * 100 + "rate" + ")" * 100 + " > 1",
        "-" * 250 + "rate > 1",
        "not " * 60 + "rate > 1",
        "+".join(["1"] * 120) + " > 1",
        "rate > " + "9" * 300,
        "await rate",
        "yield",
        "print(rate) > 0",
        "getattr(rate, rate) > 0",
    ],
)
def test_everything_outside_the_language_is_refused(text: str) -> None:
    """No attribute, text, import, foreign call, comprehension or deep nesting gets past the parser."""
    with pytest.raises(ClaimError) as refused:
        parse(text)

    assert 1 <= refused.value.column <= max(len(text), 1)
    assert refused.value.message


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("rate = 1", 6, "write =="),
        ("rate ≈ 1", 6, "write close(a, b, 0.05): equal within 5 %"),
        ("rate ≤ 1", 6, "write <="),
        ("rate =< 1", 6, "write <="),
        ("rate^2 > 1", 5, "write **, as in x**2"),
        ("√rate > 1", 1, "write sqrt(x)"),
        ("rate > 1 && rate > 2", 10, "write and"),
        ("rate × 2 > 1", 6, "write *"),
        ("rate > −1", 8, "write -"),
        ("avg(row) > 1", 1, "did you mean mean?"),
        ("maxx(row) > 1", 1, "did you mean max?"),
        ("rate", 1, "compare it: ... < 0.1"),
        ("(rate > 1", 1, "a ) is missing"),
    ],
)
def test_a_common_mistake_gets_its_hint(text: str, column: int, hint: str) -> None:
    """Spellings of other languages are pointed at, with what to write instead."""
    with pytest.raises(ClaimError) as refused:
        parse(text)

    assert (column, hint) == (refused.value.column, refused.value.hint)


@settings(deadline=None)
@given(st.text(max_size=320))
def test_arbitrary_text_raises_nothing_but_claim_errors(text: str) -> None:
    """Whatever stands in a deck, parsing ends in an expression or in a ClaimError, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with contextlib.suppress(ClaimError):
            parse(text)


def test_names_come_in_the_order_of_the_text() -> None:
    """The names of an expression are its parameters and results, each once, not its functions."""
    assert ("d", "d_k", "b") == parse("max(d, d_k) > b + d").names


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("rate > 5%", 8, "the % of 5% is no percent: it means a remainder here", "write 0.05"),
        ("(rate > 5 %) and n > 1", 9, "the % of 5 % is no percent: it means a remainder here", "write 0.05"),
        ("5％ < rate", 1, "the % of 5％ is no percent: it means a remainder here", "write 0.05"),
        ("rate < 100% or n > 1", 8, "the % of 100% is no percent: it means a remainder here", "write 1"),
        ("rate < 1,000", 8, "1,000 is not a number here, because of its comma", "write 1000"),
        ("max(1,000, n) > 2", 5, "1,000 is not a number here, because of its comma", "write 1000"),
        ("rate < 8,5", 8, "8,5 is not a number here, because of its comma", "write 8.5"),
        ("rate < 1.000,5", 8, "1.000,5 is not a number here, because of its comma", "write 1000.5"),
        ("rate < 1 000", 8, "1 000 is not a number here, because of its space", "write 1000"),
        ("rate < 1'000", 8, "1'000 is not a number here, because of its apostrophe", "write 1000"),
        ("rate < 1_000", 8, "1_000 is not a number here, because of its underscore", "write 1000"),
        ("rate < 0x10", 8, "0x10 is not a number here", "write 16"),
        ("rate < 05", 8, "05 is not a number here, because of its leading zero", "write 5"),
        ("rate < ５．５", 8, "５．５ is not a number here", "write 5.5"),
        ("rate < ½", 8, "½ is not a number here", "write 0.5"),
        ("rate < 5‰", 9, "‰ is not part of the language", "write 0.005"),
        ("rate < ∞", 8, "∞ is not part of the language", "compare with a large number, such as 1e6"),
        ("rate < 5 percent", 10, "nothing stands between 5 and percent", "put an operator between them: < + * and"),
        ("rate n > 5", 6, "nothing stands between rate and n", "put an operator between them: < + * and"),
        ("rate > 1, n > 2", 1, "a claim is one sentence, without a comma", "write and between two comparisons, or make two claims"),
        (
            "close(rate, 8,5, 0.1)",
            1,
            "close does not take 4 values",
            "a decimal has a point, as in 8.5; write close(a, b, 0.05): true when they differ by at most 5 %",
        ),
    ],
)
def test_numbers_of_other_places_are_told_as_numbers(text: str, column: int, message: str, hint: str) -> None:
    """Percent signs, decimal commas, groups of digits, other digits: what the number would be here."""
    with pytest.raises(ClaimError) as refused:
        parse(text)

    assert (column, message, hint) == (refused.value.column, refused.value.message, refused.value.hint)


@pytest.mark.parametrize(
    "text",
    [
        "rate % 5 == 0",
        "rate > 5 % n",
        "max(1,2) > rate",
        "max(1, 100) > n",
        "rate > .5",
        "rate > 5.",
        "rate > 1e-3",
        "x1 > 0.05",
        "0 < 1 / n",
    ],
)
def test_numbers_of_the_language_are_taken(text: str) -> None:
    """A remainder, values with a comma between them, points at either end."""
    parse(text)
