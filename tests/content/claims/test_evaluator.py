"""The claim language: what it refuses, what it computes, and that a claim can fail."""

from __future__ import annotations

import contextlib
import math
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.claims.evaluator import Outcome, evaluate
from content.claims.mutation import Mutation, killing_mutations, mutations
from content.claims.parser import parse
from content.claims.tokens import ClaimError

NAN, INF = math.nan, math.inf
SCOPE: dict[str, object] = {
    "raw_std": 22.5766,
    "d_k": 512,
    "rate": 30.0,
    "zero": 0.0,
    "nothing": NAN,
    "endless": INF,
    "mask": "causal",
    "row": (1.0, 2.0, 3.0),
    "holes": (1.0, NAN),
    "weights": ((0.25, 0.75), (0.5, 0.5)),
    "empty": (),
    "ragged": ((1.0, 2.0), (3.0,)),
    "huge": 10**400,
    "n": 3,
}
RESULTS = {"raw_std", "rate", "zero", "row", "weights"}


def decide(text: str) -> Outcome:
    return evaluate(parse(text), SCOPE)


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
        "endless > 1e300",
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


@pytest.mark.parametrize(
    "text",
    [
        "rate.real > 1",
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
        "row[0:1] > 0",
        "weights[0, 1] > 0",
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
    """No attribute, text, import, foreign call, comprehension, slice or deep nesting gets past the parser."""
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


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("close(raw_std, sqrt(d_k), 0.05)", {"raw_std": "raw_std ×0"}),
        ("zero == 0", {"zero": "zero +1"}),
        ("abs(raw_std) > 10", {"raw_std": "raw_std ×0"}),
        ("rate == 30 and zero < 10", {"rate": "rate ×0", "zero": "None"}),
        ("max(row) - min(row) < 3", {"row": "row ×2"}),
        ("row[1] - row[0] <= 2", {"row": "row[1] ×2"}),
        ("row[0] <= rate / 20", {"row": "row ×2", "rate": "rate ×0"}),
    ],
)
def test_the_first_killing_change_is_named(text: str, first: dict[str, str]) -> None:
    """For each named result the check can say which change made the claim fail."""
    assert first == {name: str(trial) for name, trial in killing_mutations(parse(text), SCOPE, RESULTS).items()}


@pytest.mark.parametrize(
    "text",
    [
        "d_k == 512",
        "1 < 2",
        "rate < 1000",
        "zero < 10",
        "rate == rate",
        "rate - rate == 0",
        "rate / rate == 1",
        "len(row) == 3",
        "rate > 1000 or d_k == 512",
        "row[0] < 100",
    ],
)
def test_a_claim_that_survives_every_change_is_loose(text: str) -> None:
    """A claim that names no result, or that no change of one makes false, proves nothing; a division by zero is no proof."""
    assert decide(text).holds
    assert not any(trial.kills for trial in mutations(parse(text), SCOPE, RESULTS))


def test_single_elements_are_changed_where_the_claim_reads_them() -> None:
    """An element that a claim takes by its index is among the elements that are changed alone."""
    scope = {"long": tuple(float(i) for i in range(100))}

    places = {trial.place for trial in mutations(parse("long[7] < long[8]"), scope, {"long"})}

    assert {(), (7,), (8,), (0,), (50,), (99,)} == places
    assert any(trial.kills for trial in mutations(parse("long[7] < long[8]"), scope, {"long"}))


def test_an_undecided_trial_kills_nothing() -> None:
    """Only a claim that came out false was killed."""
    undecided, false = Outcome(False, (), "1 / x divides by zero"), Outcome(False)

    assert [False, True] == [Mutation("x", (), "×0", outcome).kills for outcome in (undecided, false)]


def test_changes_of_huge_numbers_do_not_raise() -> None:
    """A result that is too large to compute with is reported by the claim, not by the changes."""
    assert {"huge": None} == killing_mutations(parse("huge > 1"), SCOPE, {"huge"})


def test_names_come_in_the_order_of_the_text() -> None:
    """The names of an expression are its parameters and results, each once, not its functions."""
    assert ("d", "d_k", "b") == parse("max(d, d_k) > b + d").names


def test_too_much_work_is_refused() -> None:
    """Vectors beyond a million values are not computed with."""
    outcome = evaluate(parse("all(x >= 0)"), {"x": (0.0,) * 1_000_001})

    assert "x has more than 1,000,000 values" == outcome.reason
