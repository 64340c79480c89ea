"""How a line of a computation is read."""

from __future__ import annotations

import pytest

from content.claims.computation import names_of, parse_computation
from content.claims.tokens import ClaimError


def test_a_line_becomes_a_tree_with_places() -> None:
    """Kind, place, parts: plain tuples that another process can read."""
    assert (
        "binary", 0, 16, "@",
        ("name", 0, 1, "q"),
        ("call", 4, 16, "transpose", (("name", 14, 15, "k"),), ()),
    ) == parse_computation("q @ transpose(k)")  # fmt: skip


def test_names_are_what_a_line_needs() -> None:
    """Functions, their arguments' names and constants are none."""
    assert [("x", 4), ("a", 6), ("n", 8)] == list(names_of(parse_computation("sum(x[a:n], dim=-1) + max(pi, inf)")))


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("softmx(x)", 1, "there is no function softmx", "did you mean softmax?"),
        ("matmul(a, b)", 1, "there is no function matmul", "write @ between the two"),
        ("x.T @ y", 1, "names have no parts here", "write transpose(x), not x.T; an experiment reads no other run"),
        ("x.sum()", 1, "only a function by its name can be called", "write transpose(x), not x.transpose()"),
        ("softmax", 1, "softmax is a function", "write softmax(x, dim=-1)"),
        ("sum(*x)", 1, "* and ** take no list apart here", "write sum(x, dim=all)"),
        ("sum(x", 4, "this is not a complete expression", "a ) is missing"),
        ("[1, 2", 1, "this is not a complete expression", "a ] is missing"),
        ("x ^ 2", 3, "^ is not a power here", "write **, as in x**2"),
        (
            "(1, 2)",
            1,
            "this kind of expression is not part of the language",
            "numbers, names, + - * / ** % @, comparisons, x[i, :], functions",
        ),
        ("a = 2", 3, "this is not a complete expression", "write something like softmax(q @ transpose(k) / sqrt(d_k))"),
        ("[x for x in y]", 4, "for is not part of the language", "a claim compares numbers: raw_std > 1"),
    ],
)
def test_what_is_no_line_is_told_with_its_column(text: str, column: int, message: str, hint: str) -> None:
    with pytest.raises(ClaimError) as refused:
        parse_computation(text)

    assert (column, message, hint) == (refused.value.column, refused.value.message, refused.value.hint)


@pytest.mark.parametrize("text", ["m[0,0] > 1", "max(1,0) > x", "[1,0,0]", "[[1,0],[0,1]]", "x[0,0]", "reshape(x,1,0)", "max(0,0,0.5)"])
def test_a_zero_after_a_comma_is_a_value(text: str) -> None:
    """0 has no leading zero, with or without a space before it: only a digit behind it makes one."""
    spaced = parse_computation(text.replace(",", ", "))

    assert spaced[0] == parse_computation(text)[0]


@pytest.mark.parametrize("text", ["max(8,064, x)", "zeros(1,024,000)", "[2,05]"])
def test_a_digit_after_a_comma_s_zero_makes_one_number_of_it(text: str) -> None:
    with pytest.raises(ClaimError, match="because of its comma"):
        parse_computation(text)
