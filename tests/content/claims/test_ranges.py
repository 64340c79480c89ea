"""What ranges alone decide of a claim, against the evaluator on numbers of those ranges."""

from __future__ import annotations

import math
from itertools import product

import pytest

from content.claims.evaluator import evaluate
from content.claims.parser import parse
from content.claims.ranges import EVERYTHING, Range, by_definition, decided

RANGES: dict[str, Range] = {"share": (0, 1), "percent": (0, 100), "bytes": (0, math.inf), "d": (64, 64), "score": EVERYTHING}
DRAWN = {"share": (0, 0.3, 1), "percent": (0, 55.5, 100), "bytes": (0, 7, 1e12), "d": (64,), "score": (-1e9, 0, 0.5, 1e9)}

CLAIMS = [
    ("percent > 150", False),
    ("percent > 100", False),
    ("percent >= 100", None),
    ("150 < percent", False),
    ("percent <= 100", True),
    ("percent < 100", None),
    ("-1 < share", True),
    ("share == 2", False),
    ("share != 2", True),
    ("share == 1", None),
    ("d == 64", True),
    ("d != 64", False),
    ("bytes >= 0", True),
    ("bytes > -0.5", True),
    ("bytes < 1e12", None),
    ("0 <= share <= 1", True),
    ("0 <= share < 0.5", None),
    ("0.5 < share < 0.4", None),
    ("share > 2 and score > 0", False),
    ("share >= 0 and score > 0", None),
    ("share >= 0 or score > 0", True),
    ("share > 2 or score > 0", None),
    ("not share > 2", True),
    ("not (share > 2 or percent > 200)", True),
    ("share < d", True),
    ("score < score", None),
    ("share + 1 > 0", None),
    ("abs(share) >= 0", None),
    ("close(share, 5, 0.1)", None),
    ("unknown > 3", None),
]


@pytest.mark.parametrize(("claim", "expected"), CLAIMS)
def test_what_is_decided(claim: str, expected: bool | None) -> None:
    """True and False where every number of the ranges gives that, None where it depends or is no comparison of names and numbers."""
    assert expected is decided(parse(claim), RANGES)


@pytest.mark.parametrize(("claim", "expected"), [(claim, expected) for claim, expected in CLAIMS if expected is not None])
def test_a_run_agrees(claim: str, expected: bool) -> None:
    """No numbers of the ranges, their ends included, make a decided claim come out otherwise."""
    runs = (dict(zip(DRAWN, numbers, strict=True)) for numbers in product(*DRAWN.values()))

    assert {expected} == {evaluate(parse(claim), run).holds for run in runs}


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        ((0, 1), (0, 1)),
        ((0, 100), (0, 100)),
        ((0, math.inf), (0, math.inf)),
        ((-1, 1), (-1, 1)),
        ((0, 0.001), (0, math.inf)),
        ((0.999, 1.001), EVERYTHING),
        ((1, 1), EVERYTHING),
    ],
)
def test_what_was_found_is_no_definition(within: Range, expected: Range) -> None:
    """A share is in 0..1 because it is one; that an error stays below 0.001, or that something is always 1, a claim may say."""
    assert expected == by_definition(within)
