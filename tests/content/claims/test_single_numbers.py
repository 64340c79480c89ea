"""A single number is not looked at as many; the sentence is that of a run."""

from __future__ import annotations

import pytest

from content.claims.evaluator import evaluate
from content.claims.parser import FUNCTIONS, parse
from content.claims.single_numbers import ELEMENT_BY_ELEMENT, GIVES_MANY, misuse

SCOPE = {"x": 2.0, "v": (1.0, 2.0), "m": ((1.0, 2.0), (3.0, 4.0))}


@pytest.mark.parametrize(
    "text",
    [
        "x[0] > 1",
        "x[0][1] > 1",
        "sum(x) > 1",
        "mean(-x) > 1",
        "len(x + 1) > 1",
        "any(x > 1)",
        "max(sqrt(x)) > 1",
        "min(max(v)) > 1",
        "v[0] > sum(x)",
    ],
)
def test_as_a_run_says_it(text: str) -> None:
    """What is refused without a run is what a run refuses, in the same words."""
    assert evaluate(parse(text), SCOPE).told == misuse(parse(text), {"x"})


@pytest.mark.parametrize(
    "text", ["x > 1", "sum(v) > x", "max(x, 1) > 1", "v[0] > 1", "m[0][1] > 1", "all(v > x)", "sum(v * x) > 1", "sum(abs(v)) > 1"]
)
def test_what_fits(text: str) -> None:
    """Many values, or several single ones, are what these functions are for."""
    assert "" == misuse(parse(text), {"x"})
    assert "needs" not in evaluate(parse(text), SCOPE).told


def test_every_function_is_one_or_the_other() -> None:
    """Of a single number these make a number; all others look at many."""
    assert set(FUNCTIONS) - ELEMENT_BY_ELEMENT - GIVES_MANY == {
        *("min", "max", "sum", "mean", "len", "all", "any"),
        *("std", "var", "norm", "argmax", "argmin", "count", "dot"),
    }
