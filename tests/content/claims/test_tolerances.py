"""Tolerances, and neighbours that they let pass."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from content.claims.parser import parse
from content.claims.tolerances import passing_neighbour, tolerances

RUN: Mapping[str, object] = {
    "d_k": 64,
    "raw_std": 8.04,
    "scaled_std": 1.005,
    "row": (0.5, 0.25),
    "flat": (0.5, 0.26),
    "long": (0.5, 0.25, 1.0),
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("close(raw_std, sqrt(d_k), 0.05)", [("raw_std", "sqrt(d_k)", 0.05, True)]),
        ("raw_std > 7 and close(raw_std, 8, 0.5 / 10)", [("raw_std", "8", 0.05, True)]),
        ("abs(raw_std - sqrt(d_k)) < 0.1", [("raw_std", "sqrt(d_k)", 0.1, False)]),
        ("0.1 * 8 >= abs(raw_std - 8)", [("raw_std", "8", 0.8, False)]),
        ("all(close(row, flat, 0.1))", [("row", "flat", 0.1, True)]),
        ("close(raw_std, 8, 1e-6)", []),
        ("close(raw_std, 8, scaled_std / 10)", []),
        ("not close(raw_std, 8, 0.1)", []),
        ("raw_std > 7 and 7.5 < raw_std < 8.5 and raw_std == 8", []),
        ("abs(raw_std) < 9", []),
    ],
)
def test_what_is_a_tolerance(text: str, found: list[object]) -> None:
    """An equality that says how near; no inequality, nothing that is exact, nothing that is denied, and no width that is measured."""
    expression = parse(text)
    assert found == [
        (expression.words(one.left.tree), expression.words(one.right.tree), pytest.approx(one.width), one.relative)
        for one in tolerances(expression)
    ]


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("close(raw_std, 8, 0.1)", 0.04 / 8.04),
        ("abs(raw_std - 8) < 0.1", 0.04),
        ("all(close(row, flat, 0.1))", 0.01 / 0.26),
        ("all(close(row, 0.5, 0.1))", 0.5),
        ("close(raw_std - raw_std, scaled_std - scaled_std, 0.1)", 0),
        ("close(raw_std / (d_k - d_k), 8, 0.1)", None),
        ("all(close(row[:1], row[:0], 0.1))", None),
        ("all(close(row, long, 0.1))", None),
        ("close(other, 8, 0.1)", None),
    ],
)
def test_how_far_apart_both_sides_are(text: str, gap: float | None) -> None:
    """Relative to the larger one, or not; of vectors the furthest pair; nothing where a side has no value."""
    (tolerance,) = tolerances(parse(text))

    assert tolerance.gap(RUN) == (None if gap is None else pytest.approx(gap))


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("close(raw_std, sqrt(d_k), 0.05)", True),
        ("close(scaled_std, raw_std / sqrt(d_k), 0.05)", True),
        ("close(raw_std, 8, 0.05)", True),
        ("close(raw_std, 8 * scaled_std, 0.05)", False),
        ("close(d_k, 64, 0.05)", False),
    ],
)
def test_a_law_of_results_is_of_no_setting(text: str, one: bool) -> None:
    (tolerance,) = tolerances(parse(text))

    assert one == tolerance.is_of_one_setting({"raw_std", "scaled_std"}, {"d_k"})


@pytest.mark.parametrize(
    ("own", "neighbour", "narrow"),
    [
        ([8.04], [11.3], None),
        ([8.04, 7.99], [8.5, 8.45], (0.00498 * 0.0533) ** 0.5),
        ([8.0], [8.5], 0.0588 / 2),
        ([8.04, 7.99], [8.06, 8.5], None),
        ([8.04, 8.3], [8.5, 8.45], None),
        ([8.1], [8.2], None),  # 1.98 times as far
        ([8.1], [8.22], (0.0123 * 0.0268) ** 0.5),  # 2.17 times as far
        ([8.0], [8.0], None),
        ([8.0], [8.0 + 6e-7], None),
        ([8.0], [8.0 + 1e-6], 1e-6 / 16),
        ([8.0], [8.5, 11.3], None),
        ([8.0], [], None),
    ],
)
def test_a_neighbour_passes_where_a_narrower_tolerance_would_refuse_it(
    own: list[float], neighbour: list[float], narrow: float | None
) -> None:
    """With all of its seeds, and by more than the card's own seeds need; what is the same there is no neighbour's."""
    (tolerance,) = tolerances(parse("close(raw_std, 8, 0.1)"))
    found = passing_neighbour(tolerance, *([{"raw_std": value} for value in values] for values in (own, neighbour)))

    assert (None if narrow is None else pytest.approx(narrow, rel=0.01)) == found


def test_an_error_of_rounding_asks_for_no_tolerance_of_its_size() -> None:
    """Where the card's own numbers agree to 16 digits, a tenth of the neighbour's distance is narrow enough."""
    (tolerance,) = tolerances(parse("close(raw_std, 8, 0.1)"))

    assert pytest.approx(0.005, rel=0.01) == passing_neighbour(tolerance, [{"raw_std": 8 * (1 + 1e-15)}], [{"raw_std": 8.42}])


def test_the_narrower_tolerance_is_one() -> None:
    """The card's own numbers hold with it, and the neighbour's do not."""
    (tolerance,) = tolerances(parse("close(raw_std, 8, 0.1)"))
    own, neighbour = [{"raw_std": 8.04}], [{"raw_std": 8.4}]
    narrow = passing_neighbour(tolerance, own, neighbour)

    assert narrow is not None
    gaps = [tolerance.gap(scope) for scope in (*own, *neighbour)]
    assert gaps == sorted([*gaps, narrow], key=lambda each: each or 0)[::2]
