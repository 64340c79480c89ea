"""What a claim computes, when it holds, and why it fails."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.claims.evaluator import evaluate
from content.claims.parser import parse
from content.claims.tokens import ClaimError
from tests.content.claims.scope import NAN, SCOPE, decide


@pytest.mark.parametrize(
    "text",
    [
        "abs(raw_std / sqrt(d_k) - 1) < 0.1",
        "close(raw_std, sqrt(d_k), 0.05)",
        "zero == 0",
        "0 <= rate <= 100",
        "not rate > 100",
        "rate % 7 == 2 and 2 ** -1 == .5 or 1 > 2",
        "row[0] == 1 and row[-1] == 3 and row[n - 1] == 3",
        "weights[0][1] == 0.75",
        "all(row >= 1) and any(row > 2) and not any(row > 3)",
        "all(weights >= 0 and weights <= 1)",
        "all(close(row * 2, row + row, 1e-12))",
        "max(row) == 3 and min(row) == 1 and min(rate, d_k) == 30",
        "sum(weights) == 2 and mean(row) == 2 and len(row) == n and len(weights) == 2",
        "exp(0) == 1 and log(1) == 0 and log2(d_k) == 9",
        "max(abs(row - 2)) == 1",
        "close(std(row), sqrt(2 / 3), 1e-12) and close(var(row), 2 / 3, 1e-12) and norm(weights[0]) < 1",
        "argmax(row) == 2 and argmin(row) == 0 and argmax(weights) == 1 and count(row > 1) == 2",
        "all(sorted(row) == row) and max(cumsum(row)) == 6",
        "all(row[1:] > row[:2]) and sum(row[::2]) == 4 and len(row[-2:]) == 2",
        "all(weights[:, 0] <= 0.5) and weights[1, 1] == 0.5 and all(row(weights, 0) == weights[0])",
        "sum(column(weights, 1)) == 1.25 and sum(diagonal(weights)) == 0.75 and dot(row, row) == 14",
        "long.rate == 2 * rate and long.row[1] == 4",
        "raw_std\n  > 1",
    ],
)
def test_true_claims_hold(text: str) -> None:
    """A claim that is true of the numbers holds, without a reason."""
    outcome = decide(text)

    assert (True, "") == (outcome.holds, outcome.reason)


@pytest.mark.parametrize(
    "text",
    [
        "raw_std > d_k",
        "zero != 0",
        "0 <= rate <= 29",
        "31 <= rate <= 100",
        "all(row > 1)",
        "any(row > 3)",
        "not rate > 1",
        "close(raw_std, d_k, 0.05)",
        "close(1e-17, 0, 0.5)",
        "rate > 1 and rate > 31",
        "rate > 31 or rate > 32",
    ],
)
def test_false_claims_fail_without_a_reason(text: str) -> None:
    """A claim that is false fails, and a reason is not needed: its sides say it."""
    outcome = decide(text)

    assert (False, "") == (outcome.holds, outcome.reason)
    assert outcome.sides


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nothing > 1 or raw_std > 1", "nothing is not a number (NaN)"),
        ("max(holes) >= 1", "holes is not a number (NaN)"),
        ("len(holes) == 2", "holes is not a number (NaN)"),
        ("mask == 1", "mask is a text ('causal'); a claim compares numbers"),
        ("raw_sd > 1", "there is no parameter or result raw_sd; did you mean raw_std?"),
        ("1 / zero > 1", "1 / zero divides by zero"),
        ("1 % zero == 0", "1 % zero divides by zero"),
        ("0 ** -1 > rate", "0 ** -1 divides by zero"),
        ("log(zero) < 1", "log(zero) has no value there"),
        ("sqrt(-rate) < 1", "sqrt(-rate) has no value there"),
        ("(-rate) ** 0.5 < 1", "(-rate) ** 0.5 is not a real number"),
        ("endless - endless == 0", "endless - endless computes with infinity"),
        ("1 / endless == 0", "1 / endless computes with infinity"),
        ("endless > 1e300", "endless > 1e300 compares with infinity"),
        ("not (endless > 1e9)", "endless > 1e9 compares with infinity"),
        ("-endless < -100", "-endless < -100 compares with infinity"),
        ("abs(endless) > 100", "abs(endless) > 100 compares with infinity"),
        ("max(endless, 1) < 1e300 or zero == 0", "max(endless, 1) computes with infinity"),
        ("endless == endless", "endless == endless compares with infinity"),
        ("0 <= zero <= endless", "0 <= zero <= endless compares with infinity"),
        ("close(endless, endless, 1)", "close(endless, endless, 1) computes with infinity"),
        ("exp(d_k * d_k) > 1", "exp(d_k * d_k) is too large"),
        ("1e308 * d_k > 1", "1e308 * d_k computes with infinity"),
        ("huge > 1", "huge is too large"),
        ("9**9**9 > rate", "9**9**9 is too large"),
        ("row > 0", "row > 0 has 3 values, not one; say all(...) or any(...)"),
        ("row[3] > 0", "row[3] does not exist: there are 3, from 0 to 2"),
        ("row[-4] > 0", "row[-4] does not exist: there are 3, from 0 to 2"),
        ("row[n / 2] > 0", "the index n / 2 is not a whole number"),
        ("row[endless] > 0", "the index endless is not a whole number"),
        ("rate[0] > 0", "rate[0] has no elements there: it is one number"),
        ("max(rate) > 0", "max(rate) needs many values, and rate is one"),
        ("max(row, rate) > 0", "max(row, rate) needs numbers, or one vector alone"),
        ("all(empty > 0)", "empty > 0 compares nothing: there are no values"),
        ("max(empty) > 0", "max(empty) has no values to look at"),
        ("all(ragged > weights)", "ragged > weights has no value there"),
        ("all(row + weights > 0)", "row + weights combines 2x2 and 3 values, element by element"),
    ],
)
def test_what_cannot_be_decided_fails_by_name(text: str, told: str) -> None:
    """A claim that cannot be decided does not hold, and the reason names what stood in the way."""
    outcome = decide(text)

    assert (False, told) == (outcome.holds, outcome.reason)


PIECES = [
    *SCOPE,
    *"0123456789()[],.+-*/%<>=!",
    "**",
    "==",
    "<=",
    " ",
    " and ",
    " or ",
    "not ",
    "max(",
    "all(",
    "close(",
    "1e3",
    "lambda",
    "'",
    ":=",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_evaluation_never_raises(text: str) -> None:
    """A claim that parses is decided, whatever it does with the numbers."""
    try:
        expression = parse(text)
    except ClaimError:
        return

    outcome = evaluate(expression, SCOPE)

    assert not (outcome.holds and outcome.reason)
    assert all(side.text for side in outcome.sides)


def leaf() -> st.SearchStrategy[tuple[str, float]]:
    number = st.integers(0, 99) | st.floats(0.01, 99).map(lambda x: round(x, 2))
    return number.map(lambda x: (repr(x), x)) | st.sampled_from([(name, SCOPE[name]) for name in ("raw_std", "d_k", "rate", "n")])


def largest_of(a: float, b: float) -> float:
    return NAN if math.isnan(a) or math.isnan(b) else max(a, b)  # Python's max loses a NaN


def combined(children: st.SearchStrategy[tuple[str, float]]) -> st.SearchStrategy[tuple[str, float]]:
    def plain(parts: tuple[str, tuple[str, float], tuple[str, float]]) -> tuple[str, float]:
        sign, (left, a), (right, b) = parts
        value = {
            "+": lambda: a + b,
            "-": lambda: a - b,
            "*": lambda: a * b,
            "/": lambda: a / b if b else NAN,
            "%": lambda: a % b if b else NAN,
        }
        return f"({left}{sign}{right})", value[sign]()

    binary = st.tuples(st.sampled_from("+-*/%"), children, children).map(plain)
    negative = children.map(lambda part: (f"-{part[0]}", -part[1]))
    size = children.map(lambda part: (f"abs({part[0]})", abs(part[1])))
    largest = st.tuples(children, children).map(lambda parts: (f"max({parts[0][0]}, {parts[1][0]})", largest_of(parts[0][1], parts[1][1])))
    return binary | negative | size | largest


@settings(deadline=None)
@given(st.recursive(leaf(), combined, max_leaves=8).filter(lambda part: math.isfinite(part[1]) and len(part[0]) < 250))
def test_arithmetic_is_pythons(part: tuple[str, float]) -> None:
    """A number computed by the walker is the number that Python computes."""
    text, value = part

    outcome = decide(f"{text} <= 0")

    assert "" == outcome.reason
    assert (value, value <= 0) == (outcome.sides[0].left, outcome.holds)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("abs(raw_std / sqrt(d_k) - 1) < 0.1", ["0.002246 < 0.1"]),
        ("close(raw_std, sqrt(d_k), 0.05)", ["22.58 ≈ 22.63"]),
        ("0 <= rate <= 20", ["0 ≤ 30", "30 ≤ 20"]),
        ("rate > 1 or zero != 0", ["30 > 1", "0 ≠ 0"]),
        ("all(row > 1)", ["1 > 1"]),
        ("all(row > 0)", ["1 > 0"]),
        ("any(row > 2)", ["3 > 2"]),
        ("raw_std == 22.57661", ["22.5766 = 22.57661"]),
    ],
)
def test_sides_show_the_numbers(text: str, sides: list[str]) -> None:
    """Each comparison shows both its numbers; of a vector, the element that decided it; digits grow until two numbers differ."""
    assert sides == [side.text for side in decide(text).sides]


def test_too_much_work_is_refused() -> None:
    """Vectors beyond a million values are not computed with."""
    outcome = evaluate(parse("all(x >= 0)"), {"x": (0.0,) * 1_000_001})

    assert "x has more than 1,000,000 values" == outcome.reason


@pytest.mark.parametrize(
    ("name", "hint"),
    [("pi", "write 3.14159265"), ("inf", "infinity decides nothing"), ("NaN", "a NaN makes every claim false"), ("e", "write exp(1)")],
)
def test_constants_of_other_languages_are_told(name: str, hint: str) -> None:
    """A claim has numbers and the names of the experiment, and no constants."""
    assert f"there is no parameter or result {name}; {hint}" in decide(f"raw_std > {name}").reason
